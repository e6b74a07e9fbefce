import { statfs } from 'node:fs/promises'
import type { ServerWatch } from '../../../access/attention.ts'
import type { Deps } from '../../../kit/deps.ts'
import { countNodes, loadNodes } from '../../../kit/nodes/node-store.ts'
import { throttledRefresh } from '../../../kit/throttled-refresh.ts'
import { answersSoon, late, soonOr } from './store-probe-adapter.ts'

/** Shows in the figures whether this node is sealed. */
export function measureSeal({ metrics, seal }: Deps): void {
  const gauge = metrics.gauge('holdfast_sealed', '1 while the node is sealed or not initialised, else 0.')
  metrics.onRender(async () => gauge.set(seal.status() === 'unsealed' ? 0 : 1))
}

/** How long metrics wait for the store; less than the several seconds for which monitoring systems wait. */
const storePatienceMs = 1_000

/** Shows in the figures whether the store answers, and nothing of what it holds while it does not. */
export function measureStore(deps: Deps): void {
  const { metrics } = deps
  const gauge = metrics.gauge('holdfast_database_up', '1 if the database answers and takes writes, else 0.')
  let isUp = false
  metrics.onRender(async () => {
    isUp = await answersSoon(deps, storePatienceMs)
    gauge.set(isUp ? 1 : 0)
  })
  metrics.showStoredWhile(() => isUp)
}

/** Shows in the figures how busy the way to the store is. */
export function measureLoad({ metrics, store }: Deps): void {
  if (store.engine === 'sqlite') {
    const queue = metrics.gauge('holdfast_database_write_queue', 'Writes that wait for their turn.')
    metrics.onRender(async () => {
      const load = store.load()
      if ('queued' in load) queue.set(load.queued)
    })
    return
  }
  const help = 'Connections to PostgreSQL by state: used or idle.'
  const connections = metrics.gauge('holdfast_database_connections', help, ['state'])
  const limitHelp = 'Limit of these connections; see database_connections.'
  const limit = metrics.gauge('holdfast_database_connections_limit', limitHelp)
  const waitingHelp = 'Requests and jobs that wait for a free connection to PostgreSQL.'
  const waiting = metrics.gauge('holdfast_database_connection_waiters', waitingHelp)
  metrics.onRender(async () => {
    const load = store.load()
    if ('queued' in load) return
    connections.set({ state: 'used' }, load.used)
    connections.set({ state: 'idle' }, load.idle)
    limit.set(load.limit)
    waiting.set(load.waiting)
  })
}

/** Shows in the figures when disks become full: that of the data directory before it happens, any database's afterwards. */
export function measureSpace({ metrics, store, settings }: Deps): void {
  const help = 'Free space on the disk of the data directory.'
  const free = metrics.gauge('holdfast_data_dir_free_bytes', help)
  const refusedHelp = 'Writes that the database refused because its disk is full.'
  const refused = metrics.counter('holdfast_database_full_total', refusedHelp)
  let counted = 0
  metrics.onRender(async () => {
    const { refusals } = store.fullness()
    refused.inc(refusals - counted)
    counted = refusals
    const space = await soonOr(() => statfs(settings.dataDir), storePatienceMs).catch((): typeof late => late)
    if (space !== late) free.set(space.bavail * space.bsize)
  })
}

/** Milliseconds for which counted nodes are shown; a sign of life is as old when the next one comes. */
const nodesGoodFor = 10_000

/** Shows in the figures how many nodes share the store, and how many of the last day are gone. */
export function measureNodes(deps: Deps): void {
  const help = 'Nodes that gave a sign of life within the last day, by state: present or gone.'
  const gauge = deps.metrics.gauge('holdfast_nodes', help, ['state'], { stored: true })
  const refresh = async (): Promise<void> => {
    const counts = await countNodes(deps.db, await deps.store.databaseNow())
    for (const [state, count] of Object.entries(counts)) gauge.set({ state }, count)
  }
  deps.metrics.onRender(throttledRefresh(deps, { refresh, goodFor: nodesGoodFor, failed: 'nodes not counted' }))
}

/** Tells of nodes that are gone and were not stopped. */
export const watchNodes: ServerWatch = async ({ db, store }, { limit }) => {
  const nodes = await loadNodes(db, await store.databaseNow())
  const running = new Set(nodes.filter(({ state }) => state === 'present').map(({ name }) => name))
  // A process that was restarted at once has another name for its work, and the same host.
  const gone = nodes.filter(
    ({ state, stoppedAt, name }) => state === 'gone' && stoppedAt === null && !running.has(name),
  )
  return gone.slice(0, limit).map(({ name, seenAt, address }) => ({
    kind: 'node-gone',
    failed: true,
    name,
    text: `It gives no sign of life and was not stopped${address ? ` (${address})` : ''}.`,
    at: seenAt,
  }))
}
