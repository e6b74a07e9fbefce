import { hash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { mintCa, mintLeaf, mintServer } from '../../../../test/support/certificates.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { testMethod } from '../../../../test/support/login-method.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import { type Auth, deniedAnswer, invalidTokenAnswer, tokenCalls } from '../../../../test/support/token-calls.ts'
import { steadyClock } from '../../../kernel/clock.ts'
import type { Mount } from '../../../kit/mount.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import { issueLoginToken } from './index.ts'

eachEngine((engine) => {
  const ca = mintCa()
  const server = mintServer(ca)
  const leaf = mintLeaf(ca, { commonName: 'web' })
  const tls = { cert: server.pem, key: server.keyPem }
  const app = sharedApp({ engine, features: testMethod().features, tls })
  const calls = shared(() => tokenCalls(app))
  let mount: Mount
  beforeAll(async () => {
    await app.root.post('/v1/sys/auth/cert', { type: 'cert' })
    mount = (await app.deps.mounts.find('auth/cert/login/')) as Mount
  })

  const login = async (changes: object): Promise<Auth> =>
    (
      await issueLoginToken(app.deps, {
        mount,
        path: 'auth/cert/login',
        policies: [],
        displayName: 'web',
        ...changes,
      })
    ).auth as Auth

  describe('bound CIDRs', () => {
    const boundTo = async (cidrs: string[]): Promise<Auth> => {
      await app.root.post('/v1/auth/token/roles/bound', { token_bound_cidrs: cidrs, allowed_policies: ['maker'] })
      return await calls.create({}, app.root, 'create/bound')
    }

    test('a token gets 403 from addresses outside its bound CIDRs, at every use', async () => {
      expect(await calls.isAlive(await boundTo(['127.0.0.1']))).toBe(true)
      expect(await calls.isAlive(await boundTo(['10.0.0.0/8', '127.0.0.0/8']))).toBe(true)
      const far = await boundTo(['10.0.0.0/8'])
      for (let use = 0; use < 2; use++) {
        expect(await calls.as(far).get('/v1/auth/token/lookup-self')).toMatchObject(deniedAnswer)
      }
    })

    test('forged X-Forwarded-For, Forwarded and X-Real-IP headers are ignored', async () => {
      const headers = { 'x-forwarded-for': '10.0.0.1', forwarded: 'for=10.0.0.1', 'x-real-ip': '10.0.0.1' }
      const far = calls.as(await boundTo(['10.0.0.0/8']))
      expect(await far.get('/v1/auth/token/lookup-self', { headers })).toMatchObject(deniedAnswer)
    })

    test('a child created without a role inherits the bound CIDRs', async () => {
      const near = await boundTo(['127.0.0.1'])
      expect(await calls.lookup(await calls.create({}, calls.as(near)))).toMatchObject({ bound_cidrs: ['127.0.0.1'] })
    })

    test('a request refused for its address does not count as a use', async () => {
      const auth = await login({ boundCidrs: ['10.0.0.0/8'], numUses: 1 })
      expect(await calls.as(auth).get('/v1/auth/token/lookup-self')).toMatchObject(deniedAnswer)
      expect(await calls.lookup(auth)).toMatchObject({ num_uses: 1 })
    })
  })

  describe('certificate binding', () => {
    const withBinding = (tokenType: string) =>
      login({ certificateFingerprint: hash('sha256', leaf.der, 'hex'), tokenType })

    test.each(['service', 'batch'])('a bound %s token works only with its certificate', async (tokenType) => {
      const { client_token } = await withBinding(tokenType)
      const other = mintLeaf(ca, { commonName: 'web' })
      const over = (identity: object) =>
        app.overTls({ ca: ca.pem, ...identity }, client_token).get('/v1/auth/token/lookup-self')
      expect((await over({ cert: leaf.pem, key: leaf.keyPem })).status).toBe(200)
      expect(await over({ cert: other.pem, key: other.keyPem })).toMatchObject(deniedAnswer)
      expect(await over({})).toMatchObject(deniedAnswer)
      expect(await app.root.as(client_token).get('/v1/auth/token/lookup-self')).toMatchObject(deniedAnswer)
    })
  })

  describe('entities', () => {
    const setDisabled = (id: unknown, disabled: number) =>
      inTransaction(app.deps.db, async (tx) => {
        await tx.updateTable('entities').set({ disabled }).where('id', '=', String(id)).execute()
        bumpVersion(tx, 'identity')
      })

    test.each(['service', 'batch'])(
      'a %s token gets 403 while its entity is disabled, and works again afterwards',
      async (tokenType) => {
        const auth = await login({ alias: { name: `resting-${tokenType}` }, tokenType })
        await setDisabled(auth.entity_id, 1)
        expect(await calls.as(auth).get('/v1/auth/token/lookup-self')).toMatchObject(deniedAnswer)
        await expect(login({ alias: { name: `resting-${tokenType}` } })).rejects.toMatchObject({ kind: 'forbidden' })
        await setDisabled(auth.entity_id, 0)
        expect(await calls.isAlive(auth)).toBe(true)
      },
    )

    test('policies of the entity apply at once, and its tokens get 403 once it is deleted', async () => {
      const auth = await login({ alias: { name: 'leaving' } })
      await inTransaction(app.deps.db, async (tx) => {
        const policies = JSON.stringify(['maker'])
        await tx.updateTable('entities').set({ policies }).where('id', '=', String(auth.entity_id)).execute()
        bumpVersion(tx, 'identity')
      })
      const child = await calls.create({ policies: ['default'] }, calls.as(auth))
      expect(child).toMatchObject({ entity_id: auth.entity_id, identity_policies: ['maker'] })
      await inTransaction(app.deps.db, async (tx) => {
        await tx.deleteFrom('entities').where('id', '=', String(auth.entity_id)).execute()
        bumpVersion(tx, 'identity')
      })
      expect(await calls.as(auth).get('/v1/auth/token/lookup-self')).toMatchObject(deniedAnswer)
      expect(await calls.as(child).get('/v1/auth/token/lookup-self')).toMatchObject(deniedAnswer)
    })
  })

  describe('limited uses', () => {
    test('every request counts as a use, refused ones too; after the last the token is gone', async () => {
      const auth = await calls.create({ policies: ['default'], num_uses: 4 })
      const token = calls.as(auth)
      expect((await token.get('/v1/auth/token/lookup-self')).body.data.num_uses).toBe(3)
      expect(await token.get('/v1/sys/policies/acl/default')).toMatchObject(deniedAnswer)
      expect(await calls.lookup(auth)).toMatchObject({ num_uses: 2 })
      expect((await token.get('/v1/nowhere')).status).toBe(403)
      expect((await token.get('/v1/auth/token/lookup-self')).body.data.num_uses).toBe(-1)
      expect(await token.get('/v1/auth/token/lookup-self')).toMatchObject(invalidTokenAnswer)
      const gone = await app.root.post('/v1/auth/token/lookup-accessor', { accessor: auth.accessor })
      expect(gone.status).toBe(400)
    })

    test('of 100 concurrent requests with a single-use token exactly one succeeds', async () => {
      const auth = await calls.create({ policies: ['default'], num_uses: 1 })
      const token = calls.as(auth)
      const answers = await Promise.all(Array.from({ length: 100 }, () => token.get('/v1/auth/token/lookup-self')))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 403)).toHaveLength(99)
    })

    test('of 50 concurrent requests with a token of ten uses exactly ten are accepted', async () => {
      const auth = await calls.create({ policies: ['default'], num_uses: 10 })
      const paths = ['/v1/auth/token/lookup-self', '/v1/sys/policies/acl/default']
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => calls.as(auth).get(paths[index % 2] ?? '')),
      )
      const used = answers.filter(({ body }) => body.errors?.[1] !== 'invalid token')
      expect(used).toHaveLength(10)
    })

    test('ten concurrent lookups with ten uses all answer, each with the uses left after its own', async () => {
      const token = calls.as(await calls.create({ policies: ['default'], num_uses: 10 }))
      const answers = await Promise.all(Array.from({ length: 10 }, () => token.get('/v1/auth/token/lookup-self')))
      const left = answers.map(({ body }) => body.data?.num_uses).sort((a, b) => a - b)
      expect(left).toEqual([-1, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    })
  })

  describe('expiry', () => {
    test.each(['service', 'batch'])(
      'a %s token expires to the millisecond, even if it was used just before',
      async (type) => {
        const auth = await calls.create({ policies: ['default'], ttl: '10s', type })
        expect(await calls.isAlive(auth)).toBe(true)
        app.clock.advance('9.999s')
        expect(await calls.isAlive(auth)).toBe(true)
        app.clock.advance('1ms')
        expect(await calls.as(auth).get('/v1/auth/token/lookup-self')).toMatchObject(invalidTokenAnswer)
      },
    )

    test.each(['service', 'batch'])(
      'a %s token expires on time even if the clock of the machine is set back or forward',
      async (type) => {
        let [wall, elapsed] = [app.clock.now() as number, 0]
        const pass = (seconds: number): void => {
          wall += seconds * 1_000
          elapsed += seconds * 1_000
        }
        const machine = steadyClock(
          () => wall,
          () => elapsed,
        )
        const isAlive = async (auth: Auth): Promise<boolean> => {
          app.clock.set(machine.now())
          return await calls.isAlive(auth)
        }
        const [brief, long] = [
          await calls.create({ policies: ['default'], ttl: '10s', type }),
          await calls.create({ policies: ['default'], ttl: '2h', type }),
        ]
        wall -= 3_600_000
        pass(9)
        expect(await isAlive(brief)).toBe(true)
        pass(1)
        expect(await isAlive(brief)).toBe(false)
        wall += 2 * 3_600_000
        expect(await isAlive(long)).toBe(true)
        wall -= 2 * 3_600_000
        expect([await isAlive(brief), await isAlive(long)]).toEqual([false, true])
        pass(3_600)
        expect(await isAlive(long)).toBe(false)
      },
    )

    test('a child expires with its parent, and lives on if the parent is renewed', async () => {
      const parent = await calls.create({ policies: ['maker'], ttl: '10m' })
      const child = await calls.create({ ttl: '1h' }, calls.as(parent))
      const grandchild = await calls.create({ ttl: '1h' }, calls.as(child))
      expect(await calls.isAlive(grandchild)).toBe(true)
      await app.root.post('/v1/auth/token/renew', { token: parent.client_token, increment: '20m' })
      app.clock.advance('15m')
      expect(await Promise.all([child, grandchild].map(calls.isAlive))).toEqual([true, true])
      app.clock.advance('5m')
      expect(await Promise.all([child, grandchild].map(calls.isAlive))).toEqual([false, false])
    })
  })
})
