import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase, testEngines, testStore } from '../../../test/support/databases.ts'
import { migrate } from '../migrate.ts'
import { openStore } from '../open.ts'
import type { PostgresTarget } from './postgres-bulk.ts'
import { openPostgresLoader } from './postgres-load.ts'

describe.runIf(testEngines.includes('postgres'))('postgres', () => {
  test('loaded tables have planner statistics at once', async () => {
    const database = await emptyDatabase('postgres')
    const store = await openStore(database.options)
    onTestFinished(async () => {
      await store.close()
      await database.remove()
    })
    await migrate(store)
    const loader = await openPostgresLoader(store.target as PostgresTarget)
    await loader.finish()
    await loader.close()
    const { rows } = await sql<{ never: number }>`select count(*)::int as never from pg_class c
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
      where c.relname = 'workspaces' and c.reltuples < 0`.execute(store.db)
    expect(rows).toEqual([{ never: 0 }])
  })

  test('the schema that a store uses is never loaded into', async () => {
    const { store } = await testStore('postgres')
    const target = store.target as PostgresTarget
    await expect(openPostgresLoader(target)).rejects.toMatchObject({ code: 'archive.no-scratch' })
    const elsewhere = openPostgresLoader({ ...target, schema: 'public_scratch_that_is_gone' })
    await expect(elsewhere).rejects.toThrow(/works in no schema, not in 'public_scratch_that_is_gone'/)
  })
})
