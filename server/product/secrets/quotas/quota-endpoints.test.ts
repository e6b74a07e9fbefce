import { expect, onTestFinished, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { sharedApp } from '../../../../test/support/shared.ts'
import { testApp } from '../../../../test/support/test-app.ts'
import { ClientBuckets, coversMounts, coversPath, type Quota, quotaFor } from './quota.ts'

const quota = (path: string, extras: Partial<Quota> = {}): Quota => ({
  name: path,
  path,
  rate: 2,
  intervalSeconds: 1,
  blockSeconds: 0,
  ...extras,
})

test.each([
  ['', 'anything', true],
  ['auth/cert', 'auth/cert', true],
  ['auth/cert/', 'auth/cert/login', true],
  ['auth/cert', 'auth/certificate', false],
  ['auth/ce*', 'auth/cert/login', true],
  ['sys/policies/acl/a', 'sys/policies/acl/b', false],
])('quota: the path "%s" covers %s: %s', (path, request, expected) => {
  expect(coversPath({ path }, request)).toBe(expected)
})

test.each([
  ['', true],
  ['*', true],
  ['auth', true],
  ['auth/', true],
  ['auth/ce*', true],
  ['auth/a/*', true],
  ['auth/a/b', true],
  ['auth/a/b/', true],
  ['auth/a/b/login', true],
  ['auth/a/b/lo*', true],
  ['sys/policies/acl/team/app', true],
  ['auth/crt', false],
  ['auth/crt*', false],
  ['auth/certificate', false],
  ['auth/*/login', false],
  ['aut', false],
  ['v1/auth/cert', false],
  ['api/v2/organizations', false],
  ['auth/cert//', false],
  ['sys//auth', false],
])('quota: the path "%s" covers requests to mounts: %s', (path, expected) => {
  expect(coversMounts({ path }, ['sys/', 'auth/token/', 'auth/cert/', 'auth/a/b/'])).toBe(expected)
})

test('quota: the longest matching path wins, and sys/health has none', () => {
  const all = [quota(''), quota('auth'), quota('auth/cert/login')]
  expect(quotaFor(all, 'auth/cert/login')?.path).toBe('auth/cert/login')
  expect(quotaFor(all.toReversed(), 'auth/cert/login')?.path).toBe('auth/cert/login')
  expect(quotaFor(all, 'auth/token/create')?.path).toBe('auth')
  expect(quotaFor(all, 'sys/mounts')?.path).toBe('')
  expect(quotaFor(all, 'sys/health')).toBeUndefined()
})

test('quota: a bucket per client empties and refills with time', () => {
  const buckets = new ClientBuckets(quota('x'))
  expect([0, 0, 0].map(() => buckets.take('a', 0))).toEqual([0, 0, 1])
  expect(buckets.take('b', 0)).toBe(0)
  expect(buckets.take('a', 400)).toBe(1)
  expect(buckets.take('a', 500)).toBe(0)
  expect([0, 0, 0].map(() => buckets.take('a', 60_000))).toEqual([0, 0, 1])
})

test('quota: a blocked client waits for the block interval; a rate below one still lets requests through', () => {
  const blocking = new ClientBuckets(quota('x', { rate: 1, blockSeconds: 30 }))
  expect([blocking.take('a', 0), blocking.take('a', 1), blocking.take('a', 2_000)]).toEqual([0, 30, 29])
  expect([blocking.take('a', 30_000), blocking.take('a', 30_001)]).toEqual([1, 0])
  const briefly = new ClientBuckets(quota('x', { rate: 2, blockSeconds: 1 }))
  expect([0, 0, 0, 999, 1_000].map((now) => briefly.take('a', now))).toEqual([0, 0, 1, 1, 0])
  const slow = new ClientBuckets(quota('x', { rate: 0.5 }))
  expect([slow.take('a', 0), slow.take('a', 1_000), slow.take('a', 2_000)]).toEqual([0, 1, 0])
})

test.each([1e-300, Number.MIN_VALUE])('quota: with a rate of %s a client waits for a year at most', (rate) => {
  const never = new ClientBuckets(quota('x', { rate }))
  expect([never.take('a', 0), never.take('a', 1)]).toEqual([0, 31_536_000])
})

eachEngine((engine) => {
  const app = sharedApp({ engine })

  test('quotas can be written, read, listed and deleted, and a request above the rate gets 429', async () => {
    const at = '/v1/sys/quotas/rate-limit'
    expect((await app.root.list(at)).status).toBe(404)
    const body = { path: '/sys/policies/acl', rate: '3', interval: '1h', group_by: 'ip' }
    expect((await app.root.post(`${at}/policies`, body)).status).toBe(204)
    expect((await app.root.get(`${at}/policies`)).body.data).toMatchObject({
      name: 'policies',
      type: 'rate-limit',
      path: 'sys/policies/acl',
      rate: 3,
      interval: 3600,
      block_interval: 0,
      group_by: 'ip',
    })
    expect((await app.root.list(at)).body.data.keys).toEqual(['policies'])
    const read = () => app.root.get('/v1/sys/policies/acl/default')
    const statuses = [(await read()).status, (await read()).status, (await read()).status]
    expect(statuses).toEqual([200, 200, 200])
    const refused = await read()
    expect(refused.status).toBe(429)
    expect(refused.body.errors[0]).toContain('rate limit')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await app.root.get('/v1/sys/mounts')).status).toBe(200)
    await app.root.post(`${at}/other`, { rate: 1_000, path: 'sys/auth' })
    expect((await read()).status).toBe(429)
    expect((await app.root.delete(`${at}/policies`)).status).toBe(204)
    expect((await read()).status).toBe(200)
    expect((await app.root.get(`${at}/policies`)).status).toBe(404)
    expect((await app.root.list(at)).body.data.keys).toEqual(['other'])
    await app.root.delete(`${at}/other`)
  })

  test('a write of one quota changes nothing for the clients of another; its own clients begin anew', async () => {
    const at = '/v1/sys/quotas/rate-limit'
    const write = (name: string, body: object) => app.root.post(`${at}/${name}`, { interval: '1h', ...body })
    const status = async (path: string) => (await app.root.get(`/v1/${path}`)).status
    await write('counted', { path: 'sys/policies/acl/default', rate: 1, block_interval: '1h' })
    expect(await status('sys/policies/acl/default')).toBe(200)
    expect(await status('sys/policies/acl/default')).toBe(429)
    await write('beside', { path: 'sys/auth', rate: 1 })
    expect([await status('sys/auth'), await status('sys/auth')]).toEqual([200, 429])
    await app.root.delete(`${at}/beside`)
    expect(await status('sys/policies/acl/default')).toBe(429)
    await write('counted', { path: 'sys/policies/acl/default', rate: 1, block_interval: '1h' })
    expect(await status('sys/policies/acl/default')).toBe(429)
    await write('counted', { path: 'sys/policies/acl/default', rate: 2, block_interval: '1h' })
    expect(await status('sys/policies/acl/default')).toBe(200)
    await write('beside', { path: 'sys/auth', rate: 1 })
    expect([await status('sys/auth'), await status('sys/auth')]).toEqual([200, 429])
    for (const name of ['counted', 'beside']) await app.root.delete(`${at}/${name}`)
  })

  test('an invalid quota, an overlong name or path, and a second quota for one path get 400', async () => {
    const write = (name: string, body: object) => app.root.post(`/v1/sys/quotas/rate-limit/${name}`, body)
    for (const body of [
      {},
      { rate: 0 },
      { rate: -1 },
      { rate: 'many' },
      { rate: ' ' },
      { rate: 'Infinity' },
      { rate: true },
      { rate: [5] },
      { rate: 1, interval: 'x' },
      { rate: 1, role: 'r' },
      { rate: 1, group_by: 'none' },
    ]) {
      expect((await write('bad', body)).status, JSON.stringify(body)).toBe(400)
    }
    // Not repetitive: PostgreSQL compresses long repetitive text and would accept it.
    const long = Array.from({ length: 3_000 }, (_, at) => at.toString(36)).join('')
    expect((await write('bad', { path: `sys/${long}`, rate: 5 })).status).toBe(400)
    expect((await write(long, { path: 'sys/long', rate: 5 })).status).toBe(400)
    await write('one', { path: 'sys/x', rate: 5 })
    for (const path of ['sys/x', 'sys/x/', '/sys/x']) {
      expect((await write('two', { path, rate: 5 })).status, path).toBe(400)
    }
    await app.root.delete('/v1/sys/quotas/rate-limit/one')
  })

  test('a path that nothing is mounted at gets 400; a quota outlives the mount of its path', async () => {
    const at = '/v1/sys/quotas/rate-limit/logins'
    const write = (path: string) => app.root.post(at, { path, rate: 1, interval: '1h' })
    const refused = await write('auth/quoted/certs/login')
    expect([refused.status, refused.body.errors[0]]).toEqual([400, expect.stringContaining('auth/quoted/certs/login')])
    expect((await app.root.get(at)).status).toBe(404)
    const mount = () => app.root.post('/v1/sys/auth/quoted/certs', { type: 'cert' })
    await mount()
    for (const path of ['auth/quoted', '/auth/quoted/certs', 'auth/quoted/certs/', 'auth/quoted/certs/login']) {
      expect((await write(path)).status, path).toBe(204)
    }
    const logIn = async () => (await app.anonymous.post('/v1/auth/quoted/certs/login', {})).status
    expect([await logIn(), await logIn()]).toEqual([400, 429])
    expect((await app.root.delete('/v1/sys/auth/quoted/certs')).status).toBe(204)
    expect((await write('auth/quoted/certs')).status).toBe(400)
    expect((await app.root.get(at)).body.data).toMatchObject({ path: 'auth/quoted/certs/login', rate: 1 })
    await mount()
    expect(await logIn()).toBe(429)
    await app.root.delete(at)
    await app.root.delete('/v1/sys/auth/quoted/certs')
  })

  /** A mount at `auth/moving/certs`, and what moves it; both are gone after the test. */
  const movingMount = async () => {
    expect((await app.root.post('/v1/sys/auth/moving/certs', { type: 'cert' })).status).toBe(204)
    const quotas = '/v1/sys/quotas/rate-limit'
    onTestFinished(async () => {
      for (const path of ['moving/certs', 'moved']) await app.root.delete(`/v1/sys/auth/${path}`)
      for (const name of (await app.root.list(quotas)).body.data?.keys ?? []) await app.root.delete(`${quotas}/${name}`)
    })
    const write = async (name: string, path: string, rate = 1) =>
      (await app.root.post(`${quotas}/${name}`, { path, rate, interval: '1h' })).status
    const pathOf = async (name: string) => (await app.root.get(`${quotas}/${name}`)).body.data.path
    const move = () => app.root.post('/v1/sys/remount', { from: 'auth/moving/certs', to: 'auth/moved' })
    return { write, pathOf, move }
  }

  test('the quotas of a mount move along with it, at once in every process, and keep the rest of their paths', async () => {
    const { write, pathOf, move } = await movingMount()
    const other = await testApp({ engine, beside: app })
    onTestFinished(() => other.close())
    const paths = ['auth/moving/certs', 'auth/moving/certs/login', 'auth/moving/certs/lo*', 'auth/moving', 'sys/auth']
    for (const [at, path] of paths.entries()) expect(await write(`q${at}`, path, at === 1 ? 1 : 1_000)).toBe(204)
    const logIn = async (at = 'auth/moved', through = app) =>
      (await through.anonymous.post(`/v1/${at}/login`, {})).status
    expect([await logIn('auth/moving/certs', other), await logIn('auth/moving/certs', other)]).toEqual([400, 429])
    expect((await move()).status).toBe(200)
    expect(await Promise.all(paths.map((_path, at) => pathOf(`q${at}`)))).toEqual([
      'auth/moved',
      'auth/moved/login',
      'auth/moved/lo*',
      'auth/moving',
      'sys/auth',
    ])
    expect([await logIn(), await logIn()]).toEqual([400, 429])
    expect([await logIn('auth/moved', other), await logIn('auth/moved', other)]).toEqual([400, 429])
  })

  test('a move to where a quota with the same path is left is refused, and nothing moves', async () => {
    const { write, pathOf, move } = await movingMount()
    await app.root.post('/v1/sys/auth/moved', { type: 'cert' })
    for (const path of ['auth/moving/certs/login', 'auth/moved/login/'])
      expect(await write(path.length.toString(), path)).toBe(204)
    await app.root.delete('/v1/sys/auth/moved')
    const refused = await move()
    expect([refused.status, refused.body.errors[0]]).toEqual([
      400,
      expect.stringMatching(/'23'.*'auth\/moved\/login'.*'17'/),
    ])
    expect(await pathOf('23')).toBe('auth/moving/certs/login')
    expect((await app.root.get('/v1/sys/auth/moving/certs')).status).toBe(200)
    await app.root.delete('/v1/sys/quotas/rate-limit/17')
    expect((await move()).status).toBe(200)
    expect(await pathOf('23')).toBe('auth/moved/login')
  })

  test('a quota written while its mount moves is refused or moves along', async () => {
    const { write, pathOf, move } = await movingMount()
    for (let round = 0; round < 8; round++) {
      const [written, moved] = await Promise.all([write('racing', 'auth/moving/certs/login'), move()])
      expect(moved.status).toBe(200)
      if (written === 204) expect(await pathOf('racing')).toBe('auth/moved/login')
      else expect(written).toBe(400)
      await app.root.delete('/v1/sys/quotas/rate-limit/racing')
      const back = { from: 'auth/moved', to: 'auth/moving/certs' }
      expect((await app.root.post('/v1/sys/remount', back)).status).toBe(200)
    }
  })

  test('a quota deleted while its mount moves is gone afterwards', async () => {
    const { write, move } = await movingMount()
    const names = Array.from({ length: 40 }, (_, at) => `q${at}`)
    for (const name of names) expect(await write(name, `auth/moving/certs/${name}`)).toBe(204)
    const at = '/v1/sys/quotas/rate-limit'
    const [moved, ...deleted] = await Promise.all([move(), ...names.map((name) => app.root.delete(`${at}/${name}`))])
    expect([moved.status, ...new Set(deleted.map(({ status }) => status))]).toEqual([200, 204])
    expect((await app.root.list(at)).status).toBe(404)
  })

  test('a quota for all requests reads as inheritable, as providers ask for it; one for a path does not', async () => {
    const at = '/v1/sys/quotas/rate-limit'
    for (const [path, expected] of [
      ['', true],
      ['sys/auth', false],
    ] as const) {
      await app.root.post(`${at}/some`, { path, rate: 100_000, inheritable: expected })
      expect((await app.root.get(`${at}/some`)).body.data.inheritable, path).toBe(expected)
    }
    await app.root.delete(`${at}/some`)
  })

  test('a write replaces the whole quota: fields not sent get their defaults', async () => {
    const at = '/v1/sys/quotas/rate-limit/whole'
    await app.root.post(at, { path: 'sys/none', rate: 5, interval: '7s', block_interval: '8s' })
    expect((await app.root.post(at, { path: 'sys/none' })).status).toBe(400)
    expect((await app.root.get(at)).body.data).toMatchObject({
      path: 'sys/none',
      rate: 5,
      interval: 7,
      block_interval: 8,
    })
    expect((await app.root.post(at, { path: 'sys/none', rate: 6 })).status).toBe(204)
    expect((await app.root.get(at)).body.data).toMatchObject({
      path: 'sys/none',
      rate: 6,
      interval: 1,
      block_interval: 0,
    })
    expect((await app.root.post(at, { path: 'sys/none', rate: 0.5 })).status).toBe(204)
    expect((await app.root.get(at)).body.data.rate).toBe(0.5)
    expect((await app.root.post(at, { rate: 9_000 })).status).toBe(204)
    expect((await app.root.get(at)).body.data).toMatchObject({ path: '', rate: 9_000 })
    await app.root.delete(at)
  })

  test('of concurrent quotas for one path exactly one is stored', async () => {
    const at = '/v1/sys/quotas/rate-limit'
    const names = ['first', 'second', 'third', 'fourth']
    const answers = await Promise.all(
      names.map((name) => app.root.post(`${at}/${name}`, { path: 'sys/none', rate: 5 })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400, 400])
    expect((await app.root.list(at)).body.data.keys).toHaveLength(1)
    for (const name of names) await app.root.delete(`${at}/${name}`)
  })
})
