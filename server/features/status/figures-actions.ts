import { textOf } from '../../kernel/failure.ts'
import { type Deps, perApp } from '../../kit/deps.ts'
import { type Figures, renderTogether } from '../../kit/metrics.ts'

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

const lastFigures = perApp(() => new Map<number, Figures>())

/**
 * The figures of this node, whichever of its processes is asked. For a process that is too busy to answer, its last
 * figures are used: without them, counters would seem to have been reset.
 */
export async function renderFigures(deps: Deps): Promise<string> {
  const { peers, metrics } = deps
  if (peers.isAlone) return await metrics.render()
  const [own, given] = await Promise.all([metrics.figures(), peers.ask(topic, patienceMs)])
  const others = lastFigures(deps)
  for (const [number, figures] of given) if (figures) others.set(number, figures as Figures)
  return await renderTogether([own, ...others.values()])
}
