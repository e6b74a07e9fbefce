import { beforeAll, describe, expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import { type Auth, tokenCalls } from '../../../../test/support/token-calls.ts'

const policy = `
  path "secret/*" { capabilities = ["create", "read"] }
  path "secret/private/*" { capabilities = ["deny"] }
  path "sys/auth/*" { capabilities = ["sudo", "update", "delete"] }
  path "sys/capabilities" { capabilities = ["update"] }
`

eachEngine((engine) => {
  describe('capabilities', () => {
    const app = sharedApp({ engine })
    const calls = shared(() => tokenCalls(app))
    let ann: Auth
    beforeAll(async () => {
      await calls.policy('ann', policy)
      ann = await calls.create({ policies: ['ann'] })
    })

    test('capabilities-self answers for one path or many, in data and at the top level', async () => {
      const self = calls.as(ann)
      const many = await self.post('/v1/sys/capabilities-self', { paths: ['secret/a', 'secret/private/b', 'other'] })
      expect(many.body.data).toEqual({ 'secret/a': ['create', 'read'], 'secret/private/b': ['deny'], other: ['deny'] })
      expect(many.body['secret/a']).toEqual(['create', 'read'])
      const one = await self.put('/v1/sys/capabilities-self', { path: 'sys/auth/cert' })
      expect(one.body.data).toEqual({
        'sys/auth/cert': ['delete', 'sudo', 'update'],
        capabilities: ['delete', 'sudo', 'update'],
      })
      expect((await self.post('/v1/sys/capabilities-self', { paths: 'secret/a,secret/b' })).body.data).toHaveProperty([
        'secret/b',
      ])
    })

    test('capabilities of others can be asked for by token and by accessor', async () => {
      const paths = ['secret/a']
      const byToken = await app.root.post('/v1/sys/capabilities', { token: ann.client_token, paths })
      expect(byToken.body.data['secret/a']).toEqual(['create', 'read'])
      const byAccessor = await app.root.post('/v1/sys/capabilities-accessor', { accessor: ann.accessor, paths })
      expect(byAccessor.body.capabilities).toEqual(['create', 'read'])
      const ofRoot = await app.root.post('/v1/sys/capabilities', { token: app.rootToken, paths })
      expect(ofRoot.body.data['secret/a']).toEqual(['root'])
    })

    test('asking about a token does not count as a use', async () => {
      const once = await calls.create({ policies: ['ann'], num_uses: 1 })
      const asked = await app.root.post('/v1/sys/capabilities', { token: once.client_token, paths: ['secret/a'] })
      expect(asked.status).toBe(200)
      expect(await calls.isAlive(once)).toBe(true)
    })

    test.each([
      ['capabilities-self', {}, 'paths'],
      ['capabilities', { token: 'hfs.nobody', paths: ['a'] }, 'invalid token'],
      ['capabilities', { paths: ['a'] }, 'invalid token'],
      ['capabilities-accessor', { accessor: 'nobody', paths: ['a'] }, 'invalid accessor'],
    ])('%s with %j gets 400', async (path, body, text) => {
      const answer = await app.root.post(`/v1/sys/${path}`, body)
      expect(answer.status).toBe(400)
      expect(answer.body.errors[0]).toContain(text)
    })

    test('capabilities-self answers for 5000 paths; megabytes of paths get 413', async () => {
      const self = calls.as(ann)
      const paths = Array.from({ length: 5_000 }, (_, index) => `secret/${index}`)
      const { status, body } = await self.post('/v1/sys/capabilities-self', { paths })
      expect([status, body.data['secret/4999']]).toEqual([200, ['create', 'read']])
      const long = { paths: paths.slice(0, 500).map((path) => `${path}/${'a/'.repeat(1_500)}b`) }
      expect((await self.post('/v1/sys/capabilities-self', long)).status).toBe(413)
      for (const path of ['capabilities', 'capabilities-accessor']) {
        expect((await app.root.post(`/v1/sys/${path}`, long)).status).toBe(413)
      }
    })

    test('an accessor cannot be used as a token, and asking about others without a policy gets 403', async () => {
      expect((await app.root.as(ann.accessor).get('/v1/auth/token/lookup-self')).status).toBe(403)
      const body = { accessor: ann.accessor, paths: ['a'] }
      expect((await calls.as(ann).post('/v1/sys/capabilities-accessor', body)).status).toBe(403)
    })
  })

  describe('internal/ui', () => {
    const app = sharedApp({ engine })
    const calls = shared(() => tokenCalls(app))
    beforeAll(async () => {
      const shown = { type: 'cert', description: 'shown', config: { listing_visibility: 'unauth' } }
      await app.root.post('/v1/sys/auth/shown', shown)
      await app.root.post('/v1/sys/auth/quiet', { type: 'cert' })
    })

    test('mounts: without a token only those with listing_visibility unauth are listed, in brief', async () => {
      const { body } = await app.anonymous.get('/v1/sys/internal/ui/mounts')
      expect(body.data).toEqual({
        secret: {},
        auth: { 'shown/': { type: 'cert', description: 'shown', options: null } },
      })
      expect((await app.anonymous.as('hfs.nobody').get('/v1/sys/internal/ui/mounts')).status).toBe(403)
    })

    test('mounts: with a token those with any capability below them are listed in full', async () => {
      await calls.policy('quiet', 'path "auth/quiet/certs/*" { capabilities = ["list"] }')
      const quiet = calls.as(await calls.create({ policies: ['quiet'], no_default_policy: true }))
      const { auth, secret } = (await quiet.get('/v1/sys/internal/ui/mounts')).body.data
      expect(Object.keys(auth).sort()).toEqual(['quiet/', 'shown/'])
      expect(auth['quiet/'].config).toMatchObject({ default_lease_ttl: 2_764_800, max_lease_ttl: 2_764_800 })
      expect(auth['shown/']).not.toHaveProperty('accessor')
      expect(secret).toEqual({})
      const all = (await app.root.get('/v1/sys/internal/ui/mounts')).body.data
      expect(Object.keys(all.secret).sort()).toEqual(['cubbyhole/', 'identity/', 'sys/'])
    })

    test('mounts/:path needs a capability there; unknown and hidden mounts both get 403', async () => {
      await calls.policy('one', 'path "auth/quiet/certs/web" { capabilities = ["read"] }')
      const one = calls.as(await calls.create({ policies: ['one'], no_default_policy: true }))
      const found = await one.get('/v1/sys/internal/ui/mounts/auth/quiet/certs/web')
      expect(found.body.data).toMatchObject({ path: 'quiet/', type: 'cert' })
      const answers = await Promise.all(
        ['auth/shown/certs', 'nowhere/x'].map((path) => one.get(`/v1/sys/internal/ui/mounts/${path}`)),
      )
      for (const [index, path] of ['auth/shown/certs', 'nowhere/x'].entries()) {
        expect(answers[index]).toMatchObject({
          status: 403,
          body: { errors: [expect.stringContaining(`no mount at '${path}'`)] },
        })
      }
      expect((await app.anonymous.get('/v1/sys/internal/ui/mounts/auth/quiet')).status).toBe(403)
    })

    test('resultant-acl shows the exact and glob rules of the token', async () => {
      await calls.policy('rules', 'path "a/b" { capabilities = ["read"] } path "c/*" { capabilities = ["list"] }')
      const token = calls.as(await calls.create({ policies: ['rules'] }))
      const { data } = (await token.get('/v1/sys/internal/ui/resultant-acl')).body
      expect(data.root).toBe(false)
      expect(data.exact_paths['a/b']).toEqual({ capabilities: ['read'] })
      expect(data.glob_paths['c/']).toEqual({ capabilities: ['list'] })
      expect((await app.root.get('/v1/sys/internal/ui/resultant-acl')).body.data.root).toBe(true)
    })
  })
})
