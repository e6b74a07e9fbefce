import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { eachEngine, testEngines } from '../../test/support/databases.ts'
import { ownApp } from '../../test/support/shared.ts'
import { testApp } from '../../test/support/test-app.ts'
import type { Deps } from '../kit/deps.ts'
import { decodeTuple, tupleEnd } from '../storage/bulk/tuples.ts'
import type { Db } from '../storage/open.ts'
import { inTransaction } from '../storage/transaction.ts'
import { readArchive } from './format/archive-reader.ts'
import { restoreArchive, sweepScratch, takeArchive } from './index.ts'

/** Two rows of different tables that belong together: whoever sees one must see the other. */
const writePair = (deps: Deps, name: string): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    await tx.insertInto('policies').values({ name, text: name, updated_at: 1 }).execute()
    await tx.insertInto('token_roles').values({ name, terms: '{}', updated_at: 1 }).execute()
  })

/** Writes pairs with several hands until told to stop; answers those that were acknowledged. */
function keepWriting(deps: Deps, label: string) {
  const acknowledged: string[] = []
  let isOver = false
  const hand = async (number: number): Promise<void> => {
    for (let count = 0; !isOver; count++) {
      const name = `${label}-${number}-${count}`
      await writePair(deps, name)
      acknowledged.push(name)
    }
  }
  const hands = [0, 1, 2, 3].map(hand)
  return {
    acknowledged,
    stop: async () => {
      isOver = true
      await Promise.all(hands)
    },
  }
}

async function taken(deps: Deps): Promise<Buffer> {
  const archive = await takeArchive(deps)
  try {
    return await buffer(archive.open())
  } finally {
    await archive.remove()
  }
}

async function namesInArchive(bytes: Buffer): Promise<Record<string, Set<string>>> {
  const names: Record<string, Set<string>> = { policies: new Set(), token_roles: new Set() }
  await readArchive(Readable.from([bytes]), {
    table: async ({ name, columns }, tuples) => {
      for await (const rows of tuples) {
        for (let at = 0; at < rows.length; at = tupleEnd(rows, at, columns.length)) {
          names[name]?.add(String(decodeTuple(rows, at, columns)[0]))
        }
      }
    },
  })
  return names
}

async function namesInStore(deps: Deps): Promise<Record<string, Set<string>>> {
  const policies = await deps.db.selectFrom('policies').select('name').execute()
  const roles = await deps.db.selectFrom('token_roles').select('name').execute()
  return { policies: new Set(policies.map(({ name }) => name)), token_roles: new Set(roles.map(({ name }) => name)) }
}

const pairsOf = (names: Record<string, Set<string>>, label: string) =>
  Object.values(names).map((set) => [...set].filter((name) => name.startsWith(label)).sort())

/** Long runs leave many names, so they are looked up in a set. */
function missingFrom(found: readonly string[] | undefined, wanted: readonly string[]): string[] {
  const known = new Set(found)
  return wanted.filter((name) => !known.has(name))
}

/** Each restore starts several threads, which takes its time on a busy machine. */
vi.setConfig({ testTimeout: 60_000 })

eachEngine((engine) => {
  const started = async () => {
    const app = await ownApp({ engine })
    return app
  }

  test('a snapshot under load is consistent: no half transaction, no acknowledged write missing', async () => {
    const { deps } = await started()
    const writer = keepWriting(deps, 'w')
    await expect.poll(() => writer.acknowledged.length).toBeGreaterThan(20)
    for (let round = 0; round < 2; round++) {
      const before = [...writer.acknowledged]
      const [policies, roles] = pairsOf(await namesInArchive(await taken(deps)), 'w')
      expect(roles).toEqual(policies)
      expect(missingFrom(policies, before)).toEqual([])
    }
    await writer.stop()
  })

  test('a restore during writes leaves no half transaction and keeps writes acknowledged after it', async () => {
    const { deps } = await started()
    await writePair(deps, 'old')
    const archive = await taken(deps)
    const during = keepWriting(deps, 'during')
    await expect.poll(() => during.acknowledged.length).toBeGreaterThan(20)
    await restoreArchive(deps, Readable.from([archive]))
    const atEnd = during.acknowledged.length
    await expect.poll(() => during.acknowledged.length).toBeGreaterThan(atEnd + 20)
    await during.stop()
    const names = await namesInStore(deps)
    const [policies, roles] = pairsOf(names, 'during')
    expect(roles).toEqual(policies)
    expect(missingFrom(policies, during.acknowledged.slice(atEnd + 4))).toEqual([])
    expect(policies?.length).toBeLessThan(during.acknowledged.length)
    expect(names.policies?.has('old')).toBe(true)
  })

  test('a restore raises revisions, so a compare-and-swap on an older revision changes nothing', async () => {
    const { deps } = await started()
    await deps.db.insertInto('snapshot_configurations').values(configuration).execute()
    const archive = await taken(deps)
    const readRevision = async () =>
      (await deps.db.selectFrom('snapshot_configurations').select('revision').executeTakeFirstOrThrow()).revision
    const before = await readRevision()
    await restoreArchive(deps, Readable.from([archive]))
    const once = await readRevision()
    expect(once).toBeGreaterThan(before + 2 ** 31)
    // As a migration does that adds such a column.
    const prepare = async (db: Db) =>
      void (await db.updateTable('snapshot_configurations').set({ revision: 1 }).execute())
    await restoreArchive(deps, Readable.from([await taken(deps)]), { prepare })
    expect(await readRevision()).toBeGreaterThan(once)
    const swapped = await deps.db
      .updateTable('snapshot_configurations')
      .set({ retain: 9 })
      .where('revision', '=', before)
      .executeTakeFirst()
    expect(swapped.numUpdatedRows).toBe(0n)
  })
})

const configuration = {
  name: 'nightly',
  interval_s: 60,
  retain: 1,
  path_prefix: '/x',
  file_prefix: 'x',
  type: 'local',
  dialect: 'own',
  settings: '{}',
  secrets: null,
  verify: 'restore',
  paused: 0,
  revision: 5,
  created_at: 1,
  updated_at: 1,
}

test.runIf(testEngines.includes('postgres'))(
  'postgres: a restore is reported as done even if its scratch schema cannot be removed yet',
  async () => {
    const { deps, close } = await testApp({ engine: 'postgres' })
    const bytes = await taken(deps)
    const holder = new pg.Client({ connectionString: deps.store.url })
    await holder.connect()
    onTestFinished(async () => {
      await holder.end()
      await close()
    })
    const report = await restoreArchive(deps, Readable.from([bytes]), {
      prepare: async (db) => {
        const made = await sql<{ schema: string }>`select current_schema() as schema`.execute(db)
        await sql`create sequence in_use`.execute(db)
        await holder.query('begin')
        await holder.query(`select nextval('${made.rows[0]?.schema}.in_use')`)
      },
    })
    expect(report.sealed).toBe(false)
    await holder.query('rollback')
    expect(await sweepScratch(deps)).toBe(1)
  },
)
