import { LRUCache } from 'lru-cache'
import { expect, test } from 'vitest'
import { eachEngine, testStore } from '../../test/support/databases.ts'
import type { Queryable } from './database.ts'
import { unlessTaken } from './database-errors.ts'
import { perStore } from './open.ts'
import { rehearse } from './rehearsal.ts'
import { inSnapshot, inTransaction } from './transaction.ts'
import { bumpVersion, VersionedCache } from './versions.ts'

const add = (db: Queryable, id: string) => db.insertInto('operations').values({ id, created_at: 1 }).execute()

async function ids(db: Queryable): Promise<string[]> {
  const rows = await db.selectFrom('operations').select('id').orderBy('id').execute()
  return rows.map((row) => row.id)
}

const cacheOf = perStore(() => new LRUCache<string, string>({ max: 10 }))

eachEngine((engine) => {
  test('rehearsal: work sees all that it writes, in transactions and outside, and nothing of it stays', async () => {
    const { store } = await testStore(engine)
    await add(store.db, 'a')
    const seen = await rehearse(store, async ({ db, reads }) => {
      await add(db, 'b')
      const inside = await inTransaction(db, async (tx) => {
        await add(tx, 'c')
        return await ids(tx)
      })
      await inTransaction(db, (tx) => tx.deleteFrom('operations').where('id', '=', 'a').execute())
      return [inside, await ids(db), await ids(reads), await inSnapshot(db, ids)]
    })
    const after = ['b', 'c']
    expect(seen).toEqual([['a', 'b', 'c'], after, after, after])
    expect(await ids(store.db)).toEqual(['a'])
    await add(store.db, 'b')
    expect(await ids(store.db)).toEqual(['a', 'b'])
  })

  test('rehearsal: what fails in it reaches the caller, and nothing stays either', async () => {
    const { store } = await testStore(engine)
    await add(store.db, 'a')
    const thrown = new Error('no')
    const refused = rehearse(store, async ({ db }) => {
      await inTransaction(db, (tx) => add(tx, 'b'))
      throw thrown
    })
    await expect(refused).rejects.toBe(thrown)
    await expect(rehearse(store, ({ db }) => add(db, 'a'))).rejects.toThrow(/unique/i)
    expect(await ids(store.db)).toEqual(['a'])
  })

  test('rehearsal: a step that fails takes back what it has done, and the next ones go on; they do not overlap', async () => {
    const { store } = await testStore(engine)
    const seen = await rehearse(store, async ({ db }) => {
      const failing = inTransaction(db, async (tx) => {
        await add(tx, 'a')
        throw new Error('no')
      })
      const others = ['b', 'c'].map((id) =>
        inTransaction(db, async (tx) => {
          await add(tx, id)
          return await ids(tx)
        }),
      )
      return [(await Promise.allSettled([failing]))[0]?.status, ...(await Promise.all(others))]
    })
    expect(seen).toEqual(['rejected', ['b'], ['b', 'c']])
    expect(await ids(store.db)).toEqual([])
  })

  test('rehearsal: a statement that fails says why, as it does outside', async () => {
    const { store } = await testStore(engine)
    await add(store.db, 'a')
    const taken = new Error('taken')
    const refused = rehearse(store, ({ db }) =>
      unlessTaken(
        () => taken,
        () => inTransaction(db, (tx) => add(tx, 'a')),
      ),
    )
    await expect(refused).rejects.toBe(taken)
    expect(await ids(store.db)).toEqual(['a'])
  })

  test('rehearsal: the store itself is out of reach meanwhile, so that nothing is changed by mistake', async () => {
    const { store } = await testStore(engine)
    const slip = (work: () => Promise<unknown>) => expect(rehearse(store, work)).rejects.toThrow(/its tx/)
    await slip(() => add(store.db, 'a'))
    await slip(() => ids(store.db))
    await slip(() => inTransaction(store.db, (tx) => add(tx, 'a')))
    expect(await ids(store.db)).toEqual([])
  })

  test('rehearsal: what is remembered in it and what is remembered outside do not mix', async () => {
    const { store } = await testStore(engine)
    const outside = new VersionedCache<string, string>(store.versions, 'settings', { max: 10 })
    outside.set('a', 'outside', outside.version())
    cacheOf(store.db).set('a', 'outside')
    await rehearse(store, async ({ db, versions }) => {
      const inside = new VersionedCache<string, string>(versions, 'settings', { max: 10 })
      inside.set('a', 'before', inside.version())
      expect(inside.get('a')).toBe('before')
      await inTransaction(db, async (tx) => bumpVersion(tx, 'settings'))
      expect(inside.get('a')).toBeUndefined()
      expect(cacheOf(db).get('a')).toBeUndefined()
      cacheOf(db).set('a', 'inside')
      await inTransaction(db, async (tx) => expect(cacheOf(tx).get('a')).toBe('inside'))
    })
    expect([outside.get('a'), cacheOf(store.db).get('a')]).toEqual(['outside', 'outside'])
  })

  test('rehearsal: writes of others that come meanwhile are kept', async () => {
    const { store } = await testStore(engine)
    let other: Promise<unknown> = Promise.resolve()
    const started = Promise.withResolvers<void>()
    const rehearsed = rehearse(store, async ({ db }) => {
      await add(db, 'tried')
      started.resolve()
      return await ids(db)
    })
    await started.promise
    other = add(store.db, 'real')
    expect(await rehearsed).toContain('tried')
    await other
    expect(await ids(store.db)).toEqual(['real'])
  })
})
