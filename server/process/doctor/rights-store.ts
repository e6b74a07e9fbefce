import { sql } from 'kysely'
import type { Queryable } from '../../storage/open.ts'

/** What the user of a PostgreSQL database may create there; names are quoted where SQL needs it. */
export type Rights = {
  role: string
  database: string
  /** Null if none of the schemas in the search path can be used. */
  schema: string | null
  tables: boolean | null
  schemas: boolean
}

/** Asks PostgreSQL for the rights of the user it is asked by. */
export async function loadRights(db: Queryable): Promise<Rights | undefined> {
  const { rows } = await sql<Rights>`select quote_ident(current_user) as role,
    quote_ident(current_database()) as database, quote_ident(current_schema()) as schema,
    has_schema_privilege(current_schema(), 'create') as tables,
    has_database_privilege(current_database(), 'create') as schemas`.execute(db)
  return rows[0]
}
