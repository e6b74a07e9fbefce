import { type Instant, later, toIso } from '../../../../../kernel/clock.ts'
import { parseDuration } from '../../../../../kernel/duration.ts'
import type { LockHolder, WorkspaceLock } from '../../workspace-rules.ts'
import { holderText, isSameHolder, lockInForce, sinceText } from '../lock-rules.ts'

/** A request to let a lock end later. */
export type Extension = {
  readonly by: LockHolder
  /** How long from now, as a duration. */
  readonly expiresAfter: string
  /** When the lock began that is meant; undefined for whichever the caller holds. */
  readonly lockedAt: Instant | undefined
}

/** Why a lock is not extended: it is no longer the caller's, or it does not end by itself. */
export type LeaseRefusal = 'lost' | 'endless'

/** The new end of a lock, or why it has none. */
export type LeaseDecision =
  | { readonly ok: true; readonly expiresAt: Instant }
  | { readonly ok: false; readonly why: LeaseRefusal; readonly text: string }

/** Only its holder extends a lock, and only while it is in force. An extension never makes a lock end earlier. */
export function decideExtension(stored: WorkspaceLock | null, asked: Extension, now: Instant): LeaseDecision {
  const lock = lockInForce(stored, now)
  if (!lock) return refuse('lost', overText(stored, asked))
  const isMeant = isSameHolder(lock.holder, asked.by) && (asked.lockedAt ?? lock.since) === lock.since
  if (!isMeant) return refuse('lost', lostText(lock, asked))
  if (lock.expiresAt === null) return refuse('endless', 'The lock does not end by itself, so it cannot be extended.')
  const wanted = later(now, Math.floor(parseDuration(asked.expiresAfter) ?? 0))
  return { ok: true, expiresAt: wanted > lock.expiresAt ? wanted : lock.expiresAt }
}

const refuse = (why: LeaseRefusal, text: string): LeaseDecision => ({ ok: false, why, text })

function overText(stored: WorkspaceLock | null, { by }: Extension): string {
  const isOwn = stored !== null && stored.expiresAt !== null && isSameHolder(stored.holder, by)
  const what = isOwn ? `Your lock ended at ${toIso(stored.expiresAt)}` : 'Your lock has ended or was released'
  return `${what}, and nobody holds the workspace now. Lock it again.`
}

function lostText(lock: WorkspaceLock, { by, lockedAt }: Extension): string {
  const present = `The workspace is locked by ${holderText(lock.holder)}${sinceText(lock)}.`
  const other = isSameHolder(lock.holder, by) && lockedAt !== undefined
  return other ? `The lock of ${toIso(lockedAt)} is over. ${present}` : present
}
