import {
  actorOf,
  canInOrganization,
  grantsInNamedOrganization,
  hidden,
  inOrganization,
  type OrganizationGrants,
  onResource,
  organizationInPath,
  type PermittedResource,
} from '../../../access/permissions/index.ts'
import { isId } from '../../../kernel/ids.ts'
import type { ActorPrincipal } from '../../../kernel/principal.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import { type Access, type BodyShape, defineEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import {
  answerCreated,
  answerOne,
  answerPage,
  changing,
  documentSchema,
  invalidDocument,
  listQuery,
  pageSchema,
  type Resource,
  rangeOf,
  requireSameId,
  resourceBody,
  resourceSchema,
  showQuery,
} from '../../../kit/jsonapi/index.ts'
import { nothing } from '../../../kit/reply.ts'
import { onWorkspace, renderWorkspace, workspaceDocument, workspaceInPath } from '../workspaces/index.ts'
import type { SshKey } from './ssh-key.ts'
import { assignKeyToWorkspace, changeSshKey, createSshKey, removeSshKey } from './ssh-key-actions.ts'
import { settings, value } from './ssh-key-fields.ts'
import { listSshKeys, loadSshKey } from './ssh-key-store.ts'

/** A key as answers show it: never with its value. */
const keySchema = resourceSchema('ssh-keys', { attributes: settings.shown })

/** A key as a resource. */
const toKeyResource = (key: SshKey): Resource => ({
  type: 'ssh-keys',
  id: key.id,
  attributes: settings.toDocument(key),
  links: { self: `/api/v2/ssh-keys/${key.id}` },
})

/** The body that stores a key. */
const newKeyBody = resourceBody('ssh-keys', { attributes: { ...settings.fields, value } })

/** The body that renames a key. */
const changedKeyBody = resourceBody('ssh-keys', { attributes: changing(settings.fields) })

/** The key as an attribute or as a linkage; null in place of the id, or of the linkage, removes the key. */
const assignmentBody: BodyShape<{ readonly keyId: string | null }> = {
  kind: 'json',
  schema: Type.Object({
    data: Type.Union([
      Type.Object({
        type: Type.String({ description: '`workspaces`, or `ssh-keys` with the id beside it.' }),
        attributes: Type.Optional(
          Type.Object({
            id: Type.Union([Type.String(), Type.Null()], { description: 'Key to use, or null for none.' }),
          }),
        ),
      }),
      Type.Null(),
    ]),
  }),
  parse: (raw) => {
    if (raw.data === null) return { keyId: null }
    if (typeof raw.data !== 'object' || Array.isArray(raw.data))
      throw invalidDocument([{ detail: 'Data must be an object', pointer: '/data' }])
    const data = raw.data as Record<string, unknown>
    if (data.type !== 'workspaces' && data.type !== 'ssh-keys')
      throw invalidDocument([{ detail: 'Type must be "workspaces"', pointer: '/data/type' }])
    const linked = data.type === 'ssh-keys'
    const holder = linked ? data : ((data.attributes ?? {}) as Record<string, unknown>)
    const pointer = linked ? '/data/id' : '/data/attributes/id'
    if (holder.id === null) return { keyId: null }
    if (typeof holder.id === 'string' && holder.id !== '') return { keyId: holder.id }
    throw invalidDocument([{ detail: 'Id must be that of an SSH key, or null', pointer }])
  },
}

const byId = { keyId: { description: 'Identifier of the key.', example: 'sshkey-1111111111111111' } }

/** Keys are for people and teams: they do not exist for the organization's own token. */
const canUseKeys = (actor: ActorPrincipal): boolean => actor.kind !== 'organization'

const inKeyOrganization: Access<OrganizationGrants> = {
  kind: 'rule',
  name: 'organization:can-traverse',
  check: (call) => {
    if (!canUseKeys(actorOf(call.caller))) throw hidden()
    return grantsInNamedOrganization(call, call.params.organization ?? '')
  },
}

/** Everybody who can see the organization sees the names of its keys; changing them is a right of its own. */
const onKey = (right: 'can-traverse' | 'can-update-ssh-keys'): Access<PermittedResource<SshKey>> =>
  onResource({
    name: `organization:${right}`,
    load: async ({ deps, params: { keyId = '' } }) => (isId('sshkey', keyId) ? loadSshKey(deps.db, keyId) : undefined),
    allows: (grants, _key, actor) => canUseKeys(actor) && canInOrganization(grants, right),
  })

/** SSH keys of organizations, and which one a workspace uses. */
export const sshKeyEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'ssh-keys.list',
    route: 'GET /organizations/:organization/ssh-keys',
    summary: 'List the SSH keys of an organization.',
    access: inKeyOrganization,
    params: organizationInPath,
    query: listQuery({}),
    returns: { 200: pageSchema(keySchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { organizationId } = call.subject
      const { keys, total } = await listSshKeys(call.deps.db, organizationId, rangeOf(call.query.page))
      return answerPage(call, { resources: keys.map(toKeyResource), total })
    },
  }),
  endpoint({
    id: 'ssh-keys.create',
    route: 'POST /organizations/:organization/ssh-keys',
    summary: 'Store an SSH key.',
    access: inOrganization('can-update-ssh-keys'),
    params: organizationInPath,
    query: showQuery(),
    body: newKeyBody,
    returns: { 201: documentSchema(keySchema) },
    fails: ['missing', 'invalid'],
    handle: async (call) =>
      answerCreated(
        call,
        toKeyResource(await createSshKey(call.deps, authorOf(call), call.subject.organizationId, call.body.attributes)),
      ),
  }),
  endpoint({
    id: 'ssh-keys.show',
    route: 'GET /ssh-keys/:keyId',
    summary: 'Read an SSH key, without its value.',
    access: onKey('can-traverse'),
    params: byId,
    query: showQuery(),
    returns: { 200: documentSchema(keySchema) },
    fails: ['missing'],
    handle: (call) => answerOne(call, toKeyResource(call.subject.resource)),
  }),
  endpoint({
    id: 'ssh-keys.update',
    route: 'PATCH /ssh-keys/:keyId',
    summary: 'Rename an SSH key.',
    access: onKey('can-update-ssh-keys'),
    params: byId,
    query: showQuery(),
    body: changedKeyBody,
    returns: { 200: documentSchema(keySchema) },
    fails: ['missing', 'invalid', 'conflict'],
    handle: async (call) => {
      const { resource } = call.subject
      requireSameId(call.body, resource.id)
      const changed = await changeSshKey(call.deps, authorOf(call), resource, settings.given(call.body.attributes))
      return answerOne(call, toKeyResource(changed))
    },
  }),
  endpoint({
    id: 'ssh-keys.delete',
    route: 'DELETE /ssh-keys/:keyId',
    summary: 'Delete an SSH key; it is removed from the workspaces that use it.',
    access: onKey('can-update-ssh-keys'),
    params: byId,
    returns: { 204: null },
    fails: ['missing'],
    handle: async (call) => {
      await removeSshKey(call.deps, authorOf(call), call.subject.resource)
      return nothing()
    },
  }),
  endpoint({
    id: 'workspaces.assign-ssh-key',
    route: 'PATCH /workspaces/:workspaceId/relationships/ssh-key',
    summary: 'Set the SSH key of a workspace, or remove it with null.',
    access: onWorkspace('can-update'),
    params: workspaceInPath,
    query: showQuery(),
    body: assignmentBody,
    returns: { 200: workspaceDocument },
    fails: ['missing', 'invalid'],
    example: { request: { data: { type: 'workspaces', attributes: { id: 'sshkey-1111111111111111' } } } },
    handle: async (call) => {
      const { resource, grants } = call.subject
      const changed = await assignKeyToWorkspace(call.deps, authorOf(call), resource, call.body.keyId)
      return answerOne(call, await renderWorkspace(call, grants, changed))
    },
  }),
])
