import { hidden, siteAdministrator } from '../../../access/permissions/index.ts'
import { toIso } from '../../../kernel/clock.ts'
import { isId } from '../../../kernel/ids.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import { defineEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import {
  answerPage,
  attribute,
  listQuery,
  looseBody,
  pageSchema,
  parameter,
  type Resource,
  rangeOf,
  resourceSchema,
  shown,
  toOne,
} from '../../../kit/jsonapi/index.ts'
import { nothing } from '../../../kit/reply.ts'
import { holderOf, loadWorkspaces } from '../workspaces/index.ts'
import { listSiteRuns, organizationNames } from './admin-run-store.ts'
import { longestComment } from './record.ts'
import type { Run } from './run.ts'
import { runInPath } from './run-access-actions.ts'
import { moveRun } from './run-actions.ts'
import { timesShown } from './run-document-endpoints.ts'
import { loadRun } from './run-store.ts'
import type { RunStatus, Trigger } from './run-words.ts'

const siteRunSchema = resourceSchema('runs', {
  name: 'SiteRun',
  attributes: {
    status: shown.text('What has become of it.'),
    'status-timestamps': Type.Record(Type.String(), Type.String({ format: 'date-time' }), {
      description: 'When each status was reached.',
    }),
    'has-changes': shown.flag('Whether its plan has changes.'),
    'created-at': shown.time('When it was created.'),
  },
  relationships: { workspace: 'Its workspace.', 'workspace.organization': 'The organization of its workspace.' },
})

const siteRunsQuery = listQuery({
  include: ['workspace', 'workspace.organization', 'workspace.organization.owners'],
  parameters: {
    statuses: parameter.list('filter[status]', 'Only runs with one of these statuses.'),
    from: parameter.time('filter[from]', 'Only runs created then or later.'),
    to: parameter.time('filter[to]', 'Only runs created then or earlier.'),
    text: parameter.text('q', 'The id of a run, or a part of the name of its workspace or organization.'),
  },
})

/** Runs as the administrators of the site see them: what they are, and nothing of what they hold. */
async function renderSiteRuns({ db }: Pick<Deps, 'db'>, runs: readonly Run[], include: ReadonlySet<string>) {
  const workspaces = await loadWorkspaces(db, [...new Set(runs.map(({ workspaceId }) => workspaceId))])
  const names = await organizationNames(db, [...new Set(runs.map(({ organizationId }) => organizationId))])
  const organizationOf = ({ organizationId }: { readonly organizationId: string }) =>
    toOne('organizations', names.get(organizationId) ?? organizationId)
  const resources = runs.map(
    (run): Resource => ({
      type: 'runs',
      id: run.id,
      attributes: {
        status: run.status,
        'status-timestamps': timesShown(run.times),
        'has-changes': run.hasChanges,
        'created-at': toIso(run.createdAt),
      },
      relationships: {
        workspace: toOne('workspaces', run.workspaceId, `/api/v2/workspaces/${run.workspaceId}`),
        'workspace.organization': organizationOf(run),
      },
      links: { self: `/api/v2/runs/${run.id}` },
    }),
  )
  const included: Resource[] = []
  if (include.size > 0)
    included.push(
      ...workspaces.map(({ id, name, organizationId }) => ({
        type: 'workspaces',
        id,
        attributes: { name },
        relationships: { organization: organizationOf({ organizationId }) },
      })),
    )
  if ([...include].some((path) => path.startsWith('workspace.organization')))
    included.push(...[...names.values()].map((name) => ({ type: 'organizations', id: name, attributes: { name } })))
  return { resources, included }
}

/** How a run is ended by force, whatever its status. */
const triggerFor = (status: RunStatus): Trigger => {
  if (status === 'pending' || status === 'confirmed') return 'cancel'
  return status === 'planned_and_saved' ? 'discard' : 'force-unlock'
}

/** Runs of the whole site. */
export const adminRunEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'admin-runs.list',
    route: 'GET /admin/runs',
    summary: 'List the runs of all organizations, newest first.',
    access: siteAdministrator(),
    query: siteRunsQuery,
    returns: { 200: pageSchema(siteRunSchema) },
    fails: ['missing', 'malformed'],
    handle: async (call) => {
      const { statuses, from, to, text, page, include } = call.query
      const { runs, total } = await listSiteRuns(call.deps.reads, { statuses, from, to, text }, rangeOf(page))
      const { resources, included } = await renderSiteRuns(call.deps, runs, include)
      return answerPage(call, { resources, total }, include.size > 0 ? { included } : {})
    },
  }),
  endpoint({
    id: 'admin-runs.force-cancel',
    route: 'POST /admin/runs/:runId/actions/force-cancel',
    summary: 'End a run of any organization at once, whatever it does; its state may be incomplete.',
    access: siteAdministrator(),
    params: runInPath,
    body: looseBody({
      comment: attribute.text('What is said about it.', { nullable: true, maxLength: longestComment }),
    }),
    returns: { 202: null },
    fails: ['missing', 'conflict', 'invalid'],
    handle: async (call) => {
      const { runId = '' } = call.params
      const run = isId('run', runId) ? await loadRun(call.deps.db, runId) : undefined
      if (!run) throw hidden()
      const comment = call.body.attributes.comment ?? undefined
      const move = { by: holderOf(call.subject), comment }
      await moveRun(call.deps, authorOf(call), { run }, triggerFor(run.status), move)
      return nothing(202)
    },
  }),
])
