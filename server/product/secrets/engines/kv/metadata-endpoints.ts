import { fields } from '../../../../kit/bodies.ts'
import { acl, type Call, endpoint, type MountEndpoint, Type } from '../../../../kit/endpoint.ts'
import { KeyInfoList, KeyList, WarningsAlone } from '../../../../kit/envelope.ts'
import { field } from '../../../../kit/fields.ts'
import { type ListCall, listReply, listTerms, namesReply, nextAfter } from '../../../../kit/list.ts'
import { data, nothing, type Reply } from '../../../../kit/reply.ts'
import { mountOf } from '../../../../kit/request.ts'
import { inSnapshot } from '../../../../storage/transaction.ts'
import { exists, noSecret, ofSecret, spotOf } from './data-endpoints.ts'
import { hasUnreadEnd } from './kv.ts'
import { changeRules, removeSecret, rulesOf } from './kv-actions.ts'
import {
  ConfigBody,
  ConfigInfo,
  MetadataInfo,
  metadataBody,
  metadataInfo,
  type SentMetadata,
  sentRules,
  shownRules,
} from './kv-fields.ts'
import { type Folder, findSecretsNamed, listSecrets } from './kv-list-store.ts'
import { findSecret } from './kv-store.ts'
import { changeMetadata } from './metadata-actions.ts'

/** The folder that a list is about. */
export const folderOf = ({ request, params: { path = '' } }: Pick<Call, 'request' | 'params'>): Folder => ({
  mountId: mountOf(request).id,
  folder: path === '' ? '' : `${path}/`,
})

type FolderCall = ListCall & Pick<Call, 'request' | 'params'>

/** The names in a folder; with a time, without those that cannot be read then. */
export const listNames = (call: FolderCall, liveAt?: Parameters<typeof listSecrets>[2]['liveAt']): Promise<Reply> =>
  namesReply(call, (db, place) => listSecrets(db, folderOf(call), { ...place, liveAt }))

const listDetails = (call: FolderCall): Promise<Reply> =>
  listReply(call, (db) => async (place) => {
    const names = await listSecrets(db, folderOf(call), place)
    const found = await findSecretsNamed(
      db,
      folderOf(call),
      names.filter((name) => !name.endsWith('/')),
    )
    const known = new Map(found.map((secret) => [secret.name, metadataInfo(secret)]))
    return {
      names,
      info: Object.fromEntries(names.map((name) => [name, known.get(name) ?? {}])),
      next: nextAfter(names, place),
    }
  })

const metadataListTerms = {
  query: Type.Object({
    ...listTerms.query.properties,
    exclude_deleted: field.flag('Leaves out secrets whose latest version is hidden or destroyed.'),
  }),
  returns: { 200: KeyList },
  fails: ['missing'],
} as const

/** The same list at the root of the mount and in a folder: the one has no path parameter. */
const lists = <D extends Omit<MountEndpoint, 'id' | 'route' | 'access' | 'params'>>(
  id: string,
  path: string,
  definition: D,
): MountEndpoint[] => [
  endpoint({
    ...(definition as unknown as MountEndpoint),
    access: acl(),
    id: `${id}-all`,
    route: `LIST /${path}` as never,
  }) as MountEndpoint,
  endpoint({
    ...(definition as unknown as MountEndpoint),
    ...ofSecret,
    id,
    route: `LIST /${path}/*path` as never,
  }) as MountEndpoint,
]

type MetadataCall = Pick<Call, 'deps' | 'request' | 'params' | 'warn'> & { readonly body: SentMetadata }

async function writeMetadata({ deps, request, params, body, warn }: MetadataCall, makes: boolean): Promise<Reply> {
  if (body.isEmpty && makes) return nothing()
  const spot = spotOf(request, params)
  const found = await changeMetadata(deps, spot, {
    cas: body.cas,
    makes,
    change: (before) => {
      const customMetadata = body.custom ? body.custom(before.customMetadata) : before.customMetadata
      return { ...before, ...body.rules, customMetadata }
    },
  })
  if (!found) throw noSecret()
  if (body.rules.casRequired === false && (await rulesOf(deps, spot.mountId)).casRequired)
    warn("'cas_required' was stored, but has no effect: the mount requires check-and-set for all of its secrets.")
  if (hasUnreadEnd(body.custom?.(null) ?? null))
    warn("'expires_at' was stored, but nobody is warned: it is no time such as 2027-01-31T12:00:00Z.")
  return nothing()
}

/** What is said about secrets, lists of them, and the settings of the mount. */
export const metadataEndpoints: readonly MountEndpoint[] = [
  endpoint({
    ...ofSecret,
    id: 'kv.read-metadata',
    route: 'GET /metadata/*path',
    summary: 'Read what is known about a secret and its versions.',
    returns: { 200: MetadataInfo },
    fails: ['missing'],
    handle: async ({ deps, request, params }) => {
      const secret = await inSnapshot(deps.db, (db) => findSecret(db, spotOf(request, params)))
      return secret ? data(metadataInfo(secret)) : nothing()
    },
  }),
  endpoint({
    ...ofSecret,
    id: 'kv.write-metadata',
    route: 'POST /metadata/*path',
    summary: 'Write metadata of a secret; custom metadata are replaced.',
    body: metadataBody('replace'),
    returns: { 200: WarningsAlone, 204: null },
    fails: ['invalid'],
    example: { request: { max_versions: 20, custom_metadata: { owner: 'payments', expires_at: '2027-06-30' } } },
    exists,
    handle: (call) => writeMetadata(call, true),
  }),
  endpoint({
    ...ofSecret,
    id: 'kv.patch-metadata',
    route: 'PATCH /metadata/*path',
    summary: 'Change metadata of a secret; custom metadata are merged.',
    body: metadataBody('merge'),
    returns: { 200: WarningsAlone, 204: null },
    fails: ['missing', 'invalid', 'unsupported-media'],
    handle: (call) => writeMetadata(call, false),
  }),
  endpoint({
    ...ofSecret,
    id: 'kv.delete-metadata',
    route: 'DELETE /metadata/*path',
    summary: 'Remove a secret for good, with all versions and metadata.',
    returns: { 204: null },
    handle: async ({ deps, request, params }) => {
      await removeSecret(deps, spotOf(request, params))
      return nothing()
    },
  }),
  ...lists('kv.list', 'metadata', {
    ...metadataListTerms,
    summary: 'List secrets and folders.',
    description: 'Whoever may list a folder sees all names in it.',
    handle: ((call: FolderCall & { query: { exclude_deleted?: boolean } }) =>
      listNames(call, call.query.exclude_deleted ? call.deps.clock.now() : undefined)) as never,
  }),
  ...lists('kv.list-details', 'detailed-metadata', {
    ...listTerms,
    summary: 'List secrets and folders, with the metadata of each secret.',
    returns: { 200: KeyInfoList },
    handle: ((call: FolderCall) => listDetails(call)) as never,
  }),
  endpoint({
    id: 'kv.read-config',
    route: 'GET /config',
    summary: 'Read the settings for all secrets of the mount.',
    access: acl(),
    returns: { 200: ConfigInfo },
    handle: async ({ deps, request }) => {
      const rules = await rulesOf(deps, mountOf(request).id)
      return data({ ...shownRules(rules), history: rules.history })
    },
  }),
  endpoint({
    id: 'kv.write-config',
    route: 'POST /config',
    summary: 'Change the settings for all secrets of the mount.',
    access: acl(),
    body: fields(ConfigBody),
    returns: { 204: null },
    fails: ['invalid'],
    example: { request: { max_versions: 5, cas_required: true, delete_version_after: '720h' } },
    handle: async ({ deps, request, body: { history, ...rules } }) => {
      const change = { ...sentRules(rules, { isMount: true }), ...(history === undefined ? {} : { history }) }
      if (Object.keys(change).length > 0) await changeRules(deps, mountOf(request).id, change)
      return nothing()
    },
  }),
]
