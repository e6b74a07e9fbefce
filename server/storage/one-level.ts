import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from './database.ts'
import type { EngineKind } from './dialect.ts'
import { runnerOf } from './engine.ts'

/** A folder of a table whose rows have a `folder`, which is empty or ends in a slash, and a `name` without one. */
type Level = {
  readonly table: 'kv_secrets' | 'cubbyholes'
  /** The column of those that rows belong to; an index begins with it, `folder` and `name`. */
  readonly owner: 'mount_id' | 'token_id'
  readonly ownerId: string
  readonly folder: string
  /** What else the names have to fulfil. */
  readonly only?: RawBuilder<boolean>
}

/** The two columns of a path. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const end = path.lastIndexOf('/') + 1
  return { folder: path.slice(0, end), name: path.slice(end) }
}

/**
 * The entries directly in a folder, in byte order: its names, and the folders in it with a slash. Names are a range of the
 * index. From one folder to the next the index is entered again, so that what lies deeper costs nothing.
 */
export async function entriesIn(
  db: Queryable,
  { table, owner, ownerId, folder, only = sql`1 = 1` }: Level,
  { after, most }: { readonly after: string; readonly most: number },
): Promise<string[]> {
  const child = (column: string) => firstSegment(runnerOf(db).kind, column, [...folder].length + 1)
  const nextFolder = (beyond: RawBuilder<string>) => sql`
    select rows.folder from ${sql.table(table)} as rows
    where rows.${sql.ref(owner)} = ${ownerId} and rows.folder > ${beyond} ${beforeEnd(folder)}
    order by rows.folder limit 1`
  const query = sql<{ entry: string }>`
    select entry from (
      with recursive below(folder) as (
        select (${nextFolder(sql`${folder + firstAfter(after)}`)})
        union all
        select (${nextFolder(sql`${folder} || ${child('below.folder')} || '0'`)}) from below where below.folder is not null
      )
      select entry from (
        select name as entry from ${sql.table(table)}
        where ${sql.ref(owner)} = ${ownerId} and folder = ${folder} and name > ${after} and ${only}
        order by name limit ${most} + 0
      ) as names
      union all
      select entry from (
        select ${child('below.folder')} || '/' as entry from below where below.folder is not null limit ${most} + 0
      ) as folders
      order by entry limit ${most} + 0
    ) as entries`
  return (await query.execute(db)).rows.map(({ entry }) => entry)
}

/** Where the first folder after an entry begins: after a folder, it is beyond all that is in that one. */
const firstAfter = (after: string): string => (after.includes('/') ? `${after.slice(0, after.indexOf('/'))}0` : after)

/** What follows everything in a folder: `0` comes after the slash. */
const beforeEnd = (folder: string): RawBuilder<unknown> =>
  folder === '' ? sql`` : sql`and rows.folder < ${`${folder.slice(0, -1)}0`}`

/** What is before the next slash in a column, counted from a character. */
const firstSegment = (kind: EngineKind, column: string, from: number): RawBuilder<string> => {
  const rest = sql`substr(${sql.ref(column)}, ${sql.lit(from)})`
  return kind === 'sqlite' ? sql`substr(${rest}, 1, instr(${rest}, '/') - 1)` : sql`split_part(${rest}, '/', 1)`
}
