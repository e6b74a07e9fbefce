import type { Instant } from '../../kernel/clock.ts'
import type { Principal } from '../../kernel/principal.ts'

/** What can be so large that its rows follow after it is gone. */
export const removalKinds = ['organization', 'tag', 'mount', 'tokens'] as const

/** A kind of removal. */
export type RemovalKind = (typeof removalKinds)[number]

/** Which removal is meant: one for each kind and thing. */
export type RemovalKey = { readonly kind: RemovalKind; readonly subjectId: string }

/** Something that is gone for everybody, and whose rows are being removed. */
export type Removal = RemovalKey & {
  /** The name or path that it had. */
  readonly name: string
  /** The name of whoever asked for it. */
  readonly requestedBy: string
  readonly requestedAt: Instant
  /** About how many rows are left, counted in what the kind consists of. */
  readonly rowsLeft: number
  /** What the kind has to know beyond this. */
  readonly payload: unknown
  /** Why the last batch could not be removed; null if it was. */
  readonly lastError: string | null
}

/** How far a removal is: it has ended when nothing is left. */
export type Progress = {
  /** About how many rows are left. */
  readonly left: number
  /** What the next batch has to know, in place of what this one knew. */
  readonly payload?: unknown
}

/** The name of a caller, as the one who asked for a removal. */
export const requesterOf = (caller: Principal): string =>
  caller.kind === 'anonymous' ? '' : caller.kind === 'token' ? caller.displayName : caller.name

/**
 * How many rows a batch removes. SQLite does all its work in the event loop, so batches are few enough rows that no other
 * request waits long. On a remote database others wait for nothing but the rows, and round trips would take most of the
 * time.
 */
export const batchSizes = { first: 100, least: 10, most: 1_000, remote: 2_000 } as const

/** Milliseconds that a batch on SQLite should keep the event loop busy. */
const wantedTime = 8

/** The size of the next batch, after one of this size that kept the event loop busy for so many milliseconds. */
export const nextBatchSize = (size: number, busy: number): number =>
  Math.min(batchSizes.most, Math.max(batchSizes.least, Math.round(size * Math.min(2, wantedTime / busy))))
