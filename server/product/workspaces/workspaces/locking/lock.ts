import { type Instant, later, toIso } from '../../../../kernel/clock.ts'
import { parseDuration } from '../../../../kernel/duration.ts'
import type { ActorPrincipal } from '../../../../kernel/principal.ts'
import type { Members } from '../../../../kit/change-log/change-rules.ts'
import type { LockHolder, WorkspaceLock } from '../workspace.ts'

/** The most characters of a reason. */
export const longestReason = 4096

/** What is wrong with the time at which a lock expires; blank means none. */
export const expiryProblem = (text: string): string | undefined =>
  text === '' || (parseDuration(text) ?? 0) >= 1000
    ? undefined
    : 'must be a duration of at least one second, such as 30m or 2h'

/** The caller as holder of a lock; an organization's token acts as the organization. */
export const holderOf = ({ kind, id, name }: Pick<ActorPrincipal, 'kind' | 'id' | 'name'>): LockHolder => ({
  kind,
  id,
  name,
})

/** What a request says about the lock it asks for. */
export type RequestedLock = { readonly reason?: string | null; readonly expiresAfter?: string | null }

/** The lock that a caller asks for. Stored times are whole milliseconds, which a duration such as `1.0005s` is not. */
export function newLock(actor: ActorPrincipal, { reason, expiresAfter }: RequestedLock, since: Instant): WorkspaceLock {
  const expiresAt = expiresAfter ? later(since, Math.floor(parseDuration(expiresAfter) ?? 0)) : null
  return { holder: holderOf(actor), reason: reason ?? '', since, expiresAt }
}

/** Why a lock is not changed. */
export type LockRefusal = 'already-locked' | 'already-unlocked' | 'held-by-other' | 'another'

/** The new lock, or why it is not changed. */
export type LockDecision =
  | { readonly ok: true; readonly next: WorkspaceLock | null }
  | { readonly ok: false; readonly why: LockRefusal }

/** The lock in force: one that has expired keeps nobody out. */
export const lockInForce = (lock: WorkspaceLock | null, now: Instant): WorkspaceLock | null =>
  lock !== null && lock.expiresAt !== null && now >= lock.expiresAt ? null : lock

/** Only an unlocked workspace can be locked; not even the holder can lock it again. */
export const decideLock = (current: WorkspaceLock | null, wanted: WorkspaceLock): LockDecision =>
  current ? refuse('already-locked') : allow(wanted)

/** A lock is released by its holder, or by force. */
export function decideUnlock(current: WorkspaceLock | null, by: LockHolder): LockDecision {
  if (!current) return refuse('already-unlocked')
  return isSameHolder(current.holder, by) ? allow(null) : refuse('held-by-other')
}

/**
 * By force a lock is released whoever holds it; if the request names the one that it was shown, another one, taken since,
 * stays. Who may use force is decided by rights.
 */
export function decideForce(current: WorkspaceLock | null, shownSince?: Instant): LockDecision {
  if (!current) return refuse('already-unlocked')
  return shownSince === undefined || current.since === shownSince ? allow(null) : refuse('another')
}

/** True if both are the same principal, whichever of its tokens it used. */
export const isSameHolder = (a: LockHolder, b: LockHolder): boolean => a.kind === b.kind && a.id === b.id

const allow = (next: WorkspaceLock | null): LockDecision => ({ ok: true, next })
const refuse = (why: LockRefusal): LockDecision => ({ ok: false, why })

const kindTexts: Readonly<Record<LockHolder['kind'], string>> = {
  user: 'User',
  team: 'Team',
  organization: 'User',
  run: 'Run',
}

/** A holder as refusals name it. */
export const holderText = ({ kind, name }: LockHolder): string => `${kindTexts[kind]} ${name}`

/** Clients look for "is locked by User|Team|Run" and take any other text on unlock for "already unlocked". */
export function refusalText(why: LockRefusal, lock: WorkspaceLock | null): string {
  const holder = lock && holderText(lock.holder)
  const since = lock && sinceText(lock)
  switch (why) {
    case 'already-locked':
      return `The workspace is already locked. It is locked by ${holder}${since}.`
    case 'held-by-other':
      return `The workspace is locked by ${holder}${since}. Its holder can unlock it; an administrator can force-unlock it.`
    case 'another':
      return 'Another lock was taken since. Read who holds it, then decide again.'
    default:
      return 'The workspace is already unlocked.'
  }
}

/** Since when a lock is held, until when and why, as refusals say it after the holder. */
export function sinceText({ since, expiresAt, reason }: WorkspaceLock): string {
  const until = expiresAt === null ? '' : ` until ${toIso(expiresAt)}`
  return ` since ${toIso(since)}${until}${reason === '' ? '' : `, reason: ${reason}`}`
}

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
export function decideExtension(stored: WorkspaceLock | null, requested: Extension, now: Instant): LeaseDecision {
  const lock = lockInForce(stored, now)
  if (!lock) return refuseExtension('lost', overText(stored, requested))
  const isMeant = isSameHolder(lock.holder, requested.by) && (requested.lockedAt ?? lock.since) === lock.since
  if (!isMeant) return refuseExtension('lost', lostText(lock, requested))
  if (lock.expiresAt === null)
    return refuseExtension('endless', 'The lock does not end by itself, so it cannot be extended.')
  const wanted = later(now, Math.floor(parseDuration(requested.expiresAfter) ?? 0))
  return { ok: true, expiresAt: wanted > lock.expiresAt ? wanted : lock.expiresAt }
}

const refuseExtension = (why: LeaseRefusal, text: string): LeaseDecision => ({ ok: false, why, text })

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

/** A lock as the change log shows it. */
export const describeLock = (lock: WorkspaceLock | null): Members =>
  lock
    ? {
        locked: true,
        'locked-reason': lock.reason,
        'locked-by': `${lock.holder.kind}:${lock.holder.name}`,
        ...(lock.expiresAt === null ? {} : { 'lock-expires-at': toIso(lock.expiresAt) }),
      }
    : { locked: false }
