import { createReadStream, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type NodePlace, openNode, saveTo } from '../../test/faults/archive-node.ts'
import { ownFolder } from '../../test/support/folders.ts'
import { inSnapshot, inTransaction } from '../storage/transaction.ts'
import { bumpVersion } from '../storage/versions.ts'
import { restoreArchive } from './index.ts'
import type { ArchiveDeps } from './types.ts'

// Each restore starts several threads, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

/** A store in a file with one policy, an archive of that, and another policy since. */
async function restorable() {
  const folder = ownFolder()
  const file = join(folder, 'store.db')
  const place: NodePlace = { url: `sqlite:${file}`, dataDir: folder }
  const deps = await openNode(place)
  onTestFinished(() => deps.store.close())
  await addPolicy(deps, 'old')
  const archive = join(folder, 'old.snap')
  await saveTo(deps, archive)
  await addPolicy(deps, 'new')
  return { deps, file, place, restore: () => restoreArchive(deps, createReadStream(archive)) }
}

const addPolicy = ({ store }: ArchiveDeps, name: string) =>
  inTransaction(store.db, async (tx) => {
    await tx.insertInto('policies').values({ name, text: '', updated_at: 1 }).execute()
    bumpVersion(tx, 'policies')
  })

const policiesOf = async ({ store }: ArchiveDeps) =>
  (await store.db.selectFrom('policies').select('name').orderBy('name').execute()).map(({ name }) => name)

const numberOf = (file: string) => statSync(file).ino

test('on SQLite, the restored file takes the place of that of the store, and everything goes on with it', async () => {
  const { deps, file, place, restore } = await restorable()
  const { store } = deps
  await store.db.insertInto('operations').values({ id: 'mine', created_at: 1 }).execute()
  await store.versions.refresh()
  const [number, version] = [numberOf(file), store.versions.of('roles')]
  expect(await store.reads.selectFrom('policies').select('name').execute()).toHaveLength(2)
  await restore()
  expect(numberOf(file)).not.toBe(number)
  expect(await policiesOf(deps)).toEqual(['old'])
  expect(await store.reads.selectFrom('policies').select('name').execute()).toHaveLength(1)
  await store.versions.refresh()
  expect(store.versions.of('roles')).not.toBe(version)
  // What belongs to the installation stays.
  expect(await store.db.selectFrom('operations').select('id').where('id', '=', 'mine').execute()).toHaveLength(1)
  await addPolicy(deps, 'later')
  await restore()
  expect(await policiesOf(deps)).toEqual(['old'])
  await addPolicy(deps, 'last')
  await store.close()
  expect([existsSync(`${file}-wal`), existsSync(`${file}-journal`)]).toEqual([false, false])
  const again = await openNode(place)
  onTestFinished(() => again.store.close())
  expect(await policiesOf(again)).toEqual(['last', 'old'])
})

test('on SQLite, a restore waits for those who read as of one moment, and others for it', async () => {
  const { deps, file, restore } = await restorable()
  const number = numberOf(file)
  const reading = inSnapshot(deps.store.db, async (db) => {
    const names = () => db.selectFrom('policies').select('name').execute()
    const before = await names()
    await sleep(1_500)
    return [before, await names()]
  })
  let isOver = false
  const seen = new Set<string>()
  const others = [0, 1, 2].map(async (each) => {
    for (let count = 0; !isOver; count++) {
      seen.add((await policiesOf(deps)).includes('new') ? 'before' : 'after')
      await deps.store.reads.selectFrom('policies').select('name').execute()
      await deps.store.db
        .insertInto('operations')
        .values({ id: `${each}-${count}`, created_at: 1 })
        .execute()
      await deps.store.versions.refresh()
    }
    return true
  })
  await restore()
  isOver = true
  expect(await Promise.all(others)).toEqual([true, true, true])
  expect([...seen]).toContain('before')
  const [before, after] = await reading
  expect([before?.length, after?.length]).toEqual([2, 2])
  expect(numberOf(file)).not.toBe(number)
})

test('on SQLite, a store that another process has open keeps its file, and both see what was restored', async () => {
  const { deps, file, place, restore } = await restorable()
  const other = await openNode(place)
  onTestFinished(() => other.store.close())
  const number = numberOf(file)
  await restore()
  expect(numberOf(file)).toBe(number)
  expect([await policiesOf(deps), await policiesOf(other)]).toEqual([['old'], ['old']])
  await addPolicy(other, 'from the other')
  expect(await policiesOf(deps)).toEqual(['from the other', 'old'])
})
