import { expect, test } from 'vitest'
import { eachEngine, testStore } from '../../test/support/databases.ts'
import { inTransaction } from './transaction.ts'

eachEngine((engine) => {
  test('transaction: what it wrote is read back after it', async () => {
    const { db } = await testStore(engine)
    await inTransaction(db, async (tx) => {
      await tx.insertInto('versions').values({ area: 'a', version: 1 }).execute()
    })
    expect(await db.selectFrom('versions').selectAll().execute()).toEqual([{ area: 'a', version: 1 }])
  })
})
