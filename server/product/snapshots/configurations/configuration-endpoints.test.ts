import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Client } from '../../../../test/support/client.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { ownFolder } from '../../../../test/support/folders.ts'
import { ownApp, sharedApp } from '../../../../test/support/shared.ts'
import { secret } from '../../../kernel/secret.ts'
import { takeJobKind } from '../schedule/schedule.ts'
import { writeConfiguration } from './configuration-actions.ts'
import { loadConfiguration } from './configuration-store.ts'

const config = '/v1/sys/storage/raft/snapshot-auto/config'
const status = '/v1/sys/storage/raft/snapshot-auto/status'

const local = { interval: 3600, path_prefix: '/opt/snapshots', storage_type: 'local', local_max_space: 4_194_304 }
const cloudA = {
  interval: '24h',
  path_prefix: 'backups',
  storage_type: 'cloudA-store',
  cloudA_bucket: 'b',
  cloudA_region: 'eu-1',
  cloudA_access_key_id: 'AK1',
  cloudA_secret_access_key: 'very-secret-a',
}

eachEngine((engine) => {
  const app = sharedApp({ engine })
  beforeEach(async () => {
    const { body } = await app.root.list(config)
    for (const name of body.data?.keys ?? []) await app.root.delete(`${config}/${name}`)
  })

  const caller = async (...rules: string[]): Promise<Client> => {
    const name = `p-${app.deps.ids.hex(8)}`
    await app.root.put(`/v1/sys/policies/acl/${name}`, { policy: rules.join('\n') })
    const { body } = await app.root.post('/v1/auth/token/create', { policies: [name] })
    return app.root.as(body.auth.client_token)
  }

  test('configurations: without sudo read, write, delete and list are 403; status is allowed', async () => {
    await app.root.post(`${config}/x`, local)
    const all = '["create", "read", "update", "delete", "list"]'
    const user = await caller(`path "sys/storage/raft/snapshot-auto/*" { capabilities = ${all} }`)
    expect((await user.post(`${config}/x`, local)).status).toBe(403)
    expect((await user.get(`${config}/x`)).status).toBe(403)
    expect((await user.delete(`${config}/x`)).status).toBe(403)
    expect((await user.list(config)).status).toBe(403)
    expect((await user.get(`${config}?list=true`)).status).toBe(403)
    expect((await user.get(`${status}/x`)).status).toBe(200)
    expect((await app.anonymous.get(`${status}/x`)).status).toBe(403)
  })

  test('configurations: with sudo and the capability, each operation is allowed', async () => {
    const user = await caller(
      'path "sys/storage/raft/snapshot-auto/config/*" { capabilities = ["read", "update", "delete", "sudo"] }',
      'path "sys/storage/raft/snapshot-auto/config" { capabilities = ["list", "sudo"] }',
    )
    expect((await user.post(`${config}/x`, cloudA)).status).toBe(204)
    expect((await user.get(`${config}/x`)).status).toBe(200)
    expect((await user.list(config)).body.data).toEqual({ keys: ['x'] })
    expect((await user.delete(`${config}/x`)).status).toBe(204)
  })

  test('configurations: a local one reads back as exactly the six keys', async () => {
    const written = await app.root.post(`${config}/x`, { ...local, interval: '1h', retain: '7' })
    expect(written.status).toBe(204)
    expect((await app.root.get(`${config}/x`)).body.data).toEqual({
      interval: 3600,
      retain: 7,
      path_prefix: '/opt/snapshots',
      file_prefix: 'holdfast-snapshot',
      storage_type: 'local',
      local_max_space: 4_194_304,
    })
  })

  test.runIf(engine === 'postgres')('configurations: a local one returns a warning with several nodes', async () => {
    const write = () => app.root.post(`${config}/x`, local)
    await app.data.store.openAnother()
    expect((await write()).status).toBe(204)
    const other = await app.data.store.openAnother({ node: 'other' })
    const { status, body } = await write()
    expect([status, body.warnings]).toEqual([200, [expect.stringContaining('Each node writes to its own disk')]])
    await other.close()
    await expect.poll(async () => (await write()).status).toBe(204)
  })

  test('configurations: rows of older releases with dialect "seed" read back as they were written', async () => {
    await app.root.post(`${config}/x`, cloudA)
    const written = (await app.root.get(`${config}/x`)).body.data
    await app.deps.db.updateTable('snapshot_configurations').set({ dialect: 'seed' }).execute()
    expect((await app.root.get(`${config}/x`)).body.data).toEqual(written)
  })

  test('configurations: a local one in a folder from which a link leads into the system is 400', async () => {
    const folder = ownFolder()
    await symlink('/sys', join(folder, 'link'))
    await symlink(join(folder, 'link', 'kernel', 'new'), join(folder, 'dangling'))
    for (const path_prefix of ['link', 'link/holdfast/new', 'dangling', 'dangling/x'].map((each) =>
      join(folder, each),
    )) {
      const answer = await app.root.post(`${config}/linked`, { ...local, path_prefix })
      expect(answer).toMatchObject({ status: 400, body: { errors: [expect.stringContaining("leads to '/sys")] } })
    }
    expect((await app.root.get(`${config}/linked`)).status).toBe(404)
    await symlink(folder, join(folder, 'self'))
    const inside = { ...local, path_prefix: join(folder, 'self', 'new') }
    expect((await app.root.post(`${config}/linked`, inside)).status).toBe(204)
  })

  test('configurations: names are case-sensitive and listed in order, by LIST and by ?list=true', async () => {
    expect((await app.root.list(config)).status).toBe(404)
    expect((await app.root.list(config)).body).toEqual({ errors: [] })
    for (const name of ['b', 'B', 'a.1']) await app.root.put(`${config}/${name}`, local)
    expect((await app.root.list(config)).body.data.keys).toEqual(['B', 'a.1', 'b'])
    expect((await app.root.get(`${config}?list=true`)).body.data.keys).toEqual(['B', 'a.1', 'b'])
  })

  test('configurations: a missing one is 404 to read and 204 to delete; an invalid name is refused', async () => {
    expect(await app.root.get(`${config}/none`)).toMatchObject({ status: 404, body: { errors: [] } })
    expect((await app.root.get(`${status}/none`)).status).toBe(404)
    expect((await app.root.delete(`${config}/none`)).status).toBe(204)
    expect((await app.root.post(`${config}/-bad-`, local)).status).toBe(404)
    expect((await app.root.post(`${config}/${'n'.repeat(129)}`, local)).status).toBe(400)
  })

  test('status: has all its keys before the first run', async () => {
    await app.root.post(`${config}/x`, local)
    const now = new Date(app.clock.now()).toISOString().replace(/\.\d+Z/, '+00:00')
    expect((await app.root.get(`${status}/x`)).body.data).toMatchObject({
      snapshot_start: '',
      snapshot_url: '',
      last_snapshot_start: '',
      last_snapshot_end: '',
      last_snapshot_error: '',
      last_snapshot_url: '',
      state: 'scheduled',
      next_snapshot_start: now,
      consecutive_errors: 0,
    })
  })

  test('secrets: are encrypted at rest, never returned, and kept by writes that do not name them', async () => {
    await app.root.post(`${config}/s`, { ...cloudA, cloudA_session_token: 'very-secret-b' })
    const row = await app.deps.db.selectFrom('snapshot_configurations').selectAll().executeTakeFirstOrThrow()
    expect(Buffer.from(row.secrets ?? []).toString('latin1') + row.settings).not.toContain('very-secret')
    const read = await app.root.get(`${config}/s`)
    expect(read.text).not.toContain('very-secret')
    expect(read.body.data).toMatchObject({
      cloudA_access_key_id: 'AK1',
      secrets_set: ['cloudA_secret_access_key', 'cloudA_session_token'],
    })
    expect(read.body.data).not.toHaveProperty('cloudA_secret_access_key')
    // Writing back what was read, in full or in part, keeps the secrets.
    expect((await app.root.post(`${config}/s`, { retain: 3 })).status).toBe(204)
    const { secrets_set: _secrets, created_time: _created, updated_time: _updated, ...again } = read.body.data
    expect((await app.root.post(`${config}/s`, again)).status).toBe(204)
    expect((await app.root.get(`${config}/s`)).body.data.secrets_set).toHaveLength(2)
    // Another account does not inherit the secret of the first.
    const moved = await app.root.post(`${config}/s`, { ...again, cloudA_access_key_id: 'AK2' })
    expect(moved.body.errors).toEqual([
      expect.stringContaining('cloudA_secret_access_key must be sent again'),
      expect.stringContaining('cloudA_session_token must be sent again'),
    ])
    expect((await app.root.post(`${config}/s`, { cloudA_session_token: '' })).status).toBe(204)
    expect((await app.root.get(`${config}/s`)).body.data.secrets_set).toEqual(['cloudA_secret_access_key'])
  })

  test('writes: a complete write resets omitted fields to defaults, a partial write keeps them', async () => {
    await app.root.post(`${config}/w`, { ...cloudA, retain: 9, cloudA_force_path_style: true, file_prefix: 'f' })
    await app.root.post(`${config}/w`, { retain: 2 })
    const partly = (await app.root.get(`${config}/w`)).body.data
    expect(partly).toMatchObject({ retain: 2, file_prefix: 'f', cloudA_force_path_style: true })
    await app.root.post(`${config}/w`, cloudA)
    const wholly = (await app.root.get(`${config}/w`)).body.data
    expect(wholly).toMatchObject({ retain: 1, file_prefix: 'holdfast-snapshot' })
    expect(wholly).not.toHaveProperty('cloudA_force_path_style')
    expect((await app.root.post(`${config}/w`, { storage_type: 'local', path_prefix: '/x' })).body.errors).toEqual([
      'local_max_space is required',
    ])
    expect((await app.root.get(`${config}/w`)).body.data.storage_type).toBe('cloudA-store')
    await app.root.post(`${config}/w`, { storage_type: 'local', path_prefix: '/x', local_max_space: 1 })
    expect(Object.keys((await app.root.get(`${config}/w`)).body.data)).toHaveLength(6)
  })

  test('schedule: each kind of change moves the next run as it should', async () => {
    const next = async () => {
      const row = await app.deps.db
        .selectFrom('jobs')
        .select(['next_run_at', 'revision'])
        .where('kind', '=', takeJobKind)
        .where('key', '=', 'j')
        .executeTakeFirst()
      return row && { at: row.next_run_at - start, revision: row.revision }
    }
    const start = app.clock.now()
    await app.root.post(`${config}/j`, local)
    expect(await next()).toEqual({ at: 0, revision: 0 })
    app.clock.advance('1m')
    await app.root.post(`${config}/j`, local)
    await app.root.post(`${config}/j`, { retain: 5, local_max_space: 9_999_999 })
    expect(await next()).toEqual({ at: 0, revision: 0 })
    await app.deps.db.updateTable('snapshot_status').set({ anchor: start }).where('name', '=', 'j').execute()
    await app.root.post(`${config}/j`, { interval: '2h' })
    expect(await next()).toEqual({ at: 7_200_000, revision: 1 })
    await app.root.post(`${config}/j`, { interval: '30s' })
    expect(await next()).toEqual({ at: 60_000, revision: 2 })
    app.clock.advance('1m')
    await app.root.post(`${config}/j`, { path_prefix: '/elsewhere' })
    // The job was created anew (revision 0), so a run to the old destination has lost its lease.
    expect(await next()).toEqual({ at: 120_000, revision: 0 })
    await app.root.delete(`${config}/j`)
    expect(await next()).toBeUndefined()
  })

  test('writes: one that overlaps deletion and re-creation keeps nothing of the deleted configuration', async () => {
    await app.root.post(`${config}/x`, cloudA)
    app.clock.advance('1m')
    let rounds = 0
    await writeConfiguration(app.deps, 'x', { retain: 3, settings: {} }, async () => {
      rounds += 1
      if (rounds > 1) return
      await app.root.delete(`${config}/x`)
      await app.root.post(`${config}/x`, { ...cloudA, cloudA_bucket: 'new', cloudA_secret_access_key: 'another' })
    })
    expect((await app.root.get(`${config}/x`)).body.data).toMatchObject({ retain: 3, cloudA_bucket: 'new' })
    const found = await loadConfiguration(app.deps.db, app.deps.keyring, 'x')
    expect(found?.configuration.settings.cloudA_secret_access_key).toBe('another')
  })

  test('writes: one that overlaps another is retried on top of it instead of undoing it', async () => {
    await app.root.post(`${config}/x`, local)
    let rounds = 0
    await writeConfiguration(app.deps, 'x', { retain: 3, settings: {} }, async () => {
      rounds += 1
      if (rounds === 1) await app.root.post(`${config}/x`, { interval: 60 })
    })
    expect(rounds).toBe(2)
    expect((await app.root.get(`${config}/x`)).body.data).toMatchObject({ retain: 3, interval: 60 })
  })

  test('writes: concurrent partial writes are all kept', async () => {
    await app.root.post(`${config}/r`, cloudA)
    const bodies = [{ retain: 5 }, { interval: 60 }, { file_prefix: 'p' }, { path_prefix: 'q' }]
    const answers = await Promise.all(bodies.map((body) => app.root.post(`${config}/r`, body)))
    expect(answers.map((answer) => answer.status)).toEqual([204, 204, 204, 204])
    expect((await app.root.get(`${config}/r`)).body.data).toMatchObject({
      retain: 5,
      interval: 60,
      file_prefix: 'p',
      path_prefix: 'q',
    })
  })

  test('writes: concurrent complete writes all succeed, also when the configuration is new', async () => {
    const writes = Array.from({ length: 30 }, (_, turn) =>
      app.root.post(`${config}/m`, { ...cloudA, retain: turn + 1 }),
    )
    expect(new Set((await Promise.all(writes)).map(({ status }) => status))).toEqual(new Set([204]))
  })
})

const manual = '/v1/sys/storage/raft/snapshot-load'
const loads: readonly ((caller: Client) => Promise<{ status: number }>)[] = [
  (caller) => caller.post('/v1/sys/storage/raft/snapshot-auto/snapshot-load/x', {}),
  (caller) => caller.get('/v1/sys/storage/raft/snapshot-auto/snapshot-load/x'),
  (caller) => caller.delete('/v1/sys/storage/raft/snapshot-auto/snapshot-load/x'),
  (caller) => caller.post(manual, {}),
  (caller) => caller.list(manual),
  (caller) => caller.get(`${manual}/x`),
  (caller) => caller.delete(`${manual}/x`),
]

test('snapshot-load: all its paths are 404 "unsupported path", or 403 without a token', async () => {
  const app = await ownApp()
  for (const load of loads) {
    expect(await load(app.root)).toMatchObject({ status: 404, body: { errors: ['unsupported path'] } })
    expect((await load(app.anonymous)).status).toBe(403)
  }
})

test('licence: without it every path is 404, after the policy check and before the body is validated', async () => {
  const app = await ownApp({ settings: { license: 'community', rootToken: secret('root') } })
  const paths = [
    () => app.root.post(`${config}/x`, { interval: 'nonsense' }),
    () => app.root.get(`${config}/x`),
    () => app.root.list(config),
    () => app.root.delete(`${config}/x`),
    () => app.root.get(`${status}/x`),
    ...loads.map((load) => () => load(app.root)),
  ]
  for (const call of paths) {
    expect(await call()).toMatchObject({ status: 404, body: { errors: ['enterprise-only feature'] } })
  }
  expect((await app.anonymous.get(`${config}/x`)).status).toBe(403)
})

test('namespace: configurations exist only in the root namespace; any other is 404', async () => {
  const app = await ownApp()
  const answer = await app.root.get(`${config}/x`, { headers: { 'x-service-namespace': 'team' } })
  expect(answer).toMatchObject({ status: 404, body: { errors: ['namespace not found'] } })
})
