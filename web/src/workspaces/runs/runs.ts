import type { AnswerOf } from '../../api/client.ts'
import type { Shape } from '../../kit/Status.tsx'

/** A run as answers show it. */
export type Run = AnswerOf<'runs.show'>['data']

const statuses: Readonly<Record<string, readonly [shape: Shape, word: string]>> = {
  pending: ['waiting', 'Waiting'],
  plan_queued: ['waiting', 'Plan queued'],
  planning: ['working', 'Planning'],
  planned: ['needed', 'Needs approval'],
  planned_and_saved: ['paused', 'Plan kept'],
  planned_and_finished: ['done', 'Planned'],
  confirmed: ['waiting', 'Approved'],
  apply_queued: ['waiting', 'Apply queued'],
  applying: ['working', 'Applying'],
  applied: ['done', 'Applied'],
  errored: ['failed', 'Failed'],
  canceled: ['ended', 'Canceled'],
  discarded: ['ended', 'Discarded'],
}

/** How a run stands: a shape and a word. */
export function statusOf({ attributes }: Run): { readonly shape: Shape; readonly word: string } {
  const { status = '', actions } = attributes
  if (status === 'planned' && !actions?.['is-confirmable']) return { shape: 'waiting', word: 'Planned' }
  if (status === 'planned_and_finished' && !attributes['has-changes']) return { shape: 'done', word: 'No changes' }
  const [shape, word] = statuses[status] ?? ['waiting', status]
  return { shape, word }
}

const over = new Set(['planned_and_finished', 'applied', 'errored', 'canceled', 'discarded'])

/** True if a run does nothing any more. */
export const isOver = ({ attributes }: Run): boolean => over.has(attributes.status ?? '')

/** How often a page asks for a run: not at all once it is over, seldom while it waits for a person. */
export const lookEvery = (run: Run | undefined): number | false =>
  run === undefined || isOver(run) ? false : run.attributes.status?.startsWith('planned') ? 3_000 : 1_000

/** One of the steps that a run takes. */
export type RunStep = {
  readonly name: string
  readonly shape: Shape
  /** How the step went, for those who do not see the shape. */
  readonly word: string
  readonly note?: string
  readonly begun?: string
  readonly ended?: string
}

type Times = Readonly<Record<string, string | undefined>>

const shapeOf = (begun: unknown, ended: unknown): Pick<RunStep, 'shape' | 'word'> =>
  ended ? { shape: 'done', word: 'done' } : begun ? { shape: 'working', word: 'under way' } : notBegun

const notBegun = { shape: 'waiting', word: 'not begun' } as const
const endedBadly = {
  errored: ['failed', 'failed'],
  canceled: ['ended', 'canceled'],
  discarded: ['ended', 'discarded'],
} as const

/** The steps of a run from the first to the last, those that did not begin included. */
export function stepsOf({ attributes }: Run, names: { readonly confirmedBy?: string } = {}): readonly RunStep[] {
  const times = (attributes['status-timestamps'] ?? {}) as Times
  const status = attributes.status ?? ''
  const [planned, end] = [
    times['planned-at'] ?? times['planned-and-finished-at'] ?? times['planned-and-saved-at'],
    times['errored-at'] ?? times['canceled-at'] ?? times['discarded-at'],
  ]
  const started = times['planning-at']
  const steps: RunStep[] = [
    step('Queued', times['pending-at'] ?? attributes['created-at'], started ?? end),
    step('Plan', started, planned),
  ]
  if (!attributes['plan-only'] && status !== 'planned_and_finished') {
    const confirmed = attributes['confirmed-at'] ?? undefined
    const by = confirmed && (names.confirmedBy ? `by ${names.confirmedBy}` : 'by itself')
    steps.push(
      { ...step(confirmed ? 'Approved' : 'Approval', planned, confirmed), ...(by && { note: by }) },
      step('Apply', times['applying-at'], times['applied-at']),
    )
  }
  const bad = endedBadly[status as keyof typeof endedBadly]
  // The step that was under way is the one that ended so.
  const at = steps.findLastIndex(({ begun, ended }) => begun !== undefined && (ended === undefined || ended === end))
  return steps.map((each, index) => {
    if (bad && index === at) return { ...each, shape: bad[0], word: bad[1], ...(end && { ended: end }) }
    if (bad && index > at) return { ...each, ...notBegun }
    if (each.name === 'Approval' && each.begun)
      return { ...each, shape: 'needed', word: 'waits for a person', note: 'waits for a person' }
    return each
  })
}

const step = (name: string, begun: string | undefined, ended: string | undefined): RunStep => ({
  name,
  ...shapeOf(begun, ended),
  ...(begun && { begun }),
  ...(ended && { ended }),
})

/** What a run was meant for, in a word; empty for the usual one. */
export function kindOf({ attributes }: Run): string {
  if (attributes['is-destroy']) return 'destroys everything'
  if (attributes['refresh-only']) return 'refreshes the state'
  return attributes['plan-only'] ? 'plans only' : attributes['save-plan'] ? 'keeps its plan' : ''
}
