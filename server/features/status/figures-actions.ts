import { textOf } from '../../kernel/failure.ts'
import type { Deps } from '../../kit/deps.ts'
import { type Figures, renderCombined } from '../../kit/metrics.ts'

const topic = 'status.figures'

/** Shorter than the several seconds for which monitoring systems wait. */
const patienceMs = 1_000

/** Gives the figures of this process to the other processes of this node. */
export function shareFigures({ peers, metrics, log }: Deps): void {
  peers.answer(topic, () =>
    metrics
      .figures()
      .catch((error: unknown) => log.warn({ error: textOf(error) }, 'could not send metrics to another process')),
  )
}

/** Shows in the figures whether this process is sealed; of several processes, one is enough. */
export function measureSeal({ metrics, hooks }: Deps): void {
  const gauge = metrics.gauge('holdfast_sealed', '1 while the node is sealed or not initialised, else 0.')
  metrics.onRender(async () => gauge.set(hooks.sealStatus() === 'unsealed' ? 0 : 1))
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
