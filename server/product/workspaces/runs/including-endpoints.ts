import type { Call } from '../../../kit/endpoint.ts'
import type { Resource } from '../../../kit/jsonapi/index.ts'
import { renderUsers, toServiceUserResource } from '../../people/users/index.ts'
import { loadConfigurations, toConfigurationResource } from '../configurations/index.ts'
import { type LockHolder, loadWorkspaces, renderWorkspaces } from '../workspaces/index.ts'
import { renderPhases } from './phase-document-endpoints.ts'
import { toCommentResource, toEventResource } from './record-document-endpoints.ts'
import { listComments, listEvents } from './record-store.ts'
import type { Run } from './run.ts'
import type { Reader } from './run-document-endpoints.ts'

/** What can be included with runs; nothing is there for some of it, and clients ask for it all the same. */
export const runIncludes = [
  'plan',
  'apply',
  'created_by',
  'confirmed_by',
  'canceled_by',
  'cost_estimate',
  'configuration_version',
  'configuration_version.ingress_attributes',
  'workspace',
  'task_stages',
  'policy_checks',
  'run_events',
  'comments',
  'input_state_version',
  'tf_policy_evaluations',
] as const

type IncludeCall = Pick<Call, 'deps' | 'caller' | 'request'>

/** People by id, and the service users of teams and organizations. */
export async function includePeople(call: IncludeCall, holders: readonly (LockHolder | null)[]): Promise<Resource[]> {
  const known = holders.filter((each): each is LockHolder => each !== null)
  const users = [...new Set(known.filter(({ kind }) => kind === 'user').map(({ id }) => id))]
  const others = known.filter(({ kind }) => kind === 'team' || kind === 'organization')
  return [
    ...(await renderUsers(call, users)),
    ...others.map(({ kind, id, name }) => toServiceUserResource({ kind: kind as 'team', id, name })),
  ]
}

type Include = (
  call: IncludeCall,
  reader: Reader,
  runs: readonly Run[],
) => Promise<readonly Resource[]> | readonly Resource[]

const idsOf = (runs: readonly Run[]) => runs.map(({ id }) => id)

const includes: Readonly<Record<string, Include>> = {
  plan: (call, _, runs) => renderPhases(call, runs, 'plan'),
  apply: (call, _, runs) => renderPhases(call, runs, 'apply'),
  created_by: (call, _, runs) =>
    includePeople(
      call,
      runs.map(({ createdBy }) => createdBy),
    ),
  confirmed_by: (call, _, runs) =>
    includePeople(
      call,
      runs.map(({ confirmedBy }) => confirmedBy),
    ),
  canceled_by: (call, _, runs) =>
    includePeople(
      call,
      runs.map(({ canceledBy }) => canceledBy),
    ),
  configuration_version: async ({ deps }, _, runs) => {
    const ids = [...new Set(runs.map(({ configurationVersionId }) => configurationVersionId))]
    return (await loadConfigurations(deps.db, ids)).map(toConfigurationResource)
  },
  workspace: async (call, { grants }, runs) => {
    const ids = [...new Set(runs.map(({ workspaceId }) => workspaceId))]
    return await renderWorkspaces(call, grants, await loadWorkspaces(call.deps.db, ids))
  },
  run_events: async ({ deps }, _, runs) => (await listEvents(deps.db, idsOf(runs))).map(toEventResource),
  comments: async ({ deps }, _, runs) => (await listComments(deps.db, idsOf(runs))).map(toCommentResource),
}

/** The resources that `include` asks for with runs of one organization. */
export async function includeWithRuns(
  call: IncludeCall,
  include: ReadonlySet<string>,
  reader: Reader,
  runs: readonly Run[],
): Promise<Resource[]> {
  const included: Resource[] = []
  for (const path of include) included.push(...((await includes[path]?.(call, reader, runs)) ?? []))
  return included
}
