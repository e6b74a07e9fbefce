import { expect, onTestFinished, test, vi } from 'vitest'
import { testEngines } from '../../../test/support/databases.ts'
import { type PostgresProxy, postgresProxy } from '../../../test/support/fakes/postgres-proxy.ts'
import { recordingLog } from '../../../test/support/recording-log.ts'
import { type TestApp, type TestAppOptions, testApp } from '../../../test/support/test-app.ts'
import { failure } from '../../kernel/failure.ts'
import { silentLog } from '../../kernel/log.ts'
import { openStore } from '../../storage/open.ts'

async function startApp(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await testApp(options)
  onTestFinished(() => app.close())
  return app
}

const statusOf = async (app: TestApp, path: string): Promise<number> => (await app.anonymous.get(path)).status

test('pages: addresses that people type lead to the pages, with a slash at the end as without', async () => {
  const app = await startApp()
  for (const path of ['/', '/app', '/app/', '/ui', '/ui/']) {
    const answer = await app.anonymous.get(path)
    expect(answer.status, path).toBe(303)
    expect(answer.headers.location, path).toBe('/app/workspaces')
  }
  for (const path of ['/ui/sign-in/', '/docs/']) expect(await statusOf(app, path), path).toBe(200)
})

test('probes: a server that can work is alive and ready', async () => {
  const app = await startApp()
  expect(await app.anonymous.get('/healthz')).toMatchObject({ status: 200, text: 'ok\n' })
  expect(await app.anonymous.get('/readyz')).toMatchObject({ status: 200, text: 'ready\n' })
})

test('probes: the log holds those that went wrong, and with debug the others', async () => {
  const { log, text } = recordingLog()
  const debug = vi.fn()
  const app = await startApp({ log: { ...log, debug }, settings: { metricsOpen: true } })
  for (const path of ['/healthz', '/readyz', '/metrics']) expect(await statusOf(app, path)).toBe(200)
  expect(text()).not.toMatch(/healthz|readyz|metrics/)
  expect(debug).toHaveBeenCalledTimes(3)
  await app.root.put('/v1/sys/seal')
  expect(await statusOf(app, '/readyz')).toBe(503)
  expect(text()).toContain('/readyz')
})

test('probes: a sealed server is alive and not ready', async () => {
  const app = await startApp()
  expect((await app.root.put('/v1/sys/seal')).status).toBe(204)
  expect(await statusOf(app, '/healthz')).toBe(200)
  expect(await app.anonymous.get('/readyz')).toMatchObject({ status: 503, text: 'sealed\n' })
})

test('probes: without its store a server is alive and not ready, and open metrics go on', async () => {
  const app = await startApp({ settings: { metricsOpen: true } })
  await app.deps.store.close()
  expect(await statusOf(app, '/readyz')).toBeGreaterThanOrEqual(500)
  expect(await statusOf(app, '/healthz')).toBe(200)
  expect(await statusOf(app, '/metrics')).toBe(200)
})

test('probes: a server whose disk lost a write is neither ready nor alive, until it is started again', async () => {
  const first = await startApp()
  const { data } = first
  const store = await data.store.openAnother({ clock: first.clock })
  let lost = false
  const broken = () => (lost ? failure('unavailable', 'storage.not-durable', 'The disk lost it.') : undefined)
  const openAnother = async () => ({ ...store, broken })
  const app = await startApp({ beside: { ...first, data: { ...data, store: { ...data.store, openAnother } } } })
  expect(await statusOf(app, '/healthz')).toBe(200)
  lost = true
  for (const path of ['/healthz', '/readyz', '/v1/sys/health'])
    expect(await app.anonymous.get(path), path).toMatchObject({ status: 503, text: expect.stringContaining('lost it') })
})

/** A node that reaches PostgreSQL by a way that can be cut, and waits for it longer than any test. */
async function cuttableNode(): Promise<{ app: TestApp; proxy: PostgresProxy }> {
  const first = await startApp({ engine: 'postgres' })
  const proxy = await postgresProxy(first.deps.store.url)
  const { clock, data } = first
  const way = { url: proxy.url, log: silentLog, clock, databaseClock: 'given', patience: 600_000 } as const
  const store = await openStore(way)
  onTestFinished(() => store.close())
  const beside = { ...first, data: { ...data, store: { ...data.store, openAnother: async () => store } } }
  return { app: await startApp({ beside }), proxy }
}

test.runIf(testEngines.includes('postgres'))(
  'probes: while PostgreSQL is away they say so without waiting for it, and all is well when it is back',
  async () => {
    const { app, proxy } = await cuttableNode()
    expect(await statusOf(app, '/v1/sys/health')).toBe(200)
    proxy.cut()
    const away = await Promise.all(['/v1/sys/health', '/readyz'].map((path) => app.anonymous.get(path)))
    for (const { status, text } of away)
      expect([status, text]).toEqual([503, expect.stringMatching('cannot be reached')])
    expect(await statusOf(app, '/v1/sys/seal-status')).toBe(200)
    proxy.mend()
    await expect.poll(() => statusOf(app, '/v1/sys/health'), { timeout: 30_000 }).toBe(200)
    expect(await statusOf(app, '/readyz')).toBe(200)
  },
)

test('metrics: for nobody without a token that may read them, and not for one that was revoked', async () => {
  const app = await startApp()
  expect(await statusOf(app, '/metrics')).toBe(403)
  expect((await app.root.as('hfs.wrong').get('/metrics')).status).toBe(403)
  const made = await app.root.post('/v1/auth/token/create', { policies: ['root'] })
  const reader = app.root.as(made.body.auth.client_token)
  expect(await reader.get('/metrics')).toMatchObject({ status: 200, text: expect.stringContaining('# HELP holdfast_') })
  await app.root.post('/v1/auth/token/revoke', { token: made.body.auth.client_token })
  expect((await reader.get('/metrics')).status).toBe(403)
})
