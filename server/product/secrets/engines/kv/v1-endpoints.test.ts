import { beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { deniedAnswer, tokenCalls } from '../../../../../test/support/token-calls.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const calls = shared(() => tokenCalls(app))
  const upgrade = (path: string, version: unknown = '2') =>
    app.root.post(`/v1/sys/mounts/${path}/tune`, { options: { version } })

  beforeAll(async () => {
    for (const path of ['o', 'raced'])
      expect((await app.root.post(`/v1/sys/mounts/${path}`, { type: 'kv' })).status).toBe(204)
  })

  test('kv version 1: a first write takes `create`, another to the same path `update`', async () => {
    await calls.policy('creator', 'path "o/*" { capabilities = ["create"] }')
    await calls.policy('updater', 'path "o/*" { capabilities = ["update"] }')
    const creator = calls.as(await calls.create({ policies: ['creator'] }))
    const updater = calls.as(await calls.create({ policies: ['updater'] }))
    expect(await updater.put('/v1/o/rights', { x: 1 })).toMatchObject(deniedAnswer)
    expect((await creator.put('/v1/o/rights', { x: 1 })).status).toBe(204)
    expect(await creator.post('/v1/o/rights', { x: 1 })).toMatchObject(deniedAnswer)
    expect((await updater.post('/v1/o/rights', { x: 2 })).status).toBe(204)
    expect(await updater.get('/v1/o/rights')).toMatchObject(deniedAnswer)
  })

  test('kv version 1: a secret is written, replaced, listed and removed; its ttl is what clients wait', async () => {
    expect((await app.root.post('/v1/o/a', { a: 1, ttl: '1h' })).status).toBe(204)
    expect((await app.root.get('/v1/o/a')).body).toMatchObject({
      lease_id: '',
      renewable: false,
      lease_duration: 3600,
      data: { a: 1, ttl: '1h' },
    })
    await app.root.put('/v1/o/a', { ttl: 'x' })
    expect((await app.root.get('/v1/o/a')).body).toMatchObject({ lease_duration: 2_764_800, data: { ttl: 'x' } })
    await app.root.put('/v1/o/a', { lease: 60 })
    expect((await app.root.get('/v1/o/a')).body.lease_duration).toBe(60)
    await app.root.put('/v1/o/data/a', { data: { x: 1 }, options: { cas: 4 } })
    expect((await app.root.get('/v1/o/data/a')).body.data).toEqual({ data: { x: 1 }, options: { cas: 4 } })
    expect((await app.root.list('/v1/o')).body.data.keys).toEqual(expect.arrayContaining(['a', 'data/']))
    expect((await app.root.list('/v1/o/data')).body.data.keys).toEqual(['a'])
    expect((await app.root.get('/v1/o?list=true&limit=1')).body.data.keys).toEqual(['a'])
    for (let round = 0; round < 2; round++) expect((await app.root.delete('/v1/o/a')).status).toBe(204)
    expect(await app.root.get('/v1/o/a')).toMatchObject({ status: 404, text: '{"errors":[]}' })
  })

  test('kv version 1: nothing to store is refused, patches are not supported', async () => {
    for (const body of [{}, undefined]) {
      const answer = await app.root.post('/v1/o/empty', body)
      expect([answer.status, answer.body.errors[0]]).toEqual([400, 'missing data fields'])
    }
    const headers = { 'content-type': 'application/merge-patch+json' }
    expect((await app.root.patch('/v1/o/a', { a: 1 }, { headers })).status).toBe(405)
    expect((await app.root.put('/v1/o/a/', { a: 1 })).status).toBe(400)
  })

  test('kv version 1: numbers come back to the last digit', async () => {
    const raw = '{"id":12345678901234567890,"rate":1.0}'
    await app.root.post('/v1/o/exact', undefined, { raw })
    expect((await app.root.get('/v1/o/exact')).text).toContain(`"data":${raw}`)
  })

  test('kv: a mount of version 1 becomes one of version 2 at once, and never goes back', async () => {
    await app.root.post('/v1/sys/mounts/up', { type: 'generic' })
    await app.root.post('/v1/up/a/b', { x: 1 })
    app.clock.advance('1h')
    await app.root.post('/v1/up/a/b', { x: 2 })
    const writtenAt = app.clock.now()
    app.clock.advance('1h')
    for (const version of ['3', 'x'])
      expect((await upgrade('up', version)).body.errors[0]).toMatch(/^invalid version provided/)
    expect((await upgrade('up', 1)).status).toBe(204)
    expect((await upgrade('up', 2)).status).toBe(204)
    const read = await app.root.get('/v1/up/data/a/b')
    expect(read.body.data).toMatchObject({ data: { x: 2 }, metadata: { version: 1, destroyed: false } })
    expect(Date.parse(read.body.data.metadata.created_time)).toBe(writtenAt)
    expect((await app.root.put('/v1/up/data/a/b', { data: { x: 3 }, options: { cas: 1 } })).body.data.version).toBe(2)
    expect((await app.root.get('/v1/up/data/a/b?version=1')).body.data.data).toEqual({ x: 2 })
    expect((await upgrade('up')).status).toBe(204)
    for (const version of ['1', ''])
      expect((await upgrade('up', version)).body.errors[0]).toBe('cannot downgrade mount from version 2')
    const { options } = (await app.root.get('/v1/sys/internal/ui/mounts/up/a')).body.data
    expect(options).toEqual({ version: '2' })
  })

  test('kv: writes during an upgrade are stored or refused, and none is lost', async () => {
    const write = async (index: number) => ({
      index,
      status: (await app.root.post(`/v1/raced/k${index}`, { index })).status,
    })
    const before = Array.from({ length: 20 }, (_, index) => write(index))
    const upgraded = upgrade('raced')
    const after = Array.from({ length: 20 }, (_, index) => write(20 + index))
    const answers = await Promise.all([...before, ...after])
    expect((await upgraded).status).toBe(204)
    for (const { index, status } of answers) {
      const found = await app.root.get(`/v1/raced/data/k${index}`)
      expect([status, found.status]).toEqual(status === 204 ? [204, 200] : [404, 404])
    }
  })
})
