import {
  canSeeWorkspace,
  inOrganization,
  onResource,
  organizationInPath,
} from '../../../../access/permissions/index.ts'
import { toIso } from '../../../../kernel/clock.ts'
import { authorOf } from '../../../../kit/change-log/index.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../../kit/endpoint.ts'
import {
  answerPage,
  attribute,
  type Item,
  listBody,
  listQuery,
  pageSchema,
  parameter,
  type Resource,
  rangeOf,
  resourceSchema,
  shown,
  toOne,
} from '../../../../kit/jsonapi/index.ts'
import { nothing } from '../../../../kit/reply.ts'
import { onWorkspace, workspaceInPath } from '../workspace-access-actions.ts'
import { loadWorkspace } from '../workspace-store.ts'
import { foldTagName } from './tag.ts'
import { addTags, attachTag, type NamedTags, removeTags } from './tag-actions.ts'
import { tagAttributes } from './tag-fields.ts'
import { type FlatTag, findTag, listTags } from './tag-list-store.ts'
import { deleteOrganizationTags } from './tag-removal-actions.ts'

const tagSchema = resourceSchema('tags', {
  attributes: {
    name: shown.text('Name.'),
    'created-at': shown.time('When it was first used in the organization.'),
    'instance-count': shown.whole('Number of workspaces that have it.'),
  },
  relationships: { organization: 'The organization it belongs to.' },
})

const toResource =
  (organization: string) =>
  (tag: FlatTag): Resource => ({
    type: 'tags',
    id: tag.id,
    attributes: { name: tag.name, 'created-at': toIso(tag.createdAt), 'instance-count': tag.instanceCount },
    relationships: { organization: toOne('organizations', organization) },
  })

const tagItems = { attributes: tagAttributes, id: 'instead', emptyRefused: 'must contain at least one tag' } as const
const body = listBody('tags', tagItems)

/** When tags are removed, unknown names are ignored, and so are names that no tag can have. */
const removedBody = listBody('tags', {
  ...tagItems,
  attributes: { name: attribute.text('Name.', { required: true, example: 'core' }) },
})

const toNamedTags = (items: readonly Item<typeof tagAttributes>[]): NamedTags => ({
  ids: items.flatMap(({ id }) => id ?? []),
  names: items.flatMap(({ id, attributes }) => (id === undefined ? attributes.name : [])),
})

/** Part of a name to look for; flat tags are stored in lower case. */
const textFilter = (text: string | undefined): { readonly text?: string } => (text ? { text: foldTagName(text) } : {})

const onTag = onResource({
  name: 'tag:attach',
  load: ({ deps, params: { tagId = '' } }) => findTag(deps.db, tagId),
  allows: () => true,
})

/** Flat tags of workspaces and organizations. */
export const tagEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'tags.list-on-workspace',
    route: 'GET /workspaces/:workspaceId/relationships/tags',
    summary: 'List the flat tags of a workspace, in the order they were added.',
    access: onWorkspace('can-read-run'),
    params: workspaceInPath,
    query: listQuery({ parameters: { text: parameter.text('name', 'Part of the name.') } }),
    returns: { 200: pageSchema(tagSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { resource, grants } = call.subject
      const { page, text } = call.query
      const filter = { organizationId: resource.organizationId, workspaceId: resource.id, ...textFilter(text) }
      const { tags, total } = await listTags(call.deps.reads, filter, rangeOf(page))
      return answerPage(call, { resources: tags.map(toResource(grants.organizationName)), total })
    },
  }),
  endpoint({
    id: 'tags.add',
    route: 'POST /workspaces/:workspaceId/relationships/tags',
    summary: 'Add flat tags to a workspace.',
    access: onWorkspace('can-manage-tags'),
    params: workspaceInPath,
    body,
    returns: { 204: null },
    fails: ['missing', 'invalid'],
    example: { request: { data: [{ type: 'tags', attributes: { name: 'core' } }] } },
    handle: async (call) => {
      await addTags(call.deps, authorOf(call), call.subject.resource, toNamedTags(call.body))
      return nothing()
    },
  }),
  endpoint({
    id: 'tags.remove',
    route: 'DELETE /workspaces/:workspaceId/relationships/tags',
    summary: 'Remove flat tags from a workspace.',
    access: onWorkspace('can-manage-tags'),
    params: workspaceInPath,
    body: removedBody,
    returns: { 204: null },
    fails: ['missing', 'invalid'],
    example: { request: { data: [{ type: 'tags', attributes: { name: 'core' } }] } },
    handle: async (call) => {
      await removeTags(call.deps, authorOf(call), call.subject.resource, toNamedTags(call.body))
      return nothing()
    },
  }),
  endpoint({
    id: 'tags.list',
    route: 'GET /organizations/:organization/tags',
    summary: 'List the flat tags of an organization.',
    access: inOrganization('can-traverse'),
    params: organizationInPath,
    query: listQuery({
      parameters: {
        text: parameter.text('q', 'Part of the name.'),
        exceptOn: parameter.text('filter[exclude][taggable][id]', 'Exclude the tags of this workspace.'),
      },
    }),
    returns: { 200: pageSchema(tagSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { page, text, exceptOn } = call.query
      const other = exceptOn ? await loadWorkspace(call.deps.db, exceptOn) : undefined
      const filter = {
        organizationId: call.subject.organizationId,
        ...textFilter(text),
        // The tags that are left out reveal which tags a workspace has, so the caller must be able to see it.
        ...(other && canSeeWorkspace(call.subject, other) ? { exceptOn: other.id } : {}),
      }
      const { tags, total } = await listTags(call.deps.reads, filter, rangeOf(page))
      return answerPage(call, { resources: tags.map(toResource(call.subject.organizationName)), total })
    },
  }),
  endpoint({
    id: 'tags.delete',
    route: 'DELETE /organizations/:organization/tags',
    summary: 'Remove flat tags from an organization and all its workspaces.',
    access: inOrganization('can-manage-tags'),
    params: organizationInPath,
    body: listBody('tags', { emptyRefused: 'must contain at least one tag' }),
    returns: { 204: null },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      await deleteOrganizationTags(
        call.deps,
        authorOf(call),
        call.subject.organizationId,
        call.body.flatMap(({ id }) => id ?? []),
      )
      return nothing()
    },
  }),
  endpoint({
    id: 'tags.attach-to-workspaces',
    route: 'POST /tags/:tagId/relationships/workspaces',
    summary: 'Add a flat tag to several workspaces.',
    access: onTag,
    params: { tagId: { description: 'Identifier of the tag.', example: 'tag-1111111111111111' } },
    body: listBody('workspaces', { emptyRefused: 'must contain at least one workspace' }),
    returns: { 204: null },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      const { resource: tag, grants } = call.subject
      const workspaceIds = call.body.flatMap(({ id }) => id ?? [])
      await attachTag(call.deps, authorOf(call), { tag, grants, workspaceIds })
      return nothing()
    },
  }),
])
