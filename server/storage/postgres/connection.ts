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

/** How values are read from the texts that the server sends. */
export const types: pg.TypeOverrides = new pg.TypeOverrides()
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

/** What a connection writes to. */
export const socketOf = (client: pg.ClientBase): Socket =>
  (client as pg.ClientBase & { connection: { stream: Socket } }).connection.stream
