import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { postgresUrl, testEngines } from '../../../test/support/databases.ts'
import { systemClock } from '../../kernel/clock.ts'
import { randomIds } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { secret } from '../../kernel/secret.ts'
import { migrate } from '../../storage/migrate.ts'
import { openStore } from '../../storage/open.ts'
import { storeFinding } from './checks.ts'
import { sealKeyFinding } from './seal-check.ts'

/** A database without tables and a user without rights in it, as whom its address works. */
async function strangersDatabase() {
  const name = `test_${randomIds.hex(12)}`
  const [plain = '', query] = postgresUrl().split('?')
  const place = `${plain.replace(/\/[^/]*$/, `/${name}`)}?${query ? `${query}&` : ''}`
  const client = new pg.Client({ connectionString: postgresUrl() })
  await client.connect()
  await client.query(`create role ${name}`)
  await client.query(`create database ${name}`)
  const inside = new pg.Client({ connectionString: place })
  await inside.connect()
  await inside.query('revoke create on schema public from public')
  onTestFinished(async () => {
    await inside.end()
    await client.query(`drop database ${name} with (force)`)
    await client.query(`drop role ${name}`)
    await client.end()
  })
  const address = (more = '') => `${place}options=-c%20role%3D${name}${more}`
  return { name, address, query: (text: string) => inside.query(text) }
}

async function start(url: string): Promise<void> {
  const store = await openStore({ url, log: silentLog, clock: systemClock })
  await migrate(store).finally(() => store.close())
}

const onPostgres = test.skipIf(!testEngines.includes('postgres'))

const look = (url: string) => storeFinding({ storage: { engine: 'postgres', url: secret(url) } })

onPostgres('store: rights that a start or a restore needs are looked at', async () => {
  const { name, address, query } = await strangersDatabase()
  const noTables = { state: 'fail', text: `the user ${name} may not create tables in the schema public` }
  expect(await look(address())).toMatchObject({ ...noTables, fix: `grant create on schema public to ${name}` })
  await expect(start(address())).rejects.toThrow('permission denied for schema public')
  expect(await look(address('%20-c%20search_path%3Dnowhere'))).toMatchObject({ state: 'fail' })

  await query(`grant create on schema public to ${name}`)
  await start(address())
  const noSchemas = `the user ${name} may not create schemas in the database ${name}, so snapshots cannot be restored`
  const fix = `grant create on database ${name} to ${name}`
  expect(await look(address())).toMatchObject({ state: 'warn', text: noSchemas, fix })

  await query(`grant create on database ${name} to ${name}`)
  expect(await look(address())).toMatchObject({ state: 'warn', text: expect.stringContaining('workspaces_name_parts') })

  // Tables that exist do not make the right superfluous.
  await query(`revoke create on schema public from ${name}`)
  expect(await look(address())).toMatchObject(noTables)
  await expect(start(address())).rejects.toThrow('permission denied for schema public')
})

onPostgres('search: where pg_trgm is refused a server starts, and doctor tells how to add its index', async () => {
  const { name, address, query } = await strangersDatabase()
  await query(`grant create on schema public to ${name}`)
  await query(`grant create on database ${name} to ${name}`)
  await query(`create function refuse() returns event_trigger language plpgsql
    as $$ begin raise exception 'not on the list'; end $$`)
  await query(
    `create event trigger refuse on ddl_command_start when tag in ('CREATE EXTENSION') execute function refuse()`,
  )
  await start(address())
  const { state, fix = '' } = await look(address())
  expect({ state, fix }).toEqual({ state: 'warn', fix: expect.stringMatching(/^As the owner of the database: create/) })
  await query('drop event trigger refuse')
  for (const statement of fix.replace('As the owner of the database: ', '').split(';')) await query(statement)
  expect(await look(address())).toEqual({ state: 'ok', text: 'postgres answers' })
})

onPostgres('seal key: a PostgreSQL database without tables has no keys yet', async () => {
  const { address } = await strangersDatabase()
  const seal = {
    type: 'auto',
    rootKey: { from: 'file', file: '/nowhere/seal.key' },
    openRootGeneration: false,
  } as const
  const finding = await sealKeyFinding({ seal, storage: { engine: 'postgres', url: secret(address()) } })
  expect(finding).toMatchObject({ state: 'ok', text: expect.stringContaining('the first start makes it') })
})
