import { canInOrganization, hidden, onResource, type PermittedResource } from '../../../access/permissions/index.ts'
import { type Instant, toIso } from '../../../kernel/clock.ts'
import { failure } from '../../../kernel/failure.ts'
import { isId } from '../../../kernel/ids.ts'
import { authorOf, recordChange } from '../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, type RuleAccess, Type } from '../../../kit/endpoint.ts'
import {
  answerOne,
  answerPage,
  documentSchema,
  listQuery,
  pageSchema,
  parameter,
  type Resource,
  rangeOf,
  resourceSchema,
  shown,
  showQuery,
  toOne,
} from '../../../kit/jsonapi/index.ts'
import { nothing } from '../../../kit/reply.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { onPool } from '../pools/index.ts'
import { listOpenJobs } from '../runs/index.ts'
import { loadPools } from '../workspaces/index.ts'
import { agentStatus, type Runner } from './runner.ts'
import { deleteRunner, listRunners, loadRunner } from './runner-store.ts'

type AgentInPool = { readonly organizationId: string; readonly runner: Runner }

const agentInPath = { agentId: { description: 'Identifier of the runner.', example: 'agent-8F5JFydVYAmtTjET' } }

/** A runner of a pool, for those who may do this in its organization. */
const onAgent = (right: 'can-traverse' | 'can-update-agent-pools'): RuleAccess<PermittedResource<AgentInPool>> =>
  onResource({
    name: `organization:${right}`,
    load: async ({ deps, params: { agentId = '' } }) => {
      const runner = isId('agent', agentId) ? await loadRunner(deps.db, agentId) : undefined
      const [pool] = runner?.poolId ? await loadPools(deps.db, [runner.poolId]) : []
      return runner && pool && { organizationId: pool.organizationId, runner }
    },
    allows: (grants) => canInOrganization(grants, right),
  })

type AgentCall = Pick<Call, 'deps'>

async function renderAgents({ deps }: AgentCall, runners: readonly Runner[]): Promise<Resource[]> {
  const jobs = await listOpenJobs(
    deps.db,
    runners.map(({ id }) => id),
  )
  const now = deps.clock.now()
  return runners.map((runner) =>
    toAgentResource(runner, jobs.filter(({ runnerId }) => runnerId === runner.id).length, now),
  )
}

const toAgentResource = (runner: Runner, jobs: number, now: Instant): Resource => ({
  type: 'agents',
  id: runner.id,
  attributes: {
    name: runner.name,
    status: agentStatus(runner, jobs, now),
    'ip-address': runner.ipAddress,
    'created-at': toIso(runner.createdAt),
    'last-ping-at': toIso(runner.lastSeenAt),
    version: runner.version,
    os: runner.os,
    arch: runner.arch,
    capabilities: runner.capabilities,
    'current-jobs': jobs,
    'max-jobs': runner.maxJobs,
    protocol: 1,
    layer: runner.layer,
    isolation: runner.isolation,
    tools: runner.tools,
    'signed-in-by': runner.signedInBy,
  },
  relationships: { 'agent-pool': toOne('agent-pools', runner.poolId, `/api/v2/agent-pools/${runner.poolId}`) },
  links: { self: `/api/v2/agents/${runner.id}` },
})

const agentSchema = resourceSchema('agents', {
  attributes: {
    name: shown.text('Name that the runner gave.'),
    status: shown.text('`idle`, `busy`, `unknown`, `exited` or `errored`.'),
    'ip-address': shown.text('Address that it registered from.'),
    'created-at': shown.time('When it first registered.'),
    'last-ping-at': shown.time('Its last sign of life.'),
    version: shown.text('Version of the runner.'),
    os: shown.text('Operating system.'),
    arch: shown.text('Processor.'),
    capabilities: Type.Array(Type.String(), { description: 'What it says it can do.' }),
    'current-jobs': shown.whole('How many jobs it has.'),
    'max-jobs': shown.whole('How many it takes.'),
    protocol: shown.whole('Version of the protocol that it speaks.'),
    layer: shown.text('What fences its tools in.'),
    isolation: Type.Record(Type.String(), Type.Unknown(), { description: 'What it found out about that.' }),
    tools: shown.entries('Tools that it has.', {
      name: shown.text('Tool.'),
      version: shown.text('Version.'),
      sha256: shown.text('Digest of the program.'),
    }),
    'signed-in-by': shown.text('How it registered: `agent-token`.'),
  },
  relationships: { 'agent-pool': 'Its pool.' },
})

/** Runners as the members of an organization see them. */
export const agentEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'agents.list',
    route: 'GET /agent-pools/:poolId/agents',
    summary: 'List the runners of an agent pool.',
    access: onPool('can-traverse'),
    params: { poolId: { description: 'Identifier of the pool.', example: 'apool-1111111111111111' } },
    query: listQuery({
      parameters: {
        seenSince: parameter.time('filter[last-ping-since]', 'Only runners that gave a sign of life since then.'),
      },
    }),
    returns: { 200: pageSchema(agentSchema) },
    fails: ['missing', 'malformed'],
    handle: async (call) => {
      const { deps, query, subject } = call
      const range = { poolId: subject.resource.id, seenSince: query.seenSince, ...rangeOf(query.page) }
      const { runners, total } = await listRunners(deps.db, range)
      return answerPage(call, { resources: await renderAgents(call, runners), total })
    },
  }),
  endpoint({
    id: 'agents.show',
    route: 'GET /agents/:agentId',
    summary: 'Read a runner of an agent pool.',
    access: onAgent('can-traverse'),
    params: agentInPath,
    query: showQuery(),
    returns: { 200: documentSchema(agentSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const [resource] = await renderAgents(call, [call.subject.resource.runner])
      if (!resource) throw hidden()
      return answerOne(call, resource)
    },
  }),
  endpoint({
    id: 'agents.delete',
    route: 'DELETE /agents/:agentId',
    summary: 'Forget a runner that has gone.',
    access: onAgent('can-update-agent-pools'),
    params: agentInPath,
    returns: { 204: null },
    fails: ['missing', 'conflict'],
    handle: async (call) => {
      const { deps, subject } = call
      const { runner, organizationId } = subject.resource
      const jobs = await listOpenJobs(deps.db, [runner.id])
      const status = agentStatus(runner, jobs.length, deps.clock.now())
      if (status === 'idle' || status === 'busy')
        throw failure('conflict', 'agent.online', `The runner is ${status}: stop it first.`)
      await inTransaction(deps.db, async (tx) => {
        await deleteRunner(tx, runner.id)
        const about = { organizationId, subject: { type: 'agents', id: runner.id, name: runner.name } }
        await recordChange(deps, tx, authorOf(call), { ...about, action: 'delete', before: { name: runner.name } })
      })
      return nothing()
    },
  }),
])
