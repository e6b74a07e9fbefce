import { textOf } from '../../kernel/failure.ts'
import { type Deps, perApp } from '../../kit/deps.ts'
import { type Figures, renderTogether } from '../../kit/metrics.ts'

const topic = 'status.figures'

/** Whoever collects figures waits for several seconds. */
const patienceMs = 1_000

/** Lets the other processes of this node have the figures of this one. */
export function shareFigures({ peers, metrics, log }: Deps): void {
  peers.answer(topic, () =>
    metrics
      .figures()
      .catch((error: unknown) => log.warn({ error: textOf(error) }, 'figures not given to another process')),
  )
}

const lastFigures = perApp(() => new Map<number, Figures>())

/**
 * The figures of this node, whichever of its processes is asked. Of one that is too busy to answer its last ones are shown:
 * without them what is counted would seem to begin anew.
 */
export async function renderFigures(deps: Deps): Promise<string> {
  const { peers, metrics } = deps
  if (peers.isAlone) return await metrics.render()
  const [own, given] = await Promise.all([metrics.figures(), peers.ask(topic, patienceMs)])
  const others = lastFigures(deps)
  for (const [number, figures] of given) if (figures) others.set(number, figures as Figures)
  return await renderTogether([own, ...others.values()])
}
