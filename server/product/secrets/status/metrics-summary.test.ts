import { expect, test } from 'vitest'
import { instant } from '../../../kernel/clock.ts'
import { createMetrics } from '../../../kit/metrics.ts'
import { summarize } from './metrics-summary.ts'

const summaryOf = async (metrics: ReturnType<typeof createMetrics>) =>
  summarize(await metrics.figures(), { now: instant(Date.UTC(2026, 10, 19, 20, 5, 9)), seconds: 10 })

test('metrics as JSON: an empty registry has every list, and the time as readers parse it', async () => {
  expect(await summaryOf(createMetrics())).toEqual({
    Timestamp: '2026-11-19 20:05:09 +0000 UTC',
    Gauges: [],
    Points: [],
    Counters: [],
    Samples: [],
  })
})

test('metrics as JSON: gauges have values, counters sums, and labels are texts', async () => {
  const metrics = createMetrics()
  metrics.gauge('nodes', 'Nodes.', ['state']).set({ state: 'present' }, 3)
  metrics.gauge('unknown', 'Not known.').set(Number.NaN)
  metrics.counter('writes', 'Writes.', ['code']).inc({ code: 204 }, 5)
  metrics.counter('none', 'Nothing.')
  const { Gauges, Counters } = await summaryOf(metrics)
  expect(Gauges).toEqual([{ Name: 'nodes', Value: 3, Labels: { state: 'present' } }])
  const zero = { Count: 0, Rate: 0, Sum: 0, Min: 0, Max: 0, Mean: 0, Stddev: 0 }
  expect(Counters).toEqual([
    { Name: 'writes', Count: 5, Rate: 0.5, Sum: 5, Min: 1, Max: 1, Mean: 1, Stddev: 0, Labels: { code: '204' } },
    { Name: 'none', ...zero, Labels: {} },
  ])
})

test('metrics as JSON: a histogram is one sample for each series, within its bounds', async () => {
  const metrics = createMetrics()
  const histogram = metrics.histogram('seconds', 'Time.', ['of'], [1, 2, 4])
  const slow = histogram.series('slow')
  for (const value of [1.5, 3.5, 3.5, 3.5]) slow.observe(value)
  histogram.series('beyond').observe(9)
  histogram.series('never')
  const { Samples } = await summaryOf(metrics)
  const facts = Samples.map(({ Labels, Count, Rate, Sum, Min, Max, Mean }) => [
    Labels.of,
    Count,
    Rate,
    Sum,
    Min,
    Max,
    Mean,
  ])
  expect(facts).toEqual([
    ['slow', 4, 1.2, 12, 1, 4, 3],
    ['beyond', 1, 0.9, 9, 4, 4, 9],
    ['never', 0, 0, 0, 0, 0, 0],
  ])
  expect(Samples[0]?.Stddev).toBeCloseTo(0.75, 5)
})
