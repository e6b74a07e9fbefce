import { type Instant, instant } from '../../../../kernel/clock.ts'
import { failure } from '../../../../kernel/failure.ts'
import { withoutEndSlashes } from '../../../../kernel/slashes.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { defineJob, type Job, type JobRun } from '../../../../kit/job.ts'
import { scheduleJob } from '../../../../kit/job-store.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { bumpVersion } from '../../../../storage/versions.ts'
import { findLivingBy, type LookupDeps } from '../known-token-actions.ts'
import {
  deleteRevokedPath,
  findRevokedPath,
  loadRevokedPaths,
  type PathScope,
  saveRevokedPath,
} from '../records/revoked-path-store.ts'
import { activeTokens, countExpired, countRevoked } from '../token-metrics-actions.ts'
import {
  countLiving,
  findByLogin,
  findByPath,
  findDead,
  findExpired,
  findGoneParents,
  findSmallFamily,
  type LoginScope,
  markChildrenDead,
  markDead,
  newestByPath,
  orphanChildren,
  removeCountedToken,
  removeTokens,
  removeWithNewChildren,
} from './revocation-store.ts'

type RevokeDeps = Pick<Deps, 'db' | 'store' | 'metrics'>

/**
 * Families up to this size are removed at once. In larger ones only the token is declared dead, and a job removes the
 * rest.
 */
const smallFamilySize = 200

/** Rows that one transaction of the clean-up touches, so that no other request waits long. */
const batchSize = 250

/** Batches that one request removes itself. */
const stepsPerRequest = 4

/** The job that removes dead tokens. */
export const sweepJobName = 'tokens.sweep'

/** The job that revokes the tokens of a moved mount; its key is the login id they carry, its payload their path. */
export const loginsJobName = 'tokens.revoke-logins'

/** The job that continues to remove the tokens of a revoked path; its key is the path, its payload the time. */
export const pathJobName = 'tokens.revoke-path'

/**
 * Revokes a token with all its descendants. They are dead when this resolves, even if some have yet to be removed. True
 * if the token existed.
 */
export async function revokeToken(deps: RevokeDeps, id: string): Promise<boolean> {
  const now = await deps.store.databaseNow()
  const removed = await inTransaction(deps.db, async (tx) => {
    const family = await findSmallFamily(tx, id, smallFamilySize)
    bumpVersion(tx, 'tokens')
    if (family) return await removeWithNewChildren(tx, family)
    await markDead(tx, [id])
    await scheduleJob(tx, { kind: sweepJobName, key: '', nextRunAt: now })
    return 1
  })
  if (removed > 0) countRevoked(deps, removed)
  return removed > 0
}

/** Removes a token whose last use was taken. Such tokens are never cached, so no version has to change. */
export async function removeUsedUp(deps: RevokeDeps, id: string): Promise<void> {
  if (await removeCountedToken(deps.db, id)) countRevoked(deps, 1)
}

/** Revokes a living token and keeps its children alive, as orphans. Children of a dead token are dead, and stay so. */
export async function revokeAndOrphanChildren(deps: RevokeDeps & LookupDeps, id: string): Promise<void> {
  if (!(await findLivingBy(deps, { id }))) throw failure('invalid', 'token.unknown', 'token to revoke not found')
  await inBatches(deps, (tx) => orphanChildren(tx, id, batchSize))
  const removed = await inTransaction(deps.db, async (tx) => {
    bumpVersion(tx, 'tokens')
    // Removed first: this waits for requests that are making a child, and afterwards none can start.
    const gone = await removeTokens(tx, [id])
    await orphanChildren(tx, id, Number.MAX_SAFE_INTEGER)
    return gone
  })
  countRevoked(deps, removed)
}

/**
 * Revokes every token with an end that came from a path or from below it and existed when this was called. All of them
 * are dead when this resolves, even if some have yet to be removed.
 */
export async function revokeByPath(deps: RevokeDeps & Pick<Deps, 'clock'>, path: string): Promise<void> {
  const clean = withoutEndSlashes(path)
  if (clean === '') throw failure('invalid', 'lease.no-prefix', 'missing prefix')
  // A node whose clock is ahead may have created tokens that look younger than now; these existed as well.
  const now = deps.clock.now()
  const scope = { path: clean, until: instant(Math.max(now, await newestByPath(deps.db, clean))) }
  await inTransaction(deps.db, (tx) => saveRevokedPath(tx, scope))
  if (!(await removePath(deps, clean, stepsPerRequest))) await requestJob(deps, pathJobName, clean, scope)
  await sweepSome(deps)
}

/** Removes tokens of a revoked path; true when none are left. */
function removePath(deps: RevokeDeps, path: string, steps?: number): Promise<boolean> {
  const find = async (tx: Tx): Promise<readonly string[]> => {
    const scope = await findRevokedPath(tx, path)
    const found = scope ? await findByPath(tx, scope, batchSize) : []
    if (scope && found.length === 0) await deleteRevokedPath(tx, scope)
    return found
  }
  return removeBatches(deps, find, { steps, note: (removed) => countRevoked(deps, removed) })
}

/** Goes on with revoked paths, whichever process or snapshot their removal was begun in. */
async function finishPaths(deps: RevokeDeps): Promise<void> {
  for (const { path } of await loadRevokedPaths(deps.db)) await removePath(deps, path)
}

/** Revokes every token with an end that came from a path where nothing can be created any more. */
export const revokeAllOfPath = (deps: RevokeDeps, path: string): Promise<void> =>
  revokeFound(deps, (tx) => findByPath(tx, { path: withoutEndSlashes(path), until: endOfTime }, batchSize))

/**
 * Revokes the tokens of the logins at a mount, as far as they carry its login id: another mount may be enabled at its
 * path meanwhile.
 */
export const revokeLogins = (deps: RevokeDeps, { path, loginId }: LoginScope): Promise<void> =>
  revokeFound(deps, (tx) => findByLogin(tx, { path: withoutEndSlashes(path), loginId }, batchSize))

/** Has a job do so, as a part of the transaction that gives the mount another login id. */
export const planLoginRevocation = (tx: Tx, { path, loginId }: LoginScope, at: Instant): Promise<void> =>
  scheduleJob(tx, { kind: loginsJobName, key: loginId, nextRunAt: at, payload: { path } })

/** Does what was planned with a move. */
export const finishRevokingLogins = (deps: RevokeDeps, run: Pick<JobRun, 'key' | 'payload'>): Promise<void> =>
  revokeLogins(deps, { path: (run.payload as { path: string }).path, loginId: run.key })

/** Continues a revocation by path. Earlier versions asked for it without a time, and meant all tokens. */
export async function continueRevoking(
  deps: RevokeDeps,
  { key, payload }: Pick<JobRun, 'key' | 'payload'>,
): Promise<void> {
  const { until = endOfTime } = (payload ?? {}) as Partial<PathScope>
  await inTransaction(deps.db, (tx) => saveRevokedPath(tx, { path: key, until }))
  await removePath(deps, key)
  await sweep(deps)
}

const endOfTime = instant(Number.MAX_SAFE_INTEGER)

/** Removes expired tokens, with all that hangs on them; returns how many there were. */
export async function removeExpired(deps: RevokeDeps & Pick<Deps, 'clock'>): Promise<number> {
  let expired = 0
  const note = (removed: number): void => {
    expired += removed
  }
  await removeBatches(deps, (tx) => findExpired(tx, deps.clock.now(), batchSize), { note })
  await sweep(deps)
  return expired
}

/** Removes tokens whose parent is gone: they were made while it was being removed. */
export async function removeParentless(deps: RevokeDeps): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const { gone, next }: Awaited<ReturnType<typeof findGoneParents>> = await findGoneParents(deps.db, {
      after,
      most: batchSize,
    })
    if (gone.length > 0) await inBatches(deps, (tx) => markChildrenDead(tx, gone, batchSize))
    after = next
  }
  await sweep(deps)
}

/** Removes tokens that were declared dead, and declares what hangs on them dead; true when nothing is left. */
export const sweep = (deps: RevokeDeps, steps?: number): Promise<boolean> =>
  removeBatches(deps, (tx) => findDead(tx, batchSize), { steps })

/** Removes what a request can afford to remove, and leaves the rest to the job. */
async function sweepSome(deps: RevokeDeps): Promise<void> {
  if (!(await sweep(deps, stepsPerRequest))) await requestJob(deps, sweepJobName, '')
}

/** Removes living tokens, batch by batch. */
async function revokeFound(deps: RevokeDeps, find: FindDead): Promise<void> {
  const findAndNote = async (tx: Tx): Promise<readonly string[]> => {
    const found = await find(tx)
    if (found.length > 0) bumpVersion(tx, 'tokens')
    return found
  }
  await removeBatches(deps, findAndNote, { note: (removed) => countRevoked(deps, removed) })
  await sweepSome(deps)
}

/** Finds some of the tokens that are to be removed. */
type FindDead = (tx: Tx) => Promise<readonly string[]>

/** How many batches are removed at most, and what is called with the number of tokens of each. */
type RemovalTerms = { readonly steps?: number | undefined; readonly note?: (removed: number) => void }

/**
 * Removes dead tokens, one small transaction after the other. Their children are declared dead before, so that if the
 * work is interrupted, the next sweep finds what is left. True when nothing more is found.
 */
async function removeBatches(
  deps: RevokeDeps,
  find: FindDead,
  { steps = Number.POSITIVE_INFINITY, note = () => undefined }: RemovalTerms,
): Promise<boolean> {
  for (let step = 0; step < steps; step++) {
    const batch = await inTransaction(deps.db, async (tx) => {
      const found = await find(tx)
      return found.length > 0 ? await removeBatch(tx, found) : undefined
    })
    if (batch === undefined) return true
    countRevoked(deps, batch.marked)
    note(batch.removed)
  }
  return false
}

async function removeBatch(tx: Tx, dead: readonly string[]): Promise<{ removed: number; marked: number }> {
  const marked = await markChildrenDead(tx, dead, batchSize)
  if (marked === batchSize) return { removed: 0, marked }
  const removed = await removeTokens(tx, dead)
  // The removal has waited for requests that were making a child; these children are removed with the next batch.
  const newborn = await markChildrenDead(tx, dead, batchSize)
  return { removed, marked: marked + newborn }
}

/** Repeats a step, each time in a transaction of its own, until a batch is not full. */
async function inBatches(deps: Pick<Deps, 'db'>, step: (tx: Tx) => Promise<number>): Promise<void> {
  for (let done = batchSize; done === batchSize; ) done = await inTransaction(deps.db, step)
}

/** Has a job of the clean-up run as soon as possible. */
async function requestJob(
  deps: Pick<Deps, 'db' | 'store'>,
  kind: string,
  key: string,
  payload?: unknown,
): Promise<void> {
  const nextRunAt = await deps.store.databaseNow()
  await inTransaction(deps.db, (tx) => scheduleJob(tx, { kind, key, nextRunAt, payload }))
}

const tidyJobName = 'tokens.tidy'

/** Requests a clean-up run as soon as possible. */
export const requestTidy = (deps: Pick<Deps, 'db' | 'store'>): Promise<void> => requestJob(deps, tidyJobName, '')

async function expire(deps: Deps): Promise<void> {
  if (deps.seal.status() !== 'unsealed') return
  const expired = await removeExpired(deps)
  await finishPaths(deps)
  countExpired(deps, expired)
  activeTokens(deps).set(await countLiving(deps.db, deps.clock.now()))
  if (expired > 0) deps.log.debug({ expired }, 'expired tokens removed')
}

/** Clean-up after dead tokens. Whether a token works does not depend on it: that is checked on every use. */
export const revocationJobs: readonly Job[] = [
  defineJob({ name: 'tokens.expire', every: '30s', jitter: '5s', run: expire }),
  defineJob({
    name: sweepJobName,
    run: async (deps) => {
      await sweep(deps)
    },
  }),
  defineJob({ name: pathJobName, run: continueRevoking }),
  defineJob({ name: loginsJobName, run: finishRevokingLogins }),
  defineJob({
    name: tidyJobName,
    run: async (deps) => {
      await expire(deps)
      await removeParentless(deps)
      deps.log.info({}, 'token cleanup finished')
    },
  }),
]
