import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

/** SQL run as it is, without anything around it: the rival of what the server makes of it. */
export type Statements = {
  /** A query that is run again and again; answers when all its rows are there. */
  query(sql: string): () => Promise<unknown>
  /** A durable write of one row of `bench_rows` by number, for many callers at once. */
  write(row: number): Promise<void>
  close(): Promise<void>
}

const table = 'create table bench_rows (id integer primary key, holder text not null, generation integer not null)'
const fill = (rows: number): string =>
  `insert into bench_rows with recursive n(i) as (select 0 union all select i + 1 from n where i < ${rows - 1}) select i, '', 0 from n`
const update = (mark: string): string =>
  `update bench_rows set holder = 'user-1111111111111111', generation = generation + 1 where id = ${mark}`

/** On a file of SQLite: writes that come in one turn of the event loop share their commit. */
export function sqliteStatements(url: string, rows: number): Statements {
  const file = url.replace(/^sqlite:/, '')
  const reader = new DatabaseSync(file, { readOnly: true })
  const writer = new DatabaseSync(`${file}.rival`)
  writer.exec(`pragma journal_mode = wal; pragma synchronous = full; ${table}; ${fill(rows)}`)
  const change = writer.prepare(update('?'))
  let waiting: { row: number; done(): void }[] = []
  const commit = (): void => {
    const group = waiting
    waiting = []
    writer.exec('begin immediate')
    for (const { row } of group) change.run(row)
    writer.exec('commit')
    for (const { done } of group) done()
  }
  return {
    query: (sql) => {
      const prepared = reader.prepare(sql)
      return async () => prepared.all()
    },
    write: (row) =>
      new Promise((done) => {
        if (waiting.push({ row, done }) === 1) setImmediate(commit)
      }),
    close: async () => {
      reader.close()
      writer.close()
    },
  }
}

/** On PostgreSQL, by named statements over as many connections as a server has. */
export async function postgresStatements(url: string, rows: number): Promise<Statements> {
  const pool = new pg.Pool({ connectionString: url, max: 20 })
  await pool.query(`${table}; ${fill(rows)}`)
  let count = 0
  return {
    query: (text) => {
      const name = `bench-${++count}`
      return () => pool.query({ name, text })
    },
    write: async (row) => void (await pool.query({ name: 'bench-write', text: update('$1'), values: [row] })),
    close: () => pool.end(),
  }
}
