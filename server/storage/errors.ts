import { Failure, failure } from '../kernel/failure.ts'

/** What the drivers' errors have in common: SQLite numbers them, PostgreSQL gives them a SQLSTATE. */
type DriverError = Error & { code?: unknown; errcode?: unknown; severity?: unknown }

const sqliteCode = (thrown: unknown): number | undefined => {
  const code = (thrown as DriverError | undefined)?.errcode
  return typeof code === 'number' ? code : undefined
}

/** The SQLSTATE of an error that the PostgreSQL server reported; undefined for anything else. */
export function sqlState(thrown: unknown): string | undefined {
  const error = thrown as DriverError | undefined
  return typeof error?.severity === 'string' && typeof error.code === 'string' ? error.code : undefined
}

/** True if the statement would have made a key occur twice. */
export function isUniqueViolation(thrown: unknown): boolean {
  const code = sqliteCode(thrown)
  return code === 2067 || code === 1555 || sqlState(thrown) === '23505'
}

/** True if the statement would have pointed to a row that is not there, or removed one that is pointed to. */
export function isForeignKeyViolation(thrown: unknown): boolean {
  const state = sqlState(thrown)
  return sqliteCode(thrown) === 787 || state === '23503' || state === '23001'
}

/** True if the database refused values for what they are: of another type, missing, doubled or too long. */
export const isUnfitValue = (thrown: unknown): boolean =>
  [18, 19, 20].includes((sqliteCode(thrown) ?? 0) & 0xff) || /^2[23]/.test(sqlState(thrown) ?? '')

const referenceChangedCode = 'storage.reference-changed'

/** Between the check of a request and its write, somebody removed what the write refers to, or began to refer to it. */
export const referenceChanged = (cause: unknown): Failure =>
  failure('conflict', referenceChangedCode, 'Something this refers to was changed at the same time; try again.', {
    cause,
  })

/** True if a transaction came to nothing because something it refers to is gone, or something it removes is referred to. */
export const isReferenceChanged = (thrown: unknown): boolean =>
  thrown instanceof Failure && thrown.code === referenceChangedCode

const claimLostCode = 'storage.claim-lost'

/** How PostgreSQL names a claim that was lost. */
export const claimLostText = 'claim lost'

/** True if a statement has failed on PostgreSQL because it did not meet its one row; the rest may be in any language. */
export const isFailedClaim = (thrown: unknown): boolean =>
  sqlState(thrown) === '22P02' && (thrown as Error).message.includes(`${claimLostText}: `)

/** What a transaction counted on was not so, and nothing was done. */
export const claimLost = (cause?: unknown): Failure =>
  failure('conflict', claimLostCode, 'Somebody else changed this at the same time; try again.', { cause })

/** True if a transaction came to nothing because something it counted on was not so. */
export const isClaimLost = (thrown: unknown): boolean => thrown instanceof Failure && thrown.code === claimLostCode

const outcomeUnknownCode = 'storage.outcome-unknown'

/** A write went out and its answer was lost. */
export const outcomeUnknown = (cause: unknown): Failure =>
  failure(
    'unavailable',
    outcomeUnknownCode,
    'The database connection was lost during a write; the change may or may not have been made.',
    { cause, retryAfter: 2 },
  )

/** True if a write may or may not have been made: nothing that it may refer to can be removed on that account. */
export const isOutcomeUnknown = (thrown: unknown): boolean =>
  thrown instanceof Failure && thrown.code === outcomeUnknownCode

/** True if another connection of the same SQLite file is in the way; the low byte is the primary code. */
export const isSqliteBusy = (thrown: unknown): boolean => [5, 6].includes((sqliteCode(thrown) ?? 0) & 0xff)

/** True if SQLite ran out of disk. */
export const isSqliteFull = (thrown: unknown): boolean => ((sqliteCode(thrown) ?? 0) & 0xff) === 13

/** True if a constraint was checked only at the end, and failed. */
export const isSqliteConstraint = (thrown: unknown): boolean => ((sqliteCode(thrown) ?? 0) & 0xff) === 19

/** Says in our words what SQLite cannot do at the moment; anything else is passed on as it is. */
export function translateSqlite(thrown: unknown): unknown {
  if (isSqliteBusy(thrown)) return busyFor(thrown)
  const unavailable = (code: string, text: string, retryAfter: number): Failure =>
    failure('unavailable', code, text, { cause: thrown, retryAfter })
  switch ((sqliteCode(thrown) ?? 0) & 0xff) {
    case 13:
      return diskFull(thrown)
    case 10:
      return unavailable(
        'storage.input-output',
        'The database file cannot be read or written; the disk may be full or damaged.',
        30,
      )
    case 8:
      return unavailable('storage.read-only', 'The database file is read-only.', 30)
    default:
      return thrown
  }
}

/** The same for PostgreSQL, whose operators may limit how long statements and locks take (57014, 55P03). */
export function translatePostgres(thrown: unknown): unknown {
  const state = sqlState(thrown) ?? ''
  if (state === '53100') return diskFull(thrown)
  return state === '57014' || state === '55P03' || state.startsWith('53') ? busyFor(thrown) : thrown
}

const diskFull = (cause: unknown): Failure =>
  failure('unavailable', 'storage.full', 'The disk that holds the database is full.', { cause, retryAfter: 30 })

/** The database was held by others for too long, or has too much to do. */
export const busyFor = (cause: unknown): Failure =>
  failure('unavailable', 'storage.busy', 'The database is busy; try again.', { cause, retryAfter: 1 })

/**
 * Writes what may exist only once. Of two writers of one name the database lets one through; the other hears what it would
 * have heard a moment later.
 */
export async function unlessTaken<T>(refusal: () => Error, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (thrown) {
    if (isUniqueViolation(thrown)) throw refusal()
    throw thrown
  }
}
