import type { Expression } from 'kysely'
import type { Store } from './open.ts'

/** Column types that mean the same on both engines. */
export type ColumnTypes = {
  /** Text in byte order. */
  readonly text: Expression<unknown>
  /** Whole numbers of 64 bits: counts, milliseconds, and 0 or 1 for truth. */
  readonly integer: Expression<unknown>
  readonly bytes: Expression<unknown>
  readonly real: Expression<unknown>
}

/** Brings the database to the present version; refuses one that is newer than this program. */
export async function migrate(_store: Store): Promise<void> {
  throw new Error('not written yet')
}
