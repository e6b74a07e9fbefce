import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Tx } from '../../../storage/open.ts'
import { planMerge } from './entity.ts'
import { changeIdentity } from './entity-actions.ts'
import type { Entity } from './identity.ts'
import {
  deleteAlias,
  deleteEntities,
  findEntity,
  findMergedInto,
  moveAlias,
  saveEntity,
  saveMerges,
} from './identity-store.ts'

/** Which entities become one, and what happens to aliases that cannot both stay. */
type Merge = {
  readonly fromIds: readonly string[]
  readonly toId: string
  readonly keepAliasIds: readonly string[]
}

/** Merges entities: aliases move, and tokens of the merged entities act as the target's from now on. */
export async function mergeEntities(deps: Deps, merge: Merge): Promise<void> {
  const fromIds = [...new Set(merge.fromIds)]
  if (merge.toId === '') throw failure('invalid', 'merge.no-target', "'to_entity_id' must be given.")
  if (fromIds.length === 0) throw failure('invalid', 'merge.no-source', "'from_entity_ids' must name entities.")
  if (fromIds.includes(merge.toId)) {
    throw failure('invalid', 'merge.itself', "'to_entity_id' must not be among 'from_entity_ids'.")
  }
  await changeIdentity(deps, async (tx) => {
    const into = await requireEntity(tx, merge.toId)
    const from: Entity[] = []
    for (const id of fromIds) from.push(await requireEntity(tx, id))
    const plan = planMerge(into, from, merge.keepAliasIds)
    for (const alias of plan.dropped) await deleteAlias(tx, alias.id)
    for (const alias of plan.moved) await moveAlias(tx, { ...alias, updatedAt: deps.clock.now() })
    // Read before the entities are deleted, because the notes about their followers are deleted with them.
    const followers = await findMergedInto(tx, plan.livingIds)
    await deleteEntities(tx, fromIds)
    await saveEntity(tx, { ...plan.entity, updatedAt: deps.clock.now() })
    await saveMerges(tx, [...plan.livingIds, ...followers], into.id)
  })
}

async function requireEntity(tx: Tx, id: string): Promise<Entity> {
  const entity = await findEntity(tx, { id })
  if (entity) return entity
  throw failure('invalid', 'entity.missing', `There is no entity with the id '${id}'.`)
}
