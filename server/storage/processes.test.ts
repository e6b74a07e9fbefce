import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eachEngine, testStore } from '../../test/support/databases.ts'
import { startProcess } from '../../test/support/programs/child-process.ts'
import { inTransaction } from './transaction.ts'

const program = join(import.meta.dirname, '../../test/support/programs/store-process.ts')

eachEngine((engine) => {
  describe('several processes', () => {
    test('that write to one store lose no update, and see the changes of each other', async () => {
      const { store, db } = await testStore(engine)
      await db.insertInto('operations').values({ id: 'counter', created_at: 0 }).execute()
      await store.versions.refresh()
      const before = store.versions.of('roles')
      const others = [startProcess(program, [store.url, '100']), startProcess(program, [store.url, '100'])]
      await Promise.all(others.map((other) => other.line('open')))
      const increment = () =>
        inTransaction(db, async (tx) => {
          const { created_at: count } = await tx.selectFrom('operations').selectAll().executeTakeFirstOrThrow()
          // Without a lock on PostgreSQL the count may be outdated by now, so the update compares it.
          const swap = tx
            .updateTable('operations')
            .set({ created_at: count + 1 })
            .where('created_at', '=', count)
          return (await swap.executeTakeFirst()).numUpdatedRows === 1n
        })
      let own = 0
      while (own < 100) if (await increment()) own += 1
      expect(await Promise.all(others.map((other) => other.ended))).toEqual([0, 0])
      const { created_at: total } = await db.selectFrom('operations').selectAll().executeTakeFirstOrThrow()
      expect(total).toBe(300)
      await store.versions.refresh()
      expect(store.versions.of('roles')).not.toBe(before)
    })
  })
})
