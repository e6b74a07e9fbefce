import { uptime } from 'node:process'
import { toIsoNano } from '../../../kernel/clock.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import {
  acl,
  defineSystemEndpoints,
  type Endpoint,
  endpoint,
  model,
  open,
  type QueryShape,
  Type,
} from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import { partsOf } from '../../../kit/parts.ts'
import { bare, bytes, data } from '../../../kit/reply.ts'
import type { RequestSketch } from '../../../kit/services.ts'
import { sealNode } from '../seal/index.ts'
import { describeHost } from './host-adapter.ts'
import { summarize } from './metrics-summary.ts'
import { requireStore } from './store-probe-adapter.ts'

const status = { whileSealed: true, unaudited: true } as const
const whyOpen = 'Load balancers and people call it before they can log in.'

type NodeState = 'active' | 'sealed' | 'uninit'

const defaultCodes: Readonly<Record<NodeState, number>> = { active: 200, sealed: 503, uninit: 501 }

function stateOf(deps: Deps): NodeState {
  const seal = deps.seal.status()
  if (seal === 'unsealed') return 'active'
  return seal === 'sealed' ? 'sealed' : 'uninit'
}

/**
 * Parameters that choose a status. A node is active, sealed or not initialised; the other parameters are for states
 * that do not occur here.
 */
const codeNames = [
  'activecode',
  'sealedcode',
  'uninitcode',
  'standbycode',
  'drsecondarycode',
  'performancestandbycode',
  'haunhealthycode',
  'removedcode',
] as const

const codesQuery: QueryShape<URLSearchParams> = {
  schema: Type.Object(
    Object.fromEntries(codeNames.map((name) => [name, field.whole('The status code to return in this state.')])),
  ),
  parse: (query) => query,
}

/** Every code parameter is checked, used or not, so that a typo is found before the day it matters. */
function checkCodes(query: URLSearchParams): void {
  for (const name of codeNames) {
    const text = query.get(name)
    if (text !== null && !/^[1-5]\d\d$/.test(text)) {
      throw failure('malformed', 'health.bad-code', `The parameter ${name} must be a status from 100 to 599.`, {
        withoutErrors: true,
      })
    }
  }
}

function codeFor(state: NodeState, query: URLSearchParams): number {
  const code = Number(query.get(`${state}code`) ?? defaultCodes[state])
  // Answers below 200 announce another one (RFC 9110 §15.2), which the client would wait for.
  return Math.max(code, 200)
}

declare module '../../../kit/parts.ts' {
  interface FeatureParts {
    /** Facts beside the health of a node that anybody may know, such as overdue work; asked while it is unsealed. */
    healthDetails: (deps: Deps) => Promise<Record<string, unknown>>
  }
}

async function detailsOf(deps: Deps, state: NodeState): Promise<Record<string, unknown>> {
  if (state !== 'active') return {}
  return Object.assign({}, ...(await Promise.all(partsOf(deps, 'healthDetails').map((read) => read(deps)))))
}

function healthOf(deps: Deps, state: NodeState): object {
  const { row } = sealNode(deps)
  const mode = state === 'active' ? 'disabled' : 'unknown'
  const cluster = state === 'active' && row ? { cluster_name: row.cluster_name, cluster_id: row.cluster_id } : {}
  const enterprise = deps.settings.license === 'enterprise'
  return {
    initialized: state !== 'uninit',
    sealed: state !== 'active',
    standby: state !== 'active',
    performance_standby: false,
    replication_performance_mode: mode,
    replication_dr_mode: mode,
    server_time_utc: Math.floor(deps.clock.now() / 1000),
    version: deps.settings.compatVersion,
    holdfast_version: deps.settings.version,
    enterprise,
    echo_duration_ms: 0,
    clock_skew_ms: deps.store.clockSkew(),
    storage_full: deps.store.fullness().isFull,
    replication_primary_canary_age_ms: 0,
    ...(enterprise ? { license: { state: 'open', expiry_time: '', terminated: false } } : {}),
    ...cluster,
  }
}

const HealthAnswer = Type.Object(
  {
    initialized: Type.Boolean({ description: 'Whether the store was initialised.' }),
    sealed: Type.Boolean({ description: 'Whether the store is sealed.' }),
    standby: Type.Boolean({ description: 'The same as `sealed`: there is no standby.' }),
    version: Type.String({ description: 'The version by which clients enable features.' }),
    holdfast_version: Type.String({ description: 'The version of the server.' }),
    server_time_utc: Type.Integer({ description: 'Unix time in seconds.' }),
    enterprise: Type.Boolean({ description: 'Whether the licence includes automated snapshots.' }),
    storage_full: Type.Boolean({
      description: 'Whether a write was refused within the last minute because the disk of the database is full.',
    }),
    cluster_name: Type.Optional(Type.String({ description: 'Name of the cluster; only while it is unsealed.' })),
    cluster_id: Type.Optional(Type.String({ description: 'Its identifier.' })),
    snapshots_overdue: Type.Optional(
      Type.Integer({
        description: 'Snapshot configurations whose last successful snapshot is older than two intervals.',
      }),
    ),
    snapshots_failed_verification: Type.Optional(
      Type.Integer({
        description: 'Snapshot configurations whose last snapshot failed verification, or could not be verified.',
      }),
    ),
    snapshots_paused: Type.Optional(
      Type.Integer({ description: 'Snapshot configurations that are paused, which the other two counts leave out.' }),
    ),
  },
  { title: 'Health', description: 'Contains replication members too, for clients that expect them.' },
)

/** One measurement, in the words of the family. */
const Sampled = Type.Object({
  Name: Type.String(),
  Count: Type.Number({ description: 'How often; of a counter, its sum.' }),
  Rate: Type.Number({ description: 'Sum for each second since the start.' }),
  Sum: Type.Number(),
  Min: Type.Number({ description: 'Of a histogram, the lower bound of the lowest values.' }),
  Max: Type.Number({ description: 'Of a histogram, the upper bound of the highest values.' }),
  Mean: Type.Number(),
  Stddev: Type.Number({ description: 'Of a histogram, estimated from its bounds.' }),
  Labels: Type.Record(Type.String(), Type.String()),
})

const MetricsAnswer = model('MetricsSummary', {
  Timestamp: Type.String({ description: 'When the figures were read.' }),
  Gauges: Type.Array(
    Type.Object({ Name: Type.String(), Value: Type.Number(), Labels: Type.Record(Type.String(), Type.String()) }),
  ),
  Points: Type.Array(Type.Unknown(), { description: 'Always empty.' }),
  Counters: Type.Array(Sampled),
  Samples: Type.Array(Sampled, { description: 'Histograms.' }),
})

/** Prometheus, which asks for its own format in this header. */
const formatFor = (accept = ''): string => (accept.includes('application/openmetrics-text') ? 'prometheus' : 'json')

const HostAnswer = model('HostInfo', {
  timestamp: Type.String({ description: 'When this was read.' }),
  cpu: Type.Array(Type.Unknown(), { description: 'Each processor: number, model, clock in MHz.' }),
  cpu_times: Type.Array(Type.Unknown(), { description: 'Seconds that each processor has spent by state.' }),
  disk: Type.Array(Type.Unknown(), { description: 'The disk of the data directory, in bytes and inodes.' }),
  host: Type.Unknown({ description: 'Name, system, uptime and load.' }),
  memory: Type.Unknown({ description: 'Memory in bytes.' }),
})

const RequestInFlight = Type.Object({
  start_time: Type.String({ format: 'date-time', description: 'When its headers had been read.' }),
  client_remote_address: Type.String({ description: 'Where it comes from.' }),
  request_path: Type.String({ description: 'Its path, or the route where the path holds a secret; empty at first.' }),
  request_method: Type.String({ description: 'Its method.' }),
  client_id: Type.String({ description: 'The entity of its token, if there is one.' }),
})

const toRequestInFlight = ({ receivedAt, address, path, method, entityId }: RequestSketch) => ({
  start_time: toIsoNano(receivedAt),
  client_remote_address: address,
  request_path: path,
  request_method: method,
  client_id: entityId,
})

/** Health and metrics of this node, and what it is doing. */
export const healthEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    ...status,
    withoutStore: true,
    id: 'status.health',
    bareAnswer: true,
    route: 'GET /health',
    summary: 'Report the health of this node by status code.',
    access: open(whyOpen),
    query: codesQuery,
    returns: { 200: HealthAnswer, 501: HealthAnswer, 503: HealthAnswer },
    example: {
      response: {
        initialized: true,
        sealed: false,
        standby: false,
        version: '1.21.0',
        holdfast_version: '0.1.0',
        server_time_utc: 1_794_736_800,
        enterprise: true,
        storage_full: false,
      },
    },
    handle: async ({ deps, query }) => {
      checkCodes(query)
      await requireStore(deps)
      // Another node may have initialised the store: the probe above has just noticed it.
      await deps.seal.pendingKeys()
      const state = stateOf(deps)
      return bare({ ...healthOf(deps, state), ...(await detailsOf(deps, state)) }, codeFor(state, query))
    },
  }),
  endpoint({
    id: 'status.metrics',
    bareAnswer: true,
    route: 'GET /metrics',
    summary: 'Read the metrics of this node, as JSON or in Prometheus text format.',
    description:
      'Everything is counted since the process started. Prometheus gets its own format without asking for it.',
    access: acl(),
    query: Type.Object({ format: field.text('`prometheus` for the text format; JSON by default.') }),
    returns: { 200: MetricsAnswer },
    fails: ['invalid'],
    handle: async ({ deps, query, request }) => {
      const { metrics, clock } = deps
      const format = query.format || formatFor(request.headers.accept)
      if (format === 'prometheus') return bytes(metrics.contentType, await metrics.render())
      if (format !== 'json') {
        const text = `There is no format '${format}': leave it out for JSON, or send prometheus.`
        throw failure('invalid', 'metrics.unknown-format', text)
      }
      return bare(summarize(await metrics.figures(), { now: clock.now(), seconds: uptime() }))
    },
  }),
  endpoint({
    id: 'status.host',
    route: 'GET /host-info',
    summary: 'Describe the machine of this node: processors, memory, and the disk of the data directory.',
    access: acl(),
    returns: { 200: HostAnswer },
    handle: async ({ deps }) => data(await describeHost(deps.settings.dataDir, deps.clock.now())),
  }),
  endpoint({
    id: 'status.requests',
    bareAnswer: true,
    route: 'GET /in-flight-req',
    summary: 'List the requests that this node has received and not answered yet, by their id.',
    access: acl(),
    returns: { 200: Type.Record(Type.String(), RequestInFlight) },
    handle: ({ deps }) =>
      bare(Object.fromEntries(deps.node.requestsInFlight().map((each) => [each.id, toRequestInFlight(each)]))),
  }),
  endpoint({
    id: 'status.license',
    route: 'GET /license/status',
    summary: 'Read which features the licence enables.',
    access: acl(),
    returns: { 200: Type.Object({ autoload_used: Type.Boolean() }) },
    handle: ({ deps }) => data({ autoload_used: false, autoloaded: licenseOf(deps) }),
  }),
])

const licenseOf = (deps: Deps): object => ({
  license_id: deps.settings.license,
  state: deps.settings.license === 'enterprise' ? 'open' : 'community',
  features: deps.settings.license === 'enterprise' ? ['automated-snapshots'] : [],
  expiration_time: '',
  start_time: '',
  terminated: false,
})
