import { failure } from '../../../kernel/failure.ts'
import type { Operation } from '../../../kit/access.ts'
import { fields } from '../../../kit/bodies.ts'
import type { Deps } from '../../../kit/deps.ts'
import { acl, type Call, endpoint, type MountEndpoint, Type } from '../../../kit/endpoint.ts'
import { checkEquivalentPaths } from '../../../kit/equivalent-paths.ts'
import { field } from '../../../kit/fields.ts'
import { type ListCall, listReply, listTerms, nextAfter } from '../../../kit/list.ts'
import type { Mount } from '../../../kit/mount.ts'
import { data, nothing, type Reply } from '../../../kit/reply.ts'
import { mountTable } from '../mounts/index.ts'
import { type EntityChange, lookUpEntity, removeEntities, removeEntityNamed, writeEntity } from './entity-actions.ts'
import { mergeEntities } from './entity-merge-actions.ts'
import type { Entity } from './identity.ts'
import { EntityBody, EntityInfo, EntityList, entityInfo } from './identity-fields.ts'
import { findEntity, listEntities } from './identity-store.ts'

const byId = { params: { id: { description: 'Id of the entity.' } } } as const
const byName = { params: { name: { description: 'Name of the entity; case-insensitive.' } } } as const
const writeReturns = {
  200: Type.Object({ id: Type.String({ description: 'Id of the new entity.' }) }),
  204: null,
} as const

/**
 * Entity names are compared without case, so a policy about a name, as it is listed or in lower case, holds for every
 * spelling of it.
 */
export async function equivalentEntityPaths({ db }: Pick<Deps, 'db'>, _mount: Mount, path: string): Promise<string[]> {
  const [, address, name] = /^(identity\/entity\/name\/)(.+)$/s.exec(path) ?? []
  if (address === undefined || name === undefined) return []
  const listed = (await findEntity(db, { name }))?.name ?? name
  return [address + listed, address + name.toLowerCase()]
}

/** The entity that a call names; refuses callers who may not do this to it. */
async function namedEntity(call: Omit<Call, 'query' | 'body'>, operation: Operation): Promise<Entity | undefined> {
  await checkEquivalentPaths(call, operation)
  return findEntity(call.deps.db, { name: call.params.name ?? '' })
}

async function show(deps: Deps, entity: Entity | undefined): Promise<Reply> {
  return entity ? data(entityInfo(entity, await mountTable(deps))) : nothing()
}

async function write(deps: Deps, change: EntityChange): Promise<Reply> {
  const { entity, created } = await writeEntity(deps, change)
  return created ? data({ id: entity.id, name: entity.name, aliases: null }) : nothing()
}

async function list(call: ListCall, by: 'id' | 'name'): Promise<Reply> {
  const mounts = await mountTable(call.deps)
  return await listReply(call, (db) => async ({ after, most }) => {
    const page = by === 'id' ? { after, most } : { after: after.toLowerCase(), most }
    const entities = await listEntities(db, by === 'id' ? 'id' : 'name_key', page)
    const info = entities.map((entity) => {
      const { id, name, aliases, policies, disabled } = entityInfo(entity, mounts)
      return [entity.id, { id, name, aliases, policies, disabled }] as const
    })
    const names = entities.map((entity) => entity[by])
    return { names, info: Object.fromEntries(info), next: nextAfter(names, page) }
  })
}

const listCommon = { ...listTerms, access: acl(), returns: { 200: EntityList } } as const

/** Entities: who is behind the names used at login. */
export const entityEndpoints: readonly MountEndpoint[] = [
  endpoint({
    id: 'identity.write-entity',
    route: 'POST /entity',
    summary: 'Create an entity, or update the one with this id or name.',
    access: acl(),
    body: fields(EntityBody),
    returns: writeReturns,
    fails: ['invalid'],
    example: { request: { name: 'billing', policies: ['billing-read'], metadata: { team: 'finance' } } },
    handle: ({ deps, body }) => write(deps, body),
  }),
  endpoint({
    ...byId,
    id: 'identity.read-entity',
    route: 'GET /entity/id/:id',
    summary: 'Read an entity.',
    access: acl(),
    returns: { 200: EntityInfo },
    fails: ['missing'],
    handle: async ({ deps, params: { id = '' } }) => show(deps, await findEntity(deps.db, { id })),
  }),
  endpoint({
    ...byName,
    id: 'identity.read-entity-by-name',
    route: 'GET /entity/name/*name',
    summary: 'Read an entity by its name.',
    access: acl(),
    returns: { 200: EntityInfo },
    fails: ['missing'],
    handle: async (call) => show(call.deps, await namedEntity(call, 'read')),
  }),
  endpoint({
    ...byId,
    id: 'identity.update-entity',
    route: 'POST /entity/id/:id',
    summary: 'Update an entity.',
    access: acl(),
    body: fields(EntityBody),
    returns: { 204: null },
    fails: ['invalid'],
    handle: ({ deps, params: { id = '' }, body }) => write(deps, { ...body, id }),
  }),
  endpoint({
    ...byName,
    id: 'identity.write-entity-by-name',
    route: 'POST /entity/name/*name',
    summary: 'Create or update the entity with this name.',
    access: acl(),
    body: fields(EntityBody),
    returns: writeReturns,
    fails: ['invalid'],
    handle: async (call) => {
      const { id, ...change } = call.body
      const known = await namedEntity(call, 'update')
      // Whoever may write this name may not write any other entity by its id.
      if (id && id !== known?.id) throw failure('invalid', 'entity.other-id', "'id' is not that of the named entity.")
      return write(call.deps, { ...change, name: call.params.name ?? '' })
    },
  }),
  endpoint({
    ...byId,
    id: 'identity.delete-entity',
    route: 'DELETE /entity/id/:id',
    summary: 'Delete an entity; its tokens stop working.',
    access: acl(),
    returns: { 204: null },
    handle: async ({ deps, params: { id = '' } }) => {
      await removeEntities(deps, [id])
      return nothing()
    },
  }),
  endpoint({
    ...byName,
    id: 'identity.delete-entity-by-name',
    route: 'DELETE /entity/name/*name',
    summary: 'Delete the entity with this name; its tokens stop working.',
    access: acl(),
    returns: { 204: null },
    handle: async (call) => {
      await namedEntity(call, 'delete')
      await removeEntityNamed(call.deps, call.params.name ?? '')
      return nothing()
    },
  }),
  endpoint({
    id: 'identity.delete-entities',
    route: 'POST /entity/batch-delete',
    summary: 'Delete several entities.',
    access: acl(),
    body: fields(Type.Object({ entity_ids: field.list('Ids of the entities.') })),
    returns: { 204: null },
    fails: ['invalid'],
    handle: async ({ deps, body }) => {
      const ids = (body.entity_ids ?? []).filter((id) => id !== '')
      if (ids.length === 0) throw failure('invalid', 'entity.no-ids', "'entity_ids' must name at least one entity.")
      await removeEntities(deps, ids)
      return nothing()
    },
  }),
  endpoint({
    ...listCommon,
    id: 'identity.list-entities',
    route: 'LIST /entity/id',
    summary: 'List entities by id.',
    handle: (call) => list(call, 'id'),
  }),
  endpoint({
    ...listCommon,
    id: 'identity.list-entities-by-name',
    route: 'LIST /entity/name',
    summary: 'List entities by name, in an order that ignores case.',
    handle: (call) => list(call, 'name'),
  }),
  endpoint({
    id: 'identity.merge-entities',
    route: 'POST /entity/merge',
    summary: 'Merge entities into one, which takes over the tokens of the others.',
    access: acl({ sudo: true }),
    body: fields(
      Type.Object({
        from_entity_ids: field.list('The entities to merge, which are deleted.'),
        to_entity_id: field.text('The entity to merge into.'),
        force: field.flag('Ignored: it is about second factors, which entities do not have.'),
        conflicting_alias_ids_to_keep: field.list('Of aliases at the same mount, keep these; the others are deleted.'),
      }),
    ),
    returns: { 204: null },
    fails: ['invalid'],
    handle: async ({ deps, body }) => {
      await mergeEntities(deps, {
        fromIds: body.from_entity_ids ?? [],
        toId: body.to_entity_id ?? '',
        keepAliasIds: body.conflicting_alias_ids_to_keep ?? [],
      })
      return nothing()
    },
  }),
  endpoint({
    id: 'identity.look-up-entity',
    route: 'POST /lookup/entity',
    summary: 'Find an entity by its id, its name or one of its aliases.',
    access: acl(),
    body: fields(
      Type.Object({
        id: field.text('Id of the entity.'),
        name: field.text('Name of the entity.'),
        alias_id: field.text('Id of one of its aliases.'),
        alias_name: field.text('Name of one of its aliases, together with the accessor.'),
        alias_mount_accessor: field.text('Accessor of the auth method, together with the name.'),
      }),
    ),
    returns: { 200: EntityInfo, 204: null },
    fails: ['invalid'],
    handle: async ({ deps, body }) => show(deps, await lookUpEntity(deps, body)),
  }),
]
