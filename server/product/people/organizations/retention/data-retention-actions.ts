import { type Author, recordChange } from '../../../../kit/change-log/index.ts'
import { type Deps, perApp } from '../../../../kit/deps.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { VersionedCache } from '../../../../storage/versions.ts'
import type { RetentionPolicy, RetentionTerms } from './data-retention.ts'
import { deleteRetentionPolicy, loadRetentionPolicies, saveRetentionPolicy } from './data-retention-store.ts'

type RetentionDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store'>

/** The organization or workspace that a policy is set on. */
export type RetentionTarget = {
  readonly organizationId: string
  /** Set when the target is a workspace. */
  readonly workspaceId?: string
  readonly name: string
  /** Keeps the target from being deleted, and its policy from being set by others, until the transaction ends. */
  readonly lockForUpdate: (tx: Tx) => Promise<void>
}

type CachedPolicy = { readonly policy: RetentionPolicy | undefined }

const cacheOf = perApp(
  (deps) => new VersionedCache<string, CachedPolicy>(deps.store.versions, 'organizations', { max: 20_000 }),
)

/** The explicit policy of an organization or workspace; from memory unless one has changed. */
export async function retentionPolicyOf(
  deps: Pick<Deps, 'db' | 'store'>,
  targetId: string,
): Promise<RetentionPolicy | undefined> {
  const load = async () => ({ policy: (await loadRetentionPolicies(deps.db, [targetId]))[0] })
  return (await cacheOf(deps).getOrLoad(targetId, load)).policy
}

/** The explicit policies of organizations or workspaces; those that are not in memory are read together. */
export async function retentionPoliciesOf(
  deps: Pick<Deps, 'db' | 'store'>,
  targetIds: readonly string[],
): Promise<ReadonlyMap<string, RetentionPolicy>> {
  const held = cacheOf(deps)
  const asOf = held.version()
  const found = new Map<string, RetentionPolicy>()
  const unknown: string[] = []
  for (const id of targetIds) {
    const known = held.get(id)
    if (!known) unknown.push(id)
    else if (known.policy) found.set(id, known.policy)
  }
  if (unknown.length === 0) return found
  for (const policy of await loadRetentionPolicies(deps.db, unknown)) found.set(policy.targetId, policy)
  for (const id of unknown) held.set(id, { policy: found.get(id) }, asOf)
  return found
}

const targetIdOf = (target: RetentionTarget): string => target.workspaceId ?? target.organizationId

const describePolicy = (policy: RetentionTerms) =>
  policy.kind === 'delete-older' ? { kind: policy.kind, days: policy.days } : { kind: policy.kind }

const changeOf = (target: RetentionTarget, id: string) => ({
  organizationId: target.organizationId,
  ...(target.workspaceId ? { workspaceId: target.workspaceId } : {}),
  subject: { type: 'data-retention-policies', id, name: target.name },
})

/** Sets the policy of a target: the same kind keeps its id, another kind gets a new one. */
export async function setRetentionPolicy(
  deps: RetentionDeps,
  author: Author,
  target: RetentionTarget,
  terms: RetentionTerms,
): Promise<RetentionPolicy> {
  return inTransaction(deps.db, async (tx) => {
    await target.lockForUpdate(tx)
    const [before] = await loadRetentionPolicies(tx, [targetIdOf(target)])
    const kept = before?.kind === terms.kind ? before : undefined
    const policy: RetentionPolicy = {
      id: kept?.id ?? deps.ids.newId('drp'),
      organizationId: target.organizationId,
      targetId: targetIdOf(target),
      createdAt: kept?.createdAt ?? deps.clock.now(),
      ...terms,
    }
    await saveRetentionPolicy(tx, policy)
    const change = {
      ...changeOf(target, policy.id),
      action: before ? 'update' : 'create',
      after: describePolicy(terms),
    }
    await recordChange(deps, tx, author, before ? { ...change, before: describePolicy(before) } : change)
    return policy
  })
}

/** Removes the explicit policy of a target, if it has one. */
export async function removeRetentionPolicy(
  deps: RetentionDeps,
  author: Author,
  target: RetentionTarget,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await target.lockForUpdate(tx)
    const [before] = await loadRetentionPolicies(tx, [targetIdOf(target)])
    if (!before) return
    await deleteRetentionPolicy(tx, targetIdOf(target))
    const change = { ...changeOf(target, before.id), action: 'delete', before: describePolicy(before) }
    await recordChange(deps, tx, author, change)
  })
}
