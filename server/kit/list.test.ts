import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { enableDevice, logFolder, recordsOf } from '../../test/support/audit-devices.ts'
import { eachEngine } from '../../test/support/databases.ts'
import { mustBe } from '../../test/support/platform.ts'
import { ownApp } from '../../test/support/shared.ts'
import type { TestApp } from '../../test/support/test-app.ts'
import { endpointsOf } from '../app.ts'
import { features } from '../product/index.ts'
import { acl, defineSystemEndpoints, endpoint, querySchema } from './endpoint.ts'
import { defineFeature, type Feature } from './feature.ts'
import { listReply, listTerms, type ReadListPage } from './list.ts'

const nameOf = (place: number): string => `name-${String(place).padStart(6, '0')}`
const namesOf = (count: number): string[] => Array.from({ length: count }, (_, place) => nameOf(place))

/** A page of so many names, each with a fact where that is wanted. */
const countedPage =
  (count: number, hasInfo = false): ReadListPage =>
  async ({ after, most }) => {
    const names = namesOf(count)
      .filter((name) => name > after)
      .slice(0, most)
    const info = hasInfo ? { info: Object.fromEntries(names.map((name) => [name, { length: name.length }])) } : {}
    return { names, next: names.length < most ? undefined : names.at(-1), ...info }
  }

/** An app with lists of the names that these read. */
async function listingApp(lists: Record<string, ReadListPage>): Promise<TestApp> {
  const endpoints = Object.entries(lists).map(([name, read]) =>
    endpoint({
      ...listTerms,
      id: `odd.${name}`,
      route: `LIST /odd/${name}`,
      summary: 'List.',
      access: acl(),
      handle: (call) => listReply(call, () => read),
    }),
  )
  const odd: Feature = defineFeature({ name: 'odd', endpoints: defineSystemEndpoints(endpoints) })
  return await ownApp({ features: [...features, odd] })
}

test('every list of /v1 that answers takes after and limit', () => {
  const lists = endpointsOf(features, '0.0.0').filter(({ api, verb }) => api === 'v1' && verb === 'LIST')
  expect(lists.length).toBeGreaterThan(15)
  const without = lists.filter((each) => !('after' in (querySchema(each)?.properties ?? {})))
  // It is always refused.
  expect(without.map(({ id }) => id)).toEqual(['snapshots.loaded'])
})

const at = logFolder()

test('a list of more than 10,000 names is sent in pieces, and recorded as a count and a hash', async () => {
  const app = await listingApp({ short: countedPage(10_000), long: countedPage(10_001, true) })
  const file = at('log')
  mustBe(await enableDevice(app, 'file', { file_path: file }), 204)
  const short = mustBe(await app.root.list('/v1/sys/odd/short'), 200)
  const long = mustBe(await app.root.list('/v1/sys/odd/long?odd=1'), 200)
  expect([short.headers['transfer-encoding'], long.headers['transfer-encoding']]).toEqual([undefined, 'chunked'])
  expect(short.body.data).toEqual({ keys: namesOf(10_000) })
  const info = Object.fromEntries(namesOf(10_001).map((name) => [name, { length: 11 }]))
  expect(long.body).toEqual({
    ...short.body,
    request_id: expect.any(String),
    warnings: [expect.stringContaining('odd')],
    data: { keys: namesOf(10_001), key_info: info },
  })

  const digest = hash(
    'sha256',
    namesOf(10_001)
      .map((name) => `${name}\n`)
      .join(''),
  )
  const { hash: hashed } = (await app.root.post('/v1/sys/audit-hash/file', { input: digest })).body.data
  const dataOf = async (path: string) => (await recordsOf(file, path)).at(-1)?.response?.data
  expect(await dataOf('sys/odd/long/')).toEqual({ keys: 10_001, keys_hash: hashed, key_info: 10_001 })
  expect((await dataOf('sys/odd/short/'))?.keys).toHaveLength(10_000)

  mustBe(await app.root.delete('/v1/sys/audit/file'), 204)
  mustBe(await enableDevice(app, 'file', { file_path: file, elide_list_responses: 'true' }), 204)
  mustBe(await app.root.list('/v1/sys/odd/long'), 200)
  expect(await dataOf('sys/odd/long/')).toEqual({ keys: 10_001, key_info: 10_001 })
})

test('a list of more than 10,000 names cannot be wrapped; a page of it can', async () => {
  const app = await listingApp({ long: countedPage(10_001) })
  const wrapped = { headers: { 'x-service-wrap-ttl': '60' } }
  const refused = await app.root.list('/v1/sys/odd/long', wrapped)
  expect(refused).toMatchObject({ status: 400, body: { errors: [expect.stringContaining('cannot be wrapped')] } })
  const page = mustBe(await app.root.list('/v1/sys/odd/long?limit=10000', wrapped), 200)
  const token = page.body.wrap_info.token
  const { data } = mustBe(await app.root.post('/v1/sys/wrapping/unwrap', { token }), 200).body
  expect(data.keys).toHaveLength(10_000)
})

test('without a record there is no list, and what goes wrong while it is read is an error and no part of it', async () => {
  const read = countedPage(20_000)
  const app = await listingApp({
    long: read,
    broken: (place) => (place.after > nameOf(15_000) ? Promise.reject(new Error('The disk is gone.')) : read(place)),
  })
  mustBe(await app.root.list('/v1/sys/odd/broken'), 500)
  // It is enabled, though it cannot record this itself.
  await enableDevice(app, 'file', { file_path: '/dev/full', skip_test: 'true' })
  const refused = await app.root.list('/v1/sys/odd/long')
  expect([refused.status, refused.text.includes('name-')]).toEqual([500, false])
})

test('between two pages of a list others get a turn', async () => {
  const turns: number[] = []
  let turn = 0
  const read = countedPage(5_000)
  const app = await listingApp({
    turns: async (place) => {
      turns.push(turn)
      void nextTurn().then(() => {
        turn += 1
      })
      return await read(place)
    },
  })
  expect(mustBe(await app.root.list('/v1/sys/odd/turns'), 200).body.data.keys).toHaveLength(5_000)
  expect(turns).toEqual([0, 1, 2, 3, 4, 5])
})

eachEngine((engine) => {
  test('lists by pages have the entries of the whole list, whatever is between the pages', async () => {
    const app = await ownApp({ engine })
    const { root } = app
    for (const name of ['alpha', 'beta', 'web', 'zeta']) {
      mustBe(await root.post(`/v1/sys/policies/acl/${name}`, { policy: 'path "a" { capabilities = ["read"] }' }), 204)
      mustBe(await root.post(`/v1/auth/token/roles/${name}`, {}), 204)
      mustBe(await root.post(`/v1/sys/quotas/rate-limit/${name}`, { path: `auth/token/${name}`, rate: 100 }), 204)
      mustBe(await root.post('/v1/identity/entity', { name: name.toUpperCase() }), 200)
      mustBe(await root.post(`/v1/auth/token/create/${name}`, { ttl: '1h' }), 200)
      mustBe(await root.post(`/v1/cubbyhole/${name}`, { value: name }), 204)
      mustBe(await root.post(`/v1/cubbyhole/${name}/below/${name}`, { value: name }), 204)
      mustBe(await root.post(`/v1/cubbyhole/${name}-more`, { value: name }), 204)
    }
    const accessor = mustBe(await root.get('/v1/sys/auth'), 200).body.data['token/'].accessor
    for (const name of ['one', 'two']) {
      mustBe(await root.post('/v1/identity/entity-alias', { name, mount_accessor: accessor }), 200)
    }
    const paths = {
      'sys/policies/acl': 6,
      'sys/policy': 6,
      'auth/token/roles': 4,
      'auth/token/accessors': 5,
      'sys/leases/lookup': 1,
      'sys/leases/lookup/auth/token/create': 4,
      'sys/leases/lookup/auth/token/create/web': 1,
      'sys/quotas/rate-limit': 4,
      'identity/entity/id': 6,
      'identity/entity/name': 6,
      'identity/entity-alias/id': 2,
      'sys/version-history': 1,
      cubbyhole: 12,
      'cubbyhole/web/below': 1,
    }
    for (const [path, count] of Object.entries(paths)) {
      const whole: string[] = mustBe(await root.list(`/v1/${path}`), 200).body.data.keys
      expect(whole, path).toHaveLength(count)
      const pages: string[] = []
      for (let after = ''; ; after = pages.at(-1) ?? '') {
        const { status, body } = await root.list(`/v1/${path}?limit=1&after=${encodeURIComponent(after)}`)
        if (status === 404) break
        expect([status, body.warnings], path).toEqual([200, null])
        expect(body.data.keys, path).toHaveLength(1)
        if (body.data.key_info) expect(Object.keys(body.data.key_info), path).toHaveLength(1)
        pages.push(...body.data.keys)
      }
      expect(pages, path).toEqual(whole)
      expect((await root.list(`/v1/${path}?limit=-1`)).body.data.keys, path).toEqual(whole)
      expect((await root.list(`/v1/${path}?limit=3`)).body.data.keys, path).toEqual(whole.slice(0, 3))
    }
    expect((await root.list('/v1/sys/policies/acl?after=c')).body.data.keys).toEqual(['default', 'web', 'zeta', 'root'])
    expect((await root.list('/v1/identity/entity/name?after=BZ&limit=2')).body.data.keys).toEqual([
      expect.stringMatching(/^entity_/),
      expect.stringMatching(/^entity_/),
    ])
    expect((await root.list('/v1/cubbyhole?after=web')).body.data.keys).toEqual([
      ...['web-more', 'web/', 'zeta', 'zeta-more', 'zeta/'],
    ])
    expect((await root.list('/v1/sys/policies/acl?after=root')).status).toBe(404)
  })
})
