import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('histogram: buckets are cumulative, per combination of labels', async () => {
  const metrics = createMetrics()
  const seconds = metrics.histogram('work_seconds', 'Time of work.', ['kind', 'status'], [0.1, 1])
  const good = seconds.series('read', '200')
  for (const value of [0.05, 0.1, 0.5, 7]) good.observe(value)
  seconds.series('read', '500').observe(0.2)
  const lines = (await metrics.render()).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      '# HELP work_seconds Time of work.',
      '# TYPE work_seconds histogram',
      'work_seconds_bucket{le="0.1",kind="read",status="200"} 2',
      'work_seconds_bucket{le="1",kind="read",status="200"} 3',
      'work_seconds_bucket{le="+Inf",kind="read",status="200"} 4',
      'work_seconds_count{kind="read",status="200"} 4',
      'work_seconds_sum{kind="read",status="200"} 7.65',
      'work_seconds_bucket{le="1",kind="read",status="500"} 1',
    ]),
  )
})

test('histogram: the same name is the same metric', () => {
  const metrics = createMetrics()
  const make = () => metrics.histogram('work_seconds', 'Time of work.', [], [1])
  expect(make()).toBe(make())
})
