import { beforeAll, describe, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { testMethod } from '../../../../../test/support/login-method.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { type Auth, tokenCalls } from '../../../../../test/support/token-calls.ts'
import { failure } from '../../../../kernel/failure.ts'
import type { Mount } from '../../../../kit/mount.ts'
import { issueLoginToken } from '../index.ts'
import type { LoginGrant } from '../issuing/login.ts'

eachEngine((engine) => {
  const method = testMethod()
  const app = sharedApp({ engine, features: method.features })
  const calls = shared(() => tokenCalls(app))
  beforeAll(async () => {
    await app.root.post('/v1/sys/auth/cert', { type: 'cert' })
    await calls.policy('keeper', 'path "auth/token/renew" { capabilities = ["update"] }')
  })

  const renew = (auth: Auth, increment?: string) =>
    app.root.post('/v1/auth/token/renew', { token: auth.client_token, increment })
  const refused = (text: string) => ({ status: 400, body: { errors: [text] } })

  describe('renewal is refused with 400 for', () => {
    test('an unknown token, and an unknown or missing accessor', async () => {
      const unknown = await app.root.post('/v1/auth/token/renew', { token: 'hfs.unknown' })
      expect(unknown).toMatchObject(refused('token not found'))
      expect((await app.root.post('/v1/auth/token/renew-accessor', { accessor: 'unknown' })).status).toBe(400)
      expect((await app.root.post('/v1/auth/token/renew-accessor', {})).status).toBe(400)
    })

    test('a missing token, so that a script with an empty variable does not renew its own token instead', async () => {
      const auth = await calls.create({ policies: ['keeper'], ttl: '1h' })
      app.clock.advance('30m')
      for (const body of [{}, { token: '' }, { token: null, increment: '2h' }]) {
        const answer = await calls.as(auth).post('/v1/auth/token/renew', body)
        expect(answer, JSON.stringify(body)).toMatchObject(refused('missing token'))
      }
      expect((await app.root.post('/v1/auth/token/lookup', { token: auth.client_token })).body.data.ttl).toBe(1800)
    })

    test('a batch token', async () => {
      const batch = await calls.create({ policies: ['default'], type: 'batch' })
      const text = 'batch tokens cannot be renewed'
      expect(await renew(batch)).toMatchObject(refused(text))
      expect(await calls.as(batch).post('/v1/auth/token/renew-self')).toMatchObject(refused(text))
    })

    test('a token created as not renewable and one that never expires', async () => {
      const fixed = await calls.create({ policies: ['default'], ttl: '1h', renewable: false })
      expect(await renew(fixed)).toMatchObject(refused('lease is not renewable'))
      expect(await app.root.post('/v1/auth/token/renew-self')).toMatchObject(refused('lease is not renewable'))
    })

    test('a token that has reached its explicit maximum', async () => {
      const auth = await calls.create({ policies: ['default'], period: '1h', explicit_max_ttl: '90m' })
      app.clock.advance('59m')
      expect((await renew(auth)).body.auth.lease_duration).toBe(31 * 60)
      app.clock.advance('30m59.5s')
      expect(await renew(auth)).toMatchObject(refused('past the max TTL, cannot renew'))
    })

    test('an expired token, which stays expired', async () => {
      const auth = await calls.create({ policies: ['default'], ttl: '1m' })
      app.clock.advance('1m')
      expect(await renew(auth, '1h')).toMatchObject(refused('token not found'))
      expect(await calls.isAlive(auth)).toBe(false)
    })
  })

  describe('renewed lifetime', () => {
    test('the explicit maximum counts from the creation, whatever was renewed before', async () => {
      const auth = await calls.create({ policies: ['default'], ttl: '1h', explicit_max_ttl: '3h' })
      expect((await renew(auth, '2h')).body.auth.lease_duration).toBe(7200)
      app.clock.advance('110m')
      const last = await renew(auth, '2h')
      expect(last.body.auth.lease_duration).toBe(70 * 60)
      expect(last.body.warnings).toEqual([expect.stringContaining('lowered')])
    })

    test('a periodic token gets its full period each time, past the maximum of the server', async () => {
      const auth = await calls.create({ policies: ['default'], period: '700h' })
      for (let round = 0; round < 3; round++) {
        app.clock.advance('690h')
        expect((await renew(auth, '1h')).body.auth.lease_duration).toBe(700 * 3600)
      }
    })

    test('a token that is not periodic is capped at the maximum of the server', async () => {
      const auth = await calls.create({ policies: ['default'], ttl: '700h' })
      app.clock.advance('690h')
      expect((await renew(auth, '700h')).body.auth.lease_duration).toBe(78 * 3600)
    })

    test('an unreadable or negative increment gets 400', async () => {
      const auth = await calls.create({ policies: ['default'], ttl: '1h' })
      expect((await renew(auth, 'soon')).status).toBe(400)
      expect((await renew(auth, '-1h')).status).toBe(400)
    })
  })

  describe('tokens of an auth method', () => {
    const login = async (grant: Partial<LoginGrant> = {}): Promise<Auth> => {
      const mount = (await app.deps.mounts.find('auth/cert/login/')) as Mount
      const common = { mount, path: 'auth/cert/login', policies: [], displayName: 'web' }
      return (await issueLoginToken(app.deps, { ...common, ...grant })).auth as Auth
    }

    test('the method gets its stored data and the policies, and its current terms apply', async () => {
      const auth = await login({ ttl: 600, authData: { certificate: 'abc' }, metadata: { cn: 'web' } })
      method.terms = { ttl: 1200, maxTtl: 3000, period: 0 }
      expect((await renew(auth)).body.auth).toMatchObject({ lease_duration: 1200, metadata: { cn: 'web' } })
      expect(method.renewals.at(-1)).toMatchObject({ authData: { certificate: 'abc' }, policies: ['default'] })
      expect((await renew(auth, '2h')).body.auth.lease_duration).toBe(3000)
      method.terms = { ttl: 0, maxTtl: 0, period: 300 }
      expect((await renew(auth, '2h')).body.auth.lease_duration).toBe(300)
    })

    test('the explicit maximum of the login still applies', async () => {
      const auth = await login({ ttl: 600, explicitMaxTtl: 900 })
      method.terms = { ttl: 1200, maxTtl: 0, period: 0 }
      expect((await renew(auth)).body.auth.lease_duration).toBe(900)
    })

    test('if the method refuses, the renewal gets 400 and the TTL is unchanged', async () => {
      const auth = await login({ ttl: 600 })
      method.terms = failure('invalid', 'test.no', 'certificate changed')
      expect(await renew(auth)).toMatchObject(refused('certificate changed'))
      expect(await calls.lookup(auth)).toMatchObject({ ttl: 600 })
    })
  })

  test('a token renewed and revoked concurrently is dead afterwards', async () => {
    for (let round = 0; round < 10; round++) {
      const auth = await calls.create({ policies: ['default'], ttl: '1h' })
      const token = calls.as(auth)
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, () => token.post('/v1/auth/token/renew-self', { increment: '2h' })),
        app.root.post('/v1/auth/token/revoke', { token: auth.client_token }),
        ...Array.from({ length: 4 }, () => renew(auth, '2h')),
      ])
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
      expect(await calls.isAlive(auth)).toBe(false)
    }
  })

  test('concurrent renewals all succeed with the same lease', async () => {
    const auth = await calls.create({ policies: ['default'], ttl: '1h' })
    const answers = await Promise.all(Array.from({ length: 20 }, () => renew(auth, '2h')))
    expect(new Set(answers.map(({ body }) => body.auth?.lease_duration))).toEqual(new Set([7200]))
  })
})
