import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { eachEngine, testStore } from '../../test/support/databases.ts'
import { collectUncaught } from '../../test/support/uncaught.ts'
import type { Awaitable } from '../kernel/awaitable.ts'
import type { Store } from './open.ts'
import { inTransaction } from './transaction.ts'
import { VersionTracker } from './version-tracker.ts'
import { type Area, bumpVersion, VersionedCache } from './versions.ts'

const bump = (store: Store, ...areas: Area[]) =>
  inTransaction(store.db, async (tx) => {
    for (const area of areas) bumpVersion(tx, area)
  })

async function until(condition: () => Awaitable<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await condition()) return
    await sleep(50)
  }
  throw new Error('it did not happen')
}

eachEngine((engine) => {
  describe('versions', () => {
    test('a change moves the version of its area at once in the same process, and of no other area', async () => {
      const { store } = await testStore(engine)
      await store.versions.refresh()
      const before = [store.versions.of('roles'), store.versions.of('mounts')]
      await bump(store, 'roles')
      expect(store.versions.of('roles')).not.toBe(before[0])
      expect(store.versions.of('mounts')).toBe(before[1])
    })

    test('a listener that throws fails neither the write it is told of nor later ones, and stops no other', async () => {
      const { store } = await testStore(engine)
      const uncaught = collectUncaught()
      const [error, told] = [new Error('a fault of the listener'), [] as string[]]
      store.versions.onChange('roles', () => {
        throw error
      })
      store.versions.onChange('roles', () => void told.push('roles'))
      await bump(store, 'roles')
      await bump(store, 'mounts')
      expect([uncaught, told]).toEqual([[error], ['roles']])
      expect(store.broken()).toBeUndefined()
    })

    test('a change that is rolled back moves no version', async () => {
      const { store } = await testStore(engine)
      await store.versions.refresh()
      const before = store.versions.of('roles')
      const failing = inTransaction(store.db, async (tx) => {
        bumpVersion(tx, 'roles')
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      await store.versions.refresh()
      expect(store.versions.of('roles')).toBe(before)
    })

    test('a change by another process moves the version of its area only', async () => {
      const { store, openAnother } = await testStore(engine)
      const other = await openAnother()
      await bump(store, 'roles', 'mounts')
      await other.versions.refresh()
      const before = [other.versions.of('roles'), other.versions.of('mounts')]
      await bump(store, 'roles')
      await other.versions.refresh()
      expect(other.versions.of('roles')).not.toBe(before[0])
      expect(other.versions.of('mounts')).toBe(before[1])
    })

    test('a change by another process is noticed after any number of refreshes that found none', async () => {
      const { store, openAnother } = await testStore(engine)
      const other = await openAnother()
      for (let looks = 0; looks < 5; looks++) {
        for (let look = 0; look < looks; look++) await other.versions.refresh()
        const before = other.versions.of('roles')
        await bump(store, 'roles')
        await other.versions.refresh()
        expect(other.versions.of('roles')).not.toBe(before)
      }
    })

    test('a change of "everything" moves every area in other processes', async () => {
      const { store, openAnother } = await testStore(engine)
      const other = await openAnother()
      await other.versions.refresh()
      const before = other.versions.of('policies')
      await bump(store, 'everything')
      await other.versions.refresh()
      expect(other.versions.of('policies')).not.toBe(before)
    })

    test('content() changes with every write, here and in other processes, and only then', async () => {
      const { store, openAnother } = await testStore(engine)
      const other = await openAnother()
      const contents = async () => {
        await Promise.all([store.versions.refresh(), other.versions.refresh()])
        return [store.versions.content(), other.versions.content()]
      }
      // Other databases of the same server may write at any time.
      await until(async () => {
        const first = await contents()
        await store.db.selectFrom('versions').selectAll().execute()
        return isDeepStrictEqual(await contents(), first)
      })
      const before = await contents()
      await store.db.insertInto('versions').values({ area: 'here', version: 1 }).execute()
      expect(store.versions.content()).not.toBe(before[0])
      const between = await contents()
      expect(between[1]).not.toBe(before[1])
      await bump(other, 'roles')
      expect(other.versions.content()).not.toBe(between[1])
      expect((await contents())[0]).not.toBe(between[0])
    })

    test('a shared refresh is never older than the moment it was asked for', async () => {
      const { store, openAnother } = await testStore(engine)
      const other = await openAnother()
      for (let round = 0; round < 20; round++) {
        const early = [other.versions.refresh(), other.versions.refresh(), other.versions.refresh()]
        const before = other.versions.of('roles')
        await bump(store, 'roles')
        await other.versions.refresh()
        expect(other.versions.of('roles')).not.toBe(before)
        await Promise.all(early)
      }
    })

    test('onChange calls its listener for a local change until it is stopped', async () => {
      const { store } = await testStore(engine)
      let heard = 0
      const stop = store.versions.onChange('jobs', () => {
        heard += 1
      })
      await bump(store, 'jobs')
      expect(heard).toBeGreaterThan(0)
      stop()
      const before = heard
      await bump(store, 'jobs')
      expect(heard).toBe(before)
    })

    test('concurrent bumps of the same areas in different orders all succeed', async () => {
      const { store } = await testStore(engine)
      const orders: Area[][] = [
        ['roles', 'mounts'],
        ['mounts', 'roles'],
      ]
      await Promise.all(Array.from({ length: 20 }, (_, turn) => bump(store, ...(orders[turn % 2] as Area[]))))
      const rows = await store.db.selectFrom('versions').selectAll().where('area', 'in', ['roles', 'mounts']).execute()
      expect(rows.map((row) => row.version)).toEqual([20, 20])
    })
  })
})

describe('versioned cache', () => {
  function testCache(max = 10) {
    const tracker = new VersionTracker({ refresh: () => undefined })
    let version = 0
    const change = () => tracker.noteVersion('roles', ++version)
    return { cache: new VersionedCache<string, string>(tracker, 'roles', { max }), change, tracker }
  }

  test('keeps a loaded value until its area changes', async () => {
    const { cache, change } = testCache()
    let loads = 0
    const load = async (key: string) => `${key}${++loads}`
    expect([await cache.getOrLoad('a', load), await cache.getOrLoad('a', load)]).toEqual(['a1', 'a1'])
    change()
    expect(await cache.getOrLoad('a', load)).toBe('a2')
  })

  test('keeps a value when another area changes', async () => {
    const { cache, tracker } = testCache()
    await cache.getOrLoad('a', async () => 'old')
    tracker.noteVersion('mounts', 1)
    expect(cache.get('a')).toBe('old')
  })

  test('recall answers known values synchronously and stores no missing, refused or outdated ones', async () => {
    const { cache, change } = testCache()
    expect(await cache.recall('a', async () => 'one')).toBe('one')
    expect(cache.recall('a', async () => 'two')).toBe('one')
    expect(await cache.recall('b', async () => undefined)).toBeUndefined()
    expect(
      await cache.recall(
        'c',
        async () => 'three',
        () => false,
      ),
    ).toBe('three')
    expect([cache.get('b'), cache.get('c')]).toEqual([undefined, undefined])
    const late = cache.recall('d', async () => {
      change()
      return 'outdated'
    })
    expect([await late, cache.get('d')]).toEqual(['outdated', undefined])
  })

  test('concurrent misses share one load', async () => {
    const { cache } = testCache()
    let loads = 0
    const load = async () => {
      loads += 1
      await sleep(1)
      return 'value'
    }
    await Promise.all(Array.from({ length: 200 }, () => cache.getOrLoad('a', load)))
    expect(loads).toBe(1)
  })

  test('a value read before a change is returned, but not stored', async () => {
    const { cache, change } = testCache()
    const reading = Promise.withResolvers<string>()
    const old = cache.getOrLoad('a', () => reading.promise)
    change()
    const fresh = cache.getOrLoad('a', async () => 'new')
    reading.resolve('old')
    expect([await old, await fresh]).toEqual(['old', 'new'])
    expect(cache.get('a')).toBe('new')
    const asOf = cache.version()
    change()
    cache.set('b', 'old', asOf)
    expect(cache.get('b')).toBeUndefined()
  })

  test('a failed load is not stored', async () => {
    const { cache } = testCache()
    await expect(cache.getOrLoad('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await cache.getOrLoad('a', async () => 'yes')).toBe('yes')
  })

  test('holds at most its maximum number of entries', async () => {
    const { cache } = testCache(2)
    for (const key of ['a', 'b', 'c']) cache.set(key, key, cache.version())
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, 'b', 'c'])
  })
})
