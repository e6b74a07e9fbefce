import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eachEngine, testStore } from '../../test/support/databases.ts'
import { inBatches } from './batches.ts'
import type { Tx } from './database.ts'

eachEngine((engine) => {
  test('batches: all rows are written, and others see what the batches so far have left', async () => {
    const { db } = await testStore(engine)
    const rows = Array.from({ length: 41 }, (_, n) => ({ id: `id-${n}`, created_at: 1 }))
    await db.insertInto('operations').values(rows).execute()
    const count = async () => (await db.selectFrom('operations').select('id').execute()).length
    const removeSome = async (tx: Tx, limit: number) => {
      const some = tx.selectFrom('operations').select('id').limit(limit)
      return Number((await tx.deleteFrom('operations').where('id', 'in', some).executeTakeFirst()).numDeletedRows)
    }
    const seen = new Set<number>()
    let isDone = false
    const removing = inBatches(db, removeSome, 4).finally(() => {
      isDone = true
    })
    while (!isDone) {
      seen.add(await count())
      await nextTurn()
    }
    expect(await removing).toBe(41)
    expect(await count()).toBe(0)
    expect([...seen].filter((left) => left > 0 && left < 41).length).toBeGreaterThan(1)
  })
})
