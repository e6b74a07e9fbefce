import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { emptyDatabase, postgresUrl, testEngines } from '../../../test/support/databases.ts'
import { connectForBulk } from '../bulk/postgres-bulk.ts'
import { openStore } from '../open.ts'
import { clientConfig, socketOf } from './connection.ts'

/** The driver’s own reading of what it is given. */
const read = (url: string) => new pg.Client(clientConfig(url, {})) as pg.Client & { connectionParameters: unknown }

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(clientConfig(url, {}))
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** Seconds until the next TCP keep-alive probe; undefined if none is scheduled. */
function nextProbe(localPort: number): number | undefined {
  const port = localPort.toString(16).toUpperCase().padStart(4, '0')
  const timer = new RegExp(`^ *\\d+: [0-9A-F]+:${port} \\S+ \\S+ \\S+ 02:([0-9A-F]+)`, 'm')
  const [, ticks] = timer.exec(readFileSync('/proc/net/tcp', 'utf8')) ?? []
  return ticks === undefined ? undefined : Number.parseInt(ticks, 16) / 100
}

describe.runIf(testEngines.includes('postgres'))('postgres', () => {
  test.each(['?options=-c%20statement_timeout%3D61000', '?options=-c+statement_timeout=61s&application_name=me'])(
    'the options in the address and those of the store both apply: %s',
    async (query) => {
      const database = await emptyDatabase('postgres')
      const store = await openStore({ ...database.options, url: `${database.options.url}${query}` })
      onTestFinished(async () => {
        await store.close()
        await database.remove()
      })
      const { rows } = await sql<Record<string, string>>`select current_schema() as schema,
        current_setting('statement_timeout') as timeout, current_setting('synchronous_commit') as commit`.execute(
        store.db,
      )
      expect(rows).toEqual([{ schema: database.options.schema, timeout: '61s', commit: 'off' }])
    },
  )

  test('the schema of the store overrides a search_path in the address', async () => {
    const database = await emptyDatabase('postgres')
    const url = `${database.options.url}?options=-c%20search_path%3Dpublic`
    const store = await openStore({ ...database.options, url })
    onTestFinished(async () => {
      await store.close()
      await database.remove()
    })
    const { rows } = await sql`select current_schema() as schema`.execute(store.db)
    expect(rows).toEqual([{ schema: database.options.schema }])
  })

  const hasty = ['statement', 'idle_in_transaction_session', 'idle_session'].map((name) => `-c ${name}_timeout=100`)
  const hastyUrl = (url: string) => `${url}?options=${encodeURIComponent(hasty.join(' '))}`

  test('a bulk connection is free of the timeouts set in the address', async () => {
    const client = await connectForBulk({ engine: 'postgres', url: hastyUrl(postgresUrl()), schema: undefined })
    onTestFinished(() => client.end())
    const { rows } = await client.query(
      "select name from pg_settings where name like '%\\_timeout' and setting = '100'",
    )
    expect(rows).toEqual([])
  })

  test('the listening connection survives idle_session_timeout', async () => {
    const database = await emptyDatabase('postgres')
    const store = await openStore({ ...database.options, url: hastyUrl(database.options.url) })
    const watcher = await connected(postgresUrl())
    onTestFinished(async () => {
      await store.close()
      await database.remove()
    })
    const backends = async (condition: string) => {
      const text = `select pid from pg_stat_activity where ${condition}`
      return (await watcher.query<{ pid: number }>(text)).rows.map(({ pid }) => pid)
    }
    const listening = `query = 'listen "holdfast_versions_${database.options.schema}"'`
    const [listener] = await backends(listening)
    expect(listener).toBeTypeOf('number')
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(store.db)
    await expect.poll(() => backends(`pid = ${rows[0]?.pid}`)).toEqual([])
    expect(await backends(listening)).toEqual([listener])
  })

  test.skipIf(process.platform !== 'linux')('TCP keep-alive probes start within 30 seconds', async () => {
    const client = await connected(postgresUrl())
    expect(nextProbe(socketOf(client).localPort ?? 0)).toBeLessThanOrEqual(30)
  })
})

test.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
  'sslmode=%s verifies the certificate of the server, without a driver warning',
  (mode) => {
    const warned = vi.spyOn(process, 'emitWarning')
    onTestFinished(() => warned.mockRestore())
    const { connectionParameters } = read(`postgres://u@h/db?sslmode=${mode}&application_name=x`)
    expect(connectionParameters).toMatchObject({ ssl: {}, application_name: 'x' })
    expect(connectionParameters).not.toMatchObject({ ssl: { rejectUnauthorized: false } })
    expect(warned).not.toHaveBeenCalled()
  },
)

test.each([
  ['sslmode=disable', false],
  ['sslmode=no-verify', { rejectUnauthorized: false }],
  ['sslmode=require&uselibpqcompat=true', { rejectUnauthorized: false }],
])('%s disables TLS or its certificate check', (query, ssl) => {
  expect(read(`postgres://u@h/db?${query}`).connectionParameters).toMatchObject({ ssl })
})
