import { failure } from '../../../../kernel/failure.ts'
import { fields } from '../../../../kit/bodies.ts'
import { acl, type Call, endpoint, type MountEndpoint, Type } from '../../../../kit/endpoint.ts'
import { field } from '../../../../kit/fields.ts'
import { data, nothing, type Reply } from '../../../../kit/reply.ts'
import { mountOf, type RequestFacts } from '../../../../kit/request.ts'
import { isLive, readVersions, type Spot, subkeysOf, type Value } from './kv.ts'
import {
  authorOf,
  destroyVersions,
  hideVersions,
  openValue,
  patchSecret,
  type Rewritten,
  readVersion,
  showVersions,
  writeSecret,
} from './kv-actions.ts'
import { SecretInfo, SubkeysInfo, secretBody, VersionInfo, versionInfo } from './kv-fields.ts'
import { type FoundVersion, findSecretId } from './kv-store.ts'
import { noteUse } from './use-actions.ts'

/** The secret that a request is about. */
export const spotOf = (request: Pick<RequestFacts, 'mount'>, { path = '' }: Record<string, string>): Spot => ({
  mountId: mountOf(request).id,
  path,
})

/** What every endpoint of one secret has. */
export const ofSecret = {
  access: acl(),
  params: { path: { description: 'Path of the secret; slashes make folders.', example: 'app/database' } },
} as const

/** Whether anything is known about the secret: a write to one that is new asks policies for `create`. */
export const exists: MountEndpoint['exists'] = async ({ deps, request, params }) =>
  (await findSecretId(deps.db, spotOf(request, params))) !== undefined

/** Nothing, for verbs of which that alone would mean success. */
export const noSecret = () => failure('missing', 'kv.missing', 'There is no such secret.', { withoutErrors: true })

const versionQuery = {
  version: field.whole('Number of the version; 0 for the latest.'),
} as const

type ReadCall = Pick<Call, 'deps' | 'request' | 'params' | 'caller'> & {
  readonly query: { readonly version?: number | undefined }
}

/** A version with what is shown of its value; what is hidden is a 404 that says what became of it. */
async function versionReply(
  { deps, request, params, caller, query }: ReadCall,
  member: 'data' | 'subkeys',
  show: (value: Value) => Value,
): Promise<Reply> {
  const spot = spotOf(request, params)
  const version = await readVersion(deps, spot, query.version)
  if (!version) return nothing()
  const metadata = versionInfo(version)
  if (!isLive(version, deps.clock.now())) return data({ [member]: null, metadata }, 404)
  const { secretId, number } = version
  if (member === 'data')
    await noteUse(deps, caller, { mountId: spot.mountId, secretId, operation: 'read', version: number })
  return data({ [member]: show(openValue(deps, version)), metadata })
}

/** The answer to a write that began with a version. */
export async function rewrittenReply(
  { deps, request, caller }: Pick<Call, 'deps' | 'request' | 'caller'>,
  result: Rewritten,
): Promise<Reply> {
  if (result.kind === 'missing') throw noSecret()
  if (result.kind === 'hidden') return data(versionInfo(result.version), 404)
  await noteWrite({ deps, request, caller }, result.version)
  return data(versionInfo(result.version))
}

const noteWrite = (
  { deps, request, caller }: Pick<Call, 'deps' | 'request' | 'caller'>,
  { secretId, number }: Pick<FoundVersion, 'secretId' | 'number'>,
): Promise<void> =>
  noteUse(deps, caller, { mountId: mountOf(request).id, secretId, operation: 'write', version: number })

const VersionsBody = Type.Object({ versions: field.any('Numbers of versions, as a list or as text with commas.') })

type VersionsCall = Pick<Call, 'deps' | 'request' | 'params' | 'caller'> & { readonly body: { versions?: unknown } }

// Clients look for these words.
const noVersion = 'No version number provided'

/** An endpoint that changes named versions of a secret. */
const changingVersions = (
  verb: 'delete' | 'undelete' | 'destroy',
  summary: string,
  run: (call: VersionsCall, spot: Spot, numbers: readonly number[]) => Promise<void>,
  noneText = noVersion,
): MountEndpoint =>
  endpoint({
    ...ofSecret,
    id: `kv.${verb}`,
    route: `POST /${verb}/*path`,
    summary,
    body: fields(VersionsBody),
    returns: { 204: null },
    fails: ['invalid'],
    example: { request: { versions: [1, 2] } },
    handle: async (call) => {
      await run(call, spotOf(call.request, call.params), readVersions(call.body.versions, noneText))
      return nothing()
    },
  })

async function hide(
  { deps, request, params, caller }: Pick<Call, 'deps' | 'request' | 'params' | 'caller'>,
  numbers: readonly number[] | 'latest',
): Promise<void> {
  const spot = spotOf(request, params)
  const hidden = await hideVersions(deps, spot, { numbers, author: authorOf(caller, 'delete') })
  if (!hidden) return
  const { secretId, numbers: changed } = hidden
  await noteUse(deps, caller, {
    mountId: spot.mountId,
    secretId,
    operation: 'delete',
    version: Math.max(...changed),
  })
}

/** Secrets and their versions. */
export const dataEndpoints: readonly MountEndpoint[] = [
  endpoint({
    ...ofSecret,
    id: 'kv.read',
    route: 'GET /data/*path',
    summary: 'Read a secret.',
    description: 'A version that is hidden or destroyed gets 404 with its metadata, and null in place of the secret.',
    query: Type.Object(versionQuery),
    returns: { 200: SecretInfo, 404: SecretInfo },
    fails: ['missing', 'invalid'],
    handle: (call) => versionReply(call, 'data', (value) => value),
  }),
  endpoint({
    ...ofSecret,
    id: 'kv.write',
    route: 'POST /data/*path',
    summary: 'Write a version of a secret.',
    body: secretBody,
    returns: { 200: VersionInfo },
    fails: ['invalid', 'too-large'],
    example: { request: { data: { password: 'correct horse' }, options: { cas: 0 } } },
    exists,
    handle: async ({ deps, request, params, caller, body }) => {
      const version = await writeSecret(deps, spotOf(request, params), { ...body, author: authorOf(caller, 'write') })
      await noteWrite({ deps, request, caller }, version)
      return data(versionInfo(version))
    },
  }),
  endpoint({
    ...ofSecret,
    id: 'kv.patch',
    route: 'PATCH /data/*path',
    summary: 'Write a version that is the latest one with changes: null removes a name, objects are merged.',
    body: secretBody,
    returns: { 200: VersionInfo, 404: VersionInfo },
    fails: ['missing', 'invalid', 'too-large', 'unsupported-media'],
    example: { request: { data: { user: 'app', old_password: null } } },
    handle: async ({ deps, request, params, caller, body }) => {
      const author = authorOf(caller, 'patch')
      const patch = { patch: body.value, cas: body.cas, author }
      return rewrittenReply({ deps, request, caller }, await patchSecret(deps, spotOf(request, params), patch))
    },
  }),
  endpoint({
    ...ofSecret,
    id: 'kv.delete-latest',
    route: 'DELETE /data/*path',
    summary: 'Hide the latest version of a secret; it can be brought back.',
    returns: { 204: null },
    handle: async (call) => {
      await hide(call, 'latest')
      return nothing()
    },
  }),
  changingVersions('delete', 'Hide versions of a secret; they can be brought back.', (call, _spot, numbers) =>
    hide(call, numbers),
  ),
  changingVersions('undelete', 'Bring hidden versions of a secret back.', ({ deps }, spot, numbers) =>
    showVersions(deps, spot, numbers),
  ),
  changingVersions(
    'destroy',
    'Remove versions of a secret for good.',
    ({ deps, caller }, spot, numbers) => destroyVersions(deps, spot, { numbers, author: authorOf(caller, 'destroy') }),
    noVersion.toLowerCase(),
  ),
  endpoint({
    ...ofSecret,
    id: 'kv.read-subkeys',
    route: 'GET /subkeys/*path',
    summary: 'Read the names in a secret, without the values.',
    query: Type.Object({ ...versionQuery, depth: field.whole('How deep names are shown; 0 for all.') }),
    returns: { 200: SubkeysInfo, 404: SubkeysInfo },
    fails: ['missing', 'invalid'],
    handle: (call) => versionReply(call, 'subkeys', (value) => subkeysOf(value, Math.max(0, call.query.depth ?? 0))),
  }),
]
