import { type Instant, instant } from '../../../../kernel/clock.ts'
import { failure } from '../../../../kernel/failure.ts'
import { withoutEndSlashes } from '../../../../kernel/slashes.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { defineJob, type Job, type JobRun } from '../../../../kit/job.ts'
import { scheduleJob } from '../../../../kit/job-store.ts'
import { beginRemoval, type Remover, saveRemoval } from '../../../../kit/removals/index.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { bumpVersion } from '../../../../storage/versions.ts'
import { findLivingBy, type LookupDeps } from '../known-token-actions.ts'
import { deleteRevokedPath, findRevokedPath, type PathScope, saveRevokedPath } from '../records/revoked-path-store.ts'
import { activeTokens, countExpired, countRevoked } from '../token-metrics-actions.ts'
import {
  childrenOf,
  countByPath,
  countChildren,
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
 * Families up to this size are removed at once. In larger ones only the token is declared dead, and the rest follows in
 * batches.
 */
const smallFamilySize = 200

/** Rows that one transaction of the clean-up touches, so that no other request waits long. */
const batchSize = 250

/** Batches that one request removes itself. */
const stepsPerRequest = 4

/** The job that removes what was declared dead. */
export const sweepJobName = 'tokens.sweep'

/** The job that revokes the tokens of a moved mount; its key is the login id they carry, its payload their path. */
export const loginsJobName = 'tokens.revoke-logins'

/** The job by which earlier versions continued to revoke the tokens of a path; its key is the path, its payload the time. */
export const pathJobName = 'tokens.revoke-path'

/** What a removal is about: the family of a token that was revoked, or a path. */
type RemovedTokens = { readonly family: string } | { readonly path: string }

/**
 * Revokes a token with all its descendants. They are dead when this resolves, even if some have yet to be removed. True
 * if the token existed.
 */
export async function revokeToken(deps: Deps, id: string, requestedBy = ''): Promise<boolean> {
  const removed = await inTransaction(deps.db, async (tx) => {
    const family = await findSmallFamily(tx, id, smallFamilySize)
    if (!family) return undefined
    bumpVersion(tx, 'tokens')
    return await removeWithNewChildren(tx, family)
  })
  if (removed === undefined) await revokeLargeFamily(deps, id, requestedBy)
  else countRevoked(deps, removed)
  return removed !== 0
}

async function revokeLargeFamily(deps: Deps, id: string, requestedBy: string): Promise<void> {
  const [requestedAt, rowsLeft] = [await deps.store.databaseNow(), await countChildren(deps.reads, id)]
  const request = { requestedBy, requestedAt, rowsLeft, payload: { family: id } satisfies RemovedTokens }
  await inTransaction(deps.db, async (tx) => {
    await markDead(tx, [id])
    bumpVersion(tx, 'tokens')
    await saveRemoval(tx, { kind: 'tokens', subjectId: id, name: 'children of a revoked token', ...request })
  })
  await beginRemoval(deps, { kind: 'tokens', subjectId: id })
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
export async function revokeByPath(deps: Deps, path: string, requestedBy = ''): Promise<void> {
  const clean = withoutEndSlashes(path)
  if (clean === '') throw failure('invalid', 'lease.no-prefix', 'missing prefix')
  // A node whose clock is ahead may have created tokens that look younger than now; these existed as well.
  const until = instant(Math.max(deps.clock.now(), await newestByPath(deps.db, clean)))
  await revokeScope(deps, { path: clean, until }, requestedBy)
}

async function revokeScope(deps: Deps, scope: PathScope, requestedBy: string): Promise<void> {
  const { path } = scope
  const [requestedAt, rowsLeft] = [await deps.store.databaseNow(), await countByPath(deps.reads, scope)]
  if (rowsLeft === 0) return
  // Neither the id of a token nor a path begins like this.
  const key = { kind: 'tokens', subjectId: `path:${path}` } as const
  const request = { requestedBy, requestedAt, rowsLeft, payload: { path } satisfies RemovedTokens }
  await inTransaction(deps.db, async (tx) => {
    await saveRevokedPath(tx, scope)
    await saveRemoval(tx, { ...key, name: path, ...request })
  })
  await beginRemoval(deps, key)
}

/** Continues a revocation by path that was begun by an earlier version; some asked for it without a time, and meant all. */
export const continueRevoking = (deps: Deps, { key, payload }: Pick<JobRun, 'key' | 'payload'>): Promise<void> =>
  revokeScope(deps, { path: key, until: endOfTime, ...(payload as Partial<PathScope> | null) }, '')

const endOfTime = instant(Number.MAX_SAFE_INTEGER)

/** Removes tokens that are dead already, because their parent was revoked, or their path. */
export const tokenRemover: Remover = {
  kind: 'tokens',
  removeSome: async (deps, tx, { payload, rowsLeft }, wanted) => {
    const about = payload as RemovedTokens
    // A token takes little: fewer would hardly make a batch shorter, but the removal longer.
    const limit = Math.max(wanted, batchSize)
    const scope = 'path' in about ? await findRevokedPath(tx, about.path) : undefined
    const found = 'family' in about ? [about.family] : scope ? await findByPath(tx, scope, limit) : []
    const removed = await removeFound(deps, tx, found, limit)
    if (!removed.isDone || found.length === limit) return { left: Math.max(1, rowsLeft - removed.tokens) }
    if (scope) await deleteRevokedPath(tx, scope)
    return { left: 0 }
  },
}

/**
 * Revokes the tokens of the logins at a mount, as far as they carry its login id: another mount may be enabled at its
 * path meanwhile. They are dead already.
 */
export async function revokeLogins(deps: RevokeDeps, { path, loginId }: LoginScope): Promise<void> {
  const scope = { path: withoutEndSlashes(path), loginId }
  await removeBatches(deps, (tx) => findByLogin(tx, scope, batchSize))
  if (!(await sweep(deps, stepsPerRequest))) await requestJob(deps, sweepJobName)
}

/** Has a job do so, as a part of the transaction that gives the mount another login id. */
export async function planLoginRevocation(tx: Tx, { path, loginId }: LoginScope, at: Instant): Promise<void> {
  forgetLogins(tx)
  await scheduleJob(tx, { kind: loginsJobName, key: loginId, nextRunAt: at, payload: { path } })
}

/** With their mount, or its login id, logins and their descendants are dead: what is remembered of them is forgotten. */
export const forgetLogins = (tx: Tx): void => bumpVersion(tx, 'tokens')

/** Removes up to `limit` tokens of logins at a mount that is gone, and returns about how many are left. */
export async function removeSomeLogins(deps: RevokeDeps, tx: Tx, mount: LoginScope, limit: number): Promise<number> {
  const scope = { path: withoutEndSlashes(mount.path), loginId: mount.loginId }
  const found = await findByLogin(tx, scope, limit)
  const { isDone } = await removeFound(deps, tx, found, limit)
  return isDone && found.length < limit ? 0 : limit
}

/** Does what was planned with a move. */
export const finishRevokingLogins = (deps: RevokeDeps, run: Pick<JobRun, 'key' | 'payload'>): Promise<void> =>
  revokeLogins(deps, { path: (run.payload as { path: string }).path, loginId: run.key })

/** Removes expired tokens, with all that hangs on them; returns how many there were. */
export async function removeExpired(deps: RevokeDeps & Pick<Deps, 'clock'>): Promise<number> {
  const find = (tx: Tx) => findExpired(tx, deps.clock.now(), batchSize)
  const { removed } = await removeBatches(deps, find, { count: countExpired })
  await sweep(deps)
  return removed
}

/** Removes tokens whose parent is gone: they were made while it was being removed. */
export async function removeParentless(deps: RevokeDeps): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const place = { after, most: batchSize }
    const { gone, next }: Awaited<ReturnType<typeof findGoneParents>> = await findGoneParents(deps.db, place)
    if (gone.length > 0) await inBatches(deps, (tx) => markChildrenDead(tx, gone, batchSize))
    after = next
  }
  await sweep(deps)
}

/** Removes tokens that were declared dead, with all that hangs on them; true when nothing is left. */
export async function sweep(deps: RevokeDeps, steps?: number): Promise<boolean> {
  const { isDone } = await removeBatches(deps, (tx) => findDead(tx, batchSize), { steps })
  return isDone
}

/** How many batches are removed at most, and what counts the tokens of each. */
type BatchTerms = { readonly steps?: number | undefined; readonly count?: typeof countRevoked }

/** Removes dead tokens, one small transaction after the other, until no more are found. */
async function removeBatches(
  deps: RevokeDeps,
  find: (tx: Tx) => Promise<readonly string[]>,
  { steps = Number.POSITIVE_INFINITY, count = countRevoked }: BatchTerms = {},
): Promise<{ removed: number; isDone: boolean }> {
  let removed = 0
  for (let step = 0; step < steps; step++) {
    const batch = await inTransaction(deps.db, async (tx) => {
      const found = await find(tx)
      return found.length > 0 ? await removeBatch(tx, found, batchSize) : undefined
    })
    if (batch === undefined) return { removed, isDone: true }
    count(deps, batch.removed)
    countRevoked(deps, batch.below)
    removed += batch.removed
  }
  return { removed, isDone: false }
}

/** Removes tokens as a part of a larger transaction; a job goes on with what they leave behind. */
async function removeFound(
  deps: Pick<Deps, 'metrics'>,
  tx: Tx,
  found: readonly string[],
  limit: number,
): Promise<{ tokens: number; isDone: boolean }> {
  const { removed, below, marked, isDone } = await removeBatch(tx, found, limit)
  countRevoked(deps, removed + below)
  if (marked > 0) await scheduleJob(tx, { kind: sweepJobName, key: '', nextRunAt: instant(0) })
  return { tokens: removed + below, isDone }
}

/** What became of dead tokens, and of those directly below them. Where there are many, only some of these were removed. */
type Batch = { readonly removed: number; readonly below: number; readonly marked: number; readonly isDone: boolean }

/**
 * Removes dead tokens, their children before them, whose own children are declared dead before: if the work is
 * interrupted, everything that is left is still found.
 */
async function removeBatch(tx: Tx, dead: readonly string[], limit: number): Promise<Batch> {
  const children = await childrenOf(tx, dead, limit)
  const marked = await markChildrenDead(tx, children, limit)
  if (marked === limit) return { removed: 0, below: 0, marked, isDone: false }
  const below = await removeTokens(tx, children)
  const isDone = children.length < limit
  const removed = isDone ? await removeTokens(tx, dead) : 0
  // The removals have waited for requests that were making a child; these children are removed with a later batch.
  const newborn = await markChildrenDead(tx, isDone ? [...children, ...dead] : children, limit)
  return { removed, below, marked: marked + newborn, isDone }
}
/** Repeats a step, each time in a transaction of its own, until a batch is not full. */
async function inBatches(deps: Pick<Deps, 'db'>, step: (tx: Tx) => Promise<number>): Promise<void> {
  for (let done = batchSize; done === batchSize; ) done = await inTransaction(deps.db, step)
}

/** Has a job of the clean-up run as soon as possible. */
async function requestJob(deps: Pick<Deps, 'db' | 'store'>, kind: string): Promise<void> {
  const nextRunAt = await deps.store.databaseNow()
  await inTransaction(deps.db, (tx) => scheduleJob(tx, { kind, key: '', nextRunAt }))
}

const tidyJobName = 'tokens.tidy'

/** Requests a clean-up run as soon as possible. */
export const requestTidy = (deps: Pick<Deps, 'db' | 'store'>): Promise<void> => requestJob(deps, tidyJobName)

async function expire(deps: Deps): Promise<void> {
  if (deps.seal.status() !== 'unsealed') return
  const expired = await removeExpired(deps)
  activeTokens(deps).set(await countLiving(deps.reads, deps.clock.now()))
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
