import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

/** Plain SQL without anything around it: the baseline for the server's lists. */
export type Statements = {
  /** A query that is run repeatedly; resolves when all its rows are there. */
  query(sql: string): () => Promise<unknown>
  close(): Promise<void>
}

/** On a file of SQLite. */
export function sqliteStatements(url: string): Statements {
  const reader = new DatabaseSync(url.replace(/^sqlite:/, ''), { readOnly: true })
  return {
    query: (sql) => {
      const prepared = reader.prepare(sql)
      return async () => prepared.all()
    },
    close: async () => reader.close(),
  }
}

/** On PostgreSQL, by named statements. */
export function postgresStatements(url: string): Statements {
  const pool = new pg.Pool({ connectionString: url, max: 20 })
  let count = 0
  return {
    query: (text) => {
      const name = `bench-${++count}`
      return () => pool.query({ name, text })
    },
    close: () => pool.end(),
  }
}
