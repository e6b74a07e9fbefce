import { toIsoNano } from '../../../kernel/clock.ts'
import { model, Type } from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import type { MountTable } from '../mounts/index.ts'
import type { Alias, Entity } from './identity.ts'

const textMap = (description: string) => Type.Record(Type.String(), Type.String(), { description })
const time = (description: string) => Type.String({ description, format: 'date-time' })

/** The body that writes an entity. */
export const EntityBody = model('EntityBody', {
  id: field.text('The entity to change.'),
  name: field.text('Name, unique regardless of case; generated if omitted.'),
  metadata: field.textMap('Arbitrary metadata; policies can refer to it.'),
  policies: field.list('Additional policies of every token of the entity, effective from the next request.'),
  disabled: field.flag('Disable the entity: none of its tokens is accepted.'),
})

/** The body that writes an alias. */
export const AliasBody = model('EntityAliasBody', {
  id: field.text('The alias to change.'),
  name: field.text('The name used at login.'),
  canonical_id: field.text('The entity it belongs to; a new one is created if omitted.', { aliases: ['entity_id'] }),
  mount_accessor: field.text('Accessor of the auth method.'),
  custom_metadata: field.textMap('Arbitrary metadata; policies can refer to it.'),
})

/** An alias as answers show it. */
export const AliasInfo = model('EntityAlias', {
  id: Type.String({ description: 'Id of the alias.' }),
  canonical_id: Type.String({ description: 'The entity it belongs to.' }),
  name: Type.String({ description: 'The name used at login.' }),
  mount_accessor: Type.String({ description: 'Accessor of the auth method.' }),
  mount_path: Type.String({ description: 'Where the auth method is mounted.' }),
  mount_type: Type.String({ description: 'The type of the auth method.' }),
  metadata: textMap('Metadata from the last login.'),
  custom_metadata: textMap('As it was set.'),
  creation_time: time('When it was created.'),
  last_update_time: time('When it last changed.'),
})

/** An entity as answers show it. */
export const EntityInfo = model('Entity', {
  id: Type.String({ description: 'Id of the entity.' }),
  name: Type.String({ description: 'Its name.' }),
  metadata: textMap('As it was set.'),
  policies: Type.Array(Type.String(), { description: 'Additional policies of its tokens.' }),
  disabled: Type.Boolean({ description: 'Whether it is disabled.' }),
  aliases: Type.Array(AliasInfo, { description: 'Its aliases, the names it logs in with.' }),
  creation_time: time('When it was created.'),
  last_update_time: time('When it last changed.'),
})

/** A list of entities, by id or by name. */
export const EntityList = model('EntityList', {
  keys: Type.Array(Type.String(), { description: 'Ids or names in sorted order.' }),
  key_info: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Facts about each entity, by its id; also if the keys are names.',
  }),
})

/** Without the aliases at mounts that are gone, which are still being removed. */
export const aliasesAt = (mounts: MountTable, aliases: readonly Alias[]): readonly Alias[] =>
  aliases.filter(({ mountAccessor }) => mounts.byAccessor(mountAccessor))

/** An alias, with the present path of its mount. */
export function aliasInfo(alias: Alias, mounts: MountTable): Record<string, unknown> {
  const mount = mounts.byAccessor(alias.mountAccessor)
  return {
    id: alias.id,
    canonical_id: alias.entityId,
    name: alias.name,
    mount_accessor: alias.mountAccessor,
    mount_path: mount?.path ?? '',
    mount_type: mount?.type ?? '',
    metadata: alias.metadata,
    custom_metadata: alias.customMetadata,
    // Clients of this API do not expect an empty list here, and the one that manages entities as code fails on it.
    merged_from_canonical_ids: alias.mergedFromIds.length > 0 ? alias.mergedFromIds : null,
    creation_time: toIsoNano(alias.createdAt),
    last_update_time: toIsoNano(alias.updatedAt),
    local: mount?.local ?? false,
  }
}

/** An entity with its aliases. There are no groups, so it belongs to none. */
export const entityInfo = (entity: Entity, mounts: MountTable): Record<string, unknown> => ({
  id: entity.id,
  name: entity.name,
  metadata: entity.metadata,
  policies: entity.writtenPolicies,
  disabled: entity.disabled,
  aliases: aliasesAt(mounts, entity.aliases).map((alias) => aliasInfo(alias, mounts)),
  creation_time: toIsoNano(entity.createdAt),
  last_update_time: toIsoNano(entity.updatedAt),
  merged_entity_ids: entity.mergedIds,
  group_ids: [],
  direct_group_ids: [],
  inherited_group_ids: [],
  namespace_id: 'root',
})
