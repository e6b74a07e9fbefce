import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { type Auth, deniedAnswer, tokenCalls } from '../../../../../test/support/token-calls.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const calls = shared(() => tokenCalls(app))
  beforeAll(async () => {
    for (const name of ['one', 'two', 'many']) await app.root.post(`/v1/auth/token/roles/${name}`, {})
  })

  const by = (role: string) => calls.create({ policies: ['default'], ttl: '1h' }, app.root, `create/${role}`)
  const list = async (prefix: string) => (await app.root.list(`/v1/sys/leases/lookup${prefix}`)).body.data?.keys ?? []
  /** Leases of other tests would be found first, or listed beside those expected here. */
  beforeEach(async () => {
    expect((await app.root.put('/v1/sys/leases/revoke-prefix/auth', { sync: true })).status).toBe(204)
  })
  const leaseOf = async (role: string): Promise<string> => {
    const [key] = await list(`/auth/token/create/${role}`)
    return `auth/token/create/${role}/${key}`
  }

  test('leases: every expiring token has a lease, listed below its path, which does not reveal the token', async () => {
    const auth = await by('one')
    expect(await list('')).toEqual(['auth/'])
    expect(await list('/auth/token')).toEqual(['create/'])
    const id = await leaseOf('one')
    const found = await app.root.put('/v1/sys/leases/lookup', { lease_id: id })
    expect(found.body.data).toEqual({
      id,
      issue_time: expect.stringMatching(/Z$/),
      expire_time: expect.stringMatching(/Z$/),
      last_renewal: null,
      renewable: true,
      ttl: 3600,
    })
    expect(id).not.toContain(auth.client_token)
    expect(await calls.isAlive({ ...auth, client_token: id.split('/').at(-1) ?? '' })).toBe(false)
  })

  test('leases: the lease of a token whose parent expired is no longer listed, even before the job runs', async () => {
    await app.root.post('/v1/auth/token/roles/kin', {})
    const parent = await calls.create({ policies: ['maker'], ttl: '1m' })
    await calls.create({ ttl: '1h' }, calls.as(parent), 'create/kin')
    expect(await list('/auth/token/create/kin')).toHaveLength(1)
    app.clock.advance('2m')
    expect(await list('/auth/token/create/kin')).toEqual([])
    expect(await list('/auth/token/create')).not.toContain('kin/')
  })

  test('leases: an unknown or missing lease_id gets 400, an unknown prefix 404', async () => {
    for (const body of [{}, { lease_id: 'auth/token/create/x' }, { lease_id: 'nothing' }]) {
      expect((await app.root.post('/v1/sys/leases/lookup', body)).status).toBe(400)
      expect((await app.root.post('/v1/sys/leases/renew', body)).status).toBe(400)
    }
    expect((await app.root.list('/v1/sys/leases/lookup/nowhere')).status).toBe(404)
    expect((await app.root.post('/v1/sys/leases/revoke', {})).status).toBe(400)
  })

  test('leases: an unknown lease gets the error text that clients look for', async () => {
    const unknown = { lease_id: 'auth/cert/login/unknown' }
    const looked = await app.root.put('/v1/sys/leases/lookup', unknown)
    expect(looked).toMatchObject({ status: 400, body: { errors: ['invalid lease'] } })
    for (const path of ['leases/renew', 'renew']) {
      const sent = await app.root.put(`/v1/sys/${path}`, unknown)
      const named = await app.root.put(`/v1/sys/${path}/${unknown.lease_id}`)
      for (const answer of [sent, named]) {
        expect(answer, path).toMatchObject({ status: 400, body: { errors: ['lease not found'] } })
      }
    }
  })

  test('leases: renewing the lease of a token gets 400 and refers to auth/token/renew', async () => {
    await by('one')
    const id = await leaseOf('one')
    for (const path of ['leases/renew', 'renew']) {
      const named = await app.root.put(`/v1/sys/${path}`, { lease_id: id, increment: 10 })
      expect(named).toMatchObject({ status: 400, body: { errors: [expect.stringContaining('auth/token/renew')] } })
      expect((await app.root.put(`/v1/sys/${path}/${id}`)).status).toBe(400)
    }
  })

  describe('revocation', () => {
    const expectDead = async (auth: Auth) => expect(await calls.isAlive(auth)).toBe(false)

    test.each([
      ['leases/revoke', { sync: true }, 204],
      ['leases/revoke', {}, 204],
      ['revoke', {}, 204],
    ])('%s with %o answers %i and kills the token', async (path, extra, status) => {
      const auth = await by('two')
      const answer = await app.root.put(`/v1/sys/${path}`, { lease_id: await leaseOf('two'), ...extra })
      expect(answer).toMatchObject({ status, text: '' })
      await expectDead(auth)
      const again = await by('two')
      expect((await app.root.put(`/v1/sys/${path}/${await leaseOf('two')}`, extra)).status).toBe(status)
      await expectDead(again)
    })

    test('revoking an unknown lease gets 204', async () => {
      expect((await app.root.put('/v1/sys/leases/revoke', { lease_id: 'a/b' })).status).toBe(204)
    })

    test.each([
      ['leases/revoke-prefix', { sync: true }, 204],
      ['leases/revoke-prefix', {}, 204],
      ['revoke-prefix', {}, 204],
      ['leases/revoke-force', {}, 204],
      ['revoke-force', {}, 204],
    ])('%s with %o revokes the leases below the path and no others', async (path, extra, status) => {
      const [one, two] = [await by('one'), await by('two')]
      expect((await app.root.put(`/v1/sys/${path}/auth/token/create/on`, extra)).status).toBe(status)
      expect(await calls.isAlive(one)).toBe(true)
      expect((await app.root.put(`/v1/sys/${path}/auth/token/create/one`, extra)).status).toBe(status)
      await expectDead(one)
      expect(await calls.isAlive(two)).toBe(true)
    })

    test('a root token that never expires has no lease and survives revoke-prefix', async () => {
      expect((await app.root.put('/v1/sys/leases/revoke-prefix/auth', { sync: true })).status).toBe(204)
      expect((await app.root.get('/v1/auth/token/lookup-self')).status).toBe(200)
    })

    test('revoke-prefix, revoke-force and listing need sudo; revoke does not', async () => {
      await calls.policy('leaser', 'path "sys/leases/*" { capabilities = ["create", "read", "update", "list"] }')
      const leaser = calls.as(await calls.create({ policies: ['leaser'] }))
      expect(await leaser.put('/v1/sys/leases/revoke-prefix/auth')).toMatchObject(deniedAnswer)
      expect(await leaser.put('/v1/sys/leases/revoke-force/auth')).toMatchObject(deniedAnswer)
      expect(await leaser.list('/v1/sys/leases/lookup/auth')).toMatchObject(deniedAnswer)
      expect((await leaser.put('/v1/sys/leases/revoke', { lease_id: 'a/b' })).status).toBe(204)
      const plain = calls.as(await calls.create({ policies: ['default'] }))
      expect(await plain.put('/v1/sys/leases/revoke', { lease_id: 'a/b' })).toMatchObject(deniedAnswer)
    })
  })

  test('leases: tidy answers 202; the list of irrevocable leases is empty; other types get 404', async () => {
    expect((await app.root.post('/v1/sys/leases/tidy')).status).toBe(202)
    const none = { lease_count: 0, counts: {} }
    expect((await app.root.get('/v1/sys/leases/count?type=irrevocable')).body.data).toEqual(none)
    expect((await app.root.get('/v1/sys/leases?type=irrevocable')).body.data).toEqual({ lease_count: 0, leases: [] })
    expect((await app.root.get('/v1/sys/leases/count?type=other')).status).toBe(404)
    expect((await app.root.get('/v1/sys/leases')).status).toBe(404)
  })
})
