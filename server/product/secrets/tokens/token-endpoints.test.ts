import { describe, expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import { invalidTokenAnswer, noTokenAnswer, tokenCalls } from '../../../../test/support/token-calls.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const calls = shared(() => tokenCalls(app))

  describe('authentication', () => {
    test('a missing or unknown token gets 403', async () => {
      expect(await app.anonymous.get('/v1/auth/token/lookup-self')).toMatchObject(noTokenAnswer)
      for (const token of ['nonsense', 'hfs.nonsense', 'hfb.nonsense', 'hfb.', `hfb.${'A'.repeat(200)}`]) {
        expect(await app.root.as(token).get('/v1/auth/token/lookup-self')).toMatchObject(invalidTokenAnswer)
      }
    })

    test('an accessor cannot be used as a token', async () => {
      const { accessor } = await calls.create({ policies: ['default'] })
      expect(await app.root.as(accessor).get('/v1/auth/token/lookup-self')).toMatchObject(invalidTokenAnswer)
    })

    test('an expired token is refused at once, before any job runs', async () => {
      const auth = await calls.create({ policies: ['default'], ttl: '60s' })
      app.clock.advance('59s')
      expect(await calls.isAlive(auth)).toBe(true)
      app.clock.advance('1s')
      expect(await calls.as(auth).get('/v1/auth/token/lookup-self')).toMatchObject(invalidTokenAnswer)
    })
  })

  describe('create', () => {
    test('the answer has every key of auth that clients expect', async () => {
      const auth = await calls.create({ policies: ['maker'], ttl: '1h', meta: { owner: 'ann' }, display_name: 'a b' })
      expect(auth).toEqual({
        client_token: expect.stringMatching(/^hfs\.[0-9A-Za-z]{32}$/),
        accessor: expect.stringMatching(/^[0-9A-Za-z]{24}$/),
        policies: ['default', 'maker'],
        token_policies: ['default', 'maker'],
        metadata: { owner: 'ann' },
        lease_duration: 3600,
        renewable: true,
        entity_id: '',
        token_type: 'service',
        orphan: false,
        mfa_requirement: null,
        num_uses: 0,
      })
    })

    test('the answer for a token without policies has no token_policies', async () => {
      const auth = await calls.create({ policies: ['default'], no_default_policy: true })
      expect(auth).toMatchObject({ policies: [] })
      expect(auth).not.toHaveProperty('token_policies')
    })
  })

  describe('lookup', () => {
    test('a token reads the same by lookup-self, by lookup and, without its id, by accessor', async () => {
      const auth = await calls.create({ policies: ['default'], ttl: '1h' })
      const own = await calls.as(auth).get('/v1/auth/token/lookup-self')
      expect(own.body.data).toEqual({
        id: auth.client_token,
        accessor: auth.accessor,
        policies: ['default'],
        path: 'auth/token/create',
        meta: null,
        display_name: 'token',
        num_uses: 0,
        orphan: false,
        creation_time: Math.floor(app.clock.now() / 1000),
        creation_ttl: 3600,
        expire_time: expect.stringMatching(/^\d{4}-.*Z$/),
        ttl: 3600,
        explicit_max_ttl: 0,
        entity_id: '',
        type: 'service',
        renewable: true,
        issue_time: expect.stringMatching(/^\d{4}-.*Z$/),
      })
      const token = auth.client_token
      expect((await app.root.post('/v1/auth/token/lookup', { token })).body.data).toEqual(own.body.data)
      expect((await app.root.put('/v1/auth/token/lookup', { token })).body.data).toEqual(own.body.data)
      expect((await app.root.get(`/v1/auth/token/lookup?token=${token}`)).body.data).toEqual(own.body.data)
      expect((await calls.as(auth).post('/v1/auth/token/lookup-self')).body.data).toEqual(own.body.data)
      const byAccessor = await app.root.post('/v1/auth/token/lookup-accessor', { accessor: auth.accessor })
      expect(byAccessor.body.data).toEqual({ ...own.body.data, id: '', children: 0 })
    })

    test('a lookup by accessor counts the living tokens that were made with it', async () => {
      const auth = await calls.create({ policies: ['default', 'maker'] })
      const children = async () =>
        (await app.root.post('/v1/auth/token/lookup-accessor', { accessor: auth.accessor })).body.data.children
      const make = async () => (await calls.as(auth).post('/v1/auth/token/create', { policies: ['default'] })).body.auth
      const first = await make()
      await make()
      expect(await children()).toBe(2)
      await app.root.post('/v1/auth/token/revoke', { token: first.client_token })
      expect(await children()).toBe(1)
    })

    test('an unknown token gets 403, an unknown or missing accessor 400', async () => {
      const unknown = await app.root.post('/v1/auth/token/lookup', { token: 'hfs.unknown' })
      expect(unknown).toMatchObject({ status: 403, body: { errors: ['bad token'] } })
      const accessor = await app.root.post('/v1/auth/token/lookup-accessor', { accessor: 'unknown' })
      expect(accessor).toMatchObject({ status: 400, body: { errors: ['invalid accessor'] } })
      expect((await app.root.post('/v1/auth/token/lookup-accessor')).status).toBe(400)
    })
  })

  describe('renew', () => {
    test('the TTL is counted from now, for renew, renew-self and renew-accessor', async () => {
      const auth = await calls.create({ policies: ['default'], ttl: '1h' })
      app.clock.advance('30m')
      const own = await calls.as(auth).post('/v1/auth/token/renew-self', { increment: '2h' })
      expect(own.body.auth).toMatchObject({ client_token: auth.client_token, lease_duration: 7200 })
      const other = await app.root.put('/v1/auth/token/renew', { token: auth.client_token })
      expect(other.body.auth).toMatchObject({ client_token: auth.client_token, lease_duration: 3600 })
      const blind = await app.root.post('/v1/auth/token/renew-accessor', { accessor: auth.accessor, increment: 60 })
      expect(blind.body.auth).toMatchObject({ client_token: '', lease_duration: 60, accessor: auth.accessor })
      const { data } = (await app.root.post('/v1/auth/token/lookup', { token: auth.client_token })).body
      expect(data).toMatchObject({ ttl: 60, creation_ttl: 3600, last_renewal_time: Math.floor(app.clock.now() / 1000) })
      app.clock.advance('60s')
      expect(await calls.isAlive(auth)).toBe(false)
    })
  })

  describe('revoke', () => {
    test('the token and its descendants die; its orphans live on', async () => {
      const parent = await calls.create({ policies: ['maker'] })
      const child = await calls.create({ policies: ['maker'] }, calls.as(parent))
      const grandchild = await calls.create({}, calls.as(child))
      const orphan = await calls.create({ policies: ['maker'] }, calls.as(parent), 'create-orphan')
      expect((await app.root.post('/v1/auth/token/revoke', { token: parent.client_token })).status).toBe(204)
      expect(await Promise.all([parent, child, grandchild, orphan].map(calls.isAlive))).toEqual([
        false,
        false,
        false,
        true,
      ])
    })

    test('an unknown token gets 204, a missing one 400', async () => {
      expect((await app.root.post('/v1/auth/token/revoke', { token: 'hfs.unknown' })).status).toBe(204)
      expect(await app.root.post('/v1/auth/token/revoke', {})).toMatchObject({
        status: 400,
        body: { errors: ['missing token'] },
      })
    })

    test('revoke-self kills the token of the caller', async () => {
      const auth = await calls.create({ policies: ['default'] })
      expect((await calls.as(auth).put('/v1/auth/token/revoke-self')).status).toBe(204)
      expect(await calls.as(auth).get('/v1/auth/token/lookup-self')).toMatchObject(invalidTokenAnswer)
    })
  })
})
