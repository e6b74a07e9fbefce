import { hash } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { enableDevice, logFolder, recordsOf } from '../../test/support/audit-devices.ts'
import { eachEngine } from '../../test/support/databases.ts'
import { mustBe } from '../../test/support/platform.ts'
import { ownApp } from '../../test/support/shared.ts'
import type { TestApp } from '../../test/support/test-app.ts'
import { endpointsOf } from '../app.ts'
import { features } from '../product/index.ts'
import { blankToken } from '../product/secrets/tokens/issuing/new-token-actions.ts'
import { toRow } from '../product/secrets/tokens/records/token-store.ts'
import { inTransaction } from '../storage/transaction.ts'
import { acl, defineSystemEndpoints, endpoint, querySchema } from './endpoint.ts'
import { defineFeature, type Feature } from './feature.ts'
import { listReply, listTerms, type ReadListPage } from './list.ts'

const nameOf = (place: number): string => `name-${String(place).padStart(6, '0')}`
const namesOf = (count: number): string[] => Array.from({ length: count }, (_, place) => nameOf(place))

/** A page of so many names of this length. */
const widePage =
  (count: number, length: number): ReadListPage =>
  async ({ after, most }) => {
    const first = after === '' ? 0 : Number(after.slice(5, 11)) + 1
    const names = Array.from({ length: Math.min(most, count - first) }, (_, at) =>
      nameOf(first + at).padEnd(length, 'x'),
    )
    return { names, next: names.length < most ? undefined : names.at(-1) }
  }

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

/** The head of an answer to a list whose content nobody reads yet. */
const unreadList = ({ url, rootToken }: TestApp, path: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { 'X-Service-Token': rootToken }
    get(`${url}/v1/${path}?list=true`, { headers }, resolve).once('error', reject)
  })

/** Lists that this process has written and not closed. */
const openLists = (): number =>
  readdirSync('/proc/self/fd')
    .map((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`)
      } catch {
        return ''
      }
    })
    .filter((target) => target.includes('/spool/') && target.includes('/list')).length

test('long lists that nobody reads yet take no memory, and what they are kept in ends with them', async () => {
  const app = await listingApp({ long: widePage(100_000, 200), broken: countedPage(10_001) })
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NonNullable<typeof gc>
  const used = () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return (heapUsed + external) / 1024 ** 2
  }
  const before = used()
  const answers = await Promise.all(Array.from({ length: 4 }, () => unreadList(app, 'sys/odd/long')))
  // Each has 20 MB.
  expect(used() - before).toBeLessThan(20)
  expect(openLists()).toBe(4)
  const [whole, ...left] = answers
  for (const each of left) each.destroy()
  let received = 0
  for await (const chunk of whole ?? []) received += chunk.length
  expect(received).toBeGreaterThan(20_000_000)
  await expect.poll(openLists).toBe(0)
  await enableDevice(app, 'file', { file_path: '/dev/full', skip_test: 'true' })
  expect((await app.root.list('/v1/sys/odd/long')).status).toBe(500)
  await expect.poll(openLists).toBe(0)
})

test('what goes wrong once the first piece of a long list is sent ends the connection', async () => {
  const endpoints = defineSystemEndpoints([
    endpoint({
      ...listTerms,
      id: 'odd.torn',
      route: 'LIST /odd/torn',
      summary: 'List.',
      access: acl(),
      handle: async () => {
        const torn = async function* () {
          yield Buffer.from('{"keys":["one"')
          await nextTurn()
          throw new Error('The disk is gone.')
        }
        const data = Readable.from(torn(), { objectMode: false })
        return { kind: 'list', list: { count: 10_001, digest: '', hasInfo: false, data } }
      },
    }),
  ])
  const app = await ownApp({ features: [...features, defineFeature({ name: 'odd', endpoints })] })
  const answer = await unreadList(app, 'sys/odd/torn')
  expect(answer.statusCode).toBe(200)
  await expect(answer.toArray()).rejects.toThrow('aborted')
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
  test('a list of 100,000 accessors is that of one moment and holds the event loop for no longer than 20 ms', async () => {
    const app = await ownApp({ engine })
    const row = toRow({ ...blankToken(app.deps, 'one'), path: 'auth/token/create', policies: ['default'] })
    const keyOf = (place: number) => `k${String(place).padStart(6, '0')}`
    const keysOf = (from: number, count: number) => Array.from({ length: count }, (_, at) => keyOf(from + at))
    const add = (names: readonly string[]) =>
      inTransaction(app.deps.db, (tx) =>
        tx
          .insertInto('tokens')
          .values(names.map((name) => ({ ...row, id: name, accessor: name })))
          .execute(),
      )
    for (let from = 0; from < 100_000; from += 1_000) await add(keysOf(from, 1_000))

    const [turns, chunks] = [[] as number[], [] as Buffer[]]
    let isDone = false
    const watch = async () => {
      while (!isDone) {
        const since = process.threadCpuUsage()
        await nextTurn()
        const { user, system } = process.threadCpuUsage(since)
        turns.push((user + system) / 1_000)
      }
    }
    const watching = watch()
    const answering = unreadList(app, 'auth/token/accessors')
    // Comes while the list is read, and is not of its moment.
    while (openLists() === 0) await nextTurn()
    await add(['k999999'])
    for await (const chunk of await answering) chunks.push(chunk)
    isDone = true
    await watching
    const listed: string[] = JSON.parse(Buffer.concat(chunks).toString()).data.keys
    expect(listed.filter((name) => name.startsWith('k'))).toEqual(keysOf(0, 100_000))
    expect(turns.length).toBeGreaterThan(100)
    expect(Math.max(...turns)).toBeLessThan(20)
  })

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
