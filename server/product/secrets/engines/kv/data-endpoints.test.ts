import { beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../../../../test/support/client.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { deniedAnswer, tokenCalls } from '../../../../../test/support/token-calls.ts'

const merge = { headers: { 'content-type': 'application/merge-patch+json' } }

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const calls = shared(() => tokenCalls(app))
  const at = (rest: string) => `/v1/m/${rest}`
  const put = (key: string, data: object, options?: object) =>
    app.root.put(at(`data/${key}`), { data, ...(options && { options }) })
  const read = (key: string, query = '') => app.root.get(at(`data/${key}${query}`))
  const granted = async (policy: string) => {
    const name = `granted-${Math.trunc(app.deps.clock.monotonic() * 1_000)}`
    await calls.policy(name, policy)
    return calls.as(await calls.create({ policies: [name], no_default_policy: true }))
  }

  beforeAll(async () => {
    expect((await app.root.post('/v1/sys/mounts/m', { type: 'kv', options: { version: '2' } })).status).toBe(204)
    expect((await app.root.post('/v1/sys/mounts/strict', { type: 'kv-v2' })).status).toBe(204)
    expect((await app.root.post('/v1/strict/config', { cas_required: true })).status).toBe(204)
  })

  test('kv: who may not read, write, create, patch or destroy a secret gets 403', async () => {
    await put('rights', { x: 1 })
    const outside = await granted('path "m/rights" { capabilities = ["read", "update", "create", "delete", "patch"] }')
    expect(await outside.get(at('data/rights'))).toMatchObject(deniedAnswer)
    const creator = await granted('path "m/data/*" { capabilities = ["create"] }')
    expect(await creator.put(at('data/rights'), { data: {} })).toMatchObject(deniedAnswer)
    expect((await creator.put(at('data/rights-new'), { data: {} })).status).toBe(200)
    const updater = await granted('path "m/data/*" { capabilities = ["update"] }')
    expect(await updater.put(at('data/rights-absent'), { data: {} })).toMatchObject(deniedAnswer)
    expect((await updater.put(at('data/rights'), { data: {} })).status).toBe(200)
    expect(await updater.patch(at('data/rights'), { data: {} }, merge)).toMatchObject(deniedAnswer)
    const patcher = await granted('path "m/data/*" { capabilities = ["patch"] }')
    expect((await patcher.patch(at('data/rights'), { data: { y: 1 } }, merge)).status).toBe(200)
    const deleter = await granted('path "m/data/*" { capabilities = ["delete"] }')
    expect(await deleter.post(at('destroy/rights'), { versions: [1] })).toMatchObject(deniedAnswer)
    expect((await deleter.delete(at('data/rights'))).status).toBe(204)
    await app.root.post(at('metadata/rights-bare'), { max_versions: 2 })
    expect(await creator.put(at('data/rights-bare'), { data: {} })).toMatchObject(deniedAnswer)
    expect((await updater.put(at('data/rights-bare'), { data: {} })).status).toBe(200)
  })

  test('kv: a secret is written, read as it was sent, and numbered', async () => {
    const written = await put('first', { x: 1, list: [true, null] })
    expect(written.body.data).toEqual({
      version: 1,
      created_time: expect.stringMatching(/^\d{4}-.*\.\d{9}Z$/),
      deletion_time: '',
      destroyed: false,
      custom_metadata: null,
    })
    const found = await read('first')
    expect(found.body).toMatchObject({
      lease_id: '',
      lease_duration: 0,
      renewable: false,
      data: { data: { x: 1, list: [true, null] }, metadata: written.body.data },
    })
    expect(found.headers['cache-control']).toBe('no-store')
    expect((await put('first', {})).body.data.version).toBe(2)
    expect((await put('first', { z: 3 }, {})).body.data.version).toBe(3)
    for (const [query, data] of [
      ['?version=1', { x: 1, list: [true, null] }],
      ['?version=2', {}],
      ['?version=0', { z: 3 }],
      ['?version=-1', { z: 3 }],
      ['', { z: 3 }],
    ] as const)
      expect((await read('first', query)).body.data.data).toEqual(data)
    expect((await read('first', '?version=x')).status).toBe(400)
  })

  test('kv: numbers come back to the last digit, also beside a patch', async () => {
    const raw = '{"data":{"id":12345678901234567890,"rate":[1.0,1e400,-0],"n":7}}'
    expect((await app.root.put(at('data/exact'), undefined, { raw })).status).toBe(200)
    expect((await read('exact')).text).toContain('"data":{"id":12345678901234567890,"rate":[1.0,1e400,-0],"n":7}')
    await app.root.patch(at('data/exact'), undefined, { raw: '{"data":{"n":8.0}}', ...merge })
    expect((await read('exact')).text).toContain('"data":{"id":12345678901234567890,"rate":[1.0,1e400,-0],"n":8.0}')
  })

  test.each([
    ['with blanks and ü', 'a%20key%20%C3%BC'],
    ['with a percent sign', '%2541%25'],
    ['with signs', 'a%3Fb%23c@d:e'],
    ['of folders', 'deep/er/and/deeper'],
  ])('kv: a path %s is found again', async (_what, path) => {
    expect((await put(path, { path })).status).toBe(200)
    expect((await read(path)).body.data.data).toEqual({ path })
  })

  test('kv: a path has at most 2048 bytes, a body at most one MiB', async () => {
    const long = 'ä'.repeat(1_024)
    expect((await put(encodeURIComponent(long), { x: 1 })).status).toBe(200)
    const longer = await put(encodeURIComponent(`${long}x`), { x: 1 })
    expect([longer.status, longer.body.errors[0]]).toEqual([400, 'The path has more than 2048 bytes.'])
    expect((await read(encodeURIComponent(`${long}x`))).status).toBe(404)
    const frame = '{"data":{"a":"","b":""}}'.length
    const raw = (size: number) => `{"data":{"a":"${'x'.repeat(1_000)}","b":"${'x'.repeat(size - frame - 1_000)}"}}`
    expect((await app.root.put(at('data/big'), undefined, { raw: raw(1024 * 1024) })).status).toBe(200)
    expect((await app.root.put(at('data/big'), undefined, { raw: raw(1024 * 1024 + 1) })).status).toBe(413)
  })

  test.each([
    ['a text for data', { data: 'text' }],
    ['a list for data', { data: [] }],
    ['null for data', { data: null }],
    ['no data', {}],
    ['only options', { options: { cas: 0 } }],
    ['a cas that is no number', { data: {}, options: { cas: 'x' } }],
    ['a cas with a fraction', { data: {}, options: { cas: 1.5 } }],
  ])('kv: a write with %s gets 400 and stores nothing', async (_what, body) => {
    const answer = await app.root.put(at('data/refused'), body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0]).toMatch(/no data provided|error parsing check-and-set parameter/)
    expect((await read('refused')).status).toBe(404)
  })

  test('kv: what does not exist is a plain 404; other paths say where secrets are', async () => {
    for (const path of ['data/none', 'metadata/none', 'subkeys/none', 'history/none', 'diff/none']) {
      expect(await app.root.get(at(path))).toMatchObject({ status: 404, text: '{"errors":[]}' })
    }
    await put('numbered', { x: 1 })
    expect(await read('numbered', '?version=9')).toMatchObject({ status: 404, text: '{"errors":[]}' })
    for (const [verb, path] of [
      ['GET', 'a'],
      ['GET', ''],
      ['PUT', 'data'],
      ['GET', 'data'],
      ['LIST', 'folder'],
      ['GET', 'metadata'],
      ['PUT', 'metadata'],
      ['DELETE', 'undelete'],
    ] as const) {
      const answer = await app.root.send(verb, at(path).replace(/\/$/, ''), verb === 'PUT' ? { data: {} } : undefined)
      expect([verb, path, answer.status]).toEqual([verb, path, 404])
      expect(answer.body).not.toHaveProperty('errors')
      expect(answer.body.warnings[0]).toMatch(/^Invalid path for a versioned K\/V secrets engine/)
    }
    expect((await app.root.put(at('data/a/'), { data: {} })).status).toBe(400)
  })

  test('kv: check-and-set compares with the current version, live or not', async () => {
    const cas = (value: unknown) => put('cas', { x: 1 }, { cas: value })
    expect((await cas(1)).status).toBe(400)
    expect((await cas(0)).status).toBe(200)
    const again = await cas(0)
    expect([again.status, again.body.errors[0]]).toEqual([
      400,
      'check-and-set parameter did not match the current version',
    ])
    expect((await cas('1')).body.data.version).toBe(2)
    expect((await cas(null)).body.data.version).toBe(3)
    await app.root.delete(at('data/cas'))
    expect((await cas(0)).status).toBe(400)
    expect((await cas(3)).body.data.version).toBe(4)
    expect((await cas(-1)).status).toBe(400)
    const beside = await app.root.put(at('data/cas'), { data: {}, cas: 0 })
    expect([beside.status, beside.body.data.version]).toEqual([200, 5])
    expect(beside.body.warnings[0]).toMatch(/\[cas\]/)
  })

  test('kv: check-and-set may be required by the mount or by the secret', async () => {
    const required = { status: 400, body: { errors: ['check-and-set parameter required for this call'] } }
    expect(await app.root.put('/v1/strict/data/a', { data: {} })).toMatchObject(required)
    expect((await app.root.put('/v1/strict/data/a', { data: {}, options: { cas: 0 } })).status).toBe(200)
    expect(await app.root.patch('/v1/strict/data/a', { data: {} }, merge)).toMatchObject(required)
    const own = await app.root.post('/v1/strict/metadata/a', { cas_required: false })
    expect(own.body.warnings[0]).toMatch(/the mount requires/)
    await app.root.post(at('metadata/careful'), { cas_required: true })
    expect(await put('careful', {})).toMatchObject(required)
    expect((await put('careful', {}, { cas: 0 })).status).toBe(200)
  })

  test('kv: a patch is merged into the latest version (RFC 7396)', async () => {
    const patch = (data: object, options?: object) =>
      app.root.patch(at('data/patched'), { data, ...(options && { options }) }, merge)
    expect(await patch({ a: 1 })).toMatchObject({ status: 404, text: '{"errors":[]}' })
    await put('patched', { a: 1, b: 2, c: { e: 2 }, list: [1, 2] })
    expect((await patch({ b: null, c: { d: 1 }, list: [3], n: { x: null, y: 1 } })).body.data.version).toBe(2)
    expect((await read('patched')).body.data.data).toEqual({ a: 1, c: { e: 2, d: 1 }, list: [3], n: { y: 1 } })
    expect((await patch({ a: 1 }, { cas: 1 })).status).toBe(400)
    expect((await patch({ a: null, c: null, list: null, n: null }, { cas: 2 })).status).toBe(200)
    expect((await read('patched')).body.data.data).toEqual({})
    expect((await app.root.patch(at('data/patched'), { data: {} })).status).toBe(415)
    expect((await app.anonymous.patch(at('data/patched'), { data: {} }, merge)).status).toBe(403)
    await app.root.delete(at('data/patched'))
    const hidden = await patch({ a: 1 })
    expect([hidden.status, hidden.body.data.version]).toEqual([404, 3])
    expect(hidden.body.data.deletion_time).not.toBe('')
    expect(hidden.body).not.toHaveProperty('errors')
  })

  test('kv: reads, writes and patches are wrapped: the answer is in the wrapping token, and opens once', async () => {
    const wrap = { 'x-vault-wrap-ttl': '1m' }
    const opened = async ({ status, body }: Answer) => {
      expect([status, body.data, body.wrap_info.creation_path]).toEqual([200, {}, 'm/data/wrapped'])
      const { token } = body.wrap_info
      const opener = app.anonymous.as(token)
      const first = await opener.post('/v1/sys/wrapping/unwrap')
      const second = await opener.post('/v1/sys/wrapping/unwrap')
      expect([first.status, second.status]).toEqual([200, 400])
      return first.body
    }
    const body = { data: { x: 1 } }
    expect((await opened(await app.root.put(at('data/wrapped'), body, { headers: wrap }))).data.version).toBe(1)
    const headers = { ...wrap, ...merge.headers }
    expect((await opened(await app.root.patch(at('data/wrapped'), { data: { y: 2 } }, { headers }))).data.version).toBe(
      2,
    )
    const found = await opened(await app.root.get(at('data/wrapped'), { headers: wrap }))
    expect(found).toMatchObject({ lease_duration: 0, data: { data: { x: 1, y: 2 }, metadata: { version: 2 } } })
    const strict = 'path "m/data/*" { capabilities = ["read", "patch"] min_wrapping_ttl = "10s" }'
    const caller = await granted(strict)
    expect(await caller.get(at('data/wrapped'))).toMatchObject(deniedAnswer)
    expect(await caller.patch(at('data/wrapped'), { data: { z: 3 } }, merge)).toMatchObject(deniedAnswer)
    expect((await opened(await caller.get(at('data/wrapped'), { headers: wrap }))).data.metadata.version).toBe(2)
  })

  test('kv: a version is hidden, shown again and destroyed', async () => {
    await put('states', { x: 1 })
    expect((await app.root.delete(at('data/states'))).status).toBe(204)
    const hidden = await read('states')
    expect([hidden.status, hidden.body.data.data]).toEqual([404, null])
    expect(hidden.body).not.toHaveProperty('errors')
    const { deletion_time: since } = hidden.body.data.metadata
    expect(since).not.toBe('')
    app.clock.advance('1s')
    expect((await app.root.delete(at('data/states'))).status).toBe(204)
    expect((await read('states')).body.data.metadata.deletion_time).toBe(since)
    expect((await app.root.put(at('undelete/states'), { versions: ['1'] })).status).toBe(204)
    expect((await read('states')).body.data.metadata.deletion_time).toBe('')
    await app.root.delete(at('data/states'))
    expect((await put('states', { y: 2 })).body.data.version).toBe(2)
    expect((await read('states', '?version=1')).status).toBe(404)
    expect((await app.root.put(at('destroy/states'), { versions: [2] })).status).toBe(204)
    const destroyed = await read('states')
    expect([destroyed.status, destroyed.body.data.metadata.destroyed]).toEqual([404, true])
    expect(destroyed.body.data.metadata.deletion_time).toBe('')
    await app.root.put(at('undelete/states'), { versions: [2] })
    expect((await read('states')).status).toBe(404)
    const rows = await app.deps.db
      .selectFrom('kv_versions')
      .select(['value', 'size'])
      .where('destroyed', '=', 1)
      .execute()
    expect(rows).toEqual([{ value: null, size: 0 }])
  })

  test.each(['delete', 'undelete', 'destroy'])('kv: %s takes version numbers in every spelling', async (verb) => {
    const send = (versions: unknown) => app.root.put(at(`${verb}/spelled`), { versions })
    for (const versions of ['1,2', [1], 1, ['1', 2], ['7', '7']]) expect((await send(versions)).status).toBe(204)
    for (const versions of [[], undefined, '', ['x'], [0], [-1], [1.5]]) expect((await send(versions)).status).toBe(400)
    expect((await send([])).body.errors[0].toLowerCase()).toBe('no version number provided')
  })

  test('kv: subkeys are the names without the values', async () => {
    await put('names', { a: { b: { c: 1 }, list: [1], empty: {} }, n: 12345678901 })
    const names = async (query = '') => (await app.root.get(at(`subkeys/names${query}`))).body.data.subkeys
    expect(await names()).toEqual({ a: { b: { c: null }, list: null, empty: null }, n: null })
    expect(await names('?depth=1')).toEqual({ a: null, n: null })
    expect(await names('?depth=2')).toEqual({ a: { b: null, list: null, empty: null }, n: null })
    await app.root.delete(at('data/names'))
    const hidden = await app.root.get(at('subkeys/names'))
    expect([hidden.status, hidden.body.data.subkeys]).toEqual([404, null])
  })

  test('kv: ten versions are kept, or as many as mount and secret say', async () => {
    const oldest = async () => (await app.root.get(at('metadata/kept'))).body.data
    for (let number = 1; number <= 9; number++) await put('kept', { number })
    expect((await oldest()).oldest_version).toBe(0)
    await put('kept', {})
    expect((await oldest()).oldest_version).toBe(1)
    await put('kept', {})
    expect(await oldest()).toMatchObject({ oldest_version: 2, current_version: 11 })
    expect(Object.keys((await oldest()).versions)).toEqual(['2', '3', '4', '5', '6', '7', '8', '9', '10', '11'])
    expect(await read('kept', '?version=1')).toMatchObject({ status: 404, text: '{"errors":[]}' })
    await app.root.post(at('metadata/kept'), { max_versions: 2 })
    expect(Object.keys((await oldest()).versions)).toHaveLength(10)
    await put('kept', {})
    expect(Object.keys((await oldest()).versions)).toEqual(['11', '12'])
    for (const wrong of [-1, 10_001])
      expect((await app.root.post(at('metadata/kept'), { max_versions: wrong })).status).toBe(400)
  })

  test('kv: of 64 writes with the same cas exactly one succeeds; without, all do, with numbers of their own', async () => {
    const write = (options?: object) => put('raced', { x: 1 }, options)
    const raced = await Promise.all(Array.from({ length: 64 }, () => write({ cas: 0 })))
    expect(raced.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(raced.filter(({ status }) => status === 400)).toHaveLength(63)
    const all = await Promise.all(Array.from({ length: 64 }, () => write()))
    const numbers = all.map(({ body }) => body.data.version).sort((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 64 }, (_, index) => index + 2))
  })

  test('kv: values are sealed for their version, and open under no other', async () => {
    await put('sealed', { value: 'a-text-to-look-for' })
    await put('sealed', { value: 'another' })
    const ids = await app.deps.db.selectFrom('kv_secrets').select('id').where('name', '=', 'sealed').execute()
    const rows = app.deps.db
      .selectFrom('kv_versions')
      .selectAll()
      .where('secret_id', '=', ids[0]?.id ?? '')
    const [first] = await rows.orderBy('number').execute()
    expect(Buffer.from(first?.value ?? []).includes('a-text-to-look-for')).toBe(false)
    const other = app.deps.db.updateTable('kv_versions').set({ value: first?.value ?? null })
    await other
      .where('secret_id', '=', ids[0]?.id ?? '')
      .where('number', '=', 2)
      .execute()
    expect((await read('sealed')).status).toBe(500)
  })
})
