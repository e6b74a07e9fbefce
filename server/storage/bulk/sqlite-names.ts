import type { DatabaseSync } from 'node:sqlite'
import { quoted } from './table-shape.ts'

/** The full-text table of the names of workspaces, in the tables in which SQLite keeps it. Archives do without it. */
const keptIn = ['workspace_names_data', 'workspace_names_idx', 'workspace_names_config']

const fill = 'insert into workspace_names (rowid, name_key) select rowid, name_key from workspaces order by rowid'

/** Removes all triggers, which would run for each row that is copied. Returns what makes them again. */
export function dropTriggers(database: DatabaseSync): () => void {
  const select = "select name, sql from main.sqlite_schema where type = 'trigger'"
  const triggers = database.prepare(select).all() as { name: string; sql: string }[]
  for (const { name } of triggers) database.exec(`drop trigger ${quoted(name)}`)
  return () => {
    for (const { sql } of triggers) database.exec(sql)
  }
}

/** Fills the full-text table of a new database, if it has one, before there are indexes that would change the order of rows. */
export function indexNames(database: DatabaseSync): void {
  const isThere = "select 1 from sqlite_schema where name = 'workspace_names'"
  if (database.prepare(isThere).get()) database.exec(fill)
}

/** Replaces the full-text table by that of a scratch database, whose workspaces have been copied with their numbers or without. */
export function replaceNames(database: DatabaseSync, hasSameNumbers: boolean): void {
  if (!hasSameNumbers) {
    database.exec("insert into main.workspace_names (workspace_names) values ('delete-all')")
    database.exec(fill)
    return
  }
  for (const table of keptIn) {
    database.exec(`delete from main.${table}`)
    database.exec(`insert into main.${table} select * from scratch.${table}`)
  }
}
