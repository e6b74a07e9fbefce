import pg from 'pg'
import { failure } from '../../kernel/failure.ts'
import { runStatement, type Statement } from './batch.ts'
import type { ConnectionSettings } from './connection.ts'
import { splitSearchPath } from './database-address.ts'
import { factsTimeout } from './fitness.ts'

/** What a session is told before anything else; undefined if it needs nothing. */
function sessionStatement(url: string, { schema, durable }: ConnectionSettings): Statement | undefined {
  const searchPath = schema === undefined ? splitSearchPath(url).searchPath : pg.escapeIdentifier(schema)
  const calls = [
    ...(searchPath === undefined ? [] : ["set_config('search_path', $1, false)"]),
    ...(durable ? [] : ["set_config('synchronous_commit', 'off', false)"]),
  ]
  if (calls.length === 0) return undefined
  return { text: `select ${calls.join(', ')}`, values: searchPath === undefined ? [] : [searchPath] }
}

/** Gives a new session the settings of its store, and makes sure that it is in the schema of the store. */
export async function beginSession(client: pg.ClientBase, url: string, settings: ConnectionSettings): Promise<void> {
  const statement = sessionStatement(url, settings)
  if (statement) await runStatement(client, statement, factsTimeout)
  if (settings.schema !== undefined) await requireSchema(client, settings.schema)
}

/**
 * Refuses unless statements that name no schema work in this one. Whoever drops, empties or fills tables asks first, in the
 * same transaction: in a wrong schema it would do that to the tables in use.
 */
export async function requireSchema(client: pg.ClientBase, schema: string | undefined): Promise<string> {
  const { rows } = await runStatement(client, { text: 'select current_schema() as schema' }, factsTimeout)
  const found = rows[0]?.schema
  if (typeof found === 'string' && found === (schema ?? found)) return found
  const place = typeof found === 'string' ? `in the schema '${found}'` : 'in no schema'
  const wanted = schema === undefined ? 'which its search_path should name' : `not in '${schema}' as it was told`
  const text = `A connection to PostgreSQL works ${place}, ${wanted}, so nothing was changed. Is a connection pooler between?`
  throw failure('unavailable', 'storage.other-schema', text)
}
