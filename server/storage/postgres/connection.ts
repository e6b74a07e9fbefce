import type { Socket } from 'node:net'
import pg from 'pg'
import { splitSearchPath } from './database-address.ts'

/** What the sessions of a store have in common, whichever server they are on. */
export type ConnectionSettings = { schema: string | undefined; durable: boolean; node?: string | undefined }

/** What the names of nodes' sessions begin with; operators see them in `pg_stat_activity`. */
export const nodeSessions = 'holdfast '

/** Milliseconds until a server that does not answer counts as gone. */
const connectTimeout = 3_000

/** Milliseconds of silence after which the system asks, every second, whether the other machine is still there. */
const keepAliveDelayMs = 10_000

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

/** The driver's settings for a server's address; what the session is told once it is open is up to `beginSession`. */
export function clientConfig(url: string, settings: Pick<ConnectionSettings, 'node'>): pg.ClientConfig {
  return {
    connectionString: splitSearchPath(withCheckedCertificate(url)).url,
    types,
    connectionTimeoutMillis: connectTimeout,
    query_timeout: queryTimeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    fallback_application_name: settings.node === undefined ? 'holdfast' : nodeSessions + settings.node,
  }
}

/** The driver takes these modes for `verify-full` today, and warns that a later release will not check certificates. */
const withCheckedCertificate = (url: string): string =>
  /[?&]uselibpqcompat=true/.test(url)
    ? url
    : url.replaceAll(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|#|$)/g, '$1verify-full')

const timeLimits = ['statement', 'transaction', 'idle_in_transaction_session', 'idle_session']

/** Those of them that this release of the server has. */
const liftLimitsSql = `select set_config(name, '0', false) from pg_settings
  where name in (${timeLimits.map((name) => `'${name}_timeout'`).join(', ')})`

/** Takes off the limits that operators set for requests: a connection that copies tables, or listens, takes its time. */
export async function liftTimeLimits(client: pg.Client): Promise<void> {
  await client.query(liftLimitsSql)
}

/** What a connection writes to. */
export const socketOf = (client: pg.ClientBase): Socket =>
  (client as pg.ClientBase & { connection: { stream: Socket } }).connection.stream
