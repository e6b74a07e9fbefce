import type { Static } from 'typebox'
import { fields } from '../../../kit/bodies.ts'
import type { Deps } from '../../../kit/deps.ts'
import { acl, endpoint, type MountEndpoint, Type } from '../../../kit/endpoint.ts'
import { KeyInfoList } from '../../../kit/envelope.ts'
import { listReply, listTerms, nextAfter } from '../../../kit/list.ts'
import { data, nothing, type Reply } from '../../../kit/reply.ts'
import { mountTable } from '../mounts/index.ts'
import { removeAlias, writeAlias } from './alias-actions.ts'
import { AliasBody, AliasInfo, aliasesAt, aliasInfo } from './identity-fields.ts'
import { findAliasById, listAliases } from './identity-store.ts'

const byId = { params: { id: { description: 'Id of the alias.' } } } as const
const writeReturns = {
  200: Type.Object({
    id: Type.String({ description: 'Id of the alias.' }),
    canonical_id: Type.String({ description: 'The entity it belongs to.' }),
  }),
} as const

async function write(deps: Deps, body: Static<typeof AliasBody>): Promise<Reply> {
  const { id, name, canonical_id, mount_accessor, custom_metadata } = body
  const alias = await writeAlias(deps, {
    ...(id ? { id } : {}),
    ...(name ? { name } : {}),
    ...(canonical_id ? { canonicalId: canonical_id } : {}),
    ...(mount_accessor ? { mountAccessor: mount_accessor } : {}),
    ...(custom_metadata ? { customMetadata: custom_metadata } : {}),
  })
  return data({ id: alias.id, canonical_id: alias.entityId })
}

/** Aliases: the names entities log in with. */
export const aliasEndpoints: readonly MountEndpoint[] = [
  endpoint({
    id: 'identity.write-alias',
    route: 'POST /entity-alias',
    summary: 'Create an alias, or update the one with this id, or with this name at this mount.',
    access: acl(),
    body: fields(AliasBody),
    returns: writeReturns,
    fails: ['invalid'],
    handle: ({ deps, body }) => write(deps, body),
  }),
  endpoint({
    ...byId,
    id: 'identity.read-alias',
    route: 'GET /entity-alias/id/:id',
    summary: 'Read an alias.',
    access: acl(),
    returns: { 200: AliasInfo },
    fails: ['missing'],
    handle: async ({ deps, params: { id = '' } }) => {
      const [found, mounts] = [await findAliasById(deps.db, id), await mountTable(deps)]
      const [alias] = aliasesAt(mounts, found ? [found] : [])
      return alias ? data({ ...aliasInfo(alias, mounts), namespace_id: 'root' }) : nothing()
    },
  }),
  endpoint({
    ...byId,
    id: 'identity.update-alias',
    route: 'POST /entity-alias/id/:id',
    summary: 'Update an alias.',
    access: acl(),
    body: fields(AliasBody),
    returns: writeReturns,
    fails: ['invalid'],
    handle: ({ deps, params: { id = '' }, body }) => write(deps, { ...body, id }),
  }),
  endpoint({
    ...byId,
    id: 'identity.delete-alias',
    route: 'DELETE /entity-alias/id/:id',
    summary: 'Delete an alias; the next login with its name creates a new entity.',
    access: acl(),
    returns: { 204: null },
    handle: async ({ deps, params: { id = '' } }) => {
      await removeAlias(deps, id)
      return nothing()
    },
  }),
  endpoint({
    ...listTerms,
    id: 'identity.list-aliases',
    route: 'LIST /entity-alias/id',
    summary: 'List aliases by id.',
    access: acl(),
    returns: { 200: KeyInfoList },
    handle: async (call) => {
      const mounts = await mountTable(call.deps)
      return await listReply(call, (db) => async (place) => {
        const stored = await listAliases(db, place)
        const aliases = aliasesAt(mounts, stored)
        const info = aliases.map((alias) => {
          const { id: _, ...rest } = aliasInfo(alias, mounts)
          return [alias.id, rest] as const
        })
        const names = aliases.map(({ id }) => id)
        return {
          names,
          info: Object.fromEntries(info),
          next: nextAfter(
            stored.map(({ id }) => id),
            place,
          ),
        }
      })
    },
  }),
]
