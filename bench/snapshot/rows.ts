import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

/** Rows of about 400 bytes with content that hardly compresses: entries of the change log, the table that grows most. */
const columns = [
  'id',
  'position',
  'organization_id',
  'workspace_id',
  'subject_type',
  'subject_id',
  'subject_name',
  'action',
  'actor_kind',
  'actor_id',
  'actor_name',
  'token_id',
  'request_id',
  'created_at',
  'before',
  'after',
] as const

const names = columns.map((name) => `"${name}"`).join(', ')

function* rows(count: number): Generator<(string | number)[]> {
  for (let position = 0; position < count; position++) {
    const random = randomBytes(120).toString('base64url')
    const [id, subject, request] = [random.slice(0, 16), random.slice(16, 32), random.slice(32, 68)]
    const state = (text: string) => `{"name":"service-${position}","description":"${text}","auto-apply":false}`
    yield [
      `chg-${id}${position}`,
      position,
      'org-4hJ2kLmN8pQrStUv',
      `ws-${subject}`,
      'workspaces',
      `ws-${subject}`,
      `service-${position}`,
      'update',
      'user',
      'user-8kLmN4pQrStUv2hJ',
      'ann',
      'at-2hJ4kLmN8pQrStUv',
      request,
      1_794_736_800_000 + position,
      state(random.slice(68, 110)),
      state(random.slice(110)),
    ]
  }
}

/** Fills a SQLite file that a server has open. */
export function fillSqlite(file: string, count: number): void {
  const database = new DatabaseSync(file, { timeout: 10_000 })
  try {
    database.exec('pragma synchronous = off; begin immediate')
    const insert = database.prepare(`insert into change_log (${names}) values (${columns.map(() => '?').join(', ')})`)
    for (const row of rows(count)) insert.run(...row)
    database.exec('commit; pragma wal_checkpoint(truncate)')
  } finally {
    database.close()
  }
}

const batch = 2_000

/** Fills a PostgreSQL database that a server uses. */
export async function fillPostgres(url: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let waiting: (string | number)[][] = []
    const send = async (): Promise<void> => {
      const lists = columns.map((_name, column) => waiting.map((row) => row[column]))
      const types = columns.map((name, column) => {
        const type = name === 'position' || name === 'created_at' ? 'bigint' : 'text'
        return `$${column + 1}::${type}[]`
      })
      await client.query(`insert into change_log (${names}) select * from unnest(${types.join(', ')})`, lists)
      waiting = []
    }
    for (const row of rows(count)) {
      if (waiting.push(row) >= batch) await send()
    }
    if (waiting.length > 0) await send()
    await client.query('vacuum analyze change_log')
  } finally {
    await client.end()
  }
}
