import { sealedText } from '../../../compat/vendor-names.ts'
import { type Instant, instant, later, toIso, toIsoNano } from '../../../kernel/clock.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint, open, Type } from '../../../kit/endpoint.ts'
import { KeyInfoList } from '../../../kit/envelope.ts'
import { currentLeader } from '../../../kit/job-store.ts'
import { type ListCall, listReply, listTerms, wantedOf } from '../../../kit/list.ts'
import type { Node } from '../../../kit/nodes/node.ts'
import { loadNodes } from '../../../kit/nodes/node-store.ts'
import { bare, data, nothing, type Reply } from '../../../kit/reply.ts'
import { sealNode } from '../seal/index.ts'

/** Only nodes that share a PostgreSQL database form a cluster; there is no standby among them. */
const isClustered = ({ store }: Deps): boolean => store.engine === 'postgres'

const noCounters = {
  performance_standby: false,
  performance_standby_last_remote_wal: 0,
  last_wal: 0,
  raft_committed_index: 0,
  raft_applied_index: 0,
} as const

/** Which node leads background work. Every node serves every request, so clients need not be redirected. */
async function leadership(deps: Deps): Promise<object> {
  if (deps.seal.status() !== 'unsealed') {
    const text = 'Holdfast is sealed'
    throw failure('sealed', 'seal.sealed', text, { faults: [{ detail: text }, { detail: sealedText }] })
  }
  if (!isClustered(deps)) {
    return { ha_enabled: false, is_self: false, leader_address: '', leader_cluster_address: '', ...noCounters }
  }
  const leader = await currentLeader(deps.db, await deps.store.databaseNow())
  return {
    ha_enabled: true,
    is_self: leader?.node === deps.settings.nodeName,
    // Clients parse it as a time whenever it is present, so it must not be empty.
    ...(leader ? { active_time: toIsoNano(leader.since) } : {}),
    leader_address: leader?.address ?? '',
    leader_cluster_address: '',
    ...noCounters,
  }
}

/** The address of this node for clients: the configured one, or else the one that the caller used, whatever that is. */
const addressOf = ({ settings }: Pick<Deps, 'settings'>, origin: string): string => settings.baseUrl || origin

/** A node in the words of the family, and in ours what it has none for. */
const toMember = (node: Node, origin: string, now: Instant) => ({
  hostname: node.name,
  // Without a base address, nodes are reached under the one that the caller knows.
  api_address: node.baseUrl || origin,
  cluster_address: node.address,
  active_node: node.isLeader,
  last_echo: toIso(node.seenAt),
  echo_duration_ms: 0,
  clock_skew_ms: node.clockSkew,
  version: node.compatVersion,
  upgrade_version: node.compatVersion,
  redundancy_zone: '',
  server_time: toIso(later(now, node.clockSkew)),
  state: node.state,
  holdfast_version: node.version,
  started_at: toIso(node.startedAt),
  jobs_held: node.jobsHeld,
})

async function members(deps: Deps, origin: string): Promise<Reply> {
  const now = await deps.store.databaseNow()
  const nodes = await loadNodes(deps.db, now)
  return bare({ nodes: nodes.map((node) => toMember(node, origin, now)) })
}

const notRaft = () =>
  failure(
    'invalid',
    'storage.no-peers',
    'Nodes here share a database instead of joining each other: give every node the same storage setting.',
  )

function versionHistory(call: ListCall): Promise<Reply> {
  const { deps } = call
  const installed = sealNode(deps).row?.initialised_at
  const info = {
    previous_version: null,
    timestamp_installed: installed === undefined ? '' : toIso(instant(installed)),
    build_date: '',
  }
  const version = deps.settings.compatVersion
  return listReply(call, () => async (place) => ({
    names: wantedOf([version], place),
    info: { [version]: info },
    next: undefined,
  }))
}

const history = { ...listTerms, access: acl(), returns: { 200: KeyInfoList }, handle: versionHistory } as const

const memberSchema = Type.Object({
  hostname: Type.String({ description: 'Its host name.' }),
  api_address: Type.String({ description: 'The address for callers.' }),
  cluster_address: Type.String({ description: 'Where this node listens; empty if its configuration does not tell.' }),
  active_node: Type.Boolean({ description: 'Whether it leads background work. Every node answers requests.' }),
  last_echo: Type.String({ format: 'date-time', description: 'Its last sign of life.' }),
  clock_skew_ms: Type.Integer({ description: 'By how much its clock is ahead of that of the database.' }),
  version: Type.String({ description: 'The version that clients are told.' }),
  state: Type.String({ description: '`present`, or `gone` if it was stopped or has given no sign for half a minute.' }),
  holdfast_version: Type.String({ description: 'The release that it runs.' }),
  started_at: Type.String({ format: 'date-time', description: 'When it started.' }),
  jobs_held: Type.Integer({ description: 'Background jobs that it is running.' }),
})

/** Nodes, and what clients of replicated stores ask about them. */
export const clusterEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    id: 'status.leader',
    bareAnswer: true,
    route: 'GET /leader',
    summary: 'Read which node leads background work.',
    access: open('Load balancers call it before they can log in.'),
    unaudited: true,
    whileSealed: true,
    fails: ['sealed'],
    returns: {
      200: Type.Object({
        ha_enabled: Type.Boolean({ description: 'Whether several nodes can share the database.' }),
        is_self: Type.Boolean({ description: 'Whether the responding node leads.' }),
        leader_address: Type.String({ description: 'Address of the leading node.' }),
      }),
    },
    handle: async ({ deps }) => bare(await leadership(deps)),
  }),
  endpoint({
    id: 'status.nodes',
    bareAnswer: true,
    route: 'GET /ha-status',
    summary: 'List the nodes that share the database. A node that is gone stays in the list for a day.',
    access: acl(),
    returns: { 200: Type.Object({ nodes: Type.Array(memberSchema) }) },
    handle: ({ deps, request }) => members(deps, request.origin),
  }),
  endpoint({
    id: 'status.step-down',
    route: 'POST /step-down',
    summary: 'Hand background work over to another node.',
    access: acl({ sudo: true }),
    returns: { 204: null },
    handle: async ({ deps }) => {
      if (isClustered(deps)) await deps.node.stepDown()
      return nothing()
    },
  }),
  endpoint({
    id: 'status.storage-nodes',
    route: 'GET /storage/raft/configuration',
    summary: 'Describe the store as clients of a Raft cluster expect it: one server, which is its own leader.',
    access: acl(),
    returns: { 200: Type.Object({ config: Type.Object({ servers: Type.Array(Type.Unknown()) }) }) },
    handle: ({ deps, request }) => {
      const address = addressOf(deps, request.origin).replace(/^https?:\/\//, '')
      const node = { node_id: deps.settings.nodeName, address, leader: true, voter: true, protocol_version: '3' }
      return data({ config: { index: 0, servers: [node] } })
    },
  }),
  endpoint({
    id: 'status.join',
    route: 'POST /storage/raft/join',
    summary: 'Always refused: nodes do not join each other.',
    access: open('New nodes call it before anybody can log in.'),
    whileSealed: true,
    fails: ['invalid'],
    handle: () => {
      throw notRaft()
    },
  }),
  endpoint({
    id: 'status.remove-peer',
    route: 'POST /storage/raft/remove-peer',
    summary: 'Always refused: nodes do not join each other.',
    access: acl(),
    fails: ['invalid'],
    handle: () => {
      throw notRaft()
    },
  }),
  endpoint({
    ...history,
    id: 'status.versions',
    route: 'LIST /version-history',
    summary: 'List the server versions this store has run.',
  }),
  endpoint({
    ...history,
    id: 'status.versions-by-read',
    route: 'GET /version-history',
    summary: 'List the server versions this store has run.',
  }),
])
