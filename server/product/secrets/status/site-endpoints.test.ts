import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { cuttableNode } from '../../../../test/support/cuttable-node.ts'
import { testEngines } from '../../../../test/support/databases.ts'
import { recordingLog } from '../../../../test/support/recording-log.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import type { TestApp } from '../../../../test/support/test-app.ts'
import { failure } from '../../../kernel/failure.ts'

const statusOf = async (app: TestApp, path: string): Promise<number> => (await app.anonymous.get(path)).status

test('pages: / leads to the web UI, and pages are there with and without a trailing slash', async () => {
  const app = await ownApp()
  const answer = await app.anonymous.get('/')
  expect([answer.status, answer.headers.location]).toEqual([303, '/app'])
  // It is built in a checkout where somebody needed it; elsewhere a page says so.
  for (const path of ['/app', '/app/', '/ui', '/ui/']) expect([200, 503], path).toContain(await statusOf(app, path))
  for (const path of ['/ui/sign-in/', '/docs/']) expect(await statusOf(app, path), path).toBe(200)
})

test('probes: /healthz and /readyz get 200 on a working server', async () => {
  const app = await ownApp()
  expect(await app.anonymous.get('/healthz')).toMatchObject({ status: 200, text: 'ok\n' })
  expect(await app.anonymous.get('/readyz')).toMatchObject({ status: 200, text: 'ready\n' })
})

test('probes: successful ones are logged at debug level only, failed ones always', async () => {
  const { log, text } = recordingLog()
  const debug = vi.fn()
  const app = await ownApp({ log: { ...log, debug }, settings: { metricsOpen: true } })
  for (const path of ['/healthz', '/readyz', '/metrics']) expect(await statusOf(app, path)).toBe(200)
  expect(text()).not.toMatch(/healthz|readyz|metrics/)
  expect(debug).toHaveBeenCalledTimes(3)
  await app.root.put('/v1/sys/seal')
  expect(await statusOf(app, '/readyz')).toBe(503)
  expect(text()).toContain('/readyz')
})

test('probes: on a sealed server /healthz gets 200 and /readyz 503', async () => {
  const app = await ownApp()
  expect((await app.root.put('/v1/sys/seal')).status).toBe(204)
  expect(await statusOf(app, '/healthz')).toBe(200)
  expect(await app.anonymous.get('/readyz')).toMatchObject({ status: 503, text: 'sealed\n' })
})

test('probes: while the only audit device cannot be opened /readyz gets 503, and 200 once it can', async () => {
  const first = await ownApp()
  const folder = join(first.data.directory, 'audit')
  const device = { type: 'file', options: { file_path: join(folder, 'audit.log') } }
  expect((await first.root.post('/v1/sys/audit/file', device)).status).toBe(204)
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'a file in its place')
  const { log, text } = recordingLog()
  const app = await ownApp({ beside: first, log, settings: { metricsOpen: true } })
  const refusal = { status: 503, text: 'no audit device takes records\n' }
  expect(await app.anonymous.get('/readyz')).toMatchObject(refusal)
  expect((await app.root.get('/v1/sys/mounts')).status).toBe(500)
  expect(text()).not.toContain('"stack"')
  expect(await statusOf(app, '/v1/sys/health')).toBe(200)
  expect((await app.anonymous.get('/metrics')).text).toMatch(/^holdfast_audit_failures_total\{device="file\/"\} [1-9]/m)
  rmSync(folder)
  const isReady = { status: 200, text: 'ready\n' }
  await expect.poll(() => app.anonymous.get('/readyz'), { timeout: 8_000, interval: 100 }).toMatchObject(isReady)
  expect((await app.root.get('/v1/sys/mounts')).status).toBe(200)
})

test('metrics: a gauge shows whether the server is sealed', async () => {
  const app = await ownApp({ settings: { metricsOpen: true } })
  expect((await app.anonymous.get('/metrics')).text).toMatch(/^holdfast_sealed 0$/m)
  await app.root.put('/v1/sys/seal')
  expect((await app.anonymous.get('/metrics')).text).toMatch(/^holdfast_sealed 1$/m)
})

test('probes: without the store /readyz gets 5xx, /healthz and open metrics 200', async () => {
  const app = await ownApp({ settings: { metricsOpen: true } })
  await app.deps.store.close()
  expect(await statusOf(app, '/readyz')).toBeGreaterThanOrEqual(500)
  expect(await statusOf(app, '/healthz')).toBe(200)
  expect(await statusOf(app, '/metrics')).toBe(200)
})

test('probes: after the disk lost a write /healthz, /readyz and sys/health get 503', async () => {
  const first = await ownApp()
  const { data } = first
  const store = await data.store.openAnother({ clock: first.clock })
  let lost = false
  const broken = () => (lost ? failure('unavailable', 'storage.not-durable', 'The disk lost it.') : undefined)
  const openAnother = async () => ({ ...store, broken })
  const app = await ownApp({ beside: { ...first, data: { ...data, store: { ...data.store, openAnother } } } })
  expect(await statusOf(app, '/healthz')).toBe(200)
  lost = true
  for (const path of ['/healthz', '/readyz', '/v1/sys/health'])
    expect(await app.anonymous.get(path), path).toMatchObject({ status: 503, text: expect.stringContaining('lost it') })
})

test.runIf(testEngines.includes('postgres'))(
  'probes: while PostgreSQL is unreachable they get 503 at once, and 200 when it is back',
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

test('metrics: a missing, wrong or revoked token gets 403', async () => {
  const app = await ownApp()
  expect(await statusOf(app, '/metrics')).toBe(403)
  expect((await app.root.as('hfs.wrong').get('/metrics')).status).toBe(403)
  const made = await app.root.post('/v1/auth/token/create', { policies: ['root'] })
  const reader = app.root.as(made.body.auth.client_token)
  expect(await reader.get('/metrics')).toMatchObject({ status: 200, text: expect.stringContaining('# HELP holdfast_') })
  await app.root.post('/v1/auth/token/revoke', { token: made.body.auth.client_token })
  expect((await reader.get('/metrics')).status).toBe(403)
})

test('metrics: sealing the server refuses tokens that worked until then, and leaves open metrics alone', async () => {
  const app = await ownApp()
  expect((await app.root.get('/metrics')).status).toBe(200)
  expect((await app.root.put('/v1/sys/seal')).status).toBe(204)
  for (const path of ['/metrics', '/v1/sys/metrics'])
    expect(await app.root.get(path), path).toMatchObject({ status: 503, text: expect.stringContaining('is sealed') })
  expect(await statusOf(app, '/metrics')).toBe(503)
  const shown = await ownApp({ settings: { metricsOpen: true } })
  await shown.root.put('/v1/sys/seal')
  expect(await statusOf(shown, '/metrics')).toBe(200)
})

test('metrics: a token whose last use this was is removed', async () => {
  const app = await ownApp()
  const made = await app.root.post('/v1/auth/token/create', { policies: ['root'], num_uses: 1 })
  expect((await app.root.as(made.body.auth.client_token).get('/metrics')).status).toBe(200)
  const counted = app.deps.db.selectFrom('tokens').select('id').where('num_uses', '=', 1)
  await expect.poll(() => counted.execute()).toEqual([])
})
