/** Counts of one combination of labels. */
export type Series = { observe(value: number): void }

type Value = { labels: Record<string, string | number>; value: number; metricName: string }

/**
 * A histogram that is counted in on every request and read once in a while: counting is one comparison for each bound up
 * to the value, and everything else waits until somebody reads.
 */
export class Histogram {
  readonly name: string
  readonly #help: string
  readonly #labels: readonly string[]
  readonly #bounds: readonly number[]
  readonly #series: { readonly labels: Record<string, string>; readonly counts: BucketCounts }[] = []

  constructor(name: string, help: string, labels: readonly string[], bounds: readonly number[]) {
    this.name = name
    this.#help = help
    this.#labels = labels
    this.#bounds = bounds
  }

  /** A new series with these values of the labels, in their order. Ask once for each combination, and keep it. */
  series(...values: readonly string[]): Series {
    const labels = Object.fromEntries(this.#labels.map((label, index) => [label, values[index] ?? '']))
    const counts = new BucketCounts(this.#bounds)
    this.#series.push({ labels, counts })
    return counts
  }

  /** What a registry asks a metric for. */
  get(): { name: string; help: string; type: 'histogram'; values: Value[] } {
    const values = this.#series.flatMap(({ labels, counts }) => this.#valuesOf(labels, counts))
    return { name: this.name, help: this.#help, type: 'histogram', values }
  }

  #valuesOf(labels: Record<string, string>, { buckets, sum }: BucketCounts): Value[] {
    let total = 0
    const cumulated = buckets.map((count, index): Value => {
      total += count
      return {
        labels: { le: this.#bounds[index] ?? '+Inf', ...labels },
        value: total,
        metricName: `${this.name}_bucket`,
      }
    })
    const sums = [
      { labels, value: sum, metricName: `${this.name}_sum` },
      { labels, value: total, metricName: `${this.name}_count` },
    ]
    return [...cumulated, ...sums]
  }
}

class BucketCounts implements Series {
  readonly #bounds: readonly number[]
  /** How many values lie in each bucket alone; the last one is beyond all bounds. */
  readonly buckets: number[]
  sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.buckets = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  observe(value: number): void {
    let index = 0
    while (index < this.#bounds.length && value > (this.#bounds[index] as number)) index++
    this.buckets[index] = (this.buckets[index] as number) + 1
    this.sum += value
  }
}
