import {
  actorOf,
  anyActor,
  grantsInOrganization,
  hidden,
  inOrganization,
  organizationInPath,
  rightsOnWorkspace,
  visibleWorkspaces,
  workspaceRights,
} from '../../../access/permissions/index.ts'
import { commandLineAgents, integrationHeader, runSources, toolVersionAlias } from '../../../compat/vendor-names.ts'
import { failure } from '../../../kernel/failure.ts'
import { isId } from '../../../kernel/ids.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import {
  allSchema,
  answerAll,
  answerCreated,
  answerOne,
  answerPage,
  attribute,
  documentSchema,
  draftBody,
  listQuery,
  pageDocument,
  pageSchema,
  parameter,
  type Resource,
  rangeOf,
  relation,
  resourceSchema,
  shown,
  showQuery,
} from '../../../kit/jsonapi/index.ts'
import { document } from '../../../kit/reply.ts'
import {
  configurationSchema,
  downloadReply,
  loadConfiguration,
  toConfigurationResource,
} from '../configurations/index.ts'
import { holderOf, loadWorkspace, mayOnWorkspace, onWorkspace, workspaceInPath } from '../workspaces/index.ts'
import type { RequestedRun } from './creation.ts'
import { beginRun, createRun } from './creation-actions.ts'
import { countOnline, loadConcurrency } from './fleet-store.ts'
import { includeWithRuns, runIncludes } from './including-endpoints.ts'
import { listOrganizationRuns, listQueue, listRuns, loadCapacity } from './list-store.ts'
import { onRun, runInPath } from './run-access-actions.ts'
import { renderRun, renderRuns, runSchema } from './run-document-endpoints.ts'
import { addressProblem, inputs, options } from './run-fields.ts'
import { groupProblem, operations, statusGroups, timeframeProblem, toRunFilter, withoutPlanOnly } from './run-list.ts'

const longestText = 4_096
const mostVariables = { count: 1_000, each: 256 * 1024, together: 4 * 1024 * 1024 }

const variable = attribute.object('A variable.', {
  key: attribute.text('Name.', { required: true, maxLength: longestText, check: addressProblem }),
  value: attribute.text('Text of its value.', {
    required: true,
    check: (text) => (Buffer.byteLength(text) > mostVariables.each ? 'is too long, the maximum is 256 KiB' : undefined),
  }),
})

const sent = {
  ...options.fields,
  invokeActionAddrs: inputs.fields.invokeActionAddrs,
  planOnly: attribute.flag('Whether it never applies; by default so if its configuration is speculative.'),
  autoApply: attribute.flag(
    'Whether a plan with changes is applied without confirmation; by default as the workspace says.',
  ),
  toolVersion: attribute.text('The version of the tool, for plan-only runs.', {
    nullable: true,
    emptyIsNull: true,
    aliases: [toolVersionAlias],
  }),
  variables: attribute.list('Variables of this run alone; the last one of a name counts.', variable, {
    nullable: true,
    maxItems: mostVariables.count,
    check: (list) =>
      list.reduce((bytes, { value }) => bytes + Buffer.byteLength(value), 0) > mostVariables.together
        ? 'have too long values, the maximum of all together is 4 MiB'
        : undefined,
  }),
}

/** The body that creates a run. */
const newRunBody = draftBody('runs', {
  attributes: sent,
  relationships: {
    workspace: relation.one('workspaces', 'The workspace that it is for.', { required: true }),
    configurationVersion: relation.one('configuration-versions', 'What it plans; by default the newest there is.', {
      nullable: true,
    }),
  },
  maxBytes: 16 * 1024 * 1024,
})

const isBrowser = ({ caller }: Pick<Call, 'caller'>): boolean => 'via' in caller && caller.via === 'session'

function isCommandLine({ request }: Pick<Call, 'request'>): boolean {
  const agent = request.headers['user-agent'] ?? ''
  return request.headers[integrationHeader] !== undefined || commandLineAgents.some((name) => agent.startsWith(name))
}

const defaultMessage = (call: Pick<Call, 'request'>): string =>
  isCommandLine(call) ? 'Queued via the command line' : 'Queued via the API'

/** What was sent, without what was sent as nothing. */
function toRequested(read: Parameters<typeof definite>[0], allowsGeneration: boolean): RequestedRun {
  const { toolVersion, variables, ...others } = definite(read)
  return {
    ...others,
    allowConfigGeneration: others.allowConfigGeneration ?? allowsGeneration,
    ...(toolVersion ? { toolVersion } : {}),
    ...(variables ? { variables } : {}),
  } as RequestedRun
}

const definite = (read: ReturnType<(typeof newRunBody)['parse']>['read']['attributes']) => read

function idempotencyKeyOf({ request }: Pick<Call, 'request'>): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && key.length > 0 && key.length <= 128) return key
  throw failure('malformed', 'run.idempotency-key', 'The header Idempotency-Key takes 1 to 128 characters.')
}

const knownSources = [...Object.values(runSources), 'run-trigger', 'auto-destroy', 'retry', 'replay']

const filters = {
  status: parameter.list('filter[status]', 'Only runs with one of these statuses.'),
  statusGroup: parameter.text('filter[status-group]', `One of ${Object.keys(statusGroups).join(', ')}.`, groupProblem),
  source: parameter.list('filter[source]', `Only runs created so: ${knownSources.slice(0, 3).join(', ')}.`),
  operation: parameter.list('filter[operation]', `Only runs meant for this: ${operations.join(', ')}.`),
  timeframe: parameter.text('filter[timeframe]', 'A year, or `year` for the last twelve months.', timeframeProblem),
  user: parameter.text('search[user]', 'The user who created the run.'),
  commit: parameter.text('search[commit]', 'The beginning of the commit; nothing comes from commits yet.'),
  basic: parameter.text('search[basic]', 'The user, the id of the run, or a part of its message.'),
}

const workspaceList = listQuery({ include: runIncludes, parameters: filters })

const organizationList = listQuery({
  include: runIncludes,
  parameters: {
    ...filters,
    poolNames: parameter.list('filter[agent-pool-names]', 'Only runs for these agent pools.', 100),
    workspaceNames: parameter.list('filter[workspace-names]', 'Only runs of these workspaces.', 100),
  },
})

const { meta: _meta, ...pageMembers } = pageSchema(runSchema).properties

const neighbour = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })

/** A page of runs of an organization: nobody counts them. */
const uncountedPage = Type.Object(
  {
    ...pageMembers,
    meta: Type.Object({
      pagination: Type.Object({
        'current-page': Type.Integer({ description: 'The current page.' }),
        'page-size': Type.Integer({ description: 'Entries per page.' }),
        'prev-page': neighbour('The previous page, or null.'),
        'next-page': neighbour('The next page, or null.'),
      }),
    }),
  },
  { title: 'UncountedRunPage' },
)

const capacitySchema = resourceSchema('organization-capacity', {
  attributes: {
    pending: shown.whole('Runs that wait.'),
    running: shown.whole('Runs that are executed.'),
    limit: shown.maybeWhole('Runs that may be executed at once; null for no limit.'),
    'runners-online': shown.whole('Runners that are there and may execute them.'),
  },
})

const nothingYet = resourceSchema('task-stages', { attributes: {} })

const noStages = (id: string, route: `GET /runs/:runId/${string}`, summary: string) =>
  endpoint({
    id,
    route,
    summary,
    access: onRun('can-read'),
    params: runInPath,
    query: listQuery(),
    returns: { 200: allSchema(nothingYet) },
    fails: ['missing'],
    handle: (call) => answerAll(call, []),
  })

/** Runs: creating and reading them. */
export const runEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'runs.create',
    route: 'POST /runs',
    summary: 'Create a run of a workspace.',
    description:
      'It uses what the workspace and its variables are now; later changes do not touch it. Its organization must have ' +
      '`remote-execution-enabled`. While it waits, such as for a runner, `wait-reason` says why.',
    access: anyActor(),
    query: showQuery(),
    body: newRunBody,
    headers: { 'Idempotency-Key': 'A second request with this key within 24 hours answers with the first run.' },
    returns: { 201: documentSchema(runSchema) },
    fails: ['missing', 'invalid', 'malformed', 'conflict'],
    handle: async (call) => {
      const { deps, body, caller } = call
      const { attributes, relationships } = body.read
      const workspaceId = relationships.workspace
      if (workspaceId === undefined) throw body.requireNoFaults() && hidden()
      const workspace = isId('ws', workspaceId) ? await loadWorkspace(deps.db, workspaceId) : undefined
      if (!workspace) throw hidden()
      const grants = await grantsInOrganization(call, workspace.organizationId)
      if (!mayOnWorkspace(grants, 'can-queue-run', workspace)) throw hidden()
      const isDestroying = attributes.isDestroy === true && attributes.planOnly !== true
      const rights = rightsOnWorkspace(grants, workspace)
      if (isDestroying && !workspaceRights.has(rights, 'can-queue-destroy')) throw hidden()
      const actor = actorOf(caller)
      const idempotencyKey = idempotencyKeyOf(call)
      const run = await createRun(deps, authorOf(call), {
        by: holderOf(actor),
        grants,
        workspace,
        configurationId: relationships.configurationVersion ?? null,
        requested: toRequested(attributes, isBrowser(call)),
        source: isBrowser(call) ? runSources.browser : runSources.api,
        message: attributes.message || defaultMessage(call),
        idempotencyKey,
        requireNoFaults: body.requireNoFaults,
      })
      const resource = await renderRun(call, { grants, actor }, run)
      await beginRun(deps, run)
      return answerCreated(call, resource)
    },
  }),
  endpoint({
    id: 'runs.show',
    route: 'GET /runs/:runId',
    summary: 'Read a run.',
    access: onRun('can-read'),
    forRuns: 'tool',
    params: runInPath,
    query: showQuery({ include: runIncludes }),
    returns: { 200: documentSchema(runSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { run } = call.subject.resource
      const included = await includeWithRuns(call, call.query.include, call.subject, [run])
      return answerOne(call, await renderRun(call, call.subject, run), { included })
    },
  }),
  endpoint({
    id: 'runs.configuration-version',
    route: 'GET /runs/:runId/configuration-version',
    summary: 'Read the configuration version of a run.',
    access: onRun('can-read'),
    params: runInPath,
    query: showQuery({ include: ['ingress_attributes'] }),
    returns: { 200: documentSchema(configurationSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const version = await loadConfiguration(call.deps.db, call.subject.resource.run.configurationVersionId)
      if (!version) throw hidden()
      return answerOne(call, toConfigurationResource(version))
    },
  }),
  endpoint({
    id: 'runs.download-configuration',
    route: 'GET /runs/:runId/configuration-version/download',
    summary: 'Download the configuration of a run from a signed address, which is valid for a minute.',
    access: onRun('can-read'),
    params: runInPath,
    returns: { 302: null },
    fails: ['missing'],
    handle: async (call) => {
      const version = await loadConfiguration(call.deps.db, call.subject.resource.run.configurationVersionId)
      if (!version) throw hidden()
      return downloadReply(call, version)
    },
  }),
  endpoint({
    id: 'runs.of-workspace',
    route: 'GET /workspaces/:workspaceId/runs',
    summary: 'List the runs of a workspace, newest first.',
    description: 'Plan-only runs are listed if `filter[operation]` or `filter[status]` is given.',
    access: onWorkspace('can-read-run'),
    params: workspaceInPath,
    query: workspaceList,
    returns: { 200: pageSchema(runSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { deps, subject, query } = call
      const filter = withoutPlanOnly(toRunFilter(query, deps.clock.now()))
      const { runs, total } = await listRuns(deps.reads, subject.resource.id, filter, rangeOf(query.page))
      const included = await includeWithRuns(call, query.include, subject, runs)
      return answerPage(call, { resources: await renderRuns(call, subject, runs), total }, { included })
    },
  }),
  endpoint({
    id: 'runs.of-organization',
    route: 'GET /organizations/:organization/runs',
    summary: 'List the runs you can see in an organization, newest first.',
    description: 'Unless a timeframe is given, those of the last twelve months. Pages have no totals.',
    access: inOrganization('can-traverse'),
    params: organizationInPath,
    query: organizationList,
    returns: { 200: uncountedPage },
    fails: ['missing'],
    handle: async (call) => {
      const { deps, subject: grants, query } = call
      const filter = toRunFilter({ ...query, timeframe: query.timeframe ?? 'year' }, deps.clock.now())
      const { offset, limit } = rangeOf(query.page)
      const of = { organizationId: grants.organizationId, visible: visibleWorkspaces(grants), filter }
      const found = await listOrganizationRuns(deps.reads, of, { offset, limit: limit + 1 })
      const runs = found.slice(0, limit)
      const reader = { grants, actor: actorOf(call.caller) }
      const included = await includeWithRuns(call, query.include, reader, runs)
      const resources = await renderRuns(call, reader, runs)
      const page = pageDocument(call, { resources, total: offset + found.length }, { included })
      const { 'total-pages': _pages, 'total-count': _count, ...pagination } = page.meta.pagination
      const { last: _last, ...links } = page.links
      return document({ ...page, links, meta: { pagination } })
    },
  }),
  endpoint({
    id: 'runs.queue',
    route: 'GET /organizations/:organization/runs/queue',
    summary: 'List the runs of an organization that are executed or wait to be, in the order of the queue.',
    access: inOrganization('can-traverse'),
    params: organizationInPath,
    query: listQuery({ include: runIncludes }),
    returns: { 200: pageSchema(runSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { deps, subject: grants, query } = call
      const of = { organizationId: grants.organizationId, visible: visibleWorkspaces(grants) }
      const { runs, total } = await listQueue(deps.reads, of, rangeOf(query.page))
      const reader = { grants, actor: actorOf(call.caller) }
      const included = await includeWithRuns(call, query.include, reader, runs)
      return answerPage(call, { resources: await renderRuns(call, reader, runs), total }, { included })
    },
  }),
  endpoint({
    id: 'runs.capacity',
    route: 'GET /organizations/:organization/capacity',
    summary: 'Read how many runs of an organization are executed and wait.',
    access: inOrganization('can-traverse'),
    params: organizationInPath,
    query: showQuery(),
    returns: { 200: documentSchema(capacitySchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { organizationId, organizationName } = call.subject
      const { reads, clock } = call.deps
      const counted = await loadCapacity(reads, organizationId)
      const limit = (await loadConcurrency(reads, [organizationId])).get(organizationId)?.limit || null
      const attributes = { ...counted, limit, 'runners-online': await countOnline(reads, organizationId, clock.now()) }
      const resource: Resource = { type: 'organization-capacity', id: organizationName, attributes }
      return answerOne(call, resource)
    },
  }),
  noStages('runs.task-stages', 'GET /runs/:runId/task-stages', 'List the task stages of a run; there are none.'),
  noStages('runs.policy-checks', 'GET /runs/:runId/policy-checks', 'List the policy checks of a run; there are none.'),
])
