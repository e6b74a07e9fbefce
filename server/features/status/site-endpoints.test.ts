import { expect, onTestFinished, test } from 'vitest'
import { type TestApp, type TestAppOptions, testApp } from '../../../test/support/test-app.ts'

async function startApp(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await testApp(options)
  onTestFinished(() => app.close())
  return app
}

const statusOf = async (app: TestApp, path: string): Promise<number> => (await app.anonymous.get(path)).status

test('probes: a server that can work is alive and ready', async () => {
  const app = await startApp()
  expect(await app.anonymous.get('/healthz')).toMatchObject({ status: 200, text: 'ok\n' })
  expect(await app.anonymous.get('/readyz')).toMatchObject({ status: 200, text: 'ready\n' })
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
