import { archiveLimits } from '../../../kernel/archive-tree.ts'
import { failure } from '../../../kernel/failure.ts'
import { streamed } from '../../../kit/bodies.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, open, Type } from '../../../kit/endpoint.ts'
import { answerOne, documentSchema, refusedAsDocument, showQuery } from '../../../kit/jsonapi/index.ts'
import { partsOf } from '../../../kit/parts.ts'
import { bytes, nothing, type Reply } from '../../../kit/reply.ts'
import { changeContent, openArchive, receiveArchive } from './archive-actions.ts'
import { type ArchiveUse, archiveUrl, readArchiveToken } from './archive-url.ts'
import type { ConfigurationId, ConfigurationVersion, ContentAction } from './configuration.ts'
import {
  configurationInPath,
  configurationSchema,
  onConfiguration,
  toConfigurationResource,
} from './configuration-endpoints.ts'
import { loadConfiguration } from './configuration-store.ts'

declare module '../../../kit/parts.ts' {
  interface FeatureParts {
    /** What happens after the archive of a version was stored; an upload that is repeated does it again. */
    uploadedStep: (deps: Deps, version: ConfigurationVersion) => Promise<void>
  }
}

/** Large archives over slow connections take long. */
const deadline = 30 * 60_000

const whyOpen = 'The address is signed and short-lived; command lines send no token with it.'
const params = { token: { description: 'The signed token in the address of an archive.' } }

function versionOf(deps: Parameters<typeof readArchiveToken>[0], use: ArchiveUse, token = ''): ConfigurationId {
  const id = readArchiveToken(deps, use, token)
  if (id !== undefined) return id
  const text =
    use === 'put'
      ? 'This address is not valid, or has expired; create another configuration version.'
      : 'This address is not valid, or has expired; ask for the download again.'
  throw failure('missing', 'configuration.address', text)
}

const noArchive = () =>
  failure('missing', 'configuration.no-content', 'This configuration version has no content, or not any more.')

/** Leads to a signed address of the archive; 404 unless it was uploaded and may be used. */
export function downloadReply({ deps, request }: Pick<Call, 'deps' | 'request'>, version: ConfigurationVersion): Reply {
  if (version.status !== 'uploaded') throw noArchive()
  const Location = archiveUrl(deps, request.origin, 'get', version.id)
  return nothing(302, { Location, 'Cache-Control': 'no-store' })
}

/** Where archives are uploaded and downloaded. The address itself grants the right to do so, so it is never logged. */
const transferEndpoints: readonly Endpoint[] = defineEndpoints('site', [
  endpoint({
    id: 'configuration-archive.upload',
    route: 'PUT /api/configurations/v1/:token',
    summary: 'Upload the archive of a configuration version; it replaces the one before until a run uses the version.',
    access: open(whyOpen),
    params,
    body: streamed('application/octet-stream', archiveLimits.packedBytes, 'Files in the format tar, packed with gzip.'),
    returns: { 200: null },
    fails: ['missing', 'conflict', 'invalid', 'unavailable'],
    secretPath: true,
    deadline,
    handle: ({ deps, params: { token }, pieces }) =>
      refusedAsDocument(async () => {
        const version = await receiveArchive(deps, versionOf(deps, 'put', token), pieces)
        for (const step of partsOf(deps, 'uploadedStep')) await step(deps, version)
        return nothing(200)
      }),
  }),
  endpoint({
    id: 'configuration-archive.download',
    route: 'GET /api/configurations/v1/:token',
    summary: 'Download the archive of a configuration version.',
    access: open(whyOpen),
    params,
    returns: { 200: Type.String({ description: 'The archive, exactly as it was uploaded.', format: 'binary' }) },
    fails: ['missing'],
    secretPath: true,
    deadline,
    handle: ({ deps, params: { token } }) =>
      refusedAsDocument(async () => {
        const version = await loadConfiguration(deps.db, versionOf(deps, 'get', token))
        const archive = version && (await openArchive(deps, version))
        if (!archive) throw noArchive()
        return bytes('application/octet-stream', archive.bytes, { headers: { 'Content-Length': String(archive.size) } })
      }),
  }),
])

const summaries: Readonly<Record<Exclude<ContentAction, 'archive'>, string>> = {
  soft_delete: 'Soft-delete the content of a configuration version; it can be restored.',
  restore: 'Restore the soft-deleted content of a configuration version.',
  permanently_delete: 'Permanently delete the content of a configuration version.',
}

const backingActions = Object.keys(summaries) as (keyof typeof summaries)[]

/** Archives of configurations: uploaded, downloaded and deleted. */
export const archiveEndpoints: readonly Endpoint[] = [
  ...transferEndpoints,
  ...defineEndpoints('api/v2', [
    endpoint({
      id: 'configuration-versions.download',
      route: 'GET /configuration-versions/:configurationVersionId/download',
      summary: 'Download the archive of a configuration version from a signed address, which is valid for a minute.',
      access: onConfiguration('can-read-run'),
      params: configurationInPath,
      returns: { 302: null },
      fails: ['missing'],
      handle: (call) => downloadReply(call, call.subject.resource.version),
    }),
    endpoint({
      id: 'configuration-versions.archive',
      route: 'POST /configuration-versions/:configurationVersionId/actions/archive',
      summary: 'Drop the content of a configuration version that is not current and whose runs have ended.',
      access: onConfiguration('can-queue-run'),
      params: configurationInPath,
      returns: { 202: null },
      fails: ['missing', 'conflict'],
      handle: async (call) => {
        await changeContent(call.deps, authorOf(call), call.subject.resource.version.id, 'archive')
        return nothing(202)
      },
    }),
    ...backingActions.map((action) =>
      endpoint({
        id: `configuration-versions.${action.replaceAll('_', '-')}`,
        route: `POST /configuration-versions/:configurationVersionId/actions/${action}_backing_data`,
        summary: summaries[action],
        access: onConfiguration('can-update'),
        params: configurationInPath,
        query: showQuery(),
        returns: { 200: documentSchema(configurationSchema) },
        fails: ['missing', 'malformed'],
        handle: async (call) => {
          const version = await changeContent(call.deps, authorOf(call), call.subject.resource.version.id, action)
          return answerOne(call, toConfigurationResource(version))
        },
      }),
    ),
  ]),
]
