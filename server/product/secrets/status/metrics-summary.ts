import { type Instant, toIso } from '../../../kernel/clock.ts'
import type { Figure } from '../../../kit/metrics.ts'

/** The value of a gauge, in the words of the family. */
type Gauge = { readonly Name: string; readonly Value: number; readonly Labels: Record<string, string> }

/** What was counted, or measured, since the process started. */
type Sampled = {
  readonly Name: string
  readonly Count: number
  readonly Rate: number
  readonly Sum: number
  readonly Min: number
  readonly Max: number
  readonly Mean: number
  readonly Stddev: number
  readonly Labels: Record<string, string>
}

/** All figures of a process as one JSON object, whose shape other servers of the family share. */
export type MetricsSummary = {
  readonly Timestamp: string
  readonly Gauges: readonly Gauge[]
  readonly Points: readonly never[]
  readonly Counters: readonly Sampled[]
  readonly Samples: readonly Sampled[]
}

type Value = Figure['values'][number]

/** Sums figures up. `seconds` is how long the process has run: everything is counted since then. */
export function summarize(
  figures: readonly Figure[],
  { now, seconds }: { now: Instant; seconds: number },
): MetricsSummary {
  const of = (...types: readonly string[]) => figures.filter(({ type }) => types.includes(type))
  const known = (values: readonly Value[]) => values.filter(({ value }) => Number.isFinite(value))
  return {
    // The form in which Go prints a time, which readers of this answer parse.
    Timestamp: `${toIso(now).slice(0, 19).replace('T', ' ')} +0000 UTC`,
    Gauges: of('gauge').flatMap(({ name, values }) =>
      known(values).map(({ value, labels }) => ({ Name: name, Value: value, Labels: textsOf(labels) })),
    ),
    Points: [],
    Counters: of('counter').flatMap(({ name, values }) =>
      known(values).map(({ value, labels }) => counted(name, { value, labels, seconds })),
    ),
    Samples: of('histogram').flatMap((figure) => sampled(figure, seconds)),
  }
}

const textsOf = (labels: Value['labels']): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))

/** A counter knows its sum alone, so each increment counts as one. */
function counted(name: string, { value, labels, seconds }: Value & { seconds: number }): Sampled {
  const one = value > 0 ? 1 : 0
  const spread = { Min: one, Max: one, Mean: one, Stddev: 0 }
  return { Name: name, Count: value, Rate: value / seconds, Sum: value, ...spread, Labels: textsOf(labels) }
}

type Bucket = { readonly upTo: number; readonly total: number }
type Series = { labels: Record<string, string>; buckets: Bucket[]; sum: number; count: number }

function sampled({ name, values }: Figure, seconds: number): Sampled[] {
  const series = new Map<string, Series>()
  for (const { labels, value, metricName } of values) {
    const { le, ...own } = textsOf(labels)
    const key = JSON.stringify(own)
    const found = series.get(key) ?? { labels: own, buckets: [], sum: 0, count: 0 }
    series.set(key, found)
    if (metricName === `${name}_sum`) found.sum = value
    else if (metricName === `${name}_count`) found.count = value
    else found.buckets.push({ upTo: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), total: value })
  }
  return [...series.values()].map(({ labels, sum, count, buckets }) => ({
    Name: name,
    Count: count,
    Rate: sum / seconds,
    Sum: sum,
    ...spreadOf(buckets, count > 0 ? sum / count : 0),
    Labels: labels,
  }))
}

/** A histogram knows how many values lie between two bounds, so the spread is as exact as its bounds are close. */
function spreadOf(buckets: readonly Bucket[], mean: number): Pick<Sampled, 'Min' | 'Max' | 'Mean' | 'Stddev'> {
  const filled = buckets
    .map(({ upTo, total }, index) => {
      const { upTo: from, total: before } = buckets[index - 1] ?? { upTo: 0, total: 0 }
      return { from, to: Number.isFinite(upTo) ? upTo : from, count: total - before }
    })
    .filter(({ count }) => count > 0)
  const squares = filled.map(({ from, to, count }) => count * ((from + to) / 2 - mean) ** 2)
  const count = filled.reduce((sum, each) => sum + each.count, 0)
  const variance = count > 0 ? squares.reduce((sum, each) => sum + each, 0) / count : 0
  return { Min: filled[0]?.from ?? 0, Max: filled.at(-1)?.to ?? 0, Mean: mean, Stddev: Math.sqrt(variance) }
}
