import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testStore } from '../../../test/support/databases.ts'
import { isLocalTable } from './table-shape.ts'

test('no table that a restore keeps has a foreign key to one that a restore replaces', async () => {
  const { db } = await testStore()
  const { rows } = await sql<{ from: string; to: string }>`
    select m.name as "from", k."table" as "to" from sqlite_schema m, pragma_foreign_key_list(m.name) k
    where m.type = 'table'`.execute(db)
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.filter(({ from, to }) => isLocalTable(from) && !isLocalTable(to))).toEqual([])
})
