import { beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { recordingLog } from '../../../../../test/support/recording-log.ts'
import { ownApp, shared, sharedApp } from '../../../../../test/support/shared.ts'
import { deniedAnswer, tokenCalls } from '../../../../../test/support/token-calls.ts'
import { warnOfEnds, watchEnds } from './expiry-actions.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const calls = shared(() => tokenCalls(app))
  const put = (key: string, data: object) => app.root.put(`/v1/m/data/${key}`, { data })

  beforeAll(async () => {
    await app.root.post('/v1/sys/mounts/m', { type: 'kv-v2' })
  })

  test('kv: the history says who has read, written and deleted a secret, and how often', async () => {
    await put('used', { x: 1 })
    await put('used', { x: 2 })
    await calls.policy('reader', 'path "m/data/*" { capabilities = ["read", "delete"] }')
    const reader = calls.as(await calls.create({ policies: ['reader'], display_name: 'ci' }))
    expect(await reader.get('/v1/m/history/used')).toMatchObject(deniedAnswer)
    for (const version of [1, 2, 1]) {
      app.clock.advance('1s')
      await reader.get(`/v1/m/data/used?version=${version}`)
    }
    app.clock.advance('1s')
    await reader.delete('/v1/m/data/used')
    await reader.get('/v1/m/data/used')
    const { entries } = (await app.root.get('/v1/m/history/used')).body.data
    expect(entries).toMatchObject([
      { operation: 'delete', display_name: 'token-ci', entity_id: '', version: 2, count: 1 },
      { operation: 'read', display_name: 'token-ci', version: 1, count: 3 },
      { operation: 'write', display_name: 'root', version: 2, count: 2 },
    ])
    expect(Date.parse(entries[1].last) - Date.parse(entries[1].first)).toBe(2_000)
    app.clock.advance('1s')
    await reader.get('/v1/m/data/used?version=1')
    expect((await app.root.get('/v1/m/history/used')).body.data.entries).toMatchObject([
      { operation: 'read', count: 4 },
      { operation: 'delete' },
      { operation: 'write' },
    ])
    await app.root.delete('/v1/m/metadata/used')
    await put('used', {})
    expect((await app.root.get('/v1/m/history/used')).body.data.entries).toMatchObject([{ count: 1 }])
  })

  test('kv: a mount may keep no history', async () => {
    await app.root.post('/v1/sys/mounts/silent', { type: 'kv-v2' })
    await app.root.post('/v1/silent/config', { history: false })
    await app.root.put('/v1/silent/data/a', { data: {} })
    await app.root.get('/v1/silent/data/a')
    expect((await app.root.get('/v1/silent/history/a')).body.data.entries).toEqual([])
  })

  test('kv: a comparison names what differs; values are for those who may read the secret', async () => {
    await put('compared-once', { x: 1 })
    expect((await app.root.get('/v1/m/diff/compared-once')).status).toBe(404)
    await put('compared', { same: { a: 1, b: 2 }, gone: 1, changed: 'before', exact: 1 })
    await put('compared', { same: { b: 2, a: 1 }, new: 1, changed: 'after', exact: 1 })
    const expected = { from: 1, to: 2, added: ['new'], removed: ['gone'], changed: ['changed'] }
    expect((await app.root.get('/v1/m/diff/compared')).body.data).toEqual(expected)
    await calls.policy('differ', 'path "m/diff/*" { capabilities = ["read"] }')
    const differ = calls.as(await calls.create({ policies: ['differ'] }))
    expect((await differ.get('/v1/m/diff/compared?from=1&to=2')).body.data).toEqual(expected)
    expect(await differ.get('/v1/m/diff/compared?values=true')).toMatchObject(deniedAnswer)
    expect((await app.root.get('/v1/m/diff/compared?from=2&to=1&values=true')).body.data).toEqual({
      from: 2,
      to: 1,
      added: ['gone'],
      removed: ['new'],
      changed: ['changed'],
      values: { gone: { to: 1 }, new: { from: 1 }, changed: { from: 'after', to: 'before' } },
    })
    for (const query of ['?from=1&to=9', '?from=9'])
      expect((await app.root.get(`/v1/m/diff/compared${query}`)).status).toBe(404)
    await app.root.put('/v1/m/delete/compared', { versions: [1] })
    expect((await app.root.get('/v1/m/diff/compared')).status).toBe(404)
  })

  test('kv: an earlier version is restored as a new one, unless somebody was faster', async () => {
    await put('restored', { x: 1 })
    await put('restored', { x: 2 })
    const restore = (body: object) => app.root.post('/v1/m/restore/restored', body)
    await calls.policy('reader', 'path "m/data/*" { capabilities = ["read", "update"] }')
    const reader = calls.as(await calls.create({ policies: ['reader'] }))
    expect(await reader.post('/v1/m/restore/restored', { version: 1 })).toMatchObject(deniedAnswer)
    expect((await restore({ version: 1, options: { cas: 1 } })).status).toBe(400)
    expect((await restore({ version: 1, options: { cas: 2 } })).body.data.version).toBe(3)
    expect((await app.root.get('/v1/m/data/restored')).body.data.data).toEqual({ x: 1 })
    expect((await restore({})).status).toBe(400)
    expect((await restore({ version: 9 })).status).toBe(404)
    await app.root.put('/v1/m/delete/restored', { versions: [2] })
    expect((await restore({ version: 2 })).body.data.version).toBe(2)
    const raced = await Promise.all(Array.from({ length: 8 }, () => restore({ version: 1, options: { cas: 3 } })))
    expect(raced.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('kv: a secret that ends soon shows in attention, metrics and the log, without its path there', async () => {
    const { log, text } = recordingLog()
    const own = await ownApp({ engine, log })
    await own.root.post('/v1/sys/mounts/ends', { type: 'kv-v2' })
    const end = (key: string, at: string) =>
      own.root.post(`/v1/ends/metadata/${key}`, { custom_metadata: { expires_at: at } })
    const day = (days: number) => new Date(own.clock.now() + days * 86_400_000).toISOString()
    expect((await end('quiet-name', day(3.5))).status).toBe(204)
    expect((await end('far', day(90))).status).toBe(204)
    expect((await end('past', day(-1))).status).toBe(204)
    expect((await end('unreadable', 'soon')).body.warnings[0]).toMatch(/'expires_at'/)
    const concerns = await watchEnds(own.deps, { limit: 10 })
    expect(concerns.map(({ name, failed }) => [name, failed])).toEqual([
      ['ends/past', true],
      ['ends/quiet-name', false],
    ])
    expect((await own.root.get('/metrics')).text).toContain('holdfast_kv_days_left{mount="ends/"} -1')
    await warnOfEnds(own.deps)
    const warned = text().split('\n').at(-1)
    expect(warned).toContain('"secrets":2')
    expect(warned).not.toContain('quiet-name')
  })
})
