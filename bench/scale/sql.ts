import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

/** A row as the database has it. */
export type Row = Readonly<Record<string, unknown>>

/** A database beside its server, as plain SQL that both engines understand. */
export type Sql = {
  run(sql: string): Promise<void>
  all(sql: string): Promise<Row[]>
  close(): Promise<void>
}

/** Opens the store of a server at its address; filling it is quick, and safe only while no server has it open. */
export async function openSql(url: string): Promise<Sql> {
  return url.startsWith('postgres') ? await openPostgres(url) : openSqlite(url.replace(/^sqlite:/, ''))
}

function openSqlite(file: string): Sql {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false, timeout: 20_000 })
  database.exec('pragma synchronous = off; pragma cache_size = -1000000; pragma temp_store = memory')
  return {
    run: async (sql) => database.exec(sql),
    all: async (sql) => database.prepare(sql).all(),
    close: async () => database.close(),
  }
}

async function openPostgres(url: string): Promise<Sql> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    run: async (sql) => void (await client.query(sql)),
    all: async (sql) => (await client.query(sql)).rows,
    close: () => client.end(),
  }
}
