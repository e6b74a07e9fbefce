import { Failure, failure } from '../../kernel/failure.ts'
import { systemCode } from '../../kernel/system-errors.ts'
import { sqlState } from '../database-errors.ts'
import { unknownStatement } from './batch.ts'

/** What an error says about the connection and about trying again. */
export type Trouble =
  /** The connection is gone or useless; whether the last statement had its effect is unknown. */
  | 'lost'
  /** The server is no longer the primary; nothing was done. */
  | 'read-only'
  /** Another transaction was in the way (40001, 40P01); nothing was done, and a new try may succeed. */
  | 'conflict'
  /** A prepared statement is older than its table, or gone; nothing was done. */
  | 'stale-plan'
  /** The server refused the statement. */
  | 'refused'

/** What the system says of a socket, such as ECONNRESET, and the TLS library of what it cannot read. */
const networkCodes = /^(?:E(?!RR_)|ERR_SSL_)/

/** Connection lost, server shut down, a transaction that was idle or open for too long. */
const endingStates = /^(?:08|57P|25P03|25P04)/

/**
 * Sorts an error thrown by a query. Where the connection ends the outcome is open. Servers speak many languages, so what an
 * error says does not count.
 */
export function troubleOf(thrown: unknown): Trouble {
  const state = sqlState(thrown)
  if (state === undefined) return isNetworkError(thrown) ? 'lost' : 'refused'
  const { severity, routine } = thrown as { severity?: unknown; routine?: unknown }
  if (state === '25006') return 'read-only'
  if (state === '40001' || state === '40P01') return 'conflict'
  if (state === unknownStatement || (state === '0A000' && routine === 'RevalidateCachedQuery')) return 'stale-plan'
  return severity === 'FATAL' || severity === 'PANIC' || endingStates.test(state) ? 'lost' : 'refused'
}

/** The driver's own errors have no code, so its few sentences are recognised: closed, refused, overdue and out of step. */
const driverMessages = /terminated|timeout|not queryable|was closed|message from backend/i

const isNetworkError = (thrown: unknown): boolean =>
  thrown instanceof Error && (networkCodes.test(systemCode(thrown)) || driverMessages.test(thrown.message))

const unreachableCode = 'storage.unreachable'

/** The database cannot be reached right now. Where it is and why is for operators, since anybody may be answered this. */
export const unreachable = (where: string): Failure =>
  failure('unavailable', unreachableCode, 'The database cannot be reached at the moment; try again.', {
    cause: new Error(`PostgreSQL cannot be reached at ${where}.`),
    retryAfter: 2,
  })

/** The same in the words for operators, who read why the server does not start. */
export const explainForOperators = (thrown: unknown): unknown =>
  thrown instanceof Failure && thrown.code === unreachableCode && thrown.cause instanceof Error
    ? failure('unavailable', unreachableCode, thrown.cause.message)
    : thrown
