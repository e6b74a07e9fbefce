import { beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { deniedAnswer, tokenCalls } from '../../../../../test/support/token-calls.ts'

const merge = { headers: { 'content-type': 'application/merge-patch+json' } }

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const calls = shared(() => tokenCalls(app))
  const at = (rest: string) => `/v1/m/${rest}`
  const put = (key: string, data: object = { x: 1 }) => app.root.put(at(`data/${key}`), { data })
  const metadata = async (key: string) => (await app.root.get(at(`metadata/${key}`))).body.data
  const describe_ = (key: string, body: object) => app.root.post(at(`metadata/${key}`), body)
  const patch = (key: string, body: object) => app.root.patch(at(`metadata/${key}`), body, merge)
  const keys = async (path: string) => (await app.root.get(at(path))).body.data?.keys

  beforeAll(async () => {
    for (const path of ['m', 'aged', 'off'])
      expect((await app.root.post(`/v1/sys/mounts/${path}`, { type: 'kv-v2' })).status).toBe(204)
  })

  test('kv: settings of a mount are shown before and after they are written, as durations of Go', async () => {
    expect((await app.root.get(at('config'))).body.data).toEqual({
      max_versions: 0,
      cas_required: false,
      delete_version_after: '0s',
      metadata_cas_required: false,
      history: true,
    })
    const age = async (sent: unknown) => {
      expect((await app.root.post('/v1/aged/config', { delete_version_after: sent })).status).toBe(204)
      return (await app.root.get('/v1/aged/config')).body.data.delete_version_after
    }
    expect(await age(5400)).toBe('1h30m0s')
    expect(await age('36h')).toBe('36h0m0s')
    expect(await age('90s')).toBe('1m30s')
    expect(await age('-1s')).toBe('-1s')
    expect(await age('0s')).toBe('0s')
    for (const wrong of ['300y', 'soon', '2562048h'])
      expect((await app.root.post('/v1/aged/config', { delete_version_after: wrong })).status).toBe(400)
    expect((await app.root.post('/v1/aged/config', { max_versions: 10_001 })).status).toBe(400)
    const none = calls.as(await calls.create({ policies: ['default'] }))
    expect(await none.post(at('config'), { max_versions: 1 })).toMatchObject(deniedAnswer)
  })

  test('kv: metadata may come before the first version', async () => {
    expect((await describe_('empty', {})).status).toBe(204)
    expect((await describe_('empty', { unknown: 1 })).body.warnings[0]).toMatch(/unknown/)
    expect((await app.root.get(at('metadata/empty'))).status).toBe(404)
    expect((await describe_('pushed', { custom_metadata: { by: 'operator' } })).status).toBe(204)
    expect(await app.root.get(at('data/pushed'))).toMatchObject({ status: 404, text: '{"errors":[]}' })
    const found = await metadata('pushed')
    expect(found).toMatchObject({
      versions: {},
      current_version: 0,
      oldest_version: 0,
      custom_metadata: { by: 'operator' },
      current_metadata_version: 1,
    })
    expect([found.created_time, found.updated_time]).not.toContain('')
    const written = await app.root.put(at('data/pushed'), { data: {}, options: { cas: 0 } })
    expect(written.body.data).toMatchObject({ version: 1, custom_metadata: { by: 'operator' } })
  })

  test('kv: custom metadata are replaced by a write and merged by a patch', async () => {
    await put('custom')
    const custom = async () => (await metadata('custom')).custom_metadata
    await describe_('custom', { custom_metadata: { a: 1, b: true, c: false, d: 'text' } })
    expect(await custom()).toEqual({ a: '1', b: '1', c: '0', d: 'text' })
    await describe_('custom', { custom_metadata: { a: 'x', b: 'y' } })
    expect(await custom()).toEqual({ a: 'x', b: 'y' })
    await describe_('custom', { max_versions: 3 })
    await patch('custom', { custom_metadata: {} })
    await patch('custom', { custom_metadata: { b: null, c: 'z' } })
    expect(await custom()).toEqual({ a: 'x', c: 'z' })
    await patch('custom', { custom_metadata: null })
    expect(await custom()).toBeNull()
    await patch('custom', { custom_metadata: { again: 'yes' }, max_versions: null })
    expect(await metadata('custom')).toMatchObject({ custom_metadata: { again: 'yes' }, max_versions: 0 })
    await describe_('custom', { custom_metadata: {} })
    expect(await custom()).toBeNull()
    expect(await patch('none', { max_versions: 1 })).toMatchObject({ status: 404, text: '{"errors":[]}' })
    expect((await app.root.patch(at('metadata/custom'), {})).status).toBe(415)
  })

  test('kv: custom metadata that are too many, too long or unprintable are refused, all faults at once', async () => {
    const many = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`k${index}`, 'v']))
    const refusal = async (custom: unknown) => {
      const answer = await describe_('refused', { custom_metadata: custom })
      expect(answer.status).toBe(400)
      return answer.body.errors[0] as string
    }
    expect(await refusal(many)).toMatch(/^custom_metadata validation failed: it has 65 keys/)
    expect(await refusal({ ['k'.repeat(129)]: 'v' })).toMatch(/129 bytes/)
    const both = await refusal({ long: 'v'.repeat(513), empty: '', list: [], bell: '\u0007' })
    expect(both).toMatch(/'long' has 513 bytes.*'empty' is empty.*'list' is no text.*'bell' has unprintable/)
    expect(await refusal({ gone: null })).toMatch(/'gone' is empty/)
    expect((await app.root.get(at('metadata/refused'))).status).toBe(404)
    const full = Object.fromEntries(Object.entries(many).slice(0, 64))
    expect((await describe_('full', { custom_metadata: { ...full, k1: 'v'.repeat(512) } })).status).toBe(204)
    expect((await patch('full', { custom_metadata: { one: 'more' } })).status).toBe(400)
  })

  test('kv: metadata_cas compares with the state of the metadata', async () => {
    const write = (cas: unknown) => describe_('stated', { metadata_cas: cas, max_versions: 4 })
    expect((await write(1)).body.errors[0]).toMatch(/^metadata check-and-set parameter did not match/)
    expect((await app.root.get(at('metadata/stated'))).status).toBe(404)
    expect((await write(0)).status).toBe(204)
    expect((await write(0)).status).toBe(400)
    expect((await write('1')).status).toBe(204)
    expect((await metadata('stated')).current_metadata_version).toBe(2)
    await describe_('stated', { metadata_cas_required: true })
    expect((await describe_('stated', { max_versions: 1 })).body.errors[0]).toMatch(/required for this call/)
  })

  test('kv: metadata say who has written and hidden a version, and nothing that gives access', async () => {
    const auth = await calls.create({ policies: ['writer'], display_name: 'ci' })
    await calls.policy('writer', 'path "m/*" { capabilities = ["create", "update", "delete", "read", "patch"] }')
    await calls.as(auth).put(at('data/authored'), { data: { x: 1 } })
    await calls.as(auth).delete(at('data/authored'))
    const answer = await app.root.get(at('metadata/authored'))
    expect(answer.body.data.versions['1']).toMatchObject({
      created_by: { actor: 'token-ci', entity_id: '', operation: 'write' },
      deleted_by: { actor: 'token-ci', entity_id: '', operation: 'delete' },
    })
    expect(answer.text).not.toContain(auth.accessor)
  })

  test('kv: a secret that is removed is gone with all of its versions; the next write is version 1', async () => {
    await put('gone')
    await put('gone')
    await describe_('gone', { custom_metadata: { a: 'b' } })
    for (let round = 0; round < 2; round++) expect((await app.root.delete(at('metadata/gone'))).status).toBe(204)
    expect((await app.root.get(at('metadata/gone'))).status).toBe(404)
    expect((await put('gone')).body.data).toMatchObject({ version: 1, custom_metadata: null })
  })

  test('kv: versions are hidden when their time has come, without any job', async () => {
    await describe_('aging', { delete_version_after: '10s' })
    const written = (await put('aging')).body.data
    expect(Date.parse(written.deletion_time) - Date.parse(written.created_time)).toBe(10_000)
    app.clock.advance('9s')
    expect((await app.root.get(at('data/aging'))).status).toBe(200)
    app.clock.advance('1s')
    const hidden = await app.root.get(at('data/aging'))
    expect([hidden.status, hidden.body.data.metadata.deletion_time]).toEqual([404, written.deletion_time])
    await app.root.post(at('undelete/aging'), { versions: [1] })
    const shown = await app.root.get(at('data/aging'))
    expect(Date.parse(shown.body.data.metadata.deletion_time) - app.clock.now()).toBe(10_000)
    await app.root.post('/v1/off/config', { delete_version_after: '-1s' })
    await app.root.post('/v1/off/metadata/kept', { delete_version_after: '1s' })
    expect((await app.root.put('/v1/off/data/kept', { data: {} })).body.data.deletion_time).toBe('')
    await app.root.post('/v1/off/config', { delete_version_after: '5s' })
    await app.root.post('/v1/off/metadata/kept', { delete_version_after: '1h' })
    const shorter = (await app.root.put('/v1/off/data/kept', { data: {} })).body.data
    expect(Date.parse(shorter.deletion_time) - Date.parse(shorter.created_time)).toBe(5_000)
  })

  test('kv: a list has one level in byte order, in pages, with and without hidden secrets', async () => {
    for (const key of ['list/B', 'list/a', 'list/a/x', 'list/a/y/z', 'list/a-b', 'list/%C3%A4', 'list/c/d/e'])
      await put(key)
    expect(await keys('metadata/list?list=true')).toEqual(['B', 'a', 'a-b', 'a/', 'c/', 'ä'])
    expect((await app.root.list(at('metadata/list'))).body.data.keys).toHaveLength(6)
    expect(await keys('metadata/list/?list=true')).toHaveLength(6)
    expect(await keys('metadata/list/a?list=true')).toEqual(['x', 'y/'])
    expect(await keys('metadata?list=true')).toContain('list/')
    for (const path of ['metadata/list/B', 'metadata/nothing', 'metadata/list/c/d/e'])
      expect(await app.root.list(at(path))).toMatchObject({ status: 404, text: '{"errors":[]}' })
    const page = (query: string) => keys(`metadata/list?list=true&${query}`)
    expect(await page('after=a&limit=2')).toEqual(['a-b', 'a/'])
    expect(await page('after=a/&limit=2')).toEqual(['c/', 'ä'])
    expect(await page('after=a.&limit=1')).toEqual(['a/'])
    expect(await page('after=b')).toEqual(['c/', 'ä'])
    expect(await page('limit=0')).toHaveLength(6)
    await app.root.delete(at('data/list/a'))
    await app.root.put(at('destroy/list/B'), { versions: [1] })
    expect(await page('exclude_deleted=true')).toEqual(['a-b', 'a/', 'c/', 'ä'])
    expect(await page('')).toHaveLength(6)
    const details = (await app.root.list(at('detailed-metadata/list'))).body.data
    expect(details.keys).toHaveLength(6)
    expect([details.key_info['a/'], details.key_info.a.current_version]).toEqual([{}, 1])
  })

  test('kv: who may not list a folder gets 403', async () => {
    await calls.policy(
      'lister',
      'path "m/metadata/*" { capabilities = ["list"] } path "m/metadata/private/*" { capabilities = ["deny"] }',
    )
    const lister = calls.as(await calls.create({ policies: ['lister'] }))
    await put('private/x')
    expect(await lister.list(at('metadata/private'))).toMatchObject(deniedAnswer)
    expect((await lister.list(at('metadata'))).body.data.keys).toContain('private/')
  })

  test('kv: a folder of many names is read in pages, and streamed', async () => {
    const id = (await app.root.get('/v1/sys/mounts/off')).body.data.uuid
    const row = (await app.deps.db.selectFrom('kv_secrets').selectAll().limit(1).execute())[0]
    for (let from = 0; row && from < 12_000; from += 500) {
      const rows = Array.from({ length: 500 }, (_, index) => {
        const name = `n${String(from + index).padStart(5, '0')}`
        return { ...row, id: `many-${name}`, mount_id: id, folder: 'many/', name }
      })
      await app.deps.db.insertInto('kv_secrets').values(rows).execute()
    }
    const all = (await app.root.list('/v1/off/metadata/many')).body.data.keys
    expect([all.length, all[0], all.at(-1)]).toEqual([12_000, 'n00000', 'n11999'])
    const wrapped = await app.root.list('/v1/off/metadata/many', { headers: { 'x-service-wrap-ttl': '60' } })
    expect(wrapped.status).toBe(400)
  })
})
