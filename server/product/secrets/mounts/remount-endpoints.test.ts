import { expect, test } from 'vitest'
import { ownCertApp } from '../../../../test/support/cert-login.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { tokenCalls } from '../../../../test/support/token-calls.ts'

const path = '/v1/sys/remount'

eachEngine((engine) => {
  test('remount: roles, accessor and aliases move; tokens and the old path are dead at once', async () => {
    const app = await ownCertApp({ engine })
    await app.role('web', { certificate: app.ca.pem })
    const leaf = app.leaf()
    const before = (await app.login(leaf)).body.auth
    const { accessor } = (await app.root.get('/v1/sys/auth/cert')).body.data
    const calls = await tokenCalls(app)
    await calls.policy('mover', 'path "sys/remount" { capabilities = ["update"] }')
    const plain = calls.as(await calls.create({ policies: ['mover'] }))
    expect((await plain.post(path, { from: 'auth/cert', to: 'auth/edge/cert' })).status).toBe(403)

    const moved = await app.root.post(path, { from: 'auth/cert/', to: '/auth/edge/cert' })
    expect(moved).toMatchObject({ status: 200, body: { migration_id: expect.any(String) } })
    const status = await app.root.get(`${path}/status/${moved.body.data.migration_id}`)
    expect(status.body.data.migration_info).toEqual({
      source_mount: 'auth/cert/',
      target_mount: 'auth/edge/cert/',
      status: 'success',
    })
    expect((await app.root.as(before.client_token).get('/v1/auth/token/lookup-self')).status).toBe(403)
    expect((await app.root.list('/v1/auth/cert/certs')).status).toBe(404)
    expect((await app.root.list('/v1/auth/edge/cert/certs')).body.data.keys).toEqual(['web'])
    expect((await app.root.get('/v1/sys/auth/edge/cert')).body.data.accessor).toBe(accessor)
    const after = await app.with(leaf).post('/v1/auth/edge/cert/login')
    expect(after.body.auth.entity_id).toBe(before.entity_id)
  })

  test('remount: a mount moved concurrently with disabling its old path is not disabled', async () => {
    const app = await ownCertApp({ engine })
    for (let round = 0; round < 15; round++) {
      await app.root.post('/v1/sys/auth/here', { type: 'cert' })
      const [disabled, moved] = await Promise.all([
        app.root.delete('/v1/sys/auth/here'),
        app.root.post(path, { from: 'auth/here', to: 'auth/there' }),
      ])
      expect([disabled.status, moved.status === 200 || moved.status === 400]).toEqual([204, true])
      const there = await app.root.get('/v1/sys/auth/there')
      expect(there.status, `moved: ${moved.status}`).toBe(moved.status)
      await app.root.delete('/v1/sys/auth/there')
    }
  })

  test('remount: an unknown, reserved or invalid source or target is refused and nothing moves', async () => {
    const app = await ownCertApp({ engine })
    await app.root.post('/v1/sys/auth/second', { type: 'cert' })
    const statusOf = async (from: string, to: string) => (await app.root.post(path, { from, to })).status
    expect(await statusOf('auth/none', 'auth/x')).toBe(400)
    expect(await statusOf('auth/cert', 'auth/second')).toBe(400)
    expect(await statusOf('auth/cert', 'auth/second/below')).toBe(400)
    expect(await statusOf('auth/cert', 'auth/cert/below')).toBe(400)
    expect(await statusOf('auth/cert', 'auth/token')).toBe(403)
    expect(await statusOf('auth/token', 'auth/x')).toBe(403)
    expect(await statusOf('auth/cert', 'elsewhere')).toBe(400)
    expect(await statusOf('cubbyhole', 'auth/x')).toBe(400)
    expect(await statusOf('auth', 'auth/x')).toBe(400)
    expect(await statusOf(`auth/${'/'.repeat(500_000)}x`, 'auth/x')).toBe(400)
    for (const to of ['auth/../sys', 'auth//x', 'auth/a b', 'auth/a%2fb'])
      expect(await statusOf('auth/cert', to)).toBe(400)
    expect((await app.root.post(path, {})).status).toBe(400)
    expect(Object.keys((await app.root.get('/v1/sys/auth')).body.data)).toEqual(['token/', 'cert/', 'second/'])
    expect((await app.root.get(`${path}/status/nonsense`)).status).toBe(404)
  })

  test('remount: the status of a move that never was is 404, whatever its id says', async () => {
    const app = await ownCertApp({ engine })
    const { migration_id: id } = (await app.root.post(path, { from: 'auth/cert', to: 'auth/edge' })).body.data
    const statusOf = async (asked: string) => (await app.root.get(`${path}/status/${asked}`)).status
    expect(await statusOf(id)).toBe(200)
    const forged = Buffer.from('auth/other/ auth/edge/').toString('base64url')
    const [, signature] = id.split('.')
    for (const asked of [
      forged,
      `${forged}.${signature}`,
      `${forged}.`,
      id.split('.')[0],
      `${id}.x`,
      `.${signature}`,
    ]) {
      expect(await statusOf(asked), asked).toBe(404)
    }
  })
})
