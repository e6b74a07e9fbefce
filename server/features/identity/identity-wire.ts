import { toIsoNano } from '../../kernel/clock.ts'
import { Type } from '../../kit/endpoint.ts'
import { field } from '../../kit/fields.ts'
import type { MountTable } from '../mounts/index.ts'
import type { Alias, Entity } from './identity-rules.ts'

const textMap = (description: string) => Type.Record(Type.String(), Type.String(), { description })
const time = (description: string) => Type.String({ description, format: 'date-time' })

/** The body that writes an entity. */
export const EntityBody = Type.Object({
  id: field.text('The entity to change.'),
  name: field.text('Unique without case; made up when absent.'),
  metadata: field.textMap('Anything worth knowing; policies can refer to it.'),
  policies: field.list('Policies that every token of the entity has in addition, from the next request on.'),
  disabled: field.flag('Stops every token of the entity from working.'),
})

/** The body that writes an alias. */
export const AliasBody = Type.Object({
  id: field.text('The alias to change.'),
  name: field.text('The name used at login.'),
  canonical_id: field.text('The entity it belongs to; a new one is made when absent.', { aliases: ['entity_id'] }),
  mount_accessor: field.text('The auth method, by accessor.'),
  custom_metadata: field.textMap('Anything worth knowing; policies can refer to it.'),
})

/** An alias as answers show it. */
export const AliasInfo = Type.Object({
  id: Type.String({ description: 'Id of the alias.' }),
  canonical_id: Type.String({ description: 'The entity it belongs to.' }),
  name: Type.String({ description: 'The name used at login.' }),
  mount_accessor: Type.String({ description: 'The auth method, by accessor.' }),
  mount_path: Type.String({ description: 'Where the auth method is mounted.' }),
  mount_type: Type.String({ description: 'The type of the auth method.' }),
  metadata: textMap('What the last login told.'),
  custom_metadata: textMap('As it was written.'),
  creation_time: time('When it was made.'),
  last_update_time: time('When it last changed.'),
})

/** An entity as answers show it. */
export const EntityInfo = Type.Object({
  id: Type.String({ description: 'Id of the entity.' }),
  name: Type.String({ description: 'Its name.' }),
  metadata: textMap('As it was written.'),
  policies: Type.Array(Type.String(), { description: 'Policies its tokens have in addition.' }),
  disabled: Type.Boolean({ description: 'Whether its tokens are stopped.' }),
  aliases: Type.Array(AliasInfo, { description: 'The names it logs in with.' }),
  creation_time: time('When it was made.'),
  last_update_time: time('When it last changed.'),
})

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
  policies: entity.policies,
  disabled: entity.disabled,
  aliases: entity.aliases.map((alias) => aliasInfo(alias, mounts)),
  creation_time: toIsoNano(entity.createdAt),
  last_update_time: toIsoNano(entity.updatedAt),
  merged_entity_ids: entity.mergedIds,
  group_ids: [],
  direct_group_ids: [],
  inherited_group_ids: [],
  namespace_id: 'root',
})
