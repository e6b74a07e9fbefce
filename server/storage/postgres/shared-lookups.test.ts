import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { failure } from '../../kernel/failure.ts'
import { isShareable, SharedLookups } from './shared-lookups.ts'

type Batch = { query: CompiledQuery; land(rows: unknown[]): void; crash(problem: Error): void }

/** Lookups that travel until the test lets them land. */
function travelling() {
  const batches: Batch[] = []
  const lookups = new SharedLookups(
    <R>(query: CompiledQuery) =>
      new Promise<R[]>((resolve, reject) => {
        batches.push({ query, land: (rows) => resolve(rows as R[]), crash: reject })
      }),
  )
  const ask = (id: string) => lookups.first<{ id: string }>(CompiledQuery.raw('select * from t where id = $1', [id]))
  const askPlainly = () => lookups.first<{ id: string }>(CompiledQuery.raw('select id from t'))
  const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  /** Two lookups, each under way by itself: no more batches go out until one of them lands. */
  const busy = async () => {
    const asked = [ask('a')]
    await nextTurn()
    asked.push(ask('a'))
    await nextTurn()
    return asked
  }
  return { batches: batches, ask, askPlainly, nextTurn, busy }
}

test('shared lookups: a single read is sent as it is', async () => {
  const { batches, ask, nextTurn } = travelling()
  const asked = ask('a')
  await nextTurn()
  expect(batches.map(({ query }) => [query.sql, query.parameters])).toEqual([['select * from t where id = $1', ['a']]])
  batches[0]?.land([{ id: 'a' }, { id: 'second row' }])
  expect(await asked).toEqual({ id: 'a' })
})

test('shared lookups: reads of one event loop turn are sent as one query without duplicates', async () => {
  const { batches, ask, nextTurn } = travelling()
  const asked = ['c', 'd', 'c', 'gone'].map(ask)
  await nextTurn()
  expect(batches).toHaveLength(1)
  expect(batches[0]?.query.sql).toContain('where id = lookups.value_1')
  expect(batches[0]?.query.parameters).toEqual([['c', 'd', 'gone']])
  batches[0]?.land([
    { lookup_place: 2, id: 'd' },
    { lookup_place: 1, id: 'c' },
  ])
  expect(await Promise.all(asked)).toEqual([{ id: 'c' }, { id: 'd' }, { id: 'c' }, undefined])
})

test('shared lookups: reads that come while two queries are under way share the next one', async () => {
  const { batches, ask, nextTurn, busy } = travelling()
  const first = await busy()
  const later = [ask('c')]
  await nextTurn()
  later.push(ask('d'))
  await nextTurn()
  expect(batches).toHaveLength(2)
  batches[0]?.land([{ id: 'a' }])
  await nextTurn()
  expect(batches[2]?.query.parameters).toEqual([['c', 'd']])
  batches[1]?.land([])
  batches[2]?.land([{ lookup_place: 1, id: 'c' }])
  expect(await Promise.all(first)).toEqual([{ id: 'a' }, undefined])
  expect(await Promise.all(later)).toEqual([{ id: 'c' }, undefined])
})

test('shared lookups: a read without parameters has only one query under way at a time', async () => {
  const { batches, askPlainly, nextTurn } = travelling()
  const first = [askPlainly(), askPlainly()]
  await nextTurn()
  const later = askPlainly()
  await nextTurn()
  expect(batches).toHaveLength(1)
  batches[0]?.land([{ id: 'old' }])
  await nextTurn()
  expect(batches).toHaveLength(2)
  batches[1]?.land([{ id: 'new' }])
  expect(await Promise.all([...first, later])).toEqual([{ id: 'old' }, { id: 'old' }, { id: 'new' }])
})

test('shared lookups: a read is never answered by a query that was sent before it', async () => {
  const { batches, ask, nextTurn, busy } = travelling()
  const before = await busy()
  const after = ask('a')
  for (const batch of batches.slice(0, 2)) batch.land([{ id: 'old' }])
  await nextTurn()
  batches[2]?.land([{ id: 'new' }])
  expect(await Promise.all([...before, after])).toEqual([{ id: 'old' }, { id: 'old' }, { id: 'new' }])
})

test('shared lookups: after a shared query fails, each read is sent alone and only the bad one fails', async () => {
  const { batches, ask, nextTurn } = travelling()
  const asked = [ask('good'), ask('bad')].map((each) => each.catch((problem: Error) => problem.message))
  await nextTurn()
  batches[0]?.crash(new Error('spoilt'))
  await nextTurn()
  expect(batches.slice(1).map(({ query }) => query.parameters)).toEqual([['good'], ['bad']])
  batches[1]?.land([{ id: 'good' }])
  batches[2]?.crash(new Error('bad text'))
  expect(await Promise.all(asked)).toEqual([{ id: 'good' }, 'bad text'])
  const again = ask('e')
  await nextTurn()
  expect(batches.at(-1)?.query.parameters).toEqual(['e'])
  batches.at(-1)?.land([])
  expect(await again).toBeUndefined()
})

test('shared lookups: an unavailable server fails all reads without another query', async () => {
  const { batches, ask, nextTurn } = travelling()
  const asked = Promise.allSettled([ask('b'), ask('c')])
  await nextTurn()
  const away = failure('unavailable', 'storage.away', 'The database is away.')
  batches[0]?.crash(away)
  expect(await asked).toEqual(Array(2).fill({ status: 'rejected', reason: away }))
  expect(batches).toHaveLength(1)
})

test.each([
  [[], false],
  [['a'], true],
  [['a', 'b'], true],
  [['a', 1], false],
  [['a', null], false],
])('shared lookups: %j can be shared: %s', (values, expected) => {
  expect(isShareable(CompiledQuery.raw('select 1', values))).toBe(expected)
})
