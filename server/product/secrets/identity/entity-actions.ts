import type { HolderSource } from '../../../access/policy-holder.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import { isUniqueViolation } from '../../../storage/database-errors.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { lockArea } from '../../../storage/versions.ts'
import { checkEntityName, checkMetadata, entityPolicies } from './entity.ts'
import { type Entity, factsOf } from './identity.ts'
import { newEntity } from './identity-actions.ts'
import { deleteEntities, findAlias, findAliasById, findEntity, listEntities, saveEntity } from './identity-store.ts'

type IdentityDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'mountKinds'>

/** The fields of an entity that a caller sends; absent ones stay as they are. */
export type EntityChange = {
  readonly id?: string
  readonly name?: string
  readonly metadata?: Readonly<Record<string, string>>
  readonly policies?: readonly string[]
  readonly disabled?: boolean
}

/** An entity that was written, and whether it is new. */
type WrittenEntity = { readonly entity: Entity; readonly created: boolean }

/**
 * Changes of identity run one after the other; a login at the same moment may still conflict, and then the change is
 * refused.
 */
export async function changeIdentity<T>(deps: IdentityDeps, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await inTransaction(deps.db, async (tx) => {
      await lockArea(tx, 'identity')
      return await work(tx)
    })
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause
    throw failure('invalid', 'identity.contended', 'A login used the same name at this moment; try again.', { cause })
  }
}

/** Creates an entity, or changes the one with this id or name. */
export function writeEntity(deps: IdentityDeps, change: EntityChange): Promise<WrittenEntity> {
  if (change.name) checkEntityName(change.name)
  if (change.metadata) checkMetadata('metadata', change.metadata)
  const policies = change.policies && entityPolicies(change.policies)
  return changeIdentity(deps, async (tx) => {
    const known = await findAddressedEntity(tx, change)
    const { id: _id, name, policies: _sent, ...rest } = change
    const next: Entity = {
      ...(known ?? newEntity(deps)),
      ...rest,
      ...(name ? { name } : {}),
      ...policies,
      updatedAt: deps.clock.now(),
    }
    await saveEntity(tx, next)
    return { entity: next, created: !known }
  })
}

/** The entity that a change addresses. An id must exist, and may come with a new name that no other entity has. */
async function findAddressedEntity(tx: Tx, { id, name }: EntityChange): Promise<Entity | undefined> {
  const named = name ? await findEntity(tx, { name }) : undefined
  if (!id) return named
  const known = await findEntity(tx, { id })
  if (!known) throw failure('invalid', 'entity.missing', `There is no entity with the id '${id}'.`)
  if (named && named.id !== id) throw failure('invalid', 'entity.name', `The name '${name}' belongs to another entity.`)
  return known
}

/** Removes entities with their aliases; their tokens stop working. */
export const removeEntities = (deps: IdentityDeps, ids: readonly string[]): Promise<void> =>
  changeIdentity(deps, (tx) => deleteEntities(tx, ids))

/** Removes the entity of a name. */
export const removeEntityNamed = (deps: IdentityDeps, name: string): Promise<void> =>
  changeIdentity(deps, async (tx) => {
    const entity = await findEntity(tx, { name })
    if (entity) await deleteEntities(tx, [entity.id])
  })

/** How an entity can be looked for. */
type EntityQuery = {
  readonly id?: string
  readonly name?: string
  readonly alias_id?: string
  readonly alias_name?: string
  readonly alias_mount_accessor?: string
}

/** Finds an entity by exactly one of its names; undefined when there is none. */
export async function lookUpEntity(deps: Pick<Deps, 'db'>, query: EntityQuery): Promise<Entity | undefined> {
  const { id, name, alias_id: aliasId, alias_name: aliasName, alias_mount_accessor: accessor } = query
  if (Boolean(aliasName) !== Boolean(accessor)) {
    throw failure('invalid', 'lookup.half-pair', "'alias_name' and 'alias_mount_accessor' go together.")
  }
  const ways = [id, name, aliasId, aliasName].filter(Boolean)
  if (ways.length !== 1) {
    const text = "Give exactly one of 'id', 'name', 'alias_id', or 'alias_name' with 'alias_mount_accessor'."
    throw failure('invalid', 'lookup.ambiguous', text)
  }
  if (id) return findEntity(deps.db, { id })
  if (name) return findEntity(deps.db, { name })
  const alias = aliasId
    ? await findAliasById(deps.db, aliasId)
    : await findAlias(deps.db, accessor ?? '', aliasName ?? '')
  return alias && findEntity(deps.db, { id: alias.entityId })
}

/** The entities that are not disabled, with the policies that they carry. */
export const pageOfHolders: HolderSource['page'] = async ({ reads }, place) =>
  (await listEntities(reads, 'id', place)).map((entity) => {
    const policies = entity.disabled ? [] : entity.policies
    const { id, name } = entity
    const holder = { id, name, mount: '', carries: (policy: string) => policies.includes(policy), together: policies }
    return { after: id, holder: { ...holder, facts: factsOf(entity) } }
  })
