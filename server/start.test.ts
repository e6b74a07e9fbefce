import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { eachEngine, emptyDatabase } from '../test/support/databases.ts'
import { ownFolder } from '../test/support/folders.ts'
import { openRaw } from '../test/support/raw-connection.ts'
import { recordingLog } from '../test/support/recording-log.ts'
import { loadConfig } from './config/index.ts'
import { instant, systemClock } from './kernel/clock.ts'
import { type Log, silentLog } from './kernel/log.ts'
import { type StartOptions, startServer } from './start.ts'

async function serverWith(flags: readonly string[] = [], log: Log = silentLog, options: StartOptions = {}) {
  const directory = ownFolder()
  const place = ['--data-dir', directory, '--listen', 'off', '--http-listen', '127.0.0.1:0', '--root-token', 'root']
  const loaded = loadConfig({ mode: 'dev', args: [...place, ...flags], environment: {} })
  if (!loaded.ok) throw new Error('The configuration is wrong.')
  const server = await startServer(loaded.config, log, options)
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    closed ??= server.close()
    return closed
  }
  onTestFinished(close)
  return { ...server, close }
}

eachEngine((engine) => {
  test.each([
    ['an hour behind the database', -3_600_000, engine === 'postgres'],
    ['an hour ahead of it', 3_600_000, engine === 'postgres'],
    ['right', 0, false],
  ])(
    'start with a clock %s: a difference to the clock of a PostgreSQL server is logged',
    async (_name, shift, isTold) => {
      const { options, remove } = await emptyDatabase(engine)
      onTestFinished(remove)
      const schema = options.schema ? `?options=-c%20search_path%3D${options.schema}` : ''
      const { log, text } = recordingLog()
      const clock = { ...systemClock, now: () => instant(systemClock.now() + shift) }
      await serverWith(['--storage', options.url + schema], log, { clock })
      const told = text().match(/"seconds":(-?\d+),"message":"the clock of this node differs/)
      expect(told !== null).toBe(isTold)
      if (told) expect(Math.abs(Number(told[1]) * 1_000 - shift)).toBeLessThan(30_000)
    },
  )

  test.runIf(engine === 'postgres')('start: the database gets as many connections as the settings say', async () => {
    const { options, remove } = await emptyDatabase(engine)
    onTestFinished(remove)
    const storage = `${options.url}?options=-c%20search_path%3D${options.schema}`
    const server = await serverWith(['--storage', storage, '--database-connections', '3', '--metrics-open', 'on'])
    const { http } = await server.listen()
    const metrics = await (await fetch(`${http}/metrics`)).text()
    expect(metrics).toMatch(/^holdfast_database_connections_limit 3$/m)
  })
})

test('start: metrics count the lines that the log of the process has lost', async () => {
  let lost = 0
  const server = await serverWith(['--metrics-open', 'on'], silentLog, { lostLogLines: () => lost })
  const { http } = await server.listen()
  const shown = async () => {
    const text = await (await fetch(`${http}/metrics`)).text()
    return /^holdfast_log_lines_lost_total (\d+)$/m.exec(text)?.[1]
  }
  expect(await shown()).toBe('0')
  lost = 7
  expect([await shown(), await shown()]).toEqual(['7', '7'])
  lost = 9
  expect(await shown()).toBe('9')
})

test.each([
  ['done', async () => undefined],
  ['tried in vain', () => Promise.reject(new Error('no room'))],
])('start: a request during the announcement waits until that is %s', async (_name, outcome) => {
  const server = await serverWith()
  const order: string[] = []
  let answered: Promise<unknown> = Promise.resolve()
  const announcing = server.listen(async ({ http }) => {
    answered = fetch(`${http}/healthz`).then(({ status }) => order.push(`answered with ${status}`))
    await Promise.race([answered, setTimeout(100)])
    order.push('announced')
    await outcome()
  })
  await announcing.catch((error) => order.push(error.message))
  await answered
  expect(order.filter((each) => each !== 'no room')).toEqual(['announced', 'answered with 200'])
})

const portOf = (url: string | undefined): number => Number(new URL(String(url)).port)
const readyRequest = 'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n'
const stopping = { status: 503, body: 'stopping\n', headers: { connection: 'close' } }

test('start: after a stop is announced /readyz answers 503, all else is served, and connections are closed', async () => {
  const server = await serverWith()
  const { http } = await server.listen()
  const port = portOf(http)
  const old = await openRaw(port)
  old.write(readyRequest)
  expect(await old.next()).toMatchObject({ status: 200, body: 'ready\n' })
  server.announceStop()
  old.write(readyRequest)
  expect(await old.next()).toMatchObject(stopping)
  expect(await old.closed()).toBe('')
  const answer = await fetch(`${http}/v1/auth/token/lookup-self`, { headers: { 'X-Service-Token': 'root' } })
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  expect((await fetch(`${http}/healthz`)).status).toBe(200)
  const fresh = await openRaw(port)
  fresh.write(readyRequest)
  expect(await fresh.next()).toMatchObject(stopping)
})

test('start: a server that closes without an announcement says so on connections that are still open', async () => {
  const server = await serverWith()
  const { promise: connected, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof openRaw>>>()
  // Requests wait until the announcement is over, so this one is still open when the server closes.
  await server.listen(async ({ http }) => {
    const connection = await openRaw(portOf(http))
    connection.write(readyRequest)
    resolve(connection)
    await setTimeout(200)
    void server.close()
  })
  expect(await (await connected).next()).toMatchObject(stopping)
  await server.close()
})

test('start: what is not answered when the time to stop is over is answered 503 before its connection is closed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const server = await serverWith()
  const { http } = await server.listen()
  const connection = await openRaw(portOf(http))
  const head = 'POST /v1/sys/wrapping/wrap HTTP/1.1\r\nHost: x\r\nX-Service-Token: root\r\nContent-Length: 9\r\n\r\n'
  connection.write(`${head}{"a"`)
  // What follows on another connection shows that the first request has come.
  expect((await fetch(`${http}/healthz`)).status).toBe(200)
  const closed = server.close()
  await vi.advanceTimersByTimeAsync(7_600)
  expect(await connection.next()).toMatchObject({ status: 503, headers: { connection: 'close', 'retry-after': '1' } })
  await closed
})
