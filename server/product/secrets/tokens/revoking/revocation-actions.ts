import { type Instant, instant, later } from '../../../../kernel/clock.ts'
import { failure } from '../../../../kernel/failure.ts'
import { withoutEndSlashes } from '../../../../kernel/slashes.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { defineJob, type Job, type JobRun } from '../../../../kit/job.ts'
import { loadPayload, scheduleJob } from '../../../../kit/job-store.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { bumpVersion, lockArea } from '../../../../storage/versions.ts'
import { findLivingBy, type LookupDeps } from '../known-token-actions.ts'
import { activeTokens, countExpired, countRevoked } from '../token-metrics-actions.ts'
import {
  countLiving,
  findDead,
  findSmallFamily,
  type LoginScope,
  markChildrenDead,
  markDead,
  markDeadByLogin,
  markDeadByPath,
  markExpired,
  markParentless,
  newestByPath,
  orphanChildren,
  type PathScope,
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

/** The job that continues to declare the tokens of a path dead; its key is the path, its payload the time. */
export const pathJobName = 'tokens.revoke-path'

/** Milliseconds after which that job takes over from a request: long enough for the request to be done with most paths. */
const pathJobDelay = 60_000

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
  await inBatches(deps, (tx) => orphanChildren(tx, id, batchSize), { note: () => undefined })
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
  const mark = (tx: Tx) => markDeadByPath(tx, scope, batchSize)
  if (!(await inBatches(deps, mark, { max: 1 }))) {
    await planPathJob(deps, scope)
    await inBatches(deps, mark)
  }
  await sweepSome(deps)
}

/**
 * Revokes the tokens of the logins at a mount, as far as they carry its login id: another mount may be enabled at its
 * path meanwhile.
 */
export const revokeLogins = (deps: RevokeDeps, { path, loginId }: LoginScope): Promise<void> =>
  revokeMarked(deps, (tx) => markDeadByLogin(tx, { path: withoutEndSlashes(path), loginId }, batchSize))

/** Has a job do so, as a part of the transaction that gives the mount another login id. */
export async function planLoginRevocation(tx: Tx, { path, loginId }: LoginScope, at: Instant): Promise<void> {
  forgetLogins(tx)
  await scheduleJob(tx, { kind: loginsJobName, key: loginId, nextRunAt: at, payload: { path } })
}

/** With their mount, or its login id, logins and their descendants are dead: what is remembered of them is forgotten. */
export const forgetLogins = (tx: Tx): void => bumpVersion(tx, 'tokens')

/** Declares up to `limit` tokens of logins at a mount that is gone dead, and returns about how many are left. */
export async function endSomeLogins(deps: RevokeDeps, tx: Tx, mount: LoginScope, limit: number): Promise<number> {
  const scope = { path: withoutEndSlashes(mount.path), loginId: mount.loginId }
  const marked = await markDeadByLogin(tx, scope, limit)
  countRevoked(deps, marked)
  if (marked > 0) bumpVersion(tx, 'tokens')
  if (marked === limit) return limit
  await scheduleJob(tx, { kind: sweepJobName, key: '', nextRunAt: instant(0) })
  return 0
}

/** Does what was planned with a move. */
export const finishRevokingLogins = (deps: RevokeDeps, run: Pick<JobRun, 'key' | 'payload'>): Promise<void> =>
  revokeLogins(deps, { path: (run.payload as { path: string }).path, loginId: run.key })

/** Continues a revocation by path. Earlier versions asked for it without a time, and meant all tokens. */
export const continueRevoking = (deps: RevokeDeps, { key, payload }: Pick<JobRun, 'key' | 'payload'>): Promise<void> =>
  revokeInScope(deps, { path: key, until: (payload as PathPayload)?.until ?? endOfTime })

const endOfTime = instant(Number.MAX_SAFE_INTEGER)

type PathPayload = { readonly until?: Instant } | null | undefined

const revokeInScope = (deps: RevokeDeps, scope: PathScope): Promise<void> =>
  revokeMarked(deps, (tx) => markDeadByPath(tx, scope, batchSize))

/** Declares tokens dead batch by batch, and removes some. */
async function revokeMarked(deps: RevokeDeps, mark: (tx: Tx) => Promise<number>): Promise<void> {
  await inBatches(deps, mark)
  await sweepSome(deps)
}

/**
 * Has a job go on with a path in a while: it finds nothing, unless the server was stopped in between. If such a job waits
 * already, the later of both times counts.
 */
async function planPathJob(deps: RevokeDeps, { path, until }: PathScope): Promise<void> {
  const nextRunAt = later(await deps.store.databaseNow(), pathJobDelay)
  await inTransaction(deps.db, async (tx) => {
    await lockArea(tx, 'jobs')
    const asked = (await loadPayload(tx, pathJobName, path)) as PathPayload
    const payload = { until: Math.max(until, asked?.until ?? 0) }
    await scheduleJob(tx, { kind: pathJobName, key: path, nextRunAt, payload })
  })
}

/** Declares expired tokens dead, and removes them; returns how many there were. */
export async function removeExpired(deps: RevokeDeps & Pick<Deps, 'clock'>): Promise<number> {
  let expired = 0
  const mark = async (tx: Tx) => await markExpired(tx, deps.clock.now(), batchSize)
  const note = (marked: number): void => {
    expired += marked
  }
  await inBatches(deps, mark, { note })
  await sweep(deps)
  return expired
}

/** Declares tokens dead whose parent is gone, and removes them. */
export async function removeParentless(deps: RevokeDeps): Promise<void> {
  await inBatches(deps, (tx) => markParentless(tx, batchSize))
  await sweep(deps)
}

/**
 * Removes dead tokens, one small transaction after the other. Children are declared dead before their parent is
 * removed, so that if the work is interrupted, the next run finds what is left. True when nothing is left.
 */
export async function sweep(deps: RevokeDeps, steps: number = Number.POSITIVE_INFINITY): Promise<boolean> {
  for (let step = 0; step < steps; step++) {
    const swept = await inTransaction(deps.db, sweepBatch)
    countRevoked(deps, swept.marked)
    if (swept.found === 0) return true
  }
  return false
}

async function sweepBatch(tx: Tx): Promise<{ found: number; marked: number }> {
  const dead = await findDead(tx, batchSize)
  if (dead.length === 0) return { found: 0, marked: 0 }
  const marked = await markChildrenDead(tx, dead, batchSize)
  if (marked === batchSize) return { found: dead.length, marked }
  await removeTokens(tx, dead)
  // The removal has waited for requests that were making a child; these children are removed with the next batch.
  const newborn = await markChildrenDead(tx, dead, batchSize)
  return { found: dead.length, marked: marked + newborn }
}

/** Removes what a request can afford to remove, and leaves the rest to the job. */
async function sweepSome(deps: RevokeDeps): Promise<void> {
  if (!(await sweep(deps, stepsPerRequest))) await requestJob(deps, sweepJobName, '')
}

/** How often a step is repeated at most, and what is called with each count; by default it counts revoked tokens. */
type BatchLimits = { readonly max?: number; readonly note?: (count: number) => void }

/**
 * Repeats a step, each time in a transaction of its own, until a batch is not full. False if it stopped before that.
 */
async function inBatches(
  deps: RevokeDeps,
  step: (tx: Tx) => Promise<number>,
  { max = Number.POSITIVE_INFINITY, note = (count) => countRevoked(deps, count) }: BatchLimits = {},
): Promise<boolean> {
  for (let round = 0; round < max; round++) {
    const done = await inTransaction(deps.db, async (tx) => {
      const count = await step(tx)
      if (count > 0) bumpVersion(tx, 'tokens')
      return count
    })
    note(done)
    if (done < batchSize) return true
  }
  return false
}

/** Has a job of the clean-up run as soon as possible. */
export async function requestJob(deps: Pick<Deps, 'db' | 'store'>, kind: string, key: string): Promise<void> {
  const nextRunAt = await deps.store.databaseNow()
  await inTransaction(deps.db, (tx) => scheduleJob(tx, { kind, key, nextRunAt }))
}

const tidyJobName = 'tokens.tidy'

/** Requests a clean-up run as soon as possible. */
export const requestTidy = (deps: Pick<Deps, 'db' | 'store'>): Promise<void> => requestJob(deps, tidyJobName, '')

async function expire(deps: Deps): Promise<void> {
  if (deps.seal.status() !== 'unsealed') return
  const expired = await removeExpired(deps)
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
