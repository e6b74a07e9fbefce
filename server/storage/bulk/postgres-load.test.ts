import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testEngines, testStore } from '../../../test/support/databases.ts'
import { openPostgresLoader } from './postgres-load.ts'

test.skipIf(!testEngines.includes('postgres'))('loaded tables have planner statistics at once', async () => {
  const { store } = await testStore('postgres')
  const { target } = store
  if (target.engine !== 'postgres') throw new Error('This is about PostgreSQL.')
  const loader = await openPostgresLoader(target)
  await loader.finish()
  await loader.close()
  const { rows } = await sql<{ never: number }>`select count(*)::int as never from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
    where c.relname = 'workspaces' and c.reltuples < 0`.execute(store.db)
  expect(rows).toEqual([{ never: 0 }])
})
