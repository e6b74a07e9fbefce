import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client'
import { Histogram } from './histogram.ts'

/** The figures a process reports. Each metric is made once, by name. */
export type Metrics = {
  counter(name: string, help: string, labels?: readonly string[]): Counter<string>
  gauge(name: string, help: string, labels?: readonly string[], terms?: GaugeTerms): Gauge<string>
  histogram(name: string, help: string, labels: readonly string[], bounds: readonly number[]): Histogram
  /** Calls this before figures are shown, to bring them up to date; it has to end soon. */
  onRender(collect: () => Promise<void>): void
  /** Says, after the figures were brought up to date, whether what they show of the store is known. */
  showStoredWhile(isKnown: () => boolean): void
  /** The text format of Prometheus. */
  render(): Promise<string>
  /** The same figures as values. */
  figures(): Promise<readonly Figure[]>
  contentType: string
}

/** One metric with its values by label; a histogram has one for each bucket, sum and count. */
export type Figure = {
  readonly name: string
  readonly type: string
  readonly values: readonly {
    readonly value: number
    readonly labels: Readonly<Record<string, string | number>>
    readonly metricName?: string
  }[]
}

/** What a gauge shows. */
type GaugeTerms = {
  /** What the store holds: left out while that is not known. */
  readonly stored?: boolean
}

/** Makes an empty registry; `process` adds memory, event-loop and garbage-collection figures. */
export function createMetrics(options: { process?: boolean } = {}): Metrics {
  const registry = new Registry()
  const storedFigures = new Registry()
  if (options.process) collectDefaultMetrics({ register: registry })
  const made = new Map<string, unknown>()
  const collectors: (() => Promise<void>)[] = []
  let isStoreKnown = (): boolean => true
  const once = <T>(name: string, make: () => T): T => {
    const existing = made.get(name) as T | undefined
    if (existing) return existing
    const metric = make()
    made.set(name, metric)
    return metric
  }
  const currentFigures = async (): Promise<readonly Registry[]> => {
    await Promise.all(collectors.map((collect) => collect()))
    return isStoreKnown() ? [registry, storedFigures] : [registry]
  }
  return {
    counter: (name, help, labels = []) =>
      once(name, () => new Counter({ name, help, labelNames: [...labels], registers: [registry] })),
    gauge: (name, help, labels = [], { stored = false } = {}) =>
      once(name, () => {
        const registers = [stored ? storedFigures : registry]
        return new Gauge({ name, help, labelNames: [...labels], registers })
      }),
    histogram: (name, help, labels, bounds) =>
      once(name, () => {
        const histogram = new Histogram(name, help, labels, bounds)
        // A registry only ever asks a metric for its name and `get()`.
        registry.registerMetric(histogram as unknown as Metric<string>)
        return histogram
      }),
    onRender: (collect) => void collectors.push(collect),
    showStoredWhile: (isKnown) => {
      isStoreKnown = isKnown
    },
    render: async () => {
      const shown = await currentFigures()
      return (await Promise.all(shown.map((each) => each.metrics()))).join('\n')
    },
    figures: async () => {
      const shown = await currentFigures()
      const metrics = await Promise.all(shown.map((each) => each.getMetricsAsJSON()))
      return metrics.flat().map((each) => ({ ...each, type: String(each.type) }) as Figure)
    },
    contentType: registry.contentType,
  }
}
