import type { Socket } from 'node:net'
import pg from 'pg'

/** What every connection is opened with, whichever server it goes to. */
export type ConnectionSettings = { schema: string | undefined; durable: boolean }

/** Milliseconds until a server that does not answer counts as gone. */
const connectTimeout = 3_000

/** Milliseconds for one query. */
export const queryTimeout = 30_000

const int8 = 20
const numeric = 1700

/** Whole numbers come as numbers, as they do from SQLite; one that does not fit is refused rather than rounded. */
function parseWhole(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`The number ${text} is too large for a JavaScript number.`)
  }
  return value
}

const types = new pg.TypeOverrides()
types.setTypeParser(int8, parseWhole)
types.setTypeParser(numeric, parseWhole)

/** The driver's settings for a server's address. */
export function clientConfig(url: string, settings: ConnectionSettings): pg.ClientConfig {
  const options = [
    settings.schema === undefined ? '' : `-c search_path=${pg.escapeIdentifier(settings.schema)}`,
    settings.durable ? '' : '-c synchronous_commit=off',
  ]
  return {
    connectionString: url,
    types,
    options: options.filter((option) => option !== '').join(' ') || undefined,
    connectionTimeoutMillis: connectTimeout,
    query_timeout: queryTimeout,
    keepAlive: true,
    fallback_application_name: 'holdfast',
  }
}

/** A statement with its values; one with a name stays prepared on its connection. */
export type Statement = { readonly text: string; readonly values?: unknown[]; readonly name?: string | undefined }

/**
 * What a statement comes to, within a time counted on our side: a frozen server honours no time-out of its own. A connection
 * that was given up on is of no more use. The driver's own promise and time-out are not used, since they assign functions to
 * the query, which then stays among the old objects with its whole answer (docs/decisions/0012); and it is given a query
 * rather than its description, of which it would make a copy, slowly.
 */
export const answerOf = (
  client: pg.ClientBase,
  { text, values, name }: Statement,
  timeout: number = queryTimeout,
): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Query read timeout')), timeout)
    const query: pg.Query & { name?: string | undefined } = new pg.Query(text, values, (error, result) => {
      clearTimeout(timer)
      if (error) reject(error)
      else resolve(result)
    })
    query.name = name
    client.query(query)
  })

/**
 * What the work asks for leaves in one piece, together with all that is asked right before and after it. The connection must
 * be one that sends without waiting for earlier answers; the driver then writes each message by itself, and every write
 * wakes the server.
 */
export function together<T>(client: pg.ClientBase, work: () => T): T {
  const { stream } = (client as pg.ClientBase & { connection: { stream: Socket } }).connection
  stream.cork()
  process.nextTick(uncork, stream)
  return work()
}

const uncork = (stream: Socket): void => stream.uncork()
