import { describe, expect, test } from 'vitest'
import { eachEngine, testStore } from '../../test/support/databases.ts'
import type { Store } from '../storage/open.ts'
import { inTransaction } from '../storage/transaction.ts'
import { bumpVersion } from '../storage/versions.ts'
import { WhileUnchanged } from './unchanged.ts'

const write = (store: Store) => inTransaction(store.db, (tx) => bumpVersion(tx, 'quotas'))

eachEngine((engine) => {
  describe('while unchanged', () => {
    /** Counts how often the value was computed, after a refresh of the versions each time; it is the newest one. */
    const reader = (store: Store) => {
      const kept = new WhileUnchanged<string, number>({ max: 10 })
      let finds = 0
      return async (): Promise<number> => {
        await store.versions.refresh()
        expect(await kept.get({ store }, 'key', () => ++finds)).toBe(finds)
        return finds
      }
    }

    test('a value is computed once, and again after any write', async () => {
      const { store } = await testStore(engine)
      await write(store)
      const read = reader(store)
      // Other databases of the same PostgreSQL may be written at any time, which counts as a write.
      const isKept = () => expect.poll(async () => (await read()) - (await read()), { interval: 1 }).toBe(0)
      await isKept()
      const before = await read()
      await write(store)
      expect(await read()).toBeGreaterThan(before)
      await isKept()
    })

    test('a write by another process invalidates it too', async () => {
      const { store, openAnother } = await testStore(engine)
      const other = await openAnother()
      const read = reader(other)
      const first = await read()
      await write(store)
      expect(await read()).toBe(first + 1)
    })

    test('a value computed during a write is returned but not stored', async () => {
      const { store } = await testStore(engine)
      const kept = new WhileUnchanged<string, string>({ max: 10 })
      await store.versions.refresh()
      const slow = async () => {
        await write(store)
        return 'old'
      }
      expect(await kept.get({ store }, 'key', slow)).toBe('old')
      expect(await kept.get({ store }, 'key', () => 'new')).toBe('new')
    })

    test('a value that is too large is returned but not stored', async () => {
      const { store } = await testStore(engine)
      const kept = new WhileUnchanged<string, string>({ max: 10, largest: 3, sizeOf: (value) => value.length })
      await store.versions.refresh()
      for (const value of ['abc', 'abcd']) expect(await kept.get({ store }, value, () => value)).toBe(value)
      expect([kept.peek({ store }, 'abc'), kept.peek({ store }, 'abcd')]).toEqual(['abc', undefined])
    })

    test('undefined is not stored', async () => {
      const { store } = await testStore(engine)
      const kept = new WhileUnchanged<string, string>({ max: 10 })
      await store.versions.refresh()
      await kept.get({ store }, 'key', () => undefined)
      expect(await kept.get({ store }, 'key', () => 'second')).toBe('second')
    })
  })
})
