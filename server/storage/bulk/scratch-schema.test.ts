import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase, testEngines } from '../../../test/support/databases.ts'
import { openStore } from '../open.ts'
import { connectForBulk, type PostgresTarget } from './postgres-bulk.ts'
import { createScratchSchema, sweepScratchSchemas } from './scratch-schema.ts'

describe.runIf(testEngines.includes('postgres'))('postgres', () => {
  const place = async () => {
    const database = await emptyDatabase('postgres')
    const store = await openStore(database.options)
    onTestFinished(async () => {
      await store.close()
      await database.remove()
    })
    const names = async () => {
      const start = `${database.options.schema}_scratch_`
      const { rows } = await sql<{ name: string }>`
        select nspname as name from pg_namespace where starts_with(nspname, ${start}) order by 1`.execute(store.db)
      return rows.map(({ name }) => name.slice(start.length))
    }
    return { db: store.db, live: store.target as PostgresTarget, names }
  }

  test('the sweep removes a scratch schema only after the connection of its owner is gone', async () => {
    const { db, live, names } = await place()
    const { target, remove } = await createScratchSchema(live, 'owned')
    await createScratchSchema(live, 'orphan')
    expect(await sweepScratchSchemas(live)).toBe(0)
    // As if the process that made it had been killed: its connections are closed.
    await sql`select pg_terminate_backend(l.pid) from pg_locks l where l.locktype = 'advisory' and l.objid::bigint =
      hashtext('holdfast-scratch-' || ${`${live.schema}_scratch_orphan`})::bigint & 4294967295`.execute(db)
    await expect.poll(() => sweepScratchSchemas(live)).toBe(1)
    expect(await names()).toEqual(['owned'])
    await sql`create table ${sql.table(`${target.schema}.t`)} (id text)`.execute(db)
    await remove()
    expect(await names()).toEqual([])
  })

  test('the sweep skips a scratch schema with a locked table and removes it next time', async () => {
    const { db, live, names } = await place()
    await sql`create schema ${sql.id(`${live.schema}_scratch_busy`)}`.execute(db)
    await sql`create table ${sql.table(`${live.schema}_scratch_busy.t`)} (id text)`.execute(db)
    const client = await connectForBulk(live)
    await client.query('begin')
    await client.query(`lock table "${live.schema}_scratch_busy".t`)
    expect(await sweepScratchSchemas(live)).toBe(0)
    await client.query('rollback')
    await client.end()
    expect(await sweepScratchSchemas(live)).toBe(1)
    expect(await names()).toEqual([])
  })
})
