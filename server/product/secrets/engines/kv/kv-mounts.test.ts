import { CompactSign, exportSPKI } from 'jose'
import { expect, test } from 'vitest'
import { eachEngine, testEngines } from '../../../../../test/support/databases.ts'
import { providerKey } from '../../../../../test/support/fakes/token-provider.ts'
import { mustBe } from '../../../../../test/support/platform.ts'
import { finishRemovals, holdRemovals } from '../../../../../test/support/removals.ts'
import { ownApp, shared, sharedApp } from '../../../../../test/support/shared.ts'
import { saveSnapshot, sealKeyHeader, sendSnapshot } from '../../../../../test/support/snapshot-calls.ts'
import type { TestApp } from '../../../../../test/support/test-app.ts'
import { tokenCalls } from '../../../../../test/support/token-calls.ts'

const rowsOf = async ({ deps }: TestApp): Promise<number[]> =>
  await Promise.all(
    (['kv_secrets', 'kv_versions', 'kv_totals', 'kv_mounts', 'kv_uses'] as const).map(
      async (table) => (await deps.db.selectFrom(table).select('mount_id').execute()).length,
    ),
  )

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const calls = shared(() => tokenCalls(app))
  const mount = (path: string, body: object) => app.root.post(`/v1/sys/mounts/${path}`, body)
  const infoOf = async (path: string) => (await app.root.get(`/v1/sys/mounts/${path}`)).body.data

  test.each([
    ['one', { type: 'kv' }, null],
    ['two', { type: 'kv', options: { version: '2' } }, { version: '2' }],
    ['number', { type: 'kv', options: { version: 2 } }, { version: '2' }],
    ['alias', { type: 'kv-v2' }, { version: '2' }],
    ['first', { type: 'kv-v1' }, { version: '1' }],
    ['old', { type: 'generic' }, { version: '1' }],
    ['plugged', { type: 'plugin', plugin_name: 'kv' }, null],
  ])('kv: mounted at %s by %j, it has the options %j', async (path, body, options) => {
    expect((await mount(`shapes/${path}`, body)).status).toBe(204)
    expect(await infoOf(`shapes/${path}`)).toMatchObject({
      type: 'kv',
      options,
      accessor: expect.stringMatching(/^kv_[0-9a-f]{8}$/),
      holdfast: { secrets: 0, versions: 0, bytes: 0, state: 'ready' },
    })
    const shown = await app.root.get(`/v1/sys/internal/ui/mounts/shapes/${path}`)
    expect(shown.body.data).toMatchObject({ path: `shapes/${path}/`, options: options ?? {} })
  })

  test.each([
    ['version 3', 'refused', { type: 'kv', options: { version: '3' } }, 400],
    ['an engine that is not built', 'refused', { type: 'transit' }, 400],
    ['the type of a fixed mount', 'refused', { type: 'cubbyhole' }, 400],
    ['times that contradict', 'refused', { type: 'kv', config: { default_lease_ttl: '2h', max_lease_ttl: '1h' } }, 400],
    ['a token type', 'refused', { type: 'kv', config: { token_type: 'batch' } }, 400],
    ['a visibility that is none', 'refused', { type: 'kv', config: { listing_visibility: 'seen' } }, 400],
    ['a reserved path', 'sys/x', { type: 'kv' }, 403],
    ['a path of audit devices', 'audit/x', { type: 'kv' }, 403],
    ['a path of a second factor', 'mfa', { type: 'kv' }, 403],
    ['a path that no policy could name', 'refused/*', { type: 'kv' }, 400],
    ['another such path', 'refused/+/x', { type: 'kv' }, 400],
    ['a long path', 'p'.repeat(600), { type: 'kv' }, 400],
  ])('kv: a mount with %s is refused', async (_what, path, body, status) => {
    expect((await mount(path, body)).status).toBe(status)
    expect((await app.root.get(`/v1/sys/mounts/${path}`)).status).toBe(400)
  })

  test('kv: settings that are not known are named, unless they are empty', async () => {
    const empty = { identity_token_key: '', allowed_managed_keys: null, delegated_auth_accessors: [], trim: {} }
    expect((await mount('quiet', { type: 'kv', config: empty })).status).toBe(204)
    const named = await mount('loud', { type: 'kv', config: { identity_token_key: 'x' } })
    expect([named.status, named.body.warnings[0]]).toEqual([200, expect.stringContaining('config.identity_token_key')])
  })

  test('kv: mounts may not lie inside each other, and a path is free as soon as its mount is removed', async () => {
    await mount('nest/inner', { type: 'kv-v2' })
    for (const path of ['nest', 'nest/inner', 'nest/inner/most'])
      expect((await mount(path, { type: 'kv' })).body.errors[0]).toBe('path is already in use at nest/inner/')
    await app.root.put('/v1/nest/inner/data/a', { data: { x: 1 } })
    expect((await app.root.delete('/v1/sys/mounts/nest/inner')).status).toBe(204)
    expect((await app.root.get('/v1/nest/inner/data/a')).body.errors[0]).toMatch(/^no handler for route/)
    expect((await mount('nest/inner', { type: 'kv-v2' })).status).toBe(204)
    expect((await app.root.get('/v1/nest/inner/data/a')).status).toBe(404)
    expect((await app.root.list('/v1/nest/inner/metadata')).status).toBe(404)
  })

  test('kv: whoever has any right below a mount learns its version; nobody else does', async () => {
    await mount('shown', { type: 'kv-v2' })
    const seenBy = async (policy: string, path = 'shown/any/path') => {
      await calls.policy('seer', policy)
      const seer = calls.as(await calls.create({ policies: ['seer'], no_default_policy: true }))
      return await seer.get(`/v1/sys/internal/ui/mounts/${path}`)
    }
    for (const rule of ['shown/data/x', 'shown/+/x', 'shown/data/{{identity.entity.id}}/*', 'shown*']) {
      const answer = await seenBy(`path "${rule}" { capabilities = ["read"] }`)
      if (!rule.includes('{{')) expect(answer.body.data).toMatchObject({ path: 'shown/', options: { version: '2' } })
    }
    const denied = await seenBy('path "shown/*" { capabilities = ["deny"] }')
    const absent = await seenBy('path "other/*" { capabilities = ["read"] }', 'absent/any/path')
    expect([denied.status, absent.status]).toEqual([403, 403])
    expect(denied.body.errors[0].replace('shown', 'absent')).toBe(absent.body.errors[0])
    expect((await app.anonymous.get('/v1/sys/internal/ui/mounts')).body.data.secret).not.toHaveProperty('shown/')
    await app.root.post('/v1/sys/mounts/shown/tune', { listing_visibility: 'unauth' })
    expect((await app.anonymous.get('/v1/sys/internal/ui/mounts')).body.data.secret['shown/']).toEqual({
      type: 'kv',
      description: '',
      options: { version: '2' },
    })
  })

  test.each([
    ['meant/two/app', 'meant/two/data/app'],
    ['meant/two/team/app', 'meant/two/data/team/app'],
    ['meant/two/team/', 'meant/two/metadata/team/'],
    ['meant/two', 'meant/two/metadata/'],
    ['meant/two/data/app', null],
    ['meant/two/detailed-metadata/team/', null],
    ['meant/two/config', null],
    ['meant/one/app', null],
  ])('kv: who asks why %s is refused is told of %s', async (path, meant) => {
    await mount('meant/one', { type: 'kv' })
    await mount('meant/two', { type: 'kv-v2' })
    const explained = await app.root.post('/v1/sys/capabilities-explain', { path })
    expect(explained.body.data.did_you_mean).toBe(meant)
  })

  test('kv: a mount moves with its secrets, versions, accessor and rate limits', async () => {
    await mount('from', { type: 'kv-v2', description: 'moves' })
    await app.root.put('/v1/from/data/a', { data: { x: 1 } })
    await app.root.put('/v1/from/data/a', { data: { x: 2 } })
    await app.root.post('/v1/sys/quotas/rate-limit/moving', { path: 'from', rate: 1_000 })
    const before = await infoOf('from')
    await mount('taken', { type: 'kv' })
    for (const [from, to] of [
      ['from', 'taken'],
      ['from', 'auth/x'],
      ['none', 'other'],
      ['from', 'to/*'],
      ['from', ' to'],
    ])
      expect((await app.root.post('/v1/sys/remount', { from, to })).status).toBe(400)
    expect((await app.root.post('/v1/sys/remount', { from: 'from', to: 'mfa/x' })).status).toBe(403)
    const moved = await app.root.post('/v1/sys/remount', { from: 'from/', to: '/deep/er' })
    expect(moved.status).toBe(200)
    const status = await app.root.get(`/v1/sys/remount/status/${moved.body.data.migration_id}`)
    expect(status.body.data.migration_info.status).toBe('success')
    expect((await app.root.get('/v1/from/data/a')).status).toBe(404)
    expect((await app.root.get('/v1/deep/er/data/a?version=1')).body.data.data).toEqual({ x: 1 })
    expect(await infoOf('deep/er')).toEqual(before)
    const quota = await app.root.get('/v1/sys/quotas/rate-limit/moving')
    expect(quota.body.data.path).toBe('deep/er')
  })

  const rule = (path: string, more = '') => `path "${path}" { capabilities = ["create", "update"] ${more} }\n`

  test('kv: who upgrades a mount learns how many policies name its secrets by their old paths', async () => {
    const upgrade = (path: string) => app.root.post(`/v1/sys/mounts/${path}/tune`, { options: { version: '2' } })
    await mount('plain', { type: 'kv' })
    await calls.policy('whole', rule('plain/*') + rule('plain/data/app') + rule('plain/+/app') + rule('plainer/app'))
    expect((await upgrade('plain')).status).toBe(204)
    await mount('named', { type: 'kv' })
    await calls.policy('one-key', rule('named/app'))
    await calls.policy('one-tree', rule('named/*') + rule('named/team/*'))
    const told = await upgrade('named')
    expect([told.status, told.body.warnings]).toEqual([
      200,
      [expect.stringMatching(/^2 policies, such as 'one-key', name/)],
    ])
    expect((await upgrade('named')).status).toBe(204)
    await calls.policy('one-tree', rule('plain/*'))
    await mount('again', { type: 'kv' })
    await calls.policy('one-key', rule('again/app*'))
    expect((await upgrade('again')).body.warnings[0]).toMatch(/^The policy 'one-key' names secrets of 'again\/'/)
  })

  test('kv: who moves a mount learns how many policies have rules about its old paths', async () => {
    const move = (from: string, to: string) => app.root.post('/v1/sys/remount', { from, to })
    await mount('here', { type: 'kv-v2' })
    await calls.policy('stays', rule('here/data/app'))
    const told = await move('here', 'there')
    expect([told.status, told.body.warnings]).toEqual([
      200,
      [
        "The policy 'stays' has rules about paths below 'here/', and policies do not follow a mount: write them for 'there/'.",
      ],
    ])
    expect((await move('there', 'here')).body.warnings).toBeNull()
  })

  test('kv: who writes a policy about names inside secrets learns that it cannot restrict them', async () => {
    await mount('inner', { type: 'kv-v2' })
    await mount('flat', { type: 'kv' })
    const write = (policy: string) => app.root.put('/v1/sys/policies/acl/inner', { policy })
    const told = await write(rule('inner/data/app/*', 'denied_parameters = { "password" = [] }'))
    expect([told.status, told.body.warnings]).toEqual([
      200,
      [expect.stringMatching(/^path 'inner\/data\/app\/\*': 'password' is no field of a write to a secret/)],
    ])
    for (const [path, more] of [
      ['inner/data/app', 'allowed_parameters = { "data" = [] "options" = [] "*" = [] }'],
      ['inner/metadata/app', 'required_parameters = ["max_versions"]'],
      ['flat/data/app', 'required_parameters = ["password"]'],
    ])
      expect((await write(rule(String(path), more))).status).toBe(204)
  })

  test('kv: leased_passthrough is stored, and whoever sets it learns that it has no effect', async () => {
    const options = { leased_passthrough: 'true' }
    const told = await mount('leased', { type: 'kv', options })
    expect([told.status, told.body.warnings]).toEqual([200, [expect.stringContaining("'leased_passthrough'")]])
    expect((await infoOf('leased')).options).toEqual(options)
    expect((await app.root.post('/v1/sys/mounts/leased/tune', { description: 'x' })).status).toBe(204)
  })

  test('kv: a mount counts its secrets, versions and bytes', async () => {
    await mount('counted', { type: 'kv-v2' })
    const counted = async () => (await infoOf('counted')).holdfast
    for (const key of ['a', 'b']) await app.root.put(`/v1/counted/data/${key}`, { data: { k: 'vv' } })
    await app.root.put('/v1/counted/data/a', { data: {} })
    expect(await counted()).toEqual({ secrets: 2, versions: 3, bytes: 22, state: 'ready' })
    await app.root.put('/v1/counted/destroy/a', { versions: [1] })
    expect((await counted()).bytes).toBe(12)
    await app.root.post('/v1/counted/metadata/a', { max_versions: 1 })
    await app.root.post('/v1/counted/config', { max_versions: 1 })
    await app.root.put('/v1/counted/data/a', { data: { k: 'vv' } })
    expect(await counted()).toEqual({ secrets: 2, versions: 2, bytes: 20, state: 'ready' })
    await app.root.delete('/v1/counted/metadata/a')
    await app.root.post('/v1/counted/metadata/c', { max_versions: 1 })
    expect(await counted()).toEqual({ secrets: 2, versions: 1, bytes: 10, state: 'ready' })
    await mount('single', { type: 'kv' })
    for (const v of ['long value', 's']) await app.root.post('/v1/single/a', { v })
    expect((await infoOf('single')).holdfast).toEqual({ secrets: 1, versions: 1, bytes: 9, state: 'ready' })
  })

  test('kv: a removed mount leaves no rows, also of writes at the same moment', async () => {
    const own = await ownApp({ engine })
    for (let round = 0; round < 3; round++) {
      await own.root.post('/v1/sys/mounts/brief', { type: 'kv-v2' })
      await own.root.post('/v1/brief/config', { max_versions: 2 })
      const write = (key: number) => own.root.put(`/v1/brief/data/k${key}`, { data: { x: 1 } })
      await Promise.all(Array.from({ length: 10 }, (_, key) => write(key)))
      const early = Array.from({ length: 10 }, (_, key) => write(key + 10))
      const removed = own.root.delete('/v1/sys/mounts/brief')
      const late = Array.from({ length: 10 }, (_, key) => write(key))
      for (const { status } of await Promise.all([...early, ...late])) expect([200, 404]).toContain(status)
      expect((await removed).status).toBe(204)
      await finishRemovals(own)
      expect(await rowsOf(own)).toEqual([0, 0, 0, 0, 0])
    }
  })
})

const ways = testEngines.flatMap((from) => testEngines.map((to) => [from, to] as const))

test.each(ways)('kv: a snapshot of %s has secrets and half-removed mounts, which end on %s', async (from, to) => {
  const before = await ownApp({ engine: from })
  for (const path of ['kept', 'going']) await before.root.post(`/v1/sys/mounts/${path}`, { type: 'kv-v2' })
  for (const key of ['a/b', 'c']) {
    await before.root.put(`/v1/kept/data/${key}`, { data: { value: 1 } })
    await before.root.put(`/v1/kept/data/${key}`, { data: { value: key } })
    await before.root.put(`/v1/going/data/${key}`, { data: {} })
  }
  await before.root.delete('/v1/kept/data/c')
  holdRemovals(before, 'mount', 0)
  expect((await before.root.delete('/v1/sys/mounts/going')).status).toBe(204)
  const bytes = await saveSnapshot(before)

  const after = await ownApp({ engine: to })
  const restored = await sendSnapshot(after, bytes, { at: '-force', headers: await sealKeyHeader(before) })
  expect(restored.status).toBe(200)
  const root = after.root.as(before.rootToken)
  expect((await root.get('/v1/kept/data/a/b')).body.data.data).toEqual({ value: 'a/b' })
  expect((await root.get('/v1/kept/data/a/b?version=1')).body.data.data).toEqual({ value: 1 })
  expect((await root.get('/v1/kept/data/c')).status).toBe(404)
  expect((await root.list('/v1/kept/metadata')).body.data.keys).toEqual(['a/', 'c'])
  await finishRemovals(after)
  const rows = await after.deps.db.selectFrom('kv_secrets').select('name').orderBy('name').execute()
  expect(rows).toEqual([{ name: 'b' }, { name: 'c' }])
})

test.each(ways)('a snapshot of %s has roles and secret ids, whose logins read its secrets on %s', async (from, to) => {
  const before = await ownApp({ engine: from })
  const policy = 'path "kept/data/*" { capabilities = ["read"] }'
  mustBe(await before.root.put('/v1/sys/policies/acl/app', { policy }), 204)
  mustBe(await before.root.post('/v1/sys/mounts/kept', { type: 'kv-v2' }), 204)
  mustBe(await before.root.put('/v1/kept/data/a', { data: { value: 1 } }), 200)
  for (const type of ['approle', 'jwt']) mustBe(await before.root.post(`/v1/sys/auth/${type}`, { type }), 204)
  const role = '/v1/auth/approle/role/app'
  mustBe(await before.root.post(role, { token_policies: 'app', secret_id_num_uses: 1 }), 204)
  const { role_id } = mustBe(await before.root.get(`${role}/role-id`), 200).body.data
  const { secret_id } = mustBe(await before.root.post(`${role}/secret-id`), 200).body.data
  const key = await providerKey('static')
  const config = { jwt_validation_pubkeys: [await exportSPKI(key.pair.publicKey)] }
  mustBe(await before.root.post('/v1/auth/jwt/config', config), 204)
  const terms = { role_type: 'jwt', user_claim: 'sub', bound_audiences: 'holdfast', token_policies: 'app' }
  mustBe(await before.root.post('/v1/auth/jwt/role/ci', terms), 204)
  const bytes = await saveSnapshot(before)

  const after = await ownApp({ engine: to })
  const headers = await sealKeyHeader(before)
  expect((await sendSnapshot(after, bytes, { at: '-force', headers })).status).toBe(200)
  const iat = Math.floor(after.clock.now() / 1_000)
  const claims = Buffer.from(JSON.stringify({ sub: 'job', aud: 'holdfast', iat, exp: iat + 300 }))
  const jwt = await new CompactSign(claims).setProtectedHeader({ alg: key.alg }).sign(key.pair.privateKey)
  for (const [method, credential] of [
    ['approle', { role_id, secret_id }],
    ['jwt', { role: 'ci', jwt }],
  ] as const) {
    const { auth } = mustBe(await after.anonymous.post(`/v1/auth/${method}/login`, credential), 200).body
    const found = await after.anonymous.as(auth.client_token).get('/v1/kept/data/a')
    expect(mustBe(found, 200).body.data.data).toEqual({ value: 1 })
  }
  // Its one use was stored as well.
  mustBe(await after.anonymous.post('/v1/auth/approle/login', { role_id, secret_id }), 400)
})
