import { describe, expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { finishRemovals } from '../../../../test/support/removals.ts'
import { ownApp, shared, sharedApp } from '../../../../test/support/shared.ts'
import { tinyMounts } from '../../../../test/support/tiny-mounts.ts'
import { tokenCalls } from '../../../../test/support/token-calls.ts'

eachEngine((engine) => {
  const tiny = tinyMounts()
  const app = sharedApp({ engine, features: tiny.features })
  const calls = shared(() => tokenCalls(app))

  const enable = (path: string, body: object = {}) => app.root.post(`/v1/sys/mounts/${path}`, { type: 'tiny', ...body })
  const tune = (path: string, options: object) => app.root.post(`/v1/sys/mounts/${path}/tune`, { options })
  const infoOf = async (path: string) => (await app.root.get(`/v1/sys/mounts/${path}`)).body.data
  const mustEnable = async (path: string, body?: object) => expect((await enable(path, body)).status).toBe(204)

  describe('variants', () => {
    test('an alias stands for a type and options; the mount shows both, and what the type says of itself', async () => {
      await mustEnable('named', { type: 'tiny-v2', options: { colour: 'red' } })
      expect(await infoOf('named')).toMatchObject({
        type: 'tiny',
        options: { version: '2', colour: 'red' },
        description: 'Tiny values.',
        accessor: expect.stringMatching(/^tiny_[0-9a-f]{8}$/),
      })
      expect(tiny.told).toContain('mounted named/')
    })

    test('each mount has the endpoints of its own variant', async () => {
      await mustEnable('one')
      await mustEnable('two', { type: 'tiny-v2' })
      expect((await app.root.post('/v1/one/data/a', { x: 1 })).status).toBe(204)
      expect((await app.root.post('/v1/two/data/a', { x: 2 })).status).toBe(204)
      expect((await app.root.get('/v1/one/data/a')).body.data).toEqual({ value: { x: 1 } })
      expect((await app.root.get('/v1/two/data/a')).body.data).toEqual({ value: { x: 2 } })
      expect((await app.root.get('/v1/two/a')).body.data).toEqual({ elsewhere: 'a' })
    })

    test('options that choose no variant are refused when they are set, and change nothing', async () => {
      expect(await enable('wrong', { options: { version: '3' } })).toMatchObject({
        status: 400,
        body: { errors: ['invalid version 3'] },
      })
      expect((await app.root.get('/v1/sys/mounts/wrong')).status).toBe(400)
      await mustEnable('tuned')
      expect((await tune('tuned', { version: '3' })).status).toBe(400)
      expect((await infoOf('tuned')).options).toBeNull()
    })

    test('a change of variant holds from the next request on; one that the type refuses is not stored', async () => {
      await mustEnable('changed')
      expect((await tune('changed', { version: '2' })).status).toBe(204)
      expect((await app.root.get('/v1/changed/a')).body.data).toEqual({ elsewhere: 'a' })
      expect(await tune('changed', { version: '1' })).toMatchObject({
        status: 400,
        body: { errors: ['cannot downgrade'] },
      })
      expect((await infoOf('changed')).options).toEqual({ version: '2' })
    })
  })

  test('the catch-all answers every verb, but only callers whom policies allow the path', async () => {
    await mustEnable('caught', { type: 'tiny-v2' })
    await calls.policy(
      'caught',
      'path "caught/some/*" { capabilities = ["read", "create", "update", "delete", "list"] }',
    )
    const caller = calls.as(await calls.create({ policies: ['caught'] }))
    expect((await caller.get('/v1/caught/other/x')).status).toBe(403)
    expect((await app.anonymous.get('/v1/caught/some/x')).status).toBe(403)
    for (const verb of ['GET', 'POST', 'DELETE', 'LIST'])
      expect(await caller.send(verb, '/v1/caught/some/x'), verb).toMatchObject({
        status: 404,
        body: { data: { elsewhere: 'some/x' } },
      })
  })

  test('what a type keeps is removed in batches', async () => {
    await mustEnable('full')
    const { uuid } = await infoOf('full')
    tiny.values.set(uuid, new Map(Array.from({ length: 3_000 }, (_, index) => [`${index}`, {}])))
    tiny.told.length = 0
    expect((await app.root.delete('/v1/sys/mounts/full')).status).toBe(204)
    await finishRemovals(app)
    expect(tiny.told.length).toBeGreaterThan(1)
    expect(tiny.values.get(uuid)?.size).toBe(0)
  })

  test('a removal that fails half-way is finished by the job; the path is free at once, and what is new there stays', async () => {
    await mustEnable('half')
    const { uuid } = await infoOf('half')
    await app.root.post('/v1/half/a', { x: 1 })
    tiny.fault = 'removeSome'
    expect((await app.root.delete('/v1/sys/mounts/half')).status).toBe(204)
    expect((await app.root.get('/v1/half/a')).status).toBe(404)
    expect((await app.root.get('/v1/sys/mounts')).body.data).not.toHaveProperty('half/')
    expect(tiny.values.get(uuid)?.size).toBe(1)
    await mustEnable('half')
    await app.root.post('/v1/half/a', { x: 2 })
    const { removals } = (await app.root.get('/v1/sys/removals')).body.data
    expect(removals).toMatchObject([{ kind: 'mount', id: uuid, name: 'half/', requested_by: 'root', rows_left: 1 }])
    tiny.fault = undefined
    await finishRemovals(app)
    expect(tiny.values.get(uuid)?.size).toBe(0)
    expect((await app.root.get('/v1/half/a')).body.data).toEqual({ value: { x: 2 } })
    expect((await app.root.get('/v1/sys/removals')).body.data.removals).toEqual([])
  })

  test('a move takes everything along, and tells the type; it is undone if the type cannot follow', async () => {
    await mustEnable('here')
    const before = await infoOf('here')
    await app.root.post('/v1/here/a', { x: 1 })
    const move = (from: string, to: string) => app.root.post('/v1/sys/remount', { from, to })
    tiny.fault = 'moved'
    expect((await move('here', 'there')).status).toBe(500)
    tiny.fault = undefined
    expect(await infoOf('here')).toEqual(before)
    expect((await move('here', 'auth/there')).status).toBe(400)
    expect((await move('here', 'cubbyhole/there')).status).toBe(403)
    expect((await move('here', 'there')).status).toBe(200)
    expect(tiny.told.at(-1)).toBe('moved there/')
    expect(await infoOf('there')).toEqual(before)
    expect((await app.root.get('/v1/there/a')).body.data).toEqual({ value: { x: 1 } })
    expect((await app.root.get('/v1/here/a')).status).toBe(404)
  })

  test('a mount whose type cannot store its beginning is not made', async () => {
    tiny.fault = 'mounted'
    expect((await enable('unborn')).status).toBe(500)
    tiny.fault = undefined
    expect((await app.root.get('/v1/sys/mounts/unborn')).status).toBe(400)
  })

  test('an engine lies at no path of another mount, and has no settings of auth methods', async () => {
    await mustEnable('a/b')
    for (const [path, status] of [
      ['a', 400],
      ['a/b/c', 400],
      ['sys/x', 403],
      ['auth/x', 403],
      ['cubbyhole', 403],
    ] as const)
      expect((await enable(path)).status, path).toBe(status)
    expect((await enable('other', { config: { token_type: 'batch' } })).status).toBe(400)
    expect((await enable('other', { type: 'tiny-login' })).status).toBe(400)
    expect((await app.root.post('/v1/sys/auth/other', { type: 'tiny' })).status).toBe(400)
    expect((await app.root.post('/v1/sys/auth/other', { type: 'tiny-login', options: { version: '2' } })).status).toBe(
      400,
    )
  })

  test('an auth method logs in, renews on its own terms and moves', async () => {
    expect((await app.root.post('/v1/sys/auth/people', { type: 'tiny-login' })).status).toBe(204)
    const login = async (path: string) => (await app.anonymous.post(`/v1/auth/${path}/login/ann`, {})).body.auth
    const { client_token, token_type } = await login('people')
    expect(token_type).toBe('service')
    const renewed = await app.root.as(client_token).post('/v1/auth/token/renew-self', {})
    expect([renewed.body.auth.lease_duration, tiny.told.at(-1)]).toEqual([600, 'renewalTerms ann'])
    expect((await app.root.post('/v1/sys/remount', { from: 'auth/people', to: 'auth/persons' })).status).toBe(200)
    expect(tiny.told.at(-1)).toBe('moved auth/persons/')
    expect((await app.root.as(client_token).get('/v1/auth/token/lookup-self')).status).toBe(403)
    expect((await login('persons')).client_token).not.toBe('')
  })
})

test('two types of one name stop the start', async () => {
  const { features } = tinyMounts()
  await expect(ownApp({ features: [...features, ...features.slice(-1)] })).rejects.toThrow('are called tiny')
})

test('a mount of a type that this server lacks is shown but answers nothing and is not removed', async () => {
  const app = await ownApp({ features: tinyMounts().features })
  await app.root.post('/v1/sys/mounts/later', { type: 'tiny' })
  const older = await ownApp({ beside: app })
  expect((await older.root.get('/v1/sys/mounts')).body.data['later/']).toMatchObject({ type: 'tiny' })
  expect((await older.root.get('/v1/later/a')).status).toBe(404)
  expect(await older.root.delete('/v1/sys/mounts/later')).toMatchObject({
    status: 400,
    body: { errors: ["This server lacks the type 'tiny', so it cannot remove 'later/'."] },
  })
  expect((await app.root.post('/v1/later/a', { x: 1 })).status).toBe(204)
})
