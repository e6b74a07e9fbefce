import { describe, expect, test } from 'vitest'
import { cuttableNode } from '../../../../test/support/cuttable-node.ts'
import { testEngines } from '../../../../test/support/databases.ts'
import { ownApp } from '../../../../test/support/shared.ts'

test('metrics: a gauge shows that the database answers', async () => {
  const app = await ownApp()
  app.deps.metrics.gauge('test_stored', 'What the store holds.', [], { stored: true }).set(7)
  const { text } = await app.root.get('/metrics')
  expect(text).toMatch(/^holdfast_database_up 1$/m)
  expect(text).toMatch(/^test_stored 7$/m)
  expect(text.endsWith('\n')).toBe(true)
})

describe.runIf(testEngines.includes('postgres'))('metrics without the database', () => {
  test.each(['cut', 'freeze'] as const)(
    'it is %s: what is not stored is shown at once, to those who were allowed to read it',
    async (fault) => {
      const { app, proxy } = await cuttableNode()
      const made = await app.root.post('/v1/auth/token/create', { policies: ['root'], ttl: '10m' })
      const known = app.root.as(made.body.auth.client_token)
      app.deps.metrics.gauge('test_stored', 'What the store holds.', [], { stored: true }).set(7)
      await expect.poll(async () => (await known.get('/metrics')).text).toContain('test_stored 7')
      proxy[fault]()
      const startedAt = performance.now()
      const { status, text } = await known.get('/metrics')
      expect(performance.now() - startedAt).toBeLessThan(8_000)
      expect(status).toBe(200)
      expect(text).toMatch(/^holdfast_database_up 0$/m)
      expect(text).toMatch(/^holdfast_sealed 0$/m)
      expect(text).not.toContain('test_stored')
      expect((await app.root.get('/metrics')).status).toBe(503)
      app.clock.advance('10m')
      expect((await known.get('/metrics')).status).toBe(503)
      proxy.mend()
      await expect.poll(async () => (await app.root.get('/metrics')).text, { timeout: 30_000 }).toContain('test_stored')
      expect((await known.get('/metrics')).status).toBe(403)
    },
  )

  test('a token whose uses are counted is not remembered, nor is one for longer than an hour', async () => {
    const { app, proxy } = await cuttableNode()
    const made = await app.root.post('/v1/auth/token/create', { policies: ['root'], num_uses: 5 })
    const counted = app.root.as(made.body.auth.client_token)
    for (const client of [counted, app.root]) expect((await client.get('/metrics')).status).toBe(200)
    proxy.cut()
    expect((await counted.get('/metrics')).status).toBe(503)
    expect((await app.root.get('/metrics')).status).toBe(200)
    app.clock.advance('3601s')
    expect((await app.root.get('/metrics')).status).toBe(503)
  })
})
