import { sql } from 'kysely'
import type { Queryable } from '../../storage/open.ts'

const ask = async (db: Queryable, question: ReturnType<typeof sql<{ answer: number | boolean }>>): Promise<number> =>
  Number((await question.execute(db)).rows[0]?.answer)

/** True for a PostgreSQL database with workspaces and without an index of the parts of their names. */
export const isWithoutNameParts = async (db: Queryable): Promise<boolean> =>
  (await ask(
    db,
    sql`select to_regclass('workspaces') is not null and to_regclass('workspaces_name_parts') is null as answer`,
  )) === 1

/** True if a SQLite database has a table. */
export const hasTable = async (db: Queryable, name: string): Promise<boolean> =>
  (await ask(db, sql`select count(*) as answer from sqlite_schema where name = ${name}`)) === 1

/**
 * How many of the newest workspaces of a SQLite database are not in the full-text table under their numbers. Who numbers
 * rows anew fills gaps, so that the last ones have others.
 */
export const countUnfindable = async (db: Queryable): Promise<number> =>
  await ask(
    db,
    sql`select count(*) as answer
      from (select rowid as number, name_key from workspaces where length(name_key) > 2 order by rowid desc limit 20) as ws
      where number not in (select number from unindexed_names) and number not in (
        select rowid from workspace_names where workspace_names match
          '"' || substr(ws.name_key, 1, 3) || '" AND "' || substr(ws.name_key, -3) || '"')`,
  )
