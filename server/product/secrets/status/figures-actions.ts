import { statfs } from 'node:fs/promises'
import { textOf } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import { type Figures, renderCombined } from '../../../kit/metrics.ts'
import { answersSoon, late, soonOr } from './store-probe.ts'

const topic = 'status.figures'

/** Shorter than the several seconds for which monitoring systems wait. */
const patienceMs = 2_000

/** Gives the figures of this process to the other processes of this node. */
export function shareFigures({ peers, metrics, log }: Deps): void {
  peers.answer(topic, () =>
    metrics
      .figures()
      .catch((error: unknown) => log.warn({ error: textOf(error) }, 'could not send metrics to another process')),
  )
}

/** Shows in the figures whether this process is sealed; of several processes, one is enough. */
export function measureSeal({ metrics, seal }: Deps): void {
  const gauge = metrics.gauge('holdfast_sealed', '1 while the node is sealed or not initialised, else 0.')
  metrics.onRender(async () => gauge.set(seal.status() === 'unsealed' ? 0 : 1))
}

/** How long metrics wait for the store; less than another process of this node waits for them. */
const storePatienceMs = 1_000

/** Shows in the figures whether the store answers, and nothing of what it holds while it does not. */
export function measureStore(deps: Deps): void {
  const { metrics } = deps
  const terms = { combined: 'min' } as const
  const gauge = metrics.gauge('holdfast_database_up', '1 if the database answers and takes writes, else 0.', [], terms)
  let isUp = false
  metrics.onRender(async () => {
    isUp = await answersSoon(deps, storePatienceMs)
    gauge.set(isUp ? 1 : 0)
  })
  metrics.showStoredWhile(() => isUp)
}

/** Shows in the figures how busy the way to the store is: of all processes of the node, since each has its own. */
export function measureLoad({ metrics, store }: Deps): void {
  const sum = { combined: 'sum' } as const
  if (store.engine === 'sqlite') {
    const queue = metrics.gauge('holdfast_database_write_queue', 'Writes that wait for their turn.', [], sum)
    metrics.onRender(async () => {
      const load = store.load()
      if ('queued' in load) queue.set(load.queued)
    })
    return
  }
  const help = 'Connections to PostgreSQL by state: used or idle.'
  const connections = metrics.gauge('holdfast_database_connections', help, ['state'], sum)
  const limit = metrics.gauge(
    'holdfast_database_connections_limit',
    'How many of them there may be; see database_connections.',
    [],
    sum,
  )
  const waitingHelp = 'Requests and jobs that wait for a free connection to PostgreSQL.'
  const waiting = metrics.gauge('holdfast_database_connection_waiters', waitingHelp, [], sum)
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
  const free = metrics.gauge('holdfast_data_dir_free_bytes', help, [], { combined: 'min' })
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

/**
 * The figures of this node, whichever of its processes is asked. For a process that is too busy to answer, the figures
 * that were shown last are used, whichever process showed them: with older ones or none, counters would seem to have
 * been reset.
 */
export async function renderFigures(deps: Deps): Promise<string> {
  const { peers, metrics } = deps
  if (peers.isAlone) return await metrics.render()
  const own = await metrics.figures()
  const given = [...(await peers.ask(topic, { own, withinMs: patienceMs })).values()]
  return await renderCombined([own, ...given.filter((figures) => figures !== undefined).map(asFigures)])
}

const asFigures = (given: unknown): Figures => given as Figures
