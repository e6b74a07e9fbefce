import { grantsInOrganization } from '../../../access/permissions/index.ts'
import type { Call } from '../../../kit/endpoint.ts'
import type { Resource } from '../../../kit/jsonapi/index.ts'
import { includeHolders, isSameHolder, type LockHolder } from '../workspaces/index.ts'
import { type ContentKind, type ContentUse, contentUrl } from './content/content-url.ts'
import { openSummary } from './facts-actions.ts'
import { openOutput } from './outputs/output-actions.ts'
import { toOutputResource } from './outputs/output-endpoints.ts'
import { loadIncludedOutputs, loadOutputIds } from './outputs/output-store.ts'
import type { StateVersion } from './state-version.ts'
import { type StateVersionView, toStateVersionResource } from './state-version-fields.ts'

type RenderCall = Pick<Call, 'deps' | 'request'>

/** Versions as resources, as this reader sees them. */
export async function renderStateVersions(
  { deps, request }: RenderCall,
  reader: LockHolder,
  versions: readonly StateVersion[],
): Promise<Resource[]> {
  const arrived = versions.flatMap(({ status, id }) => (status === 'pending' ? [] : id))
  const outputIds = await loadOutputIds(deps.db, arrived)
  return versions.map((version) =>
    toStateVersionResource({
      version,
      summary: openSummary(deps, version),
      outputIds: outputIds.get(version.id) ?? [],
      urls: urlsOf({ deps, request }, reader, version),
    }),
  )
}

/** One version as a resource. */
export async function renderStateVersion(
  call: RenderCall,
  reader: LockHolder,
  version: StateVersion,
): Promise<Resource> {
  const [resource] = await renderStateVersions(call, reader, [version])
  return resource as Resource
}

/** Content can be downloaded once it has arrived, and uploaded once, by whoever announced it. */
function urlsOf(call: RenderCall, reader: LockHolder, version: StateVersion): StateVersionView['urls'] {
  const { deps, request } = call
  const url = (use: ContentUse, kind: ContentKind) => contentUrl(deps, request.origin, { use, kind, id: version.id })
  const final = version.status === 'finalized'
  const awaited = version.status === 'pending' && isSameHolder(version.createdBy, reader)
  return {
    download: final ? url('get', 'state') : null,
    jsonDownload: final && version.jsonBlobId !== null ? url('get', 'json') : null,
    upload: awaited ? url('put', 'state') : null,
    jsonUpload: awaited && version.jsonBlobId === null ? url('put', 'json') : null,
  }
}

/** What can be included with versions. Runs do not exist yet, so nothing is included for them. */
export const stateVersionIncludes = [
  'outputs',
  'created_by',
  'run',
  'run.created_by',
  'run.configuration_version',
] as const

/** The resources that `include` asks for; the versions are of one organization. */
export async function includeWithVersions(
  call: Pick<Call, 'deps' | 'caller'>,
  include: ReadonlySet<string>,
  versions: readonly StateVersion[],
): Promise<readonly Resource[]> {
  const { deps } = call
  const included: Resource[] = []
  if (include.has('outputs')) {
    const outputs = await loadIncludedOutputs(
      deps.db,
      versions.map(({ id }) => id),
    )
    for (const output of outputs) included.push(toOutputResource(openOutput(deps, output, 'harmless')))
  }
  const [first] = versions
  if (first && include.has('created_by')) {
    const grants = await grantsInOrganization(call, first.organizationId)
    const makers = versions.map(({ createdBy }) => createdBy)
    included.push(...(await includeHolders(call, grants, makers)))
  }
  return included
}
