import { beforeAll, expect, test } from 'vitest'
import { sharedCertApp } from '../../../../../../test/support/cert-login.ts'
import { eachEngine } from '../../../../../../test/support/databases.ts'
import { inTransaction } from '../../../../../storage/transaction.ts'
import { loadStored, swapConfig } from './config-store.ts'

const path = '/v1/auth/cert/config'

eachEngine((engine) => {
  const app = sharedCertApp({ engine })
  beforeAll(async () => {
    await app.role('web', { certificate: app.ca.pem })
  })
  const read = async (from = path) => (await app.root.get(from)).body.data
  /** The settings of a mount that nobody has configured. */
  const ofNewMount = async (name: string): Promise<string> => {
    expect((await app.root.post(`/v1/sys/auth/${name}`, { type: 'cert' })).status).toBe(204)
    return `/v1/auth/${name}/config`
  }

  test('config: reading and writing without a token get 403', async () => {
    expect((await app.anonymous.get(path)).status).toBe(403)
    expect((await app.anonymous.post(path, { disable_binding: true })).status).toBe(403)
  })

  test('config: before any write, all five fields read as their defaults', async () => {
    expect(await read(await ofNewMount('unset'))).toEqual({
      disable_binding: false,
      enable_identity_alias_metadata: false,
      ocsp_cache_size: 100,
      role_cache_size: 200,
      enable_metadata_on_failures: false,
    })
  })

  test('config: a write keeps the fields it does not send', async () => {
    const own = await ofNewMount('written')
    expect(await app.root.post(own, { disable_binding: 'true', ocsp_cache_size: '2' })).toMatchObject({
      status: 204,
      text: '',
    })
    expect((await app.root.put(own, { enable_metadata_on_failures: 1 })).status).toBe(204)
    expect(await read(own)).toEqual({
      disable_binding: true,
      enable_identity_alias_metadata: false,
      ocsp_cache_size: 2,
      role_cache_size: 200,
      enable_metadata_on_failures: true,
    })
  })

  test.each([
    { ocsp_cache_size: 1 },
    { ocsp_cache_size: 0 },
    { ocsp_cache_size: 100_001 },
    { ocsp_cache_size: 'many' },
    { role_cache_size: -2 },
    { role_cache_size: 100_001 },
    { disable_binding: 'perhaps' },
    { crl_match: 'name' },
  ])('config: %j gets 400 naming the field, and nothing of the write is stored', async (fields) => {
    const before = await read()
    const answer = await app.root.post(path, { enable_identity_alias_metadata: true, ...fields })
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0]).toContain(Object.keys(fields)[0])
    expect(await read()).toEqual(before)
  })

  test.each([
    [-1, -1],
    [0, 200],
    [1, 1],
    [100_000, 100_000],
  ])('config: with role_cache_size %i logins work and follow each change of the role', async (sent, stored) => {
    expect((await app.root.post(path, { role_cache_size: sent })).status).toBe(204)
    expect(await read()).toMatchObject({ role_cache_size: stored })
    const leaf = app.leaf()
    for (const name of ['', 'web', 'WEB', '']) expect((await app.login(leaf, { name })).status).toBe(200)
    await app.role('web', { allowed_common_names: 'nobody' })
    for (const name of ['', 'web']) expect((await app.login(leaf, { name })).status).toBe(400)
    await app.role('web', { allowed_common_names: [] })
    for (const name of ['', 'web']) expect((await app.login(leaf, { name })).status).toBe(200)
  })

  test('config: concurrent writes of different fields are all kept', async () => {
    const fields = [{ disable_binding: false }, { ocsp_cache_size: 77 }, { enable_identity_alias_metadata: true }]
    const answers = await Promise.all(fields.map((each) => app.root.post(path, each)))
    expect(answers.map((answer) => answer.status)).toEqual([204, 204, 204])
    expect(await read()).toMatchObject(Object.assign({}, ...fields))
  })

  test('config: 30 concurrent writes all get 204', async () => {
    const writes = Array.from({ length: 30 }, (_, turn) => app.root.post(path, { ocsp_cache_size: 3 + turn }))
    expect(new Set((await Promise.all(writes)).map(({ status }) => status))).toEqual(new Set([204]))
  })

  test('config: each mount has its own settings, and a mount made anew starts with the defaults', async () => {
    await app.root.post(path, { ocsp_cache_size: 2 })
    const other = await ofNewMount('other')
    await app.root.post(other, { ocsp_cache_size: 50 })
    expect((await read()).ocsp_cache_size).toBe(2)
    await app.root.delete('/v1/sys/auth/other')
    await app.root.post('/v1/sys/auth/other', { type: 'cert' })
    expect((await app.root.get(other)).body.data.ocsp_cache_size).toBe(100)
  })

  test('config: writing the settings of one mount or removing it leaves those of another mount alone', async () => {
    for (const mount of ['twin', 'same']) {
      await app.root.post(`/v1/sys/auth/${mount}`, { type: 'cert' })
      expect((await app.root.post(`/v1/auth/${mount}/config`, { ocsp_cache_size: 50 })).status).toBe(204)
    }
    const same = async () => (await app.root.get('/v1/auth/same/config')).body.data.ocsp_cache_size
    expect((await app.root.post('/v1/auth/twin/config', { ocsp_cache_size: 60 })).status).toBe(204)
    expect(await same()).toBe(50)
    expect((await app.root.delete('/v1/sys/auth/twin')).status).toBe(204)
    expect(await same()).toBe(50)
  })

  test('config: swapConfig writes nothing and returns false if the settings changed since they were read', async () => {
    const mount = await app.deps.mounts.find('auth/cert/')
    if (!mount) throw new Error('There is no mount.')
    const { text: before, config } = await loadStored(app.deps.db, mount.id)
    await app.root.post(path, { ocsp_cache_size: 70 })
    const swapped = inTransaction(app.deps.db, (tx) => swapConfig(tx, mount.id, { before, next: config }))
    expect(await swapped).toBe(false)
    expect(await read()).toMatchObject({ ocsp_cache_size: 70 })
  })
})
