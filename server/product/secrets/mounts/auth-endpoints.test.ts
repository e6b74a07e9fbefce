import { beforeAll, describe, expect, test } from 'vitest'
import { ownCertApp } from '../../../../test/support/cert-login.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { finishRemovals, holdRemovals } from '../../../../test/support/removals.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import type { TestApp } from '../../../../test/support/test-app.ts'
import { tokenCalls } from '../../../../test/support/token-calls.ts'

const enable = (app: TestApp, path: string, body: object = {}) =>
  app.root.post(`/v1/sys/auth/${path}`, { type: 'cert', ...body })

eachEngine((engine) => {
  describe('auth methods', () => {
    const app = sharedApp({ engine })

    test('a method can be enabled, listed in data and at the top level, read and disabled', async () => {
      expect((await enable(app, 'cert', { description: 'machines' })).status).toBe(204)
      const { body } = await app.root.get('/v1/sys/auth')
      const info = {
        type: 'cert',
        description: 'machines',
        accessor: expect.stringMatching(/^auth_cert_[0-9a-f]{8}$/),
        uuid: expect.any(String),
        local: false,
        seal_wrap: false,
        external_entropy_access: false,
        options: null,
        plugin_version: '',
        running_plugin_version: expect.any(String),
        running_sha256: '',
        deprecation_status: 'supported',
        config: { default_lease_ttl: 0, max_lease_ttl: 0, force_no_cache: false, token_type: 'default-service' },
      }
      expect(body.data['cert/']).toEqual(info)
      expect(body['cert/']).toEqual(info)
      expect(Object.keys(body.data).sort()).toEqual(['cert/', 'token/'])
      expect((await app.root.get('/v1/sys/auth/cert')).body.data).toEqual(info)
      expect((await app.root.delete('/v1/sys/auth/cert')).status).toBe(204)
      expect((await app.root.get('/v1/sys/auth/cert')).status).toBe(400)
      expect((await app.root.delete('/v1/sys/auth/cert')).status).toBe(204)
    })

    test('two mounts of one method are separate, also with several path segments', async () => {
      for (const path of ['one', 'team/edge/two']) expect((await enable(app, path)).status).toBe(204)
      const certificate = '-----BEGIN CERTIFICATE-----'
      expect((await app.root.post('/v1/auth/one/certs/web', { certificate })).status).toBe(400)
      expect(await app.root.list('/v1/auth/team/edge/two/certs')).toMatchObject({ status: 404, body: { errors: [] } })
      const accessors = Object.values<{ accessor: string }>((await app.root.get('/v1/sys/auth')).body.data)
      expect(new Set(accessors.map(({ accessor }) => accessor)).size).toBe(accessors.length)
      for (const path of ['one', 'team/edge/two']) await app.root.delete(`/v1/sys/auth/${path}`)
      expect(await app.root.get('/v1/auth/one/certs/web')).toMatchObject({ status: 404 })
    })

    test('of concurrent callers that enable the same or nested paths exactly one succeeds', async () => {
      const same = await Promise.all(Array.from({ length: 5 }, () => enable(app, 'race')))
      expect(same.map(({ status }) => status).sort()).toEqual([204, 400, 400, 400, 400])
      const nested = await Promise.all(['x/y', 'x', 'x/y/z'].map((path) => enable(app, path)))
      expect(nested.filter(({ status }) => status === 204)).toHaveLength(1)
      for (const path of ['race', 'x', 'x/y', 'x/y/z']) await app.root.delete(`/v1/sys/auth/${path}`)
    })

    test('tuning works over sys/auth and sys/mounts and reads with the effective lifetimes', async () => {
      await enable(app, 'tuned', { config: { default_lease_ttl: '1h', max_lease_ttl: '86400' } })
      const read = async (path = 'auth/tuned') => (await app.root.get(`/v1/sys/${path}/tune`)).body
      expect((await read()).data).toMatchObject({ default_lease_ttl: 3600, max_lease_ttl: 86_400 })
      const change = {
        default_lease_ttl: '',
        max_lease_ttl: 'system',
        description: 'new',
        token_type: 'batch',
        listing_visibility: 'unauth',
        audit_non_hmac_request_keys: 'name,serial',
        allowed_response_headers: ['x-a'],
        options: { k: 'v' },
      }
      expect((await app.root.post('/v1/sys/mounts/auth/tuned/tune', change)).status).toBe(204)
      const after = await read('mounts/auth/tuned')
      expect(after.data).toEqual({
        description: 'new',
        default_lease_ttl: 3600,
        max_lease_ttl: 2_764_800,
        force_no_cache: false,
        token_type: 'batch',
        options: { k: 'v' },
        listing_visibility: 'unauth',
        audit_non_hmac_request_keys: ['name', 'serial'],
        allowed_response_headers: ['x-a'],
      })
      expect(after.token_type).toBe('batch')
      await app.root.post('/v1/sys/auth/tuned/tune', { default_lease_ttl: 0, token_type: '' })
      expect((await read()).data).toMatchObject({ default_lease_ttl: 2_764_800, token_type: 'default-service' })
      expect((await app.root.get('/v1/sys/auth')).body.data['tuned/'].config).toMatchObject({
        default_lease_ttl: 0,
        max_lease_ttl: 0,
        listing_visibility: 'unauth',
      })
      await app.root.delete('/v1/sys/auth/tuned')
    })

    test('settings that are not known are ignored with a warning, when enabling as well as when tuning', async () => {
      const unknown = { identity_token_key: 'k', max_lease_ttl: '1h', trim_request_trailing_slashes: true }
      expect(await enable(app, 'warned', { config: unknown, colour: 'red' })).toMatchObject({
        status: 200,
        body: {
          warnings: [
            expect.stringContaining('[colour]'),
            expect.stringContaining('[config.identity_token_key config.trim_request_trailing_slashes]'),
          ],
        },
      })
      expect((await app.root.post('/v1/sys/auth/warned/tune', unknown)).body.warnings).toEqual([
        expect.stringContaining('[identity_token_key trim_request_trailing_slashes]'),
      ])
      expect((await app.root.get('/v1/sys/auth/warned')).body.data.config.max_lease_ttl).toBe(3600)
      await app.root.delete('/v1/sys/auth/warned')
    })

    test('tuning options keeps those not named, and an empty value removes one', async () => {
      await enable(app, 'chosen', { options: { a: '1', b: '2' } })
      const tune = async (options: object | null) => {
        expect((await app.root.post('/v1/sys/auth/chosen/tune', { options })).status).toBe(204)
        return (await app.root.get('/v1/sys/auth/chosen')).body.data.options
      }
      expect(await tune({ c: '3' })).toEqual({ a: '1', b: '2', c: '3' })
      expect(await tune({ a: '', b: null, c: '4' })).toEqual({ c: '4' })
      expect(await tune({})).toEqual({ c: '4' })
      expect(await tune(null)).toEqual({ c: '4' })
      expect(await tune({ c: '' })).toBeNull()
      expect((await app.root.get('/v1/sys/auth/chosen/tune')).body.data).not.toHaveProperty('options')
      await app.root.delete('/v1/sys/auth/chosen')
    })

    test('the token method can be tuned but not disabled', async () => {
      const calls = await tokenCalls(app)
      expect((await app.root.post('/v1/sys/auth/token/tune', { max_lease_ttl: '2h' })).status).toBe(204)
      expect((await app.root.get('/v1/sys/auth/token/tune')).body.data.max_lease_ttl).toBe(7200)
      expect((await calls.create({ ttl: '10h' })).lease_duration).toBe(7200)
      expect(Object.keys((await app.root.get('/v1/sys/auth')).body.data)).toEqual(['token/'])
      expect((await app.root.delete('/v1/sys/auth/token')).status).toBe(400)
      await app.root.post('/v1/sys/auth/token/tune', { max_lease_ttl: 'system' })
    })
  })
})

describe('refusals', () => {
  const app = sharedApp()
  const calls = shared(() => tokenCalls(app))
  beforeAll(async () => {
    await enable(app, 'cert')
  })

  test.each([
    ['no type', 'x', { type: '' }, 400, /type/],
    ['an unknown type', 'x', { type: 'no-such-type' }, 400, /no-such-type'\. There are: .*cert/],
    ['the path of another', 'cert', {}, 400, /^path is already in use at cert\/$/],
    ['a path inside another', 'cert/deeper', {}, 400, /in use at cert\//],
    ['the reserved path', 'token', {}, 403, /reserved/],
    ['below the reserved path', 'token/x', {}, 403, /reserved/],
    [
      'a default longer than its maximum',
      'x',
      { config: { default_lease_ttl: '2h', max_lease_ttl: '1h' } },
      400,
      /longer/,
    ],
    ['a default longer than the system maximum', 'x', { config: { default_lease_ttl: '800h' } }, 400, /longer/],
    ['a negative lifetime', 'x', { config: { max_lease_ttl: '-5s' } }, 400, /max_lease_ttl/],
    ['a lifetime that is none', 'x', { config: { max_lease_ttl: 'soon' } }, 400, /max_lease_ttl/],
    ['an unknown token type', 'x', { config: { token_type: 'gold' } }, 400, /token_type/],
    ['an unknown visibility', 'x', { config: { listing_visibility: 'all' } }, 400, /listing_visibility/],
    ['a version', 'x', { options: { version: '2' } }, 400, /version/],
    ['a version of a plugin', 'x', { plugin_version: 'v1.2.3' }, 400, /plugin_version/],
    ['a version of a plugin in its settings', 'x', { config: { plugin_version: 'v1.2.3' } }, 400, /plugin_version/],
    ['a lockout', 'x', { config: { user_lockout_config: { lockout_threshold: 3 } } }, 400, /lockout/],
  ])('enabling with %s is refused and creates no mount', async (_what, path, body, status, text) => {
    const answer = await enable(app, path, body)
    expect(answer.status).toBe(status)
    expect(answer.body.errors[0]).toMatch(text)
    expect(await app.root.get('/v1/sys/auth/x')).toMatchObject({
      status: 400,
      body: { errors: ['No auth engine at x/'] },
    })
  })

  test('tuning a version, also that of a plugin, or a lockout gets 400; an empty one gets 204', async () => {
    const tune = (body: object) => app.root.post('/v1/sys/auth/cert/tune', body)
    expect((await tune({ options: { version: '2' } })).status).toBe(400)
    expect((await tune({ user_lockout_config: { lockout_disable: true } })).status).toBe(400)
    expect((await tune({ plugin_version: 'v1.2.3' })).status).toBe(400)
    expect((await tune({ plugin_version: '' })).status).toBe(204)
    for (const nothing of [null, {}]) expect((await tune({ user_lockout_config: nothing })).status).toBe(204)
    expect((await app.root.get('/v1/sys/auth/cert')).body.data.options).toBeNull()
  })

  test.each([
    ['GET', 'nowhere/tune'],
    ['POST', 'nowhere/tune'],
  ])('%s sys/auth/%s gets 400', async (verb, path) => {
    expect((await app.root.send(verb, `/v1/sys/auth/${path}`, verb === 'POST' ? {} : undefined)).status).toBe(400)
  })

  test('all operations except listing need sudo', async () => {
    await calls.policy('plain', 'path "sys/auth*" { capabilities = ["create", "read", "update", "delete", "list"] }')
    await calls.policy('sudo', 'path "sys/auth/*" { capabilities = ["read", "update", "delete", "sudo"] }')
    const plain = calls.as(await calls.create({ policies: ['plain'] }))
    const sudo = calls.as(await calls.create({ policies: ['sudo'] }))
    expect((await plain.get('/v1/sys/auth')).status).toBe(200)
    expect((await sudo.get('/v1/sys/auth')).status).toBe(403)
    for (const [verb, path] of [
      ['GET', 'cert'],
      ['POST', 'new'],
      ['DELETE', 'cert'],
      ['GET', 'cert/tune'],
      ['POST', 'cert/tune'],
    ] as const) {
      expect((await plain.send(verb, `/v1/sys/auth/${path}`)).status, `${verb} ${path}`).toBe(403)
    }
    expect((await sudo.get('/v1/sys/auth/cert')).status).toBe(200)
    expect((await sudo.post('/v1/sys/auth/cert/tune', { description: 'x' })).status).toBe(204)
  })
})

test('disabling a method deletes its tokens, roles and aliases and keeps entities and other methods', async () => {
  const app = await ownCertApp()
  await app.role('web', { certificate: app.ca.pem })
  const { auth } = (await app.login(app.leaf())).body
  await enable(app, 'edge')
  expect((await app.root.post('/v1/auth/edge/certs/web', { certificate: app.ca.pem })).status).toBeLessThan(300)
  const edge = (await app.with(app.leaf()).post('/v1/auth/edge/login', { name: 'web' })).body.auth
  const edgeAlias = { mount_accessor: (await app.root.get('/v1/sys/auth/edge')).body.data.accessor }
  expect((await app.root.as(auth.client_token).get('/v1/auth/token/lookup-self')).status).toBe(200)
  expect((await app.root.delete('/v1/sys/auth/cert')).status).toBe(204)
  expect((await app.root.as(auth.client_token).get('/v1/auth/token/lookup-self')).status).toBe(403)
  expect((await app.login(app.leaf())).status).toBe(403)
  const { db } = app.deps
  expect(await db.selectFrom('entity_aliases').select('mount_accessor').execute()).toEqual([edgeAlias])
  const entities = await db.selectFrom('entities').select('id').execute()
  expect(entities.map(({ id }) => id).sort()).toEqual([auth.entity_id, edge.entity_id].sort())
  expect((await app.root.as(edge.client_token).get('/v1/auth/token/lookup-self')).status).toBe(200)
  expect((await app.root.get('/v1/auth/edge/certs/web')).status).toBe(200)
  await enable(app, 'cert')
  expect((await app.root.list('/v1/auth/cert/certs')).status).toBe(404)
})

test('with a method, logins, their children and aliases are gone at once, also while their rows are being removed', async () => {
  const app = await ownCertApp()
  const calls = await tokenCalls(app)
  await calls.policy('parent', 'path "auth/token/create" { capabilities = ["update"] }')
  await app.role('web', { certificate: app.ca.pem, token_policies: 'parent' })
  const lookUp = async (token: string) => (await app.root.as(token).get('/v1/auth/token/lookup-self')).status
  const login = async () => (await app.login(app.leaf())).body.auth
  const { client_token: token, entity_id: entityId } = await login()
  const { client_token: child } = (await app.root.as(token).post('/v1/auth/token/create', {})).body.auth
  const entity = async () => (await app.root.get(`/v1/identity/entity/id/${entityId}`)).body.data
  const [alias] = (await entity()).aliases
  expect(await lookUp(child)).toBe(200)
  const mend = holdRemovals(app, 'mount')
  expect((await app.root.delete('/v1/sys/auth/cert')).status).toBe(204)
  expect([await lookUp(token), await lookUp(child)]).toEqual([403, 403])
  expect((await entity()).aliases).toEqual([])
  expect((await app.root.get(`/v1/identity/entity-alias/id/${alias.id}`)).status).toBe(404)
  expect((await app.root.list('/v1/identity/entity-alias/id')).status).toBe(404)
  await enable(app, 'cert')
  await app.role('web', { certificate: app.ca.pem })
  const { client_token: next } = await login()
  mend()
  await finishRemovals(app)
  expect([await lookUp(token), await lookUp(child), await lookUp(next)]).toEqual([403, 403, 200])
  const { db } = app.deps
  const left = db.selectFrom('tokens').select('id').where('mount_id', '<>', '').where('revoked', '=', 0)
  expect(await left.execute()).toHaveLength(1)
  expect((await app.root.list('/v1/identity/entity-alias/id')).body.data.keys).toHaveLength(1)
})
