import { expect, test } from 'vitest'
import { nodeOfApps } from '../../../../test/support/peers.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import type { TestApp } from '../../../../test/support/test-app.ts'

async function twoProcesses(): Promise<readonly [TestApp, TestApp]> {
  const peers = nodeOfApps()
  const first = await ownApp({ peers: peers(1) })
  return [first, await ownApp({ beside: first, peers: peers(2) })]
}

const countedBy = (app: TestApp): void =>
  app.deps.metrics.counter('test_things_total', 'Things.', ['kind']).inc({ kind: 'a' })
const textFrom = async (app: TestApp): Promise<string> => (await app.root.get('/v1/sys/metrics')).text

test('metrics: any process of a node shows the figures of all, summed, each once', async () => {
  const apps = await twoProcesses()
  const [first, second] = apps
  for (const app of [first, second, second]) countedBy(app)
  for (const [index, app] of apps.entries()) {
    app.deps.metrics.gauge('test_stored', 'What both read in the store.').set(7)
    const { metrics } = app.deps
    metrics
      .histogram('test_seconds', 'How long.', ['who'], [1])
      .series('x')
      .observe(index * 2)
  }
  for (const app of apps) {
    const text = await textFrom(app)
    expect(text.match(/^test_\w+.*$/gm)).toEqual([
      'test_things_total{kind="a"} 3',
      'test_stored 7',
      'test_seconds_bucket{le="1",who="x"} 1',
      'test_seconds_bucket{le="+Inf",who="x"} 2',
      'test_seconds_sum{who="x"} 2',
      'test_seconds_count{who="x"} 2',
    ])
    expect(text.match(/^# TYPE (\S+)/gm)).toHaveLength(new Set(text.match(/^# TYPE (\S+)/gm)).size)
  }
})

test('metrics: for a process that does not answer, its last figures are shown', async () => {
  const [first, second] = await twoProcesses()
  for (const app of [first, second]) countedBy(app)
  expect(await textFrom(first)).toContain('test_things_total{kind="a"} 2\n')
  second.deps.metrics.onRender(() => Promise.reject(new Error('not now')))
  for (const app of [first, second]) countedBy(app)
  expect(await textFrom(first)).toContain('test_things_total{kind="a"} 3\n')
})

test('metrics: counters do not go back when a process that has shown them itself does not answer', async () => {
  const [first, second] = await twoProcesses()
  for (const app of [first, second]) countedBy(app)
  expect(await textFrom(first)).toContain('test_things_total{kind="a"} 2\n')
  countedBy(second)
  expect(await textFrom(second)).toContain('test_things_total{kind="a"} 3\n')
  second.deps.metrics.onRender(() => Promise.reject(new Error('not now')))
  expect(await textFrom(first)).toContain('test_things_total{kind="a"} 3\n')
})
