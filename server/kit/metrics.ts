import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client'
import { Histogram } from './histogram.ts'

/** The figures a process reports. Each metric is made once, by name. */
export type Metrics = {
  counter(name: string, help: string, labels?: readonly string[]): Counter<string>
  gauge(name: string, help: string, labels?: readonly string[]): Gauge<string>
  histogram(name: string, help: string, labels: readonly string[], bounds: readonly number[]): Histogram
  /** Calls this before figures are shown, to bring them up to date; it has to end soon. */
  onRender(collect: () => Promise<void>): void
  /** The text format of Prometheus. */
  render(): Promise<string>
  /** The same as plain data. */
  figures(): Promise<Figures>
  contentType: string
}

/** The figures of one process. */
export type Figures = readonly object[]

/** The figures of several processes as if they were one: what is counted is added up. */
export const renderCombined = (all: readonly Figures[]): Promise<string> =>
  AggregatorRegistry.aggregate([...all]).metrics()

/** Makes an empty registry; `process` adds memory, event-loop and garbage-collection figures. */
export function createMetrics(options: { process?: boolean } = {}): Metrics {
  const registry = new Registry()
  if (options.process) collectDefaultMetrics({ register: registry })
  const made = new Map<string, unknown>()
  const collectors: (() => Promise<void>)[] = []
  const once = <T>(name: string, make: () => T): T => {
    const existing = made.get(name) as T | undefined
    if (existing) return existing
    const metric = make()
    made.set(name, metric)
    return metric
  }
  const bringUpToDate = (): Promise<unknown> => Promise.all(collectors.map((collect) => collect()))
  return {
    counter: (name, help, labels = []) =>
      once(name, () => new Counter({ name, help, labelNames: [...labels], registers: [registry] })),
    gauge: (name, help, labels = []) =>
      // Gauges show what the store holds. Of several processes one may have read it, or all: the values do not add up.
      once(name, () => new Gauge({ name, help, labelNames: [...labels], registers: [registry], aggregator: 'max' })),
    histogram: (name, help, labels, bounds) =>
      once(name, () => {
        const histogram = new Histogram(name, help, labels, bounds)
        // A registry only ever asks a metric for its name and `get()`.
        registry.registerMetric(histogram as unknown as Metric<string>)
        return histogram
      }),
    onRender: (collect) => void collectors.push(collect),
    render: async () => {
      await bringUpToDate()
      return registry.metrics()
    },
    figures: async () => {
      await bringUpToDate()
      return registry.getMetricsAsJSON()
    },
    contentType: registry.contentType,
  }
}
