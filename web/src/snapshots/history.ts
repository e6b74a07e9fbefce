import type { Schemas } from '../api/client.ts'
import type { ChartPoint } from '../kit/Chart.tsx'
import { counted, size } from '../kit/numbers.ts'
import type { Shape } from '../kit/Status.tsx'
import { duration, shortDate } from '../kit/times.ts'

/** The attempts of one day. */
export type Day = Schemas['SnapshotDay']

const dayMs = 86_400_000

/** Every day of a span, today last; those without an attempt are empty. */
export function daysOf(known: readonly Day[], span: number, now: number): readonly (Day | { readonly day: string })[] {
  const byDay = new Map(known.map((day) => [day.day, day]))
  return Array.from({ length: span }, (_, index) => {
    const day = new Date(now - (span - 1 - index) * dayMs).toISOString().slice(0, 10)
    return byDay.get(day) ?? { day }
  })
}

/** Puts neighbours together until there are at most so many; today ends the last group. */
export function inGroups<Item>(items: readonly Item[], most: number): readonly (readonly Item[])[] {
  const each = Math.max(1, Math.ceil(items.length / Math.max(1, most)))
  const groups: Item[][] = []
  for (let end = items.length; end > 0; end -= each) groups.unshift(items.slice(Math.max(0, end - each), end))
  return groups
}

const isDay = (day: Day | { readonly day: string }): day is Day => 'attempts' in day

/** What happened on some days, as one point of the chart. Where snapshots are proved, the time is that of proved ones. */
export function pointOf(days: readonly (Day | { readonly day: string })[], proves = true): ChartPoint {
  const known = days.filter(isDay)
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? '']
  const most = (of: (day: Day) => number): number => Math.max(0, ...known.map(of))
  const largest = most((day) => day.size)
  const slowest = most((day) => (proves && day.proved === 0 ? 0 : day.duration_ms + day.proof_ms)) / 1000
  return {
    key: first,
    date: shortDate(last),
    bar: largest === 0 ? null : largest,
    line: slowest === 0 ? null : slowest,
    mark: markOf(known),
    tip: tipOf(first === last ? shortDate(last) : `${shortDate(first)} to ${shortDate(last)}`, known, largest, slowest),
  }
}

const sum = (days: readonly Day[], of: (day: Day) => number): number => days.reduce((all, day) => all + of(day), 0)

/** The worst that happened. */
function markOf(days: readonly Day[]): Shape | undefined {
  if (days.some((day) => day.not_restorable > 0)) return 'disproved'
  if (days.some((day) => day.failed > 0)) return 'failed'
  if (days.some((day) => day.proved > 0)) return 'proved'
  return days.length > 0 ? 'unproved' : undefined
}

function tipOf(date: string, days: readonly Day[], largest: number, slowest: number): string {
  if (days.length === 0) return `${date}: no attempt`
  const facts = [
    counted(
      sum(days, (day) => day.attempts),
      'attempt',
    ),
    ...(largest > 0 ? [size(largest)] : []),
    ...(slowest > 0 ? [duration(slowest)] : []),
    ...troublesOf(days),
  ]
  const error = days.findLast((day) => day.error !== '')?.error
  return [`${date}: ${facts.join(', ')}`, ...(error ? [error] : [])].join('\n')
}

const troublesOf = (days: readonly Day[]): string[] => {
  const [bad, failed] = [sum(days, (day) => day.not_restorable), sum(days, (day) => day.failed)]
  return [
    ...(bad > 0 ? [`${bad} ${bad === 1 ? 'does' : 'do'} not restore`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ]
}

/** The days in one sentence: "45 attempts: 43 proved, 1 does not restore, 1 failed". */
export function summaryOf(days: readonly Day[]): string {
  if (days.length === 0) return 'No attempt yet'
  const attempts = counted(
    sum(days, (day) => day.attempts),
    'attempt',
  )
  const proved = sum(days, (day) => day.proved)
  return `${attempts}: ${[`${proved.toLocaleString('en')} proved`, ...troublesOf(days)].join(', ')}`
}
