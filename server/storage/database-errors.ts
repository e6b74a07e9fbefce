import { Failure, failure, textOf } from '../kernel/failure.ts'

/** What the drivers' errors have in common: SQLite numbers them, PostgreSQL gives them a SQLSTATE. */
type DriverError = Error & { code?: unknown; errcode?: unknown; severity?: unknown }

/** SQLite's primary result codes, by their names in its documentation (https://sqlite.org/rescode.html). */
const sqlite = {
  error: 1,
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioErr: 10,
  full: 13,
  tooBig: 18,
  constraint: 19,
  mismatch: 20,
}

/** Extended codes: the low byte is the primary code, here always `constraint`; the rest says which constraint it was. */
const sqliteConstraint = { foreignKey: 787, primaryKey: 1555, unique: 2067 } as const

/** PostgreSQL's SQLSTATEs, by their names in its documentation (appendix A). */
const postgres = {
  undefinedTable: '42P01',
  restrictViolation: '23001',
  foreignKeyViolation: '23503',
  uniqueViolation: '23505',
  invalidTextRepresentation: '22P02',
  diskFull: '53100',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
} as const

const extendedCode = (thrown: unknown): number | undefined => {
  const code = (thrown as DriverError | undefined)?.errcode
  return typeof code === 'number' ? code : undefined
}

/** The primary result code of a SQLite error; 0 for anything else. */
const primaryCode = (thrown: unknown): number => (extendedCode(thrown) ?? 0) & 0xff

/** The SQLSTATE of an error that the PostgreSQL server reported; undefined for anything else. */
export function sqlState(thrown: unknown): string | undefined {
  const error = thrown as DriverError | undefined
  return typeof error?.severity === 'string' && typeof error.code === 'string' ? error.code : undefined
}

/** True if the statement names a table that does not exist. SQLite says so in words alone. */
export const isMissingTable = (thrown: unknown): boolean =>
  sqlState(thrown) === postgres.undefinedTable ||
  (primaryCode(thrown) === sqlite.error && /^no such table: /.test(textOf(thrown)))

/** True if the statement would have made a key occur twice. */
export function isUniqueViolation(thrown: unknown): boolean {
  const code = extendedCode(thrown)
  if (code === sqliteConstraint.unique || code === sqliteConstraint.primaryKey) return true
  return sqlState(thrown) === postgres.uniqueViolation
}

/** True if the statement would have pointed to a row that is not there, or removed one that is pointed to. */
export function isForeignKeyViolation(thrown: unknown): boolean {
  if (extendedCode(thrown) === sqliteConstraint.foreignKey) return true
  const state = sqlState(thrown)
  return state === postgres.foreignKeyViolation || state === postgres.restrictViolation
}

/**
 * True if the database refused values for what they are: of another type, missing, doubled or too long. PostgreSQL has the
 * classes 22 (data exception) and 23 (integrity constraint violation) for these.
 */
export const isUnfitValue = (thrown: unknown): boolean =>
  [sqlite.tooBig, sqlite.constraint, sqlite.mismatch].includes(primaryCode(thrown)) ||
  /^2[23]/.test(sqlState(thrown) ?? '')

const referenceChangedCode = 'storage.reference-changed'

/** Between the check of a request and its write, somebody removed what the write refers to, or began to refer to it. */
export const referenceChanged = (cause: unknown): Failure =>
  failure('conflict', referenceChangedCode, 'Something this refers to was changed at the same time; try again.', {
    cause,
  })

/** True if a transaction was rolled back because something it refers to is gone, or something it removes is in use. */
export const isReferenceChanged = (thrown: unknown): boolean =>
  thrown instanceof Failure && thrown.code === referenceChangedCode

const claimLostCode = 'storage.claim-lost'

/** How PostgreSQL names a claim that was lost. */
export const claimLostText = 'claim lost'

/** True if a statement has failed on PostgreSQL because it did not meet its one row; the rest may be in any language. */
export const isFailedClaim = (thrown: unknown): boolean =>
  sqlState(thrown) === postgres.invalidTextRepresentation && (thrown as Error).message.includes(`${claimLostText}: `)

/** A claim of the transaction did not hold, and nothing was done. */
export const claimLost = (cause?: unknown): Failure =>
  failure('conflict', claimLostCode, 'Another request changed this at the same time; try again.', { cause })

/** True if a transaction was rolled back because one of its claims did not hold. */
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

/** True if another connection of the same SQLite file is in the way. */
export const isSqliteBusy = (thrown: unknown): boolean => [sqlite.busy, sqlite.locked].includes(primaryCode(thrown))

/** True if SQLite ran out of disk. */
export const isSqliteFull = (thrown: unknown): boolean => primaryCode(thrown) === sqlite.full

/** True if a constraint was checked only at the end, and failed. */
export const isSqliteConstraint = (thrown: unknown): boolean => primaryCode(thrown) === sqlite.constraint

/** Says in our words what SQLite cannot do at the moment; anything else is passed on as it is. */
export function translateSqlite(thrown: unknown): unknown {
  if (isSqliteBusy(thrown)) return databaseBusy(thrown)
  const unavailable = (code: string, text: string, retryAfter: number): Failure =>
    failure('unavailable', code, text, { cause: thrown, retryAfter })
  switch (primaryCode(thrown)) {
    case sqlite.full:
      return diskFull(thrown)
    case sqlite.ioErr:
      return unavailable(
        'storage.input-output',
        'The database file cannot be read or written; the disk may be full or damaged.',
        30,
      )
    case sqlite.readOnly:
      return unavailable('storage.read-only', 'The database file is read-only.', 30)
    default:
      return thrown
  }
}

/**
 * The same for PostgreSQL. Its operators may limit how long statements and locks take, and class 53 says that the server
 * lacks resources.
 */
export function translatePostgres(thrown: unknown): unknown {
  const state = sqlState(thrown) ?? ''
  if (state === postgres.diskFull) return diskFull(thrown)
  const isLimited = state === postgres.queryCanceled || state === postgres.lockNotAvailable
  return isLimited || state.startsWith('53') ? databaseBusy(thrown) : thrown
}

const storageFullCode = 'storage.full'

/** True if a store refused a write because its disk is full. */
export const isStorageFull = (thrown: unknown): boolean => thrown instanceof Failure && thrown.code === storageFullCode

const diskFull = (cause: unknown): Failure =>
  failure('unavailable', storageFullCode, 'The disk that holds the database is full; free some space on it.', {
    cause,
    retryAfter: 30,
  })

/** The database was held by others for too long, or has too much to do. */
export const databaseBusy = (cause: unknown): Failure =>
  failure('unavailable', 'storage.busy', 'The database is busy; try again.', { cause, retryAfter: 1 })

const saturatedCode = 'storage.saturated'

/** Others use all connections of this process, or of the server, and have done so for a while. */
export const saturated = (cause: unknown): Failure =>
  failure('unavailable', saturatedCode, 'All database connections are in use; try again.', { cause, retryAfter: 1 })

/** True if nothing was asked, since no connection became free in time. */
export const isSaturated = (thrown: unknown): boolean => thrown instanceof Failure && thrown.code === saturatedCode

/** The database gave no answer, or only conflicts, however often it was asked. */
export const noAnswer = (cause: unknown): Failure =>
  failure('unavailable', 'storage.no-answer', 'The database does not answer at the moment; try again.', {
    cause,
    retryAfter: 2,
  })

/**
 * Writes what may exist only once. Of two writers of one name the database lets one through; the other gets the refusal
 * that it would have got a moment later.
 */
export async function unlessTaken<T>(refusal: () => Error, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (thrown) {
    if (isUniqueViolation(thrown)) throw refusal()
    throw thrown
  }
}

/** What a store answers after it was closed. */
export const storeClosed = (): Failure => failure('unavailable', 'storage.closed', 'The store is closed.')

/** What a `tx` answers after its transaction has ended. */
export const transactionOver = (): Failure =>
  failure('internal', 'storage.transaction-over', 'The transaction has ended; its tx cannot be used any more.')

/** What a `tx` answers after a statement of its transaction has failed. */
export const transactionFailed = (cause: unknown): Failure =>
  failure('internal', transactionFailedCode, 'An earlier statement of the transaction failed.', { cause })

const transactionFailedCode = 'storage.transaction-failed'

/** True for that answer. */
export const isTransactionFailed = (thrown: unknown): boolean =>
  thrown instanceof Failure && thrown.code === transactionFailedCode
