import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { defaultListenerLimits, openListener, readBody } from '../../server/http/listener/index.ts'
import { andThen } from '../../server/kernel/awaitable.ts'
import { ownFolder } from '../../test/support/folders.ts'
import { startChildServer } from './child-server.ts'
import { compareCpu, compareRates, median } from './compare-rates.ts'
import { startProber } from './prober.ts'
import { openClient, requestBytes } from './raw-load.ts'
import { renderRates } from './table.ts'

test('compare: contenders take turns, every other round backwards, and ratios are taken within a round', async () => {
  const turns: string[] = []
  let machine = 1
  const contender = (name: string, speed: number) => ({
    name,
    run: async (ms: number) => {
      turns.push(name)
      // A machine that slows down must not change the ratio of two contenders measured side by side.
      machine *= 0.99
      await new Promise((resolve) => setTimeout(resolve, ms))
      return 100_000 * speed * machine
    },
    cpu: async () => 0,
  })
  const pace = { rounds: 2, roundMs: 20, warmupMs: 1 }
  const rows = await compareRates([contender('a', 1), contender('b', 0.5)], pace)
  expect(turns).toEqual(['a', 'b', 'a', 'b', 'b', 'a'])
  // Rates are per real time, and a timer on a busy machine is late by more than it waits.
  expect(rows[1]?.ratio).toBeGreaterThan(0.2)
  expect(rows[1]?.ratio).toBeLessThan(0.95)
  expect(rows[1]?.cpuMicros).toBe(0)
})

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
  [[7], 7],
])('median of %j is %f', (values, expected) => expect(median(values)).toBe(expected))

test('table: the baseline has ratio 1, and each target is marked as met or missed', () => {
  const row = { perSecond: 1000, spread: [0.5, 0.7] as const, cpuMicros: 20 }
  const text = renderRates([
    { ...row, name: 'bare', ratio: 1, target: undefined },
    { ...row, name: 'ours', ratio: 0.6, target: 0.5, cpuMicros: 40 },
    { ...row, name: 'slow', ratio: 0.4, target: 0.5, cpuMicros: undefined },
  ])
  expect(text.split('\n')).toEqual([
    expect.stringContaining('per second'),
    expect.stringMatching(/^\|-+\|-+:/),
    expect.stringMatching(/bare .* 1 /),
    expect.stringMatching(/ours .* 0\.60 .* 0\.50 .*≥ 0\.5 ✓/),
    expect.stringMatching(/slow .* 0\.40 .*≥ 0\.5 ✗/),
  ])
})

test('server: stop() removes its files from the temporary folder', async () => {
  const folder = ownFolder()
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const server = await startChildServer(new URL('../servers/raw-state.ts', import.meta.url), {})
  expect(readdirSync(folder)).toHaveLength(1)
  await server.stop()
  expect(readdirSync(folder)).toEqual([])
})

test.each([
  ['kept connections', {}],
  ['a connection for each request', { fresh: true }],
  ['four requests under way on each', { pipelined: 4 }],
])('load, %s: every request is answered and counted once', async (_name, way) => {
  let handled = 0
  const place = { name: 'bench', host: '127.0.0.1', port: 0, limits: defaultListenerLimits }
  const listener = await openListener(place, (request, response) => {
    handled++
    andThen(readBody(request, { maxBytes: 100, deadlineMs: 1_000 }), (body) => response.end(body))
  })
  const requests = [requestBytes('GET', '/'), requestBytes('LIST', '/'), requestBytes('POST', '/', {}, 'body')]
  const client = openClient({ port: listener.address.port, connections: 3, requests, ...way })
  expect(await client.run(50)).toBe(handled)
  expect(handled).toBeGreaterThan(0)
  client.close()
  await listener.close(0)
})

test('load: a client that waits past the header timeout of the server before its first run still works', async () => {
  const place = {
    name: 'bench',
    host: '127.0.0.1',
    port: 0,
    limits: { ...defaultListenerLimits, headersTimeoutMs: 30 },
  }
  const listener = await openListener(place, (_request, response) => void response.end('fine'))
  const client = openClient({ port: listener.address.port, connections: 1, requests: [requestBytes('GET', '/')] })
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await client.run(1)).toBeGreaterThan(0)
  client.close()
  await listener.close(0)
})

test('load: an answer with another status stops the measurement', async () => {
  const place = { name: 'bench', host: '127.0.0.1', port: 0, limits: defaultListenerLimits }
  const listener = await openListener(place, (_request, response) => void response.writeHead(500).end('broken'))
  const client = openClient({ port: listener.address.port, connections: 1, requests: [requestBytes('GET', '/')] })
  await expect(client.run(50)).rejects.toThrow('Expected 200 but got')
  client.close()
  await listener.close(0)
})

test('load: closing one client does not close the connections of another', async () => {
  const place = { name: 'bench', host: '127.0.0.1', port: 0, limits: defaultListenerLimits }
  const listener = await openListener(place, (_request, response) => void response.end('fine'))
  const load = { port: listener.address.port, connections: 1, requests: [requestBytes('GET', '/')] }
  const [one, other] = [openClient(load), openClient(load)]
  one.close()
  expect(await other.run(20)).toBeGreaterThan(0)
  other.close()
  await listener.close(0)
})

test('probes: each answer counts with all the time it took, the last one too', async () => {
  const place = { name: 'bench', host: '127.0.0.1', port: 0, limits: defaultListenerLimits }
  const late = 60
  let isSlow = false
  const listener = await openListener(place, (_request, response) => {
    setTimeout(() => response.end('fine'), isSlow ? late : 0)
  })
  const prober = await startProber(listener.address.port)
  onTestFinished(async () => {
    prober.stop()
    await listener.close(0)
  })
  const quick = await prober.during(() => sleep(30))
  isSlow = true
  const slow = await prober.during(() => sleep(30))
  expect(Math.min(...quick)).toBeLessThan(late)
  expect(slow.length).toBeGreaterThan(0)
  // A timer may be early by less than a millisecond.
  expect(Math.min(...slow)).toBeGreaterThan(late - 1)
})

test('compare: processor times are compared within a round, and the range leaves out the outer half of the rounds', () => {
  const samples = (...values: number[]) => values.map((cpuMicros) => ({ rate: 1, cpuMicros }))
  // The machine is ten times as slow in the last round, for both.
  const compared = compareCpu(samples(10, 10, 10, 100), samples(5, 10, 20, 100))
  expect(compared).toEqual({ times: [10, 15], ratio: 1, range: [0.75, 1.5] })
})
