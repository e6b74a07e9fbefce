import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { eachEngine, testStore } from '../../test/support/databases.ts'
import type { Db } from './open.ts'
import { contains, containsInAnyCase, likeWildcard } from './search.ts'

/** Whether the search finds a row with this name. */
async function finds(db: Db, name: string, search: RawBuilder<boolean>): Promise<boolean> {
  const named = sql<{ name: string }>`(select cast(${name} as varchar) as name)`.as('named')
  return (await db.selectFrom(named).select('name').where(search).execute()).length > 0
}

eachEngine((engine) => {
  test.each([
    ['part of it', contains('name', 'two')],
    ['part of it in another case', containsInAnyCase('name', 'TWO')],
    ['its beginning', likeWildcard('name', { text: 'one', openStart: false, openEnd: true })],
    ['its end', likeWildcard('name', { text: '%three', openStart: true, openEnd: false })],
  ])('a name is found by %s', async (_by, search) => {
    const { store } = await testStore(engine)
    expect(await finds(store.db, 'one_two%three', search)).toBe(true)
    expect(await finds(store.db, 'one-two-four', contains('name', 'e_t'))).toBe(false)
  })

  test.each(['a', '%', '😀'])('a search text of 60,000 characters of %s is accepted', async (letter) => {
    const { store } = await testStore(engine)
    const long = letter.repeat(60_000)
    const ends = { text: long, openStart: true, openEnd: true }
    for (const search of [contains('name', long), containsInAnyCase('name', long), likeWildcard('name', ends)]) {
      expect(await finds(store.db, letter.repeat(100), search)).toBe(false)
    }
  })
})
