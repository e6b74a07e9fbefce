import { expect, test } from 'vitest'
import { eachEngine, testStore } from '../../test/support/databases.ts'
import { inTransaction } from './transaction.ts'

eachEngine((engine) => {
  test('load: the store tells how busy the way to it is', async () => {
    const { store, db } = await testStore(engine)
    const begun = Promise.withResolvers<void>()
    const hold = Promise.withResolvers<void>()
    const first = inTransaction(db, async () => {
      begun.resolve()
      await hold.promise
    })
    await begun.promise
    const others = Array.from({ length: 12 }, () => inTransaction(db, async () => await hold.promise))
    const expected = engine === 'sqlite' ? { queued: 12 } : { used: 10, idle: 0, waiting: 3, limit: 10 }
    await expect.poll(() => store.load()).toEqual(expected)
    hold.resolve()
    await Promise.all([first, ...others])
    await expect.poll(() => store.load()).toMatchObject(engine === 'sqlite' ? { queued: 0 } : { used: 0, waiting: 0 })
  })

  test.runIf(engine === 'postgres')('load: there are as many connections as the settings say', async () => {
    const { store, db } = await testStore(engine, { connections: 3 })
    const hold = Promise.withResolvers<void>()
    const others = Array.from({ length: 5 }, () => inTransaction(db, async () => await hold.promise))
    await expect.poll(() => store.load()).toEqual({ used: 3, idle: 0, waiting: 2, limit: 3 })
    hold.resolve()
    await Promise.all(others)
  })

  test('load: nobody waits while connections are free or can be opened', async () => {
    const { store, db } = await testStore(engine)
    await db.selectFrom('policies').select('name').execute()
    const reads = Array.from({ length: 6 }, () => db.selectFrom('policies').select('name').execute())
    // Those who asked just now have not been given their connection yet.
    await Promise.resolve()
    expect(store.load()).toMatchObject(engine === 'sqlite' ? { queued: 0 } : { waiting: 0 })
    await Promise.all(reads)
  })
})
