import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import { refuseLongName } from '../../../kit/name-length.ts'
import type { RequestFacts } from '../../../kit/request.ts'
import type { QuotaService } from '../../../kit/services.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { lockArea, VersionedCache } from '../../../storage/versions.ts'
import { mountTableIn } from '../mounts/index.ts'
import {
  ClientBuckets,
  coversMounts,
  coversSamePaths,
  keptBuckets,
  movedQuotas,
  type Quota,
  quotaFor,
} from './quota.ts'
import { deleteQuota, loadQuotas, saveQuota } from './quota-store.ts'

type QuotaState = { readonly quotas: readonly Quota[]; readonly buckets: Map<string, ClientBuckets> }

/** Counts requests against the quotas of their paths; refuses one when its client has exceeded that. */
export function quotaEnforcer(deps: Pick<Deps, 'db' | 'store' | 'clock'>): QuotaService['enforce'] {
  const cache = new VersionedCache<'all', QuotaState>(deps.store.versions, 'quotas', { max: 1 })
  // A write of one quota lets nobody off who is counted by another.
  let buckets = new Map<string, ClientBuckets>()
  const load = async (): Promise<QuotaState> => {
    const quotas = await loadQuotas(deps.db)
    buckets = keptBuckets(buckets, quotas)
    return { quotas, buckets }
  }
  return async (request) => takeFromBuckets(deps, await cache.getOrLoad('all', load), request)
}

function takeFromBuckets({ clock }: Pick<Deps, 'clock'>, { quotas, buckets }: QuotaState, request: RequestFacts): void {
  const quota = quotas.length > 0 ? quotaFor(quotas, request.path) : undefined
  if (!quota) return
  const counted = buckets.get(quota.name) ?? new ClientBuckets(quota)
  buckets.set(quota.name, counted)
  const retryAfter = counted.take(request.remoteAddress, clock.monotonic())
  if (retryAfter === 0) return
  throw failure('rate-limited', 'quota.exceeded', `request path "${request.path}": rate limit quota exceeded`, {
    retryAfter,
  })
}

const notMounted = ({ path }: Quota) =>
  failure('invalid', 'quota.path', `invalid mount path "${path}": nothing is mounted there, so it would limit nothing`)

/** The longest path that an index can hold. */
const maxPathBytes = 2_048

/**
 * Creates a quota, or replaces the one of its name. A second quota for the same path is refused: the two would
 * contradict each other. So is a path at which nothing is mounted; a mount that is removed later leaves its quotas, for
 * the next one there.
 */
export async function writeQuota(deps: Pick<Deps, 'db' | 'mountKinds'>, quota: Quota): Promise<void> {
  refuseLongName('The name of the quota', quota.name)
  refuseLongName('The path of the quota', quota.path, maxPathBytes)
  await inTransaction(deps.db, async (tx) => {
    await lockArea(tx, 'quotas')
    // Read after the lock: a mount that moves takes the quotas along which are there before it does.
    const mounts = (await mountTableIn(deps, tx)).all.map(({ path }) => path)
    if (!coversMounts(quota, mounts)) throw notMounted(quota)
    const others = (await loadQuotas(tx)).filter(({ name }) => name !== quota.name)
    const twin = others.find((each) => coversSamePaths(each, quota))
    if (twin) throw failure('invalid', 'quota.taken', `The quota '${twin.name}' has the same path already.`)
    await saveQuota(tx, quota)
  })
}

/** Removes a quota, if it exists; not between the reading and the writing of a move, which would bring it back. */
export const removeQuota = ({ db }: Pick<Deps, 'db'>, name: string): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockArea(tx, 'quotas')
    await deleteQuota(tx, name)
  })

/**
 * Moves the quotas of a mount along with it, so that it stays limited. If there are quotas at the new path that would
 * contradict them, left by a mount that was removed, the move is refused.
 */
export async function moveQuotas(tx: Tx, { from, to }: { readonly from: string; readonly to: string }): Promise<void> {
  await lockArea(tx, 'quotas')
  const quotas = await loadQuotas(tx)
  for (const quota of movedQuotas(quotas, from, to)) {
    refuseLongName(`The new path of the quota '${quota.name}'`, quota.path, maxPathBytes)
    const twin = quotas.find((each) => coversSamePaths(each, quota))
    if (twin) throw twoAtNewPath(quota, twin)
    await saveQuota(tx, quota)
  }
}

const twoAtNewPath = (moved: Quota, { name }: Quota) =>
  failure(
    'invalid',
    'quota.taken',
    `The quota '${moved.name}' would move to '${moved.path}', for which there is the quota '${name}' already; delete one of them first.`,
  )
