import { normalizePolicyNames } from '../../../access/policies/index.ts'
import { instant } from '../../../kernel/clock.ts'
import type { ListPlace } from '../../../kit/list.ts'
import { bit } from '../../../storage/bits.ts'
import { hotQuery } from '../../../storage/hot.ts'
import type { Db, Queryable, Tx } from '../../../storage/open.ts'
import { rowChunksOf } from '../../../storage/row-chunks.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import type { Alias, Entity } from './identity.ts'

/** Somebody or something that logs in, whatever the method. */
interface EntityRow {
  id: string
  name: string
  /** The name in lower case: names are unique without case. */
  name_key: string
  metadata: string
  policies: string
  disabled: number
  merged_ids: string
  created_at: number
  updated_at: number
}

/** The name an entity has at one mount. */
interface EntityAliasRow {
  id: string
  entity_id: string
  mount_accessor: string
  name: string
  name_key: string
  metadata: string
  custom_metadata: string
  merged_from_ids: string
  created_at: number
  updated_at: number
}

/** Where an entity went that was merged into another. */
interface EntityMergeRow {
  merged_id: string
  entity_id: string
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    entities: EntityRow
    entity_aliases: EntityAliasRow
    entity_merges: EntityMergeRow
  }
}

const aliasOf = (db: Db, by: { mountAccessor: string; nameKey: string }) =>
  db
    .selectFrom('entity_aliases')
    .selectAll()
    .where('mount_accessor', '=', by.mountAccessor)
    .where('name_key', '=', by.nameKey)

const aliasByName = hotQuery('identity.alias-by-name', aliasOf)

const aliasForUpdate = hotQuery('identity.alias-held', (db, by: { mountAccessor: string; nameKey: string }) =>
  aliasOf(db, by).forUpdate(),
)

/** The alias of a name at a mount; names are compared without case. */
export async function findAlias(db: Queryable, mountAccessor: string, name: string): Promise<Alias | undefined> {
  const row = await aliasByName.first(db, { mountAccessor, nameKey: name.toLowerCase() })
  return row && toAlias(row)
}

/** The same, locked until this transaction ends. */
export async function lockAliasForUpdate(tx: Tx, mountAccessor: string, name: string): Promise<Alias | undefined> {
  const row = await aliasForUpdate.first(tx, { mountAccessor, nameKey: name.toLowerCase() })
  return row && toAlias(row)
}

/** An alias by its id. */
export async function findAliasById(db: Queryable, id: string): Promise<Alias | undefined> {
  const row = await db.selectFrom('entity_aliases').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toAlias(row)
}

/** The same, locked until this transaction ends. */
export async function lockAliasByIdForUpdate(tx: Tx, id: string): Promise<Alias | undefined> {
  const row = await tx.selectFrom('entity_aliases').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toAlias(row)
}

/** An entity with its aliases. */
export async function findEntity(db: Queryable, by: { id: string } | { name: string }): Promise<Entity | undefined> {
  const query = db.selectFrom('entities').selectAll()
  const row = await ('id' in by
    ? query.where('id', '=', by.id)
    : query.where('name_key', '=', by.name.toLowerCase())
  ).executeTakeFirst()
  if (!row) return undefined
  const aliases = await db
    .selectFrom('entity_aliases')
    .selectAll()
    .where('entity_id', '=', row.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return toEntity(row, aliases)
}

/** The entity that another one was merged into. */
export async function findMergedEntity(db: Queryable, mergedId: string): Promise<Entity | undefined> {
  const row = await db
    .selectFrom('entity_merges')
    .select('entity_id')
    .where('merged_id', '=', mergedId)
    .executeTakeFirst()
  return row && (await findEntity(db, { id: row.entity_id }))
}

/**
 * The entities that were merged into one of these, so that their tokens now act as its. Those disabled when they were
 * merged are not among them.
 */
export async function findMergedInto(tx: Tx, entityIds: readonly string[]): Promise<string[]> {
  if (entityIds.length === 0) return []
  const rows = await tx.selectFrom('entity_merges').select('merged_id').where('entity_id', 'in', entityIds).execute()
  return rows.map((row) => row.merged_id)
}

/** Notes that the tokens of these entities, and of those merged into them before, act as another entity from now on. */
export async function saveMerges(tx: Tx, mergedIds: readonly string[], entityId: string): Promise<void> {
  for (const mergedId of mergedIds) {
    await tx
      .insertInto('entity_merges')
      .values({ merged_id: mergedId, entity_id: entityId })
      .onConflict((conflict) => conflict.column('merged_id').doUpdateSet({ entity_id: entityId }))
      .execute()
  }
  bumpVersion(tx, 'identity')
}

/** A page of entities with their aliases, by id, or by name regardless of case. */
export async function listEntities(
  db: Queryable,
  by: 'id' | 'name_key',
  { after, most }: ListPlace,
): Promise<Entity[]> {
  const rows = await db.selectFrom('entities').selectAll().where(by, '>', after).orderBy(by).limit(most).execute()
  const aliases: EntityAliasRow[] = []
  for (const ids of rowChunksOf(rows.map((row) => row.id))) {
    const found = db.selectFrom('entity_aliases').selectAll().where('entity_id', 'in', ids)
    aliases.push(...(await found.orderBy('created_at').orderBy('id').execute()))
  }
  const byEntity = Map.groupBy(aliases, (alias) => alias.entity_id)
  return rows.map((row) => toEntity(row, byEntity.get(row.id) ?? []))
}

/** A page of aliases, by id. */
export async function listAliases(db: Queryable, { after, most }: ListPlace): Promise<Alias[]> {
  const rows = db.selectFrom('entity_aliases').selectAll().where('id', '>', after).orderBy('id').limit(most)
  return (await rows.execute()).map(toAlias)
}

/** Stores an entity, new or existing; its aliases are stored separately. */
export async function saveEntity(tx: Tx, entity: Entity): Promise<void> {
  const { id, ...columns } = entityColumns(entity)
  await tx
    .insertInto('entities')
    .values({ id, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
  bumpVersion(tx, 'identity')
}

/** Stores an alias, new or existing. */
export async function saveAlias(tx: Tx, alias: Alias): Promise<void> {
  const { id, ...columns } = aliasColumns(alias)
  await tx
    .insertInto('entity_aliases')
    .values({ id, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
  bumpVersion(tx, 'identity')
}

/** Moves an alias to another entity; its metadata is not written, since a login may be changing it. */
export async function moveAlias(tx: Tx, alias: Alias): Promise<void> {
  const { id, entity_id, merged_from_ids, updated_at } = aliasColumns(alias)
  await tx.updateTable('entity_aliases').set({ entity_id, merged_from_ids, updated_at }).where('id', '=', id).execute()
  bumpVersion(tx, 'identity')
}

/** Removes entities and, with them, their aliases. */
export async function deleteEntities(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx
    .deleteFrom('entities')
    .where('id', 'in', [...ids])
    .execute()
  bumpVersion(tx, 'identity')
}

/** Removes one alias. */
export async function deleteAlias(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('entity_aliases').where('id', '=', id).execute()
  bumpVersion(tx, 'identity')
}

/** Removes up to `limit` aliases of a mount that is gone, and returns how many are left; entities stay. */
export async function removeAliasesOfMount(tx: Tx, mountAccessor: string, limit: number): Promise<number> {
  const aliases = tx.selectFrom('entity_aliases').where('mount_accessor', '=', mountAccessor)
  await tx.deleteFrom('entity_aliases').where('id', 'in', aliases.select('id').limit(limit)).execute()
  bumpVersion(tx, 'identity')
  const { left } = await aliases.select(({ fn }) => fn.countAll().as('left')).executeTakeFirstOrThrow()
  return Number(left)
}

const texts = (json: string): Record<string, string> => JSON.parse(json) as Record<string, string>
const list = (json: string): string[] => JSON.parse(json) as string[]

const toEntity = (row: EntityRow, aliases: readonly EntityAliasRow[]): Entity => ({
  id: row.id,
  name: row.name,
  metadata: texts(row.metadata),
  policies: normalizePolicyNames(list(row.policies)),
  writtenPolicies: list(row.policies),
  disabled: row.disabled === 1,
  mergedIds: list(row.merged_ids),
  createdAt: instant(row.created_at),
  updatedAt: instant(row.updated_at),
  aliases: aliases.map(toAlias),
})

const toAlias = (row: EntityAliasRow): Alias => ({
  id: row.id,
  entityId: row.entity_id,
  mountAccessor: row.mount_accessor,
  name: row.name,
  metadata: texts(row.metadata),
  customMetadata: texts(row.custom_metadata),
  mergedFromIds: list(row.merged_from_ids),
  createdAt: instant(row.created_at),
  updatedAt: instant(row.updated_at),
})

const entityColumns = (entity: Entity): EntityRow => ({
  id: entity.id,
  name: entity.name,
  name_key: entity.name.toLowerCase(),
  metadata: JSON.stringify(entity.metadata),
  policies: JSON.stringify(entity.writtenPolicies),
  disabled: bit(entity.disabled),
  merged_ids: JSON.stringify(entity.mergedIds),
  created_at: entity.createdAt,
  updated_at: entity.updatedAt,
})

const aliasColumns = (alias: Alias): EntityAliasRow => ({
  id: alias.id,
  entity_id: alias.entityId,
  mount_accessor: alias.mountAccessor,
  name: alias.name,
  name_key: alias.name.toLowerCase(),
  metadata: JSON.stringify(alias.metadata),
  custom_metadata: JSON.stringify(alias.customMetadata),
  merged_from_ids: JSON.stringify(alias.mergedFromIds),
  created_at: alias.createdAt,
  updated_at: alias.updatedAt,
})
