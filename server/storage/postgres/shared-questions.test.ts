import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { failure } from '../../kernel/failure.ts'
import { isShareable, SharedQuestions } from './shared-questions.ts'

type Trip = { query: CompiledQuery; land(rows: unknown[]): void; crash(problem: Error): void }

/** Questions that travel until the test lets them land. */
function travelling() {
  const trips: Trip[] = []
  const questions = new SharedQuestions(
    <R>(query: CompiledQuery) =>
      new Promise<R[]>((resolve, reject) => {
        trips.push({ query, land: (rows) => resolve(rows as R[]), crash: reject })
      }),
  )
  const ask = (id: string) => questions.first<{ id: string }>(CompiledQuery.raw('select * from t where id = $1', [id]))
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return { trips, ask, settled }
}

test('shared questions: alone a question goes out at once and as it is', async () => {
  const { trips, ask } = travelling()
  const asked = ask('a')
  expect(trips.map(({ query }) => [query.sql, query.parameters])).toEqual([['select * from t where id = $1', ['a']]])
  trips[0]?.land([{ id: 'a' }, { id: 'second row' }])
  expect(await asked).toEqual({ id: 'a' })
})

test('shared questions: who comes while others are under way shares the next trip', async () => {
  const { trips, ask, settled } = travelling()
  const first = [ask('a'), ask('b')]
  const later = ['c', 'd', 'c', 'gone'].map(ask)
  expect(trips).toHaveLength(2)
  trips[0]?.land([{ id: 'a' }])
  await settled()
  expect(trips).toHaveLength(3)
  expect(trips[2]?.query.sql).toContain('where id = asked.value_1')
  expect(trips[2]?.query.parameters).toEqual([['c', 'd', 'gone']])
  trips[1]?.land([])
  trips[2]?.land([
    { asked_place: 2, id: 'd' },
    { asked_place: 1, id: 'c' },
  ])
  expect(await Promise.all(first)).toEqual([{ id: 'a' }, undefined])
  expect(await Promise.all(later)).toEqual([{ id: 'c' }, { id: 'd' }, { id: 'c' }, undefined])
})

test('shared questions: nobody is answered by a question that went out before', async () => {
  const { trips, ask, settled } = travelling()
  const before = [ask('a'), ask('a')]
  const after = ask('a')
  for (const trip of trips.slice(0, 2)) trip.land([{ id: 'old' }])
  await settled()
  trips[2]?.land([{ id: 'new' }])
  expect(await Promise.all([...before, after])).toEqual([{ id: 'old' }, { id: 'old' }, { id: 'new' }])
})

test('shared questions: what is wrong with one is told to that one alone', async () => {
  const { trips, ask, settled } = travelling()
  const first = [ask('a'), ask('a')]
  const later = [ask('good'), ask('bad')].map((asked) => asked.catch((problem: Error) => problem.message))
  for (const trip of trips) trip.land([])
  await settled()
  trips[2]?.crash(new Error('spoilt'))
  await settled()
  expect(trips.slice(3).map(({ query }) => query.parameters)).toEqual([['good'], ['bad']])
  trips[3]?.land([{ id: 'good' }])
  trips[4]?.crash(new Error('bad text'))
  expect(await Promise.all(later)).toEqual([{ id: 'good' }, 'bad text'])
  await Promise.all(first)
  const again = ask('e')
  expect(trips.at(-1)?.query.parameters).toEqual(['e'])
  trips.at(-1)?.land([])
  expect(await again).toBeUndefined()
})

test('shared questions: that the server is away is told to all, without asking again', async () => {
  const { trips, ask, settled } = travelling()
  const first = [ask('a'), ask('a')]
  const later = Promise.allSettled([ask('b'), ask('c')])
  for (const trip of trips) trip.land([])
  await settled()
  const away = failure('unavailable', 'storage.away', 'The database is away.')
  trips[2]?.crash(away)
  expect(await later).toEqual(Array(2).fill({ status: 'rejected', reason: away }))
  expect(trips).toHaveLength(3)
  await Promise.all(first)
})

test.each([
  [[], false],
  [['a'], true],
  [['a', 'b'], true],
  [['a', 1], false],
  [['a', null], false],
])('shared questions: %j can be shared: %s', (values, expected) => {
  expect(isShareable(CompiledQuery.raw('select 1', values))).toBe(expected)
})
