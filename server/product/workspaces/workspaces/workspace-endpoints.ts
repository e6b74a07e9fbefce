import { inOrganization, organizationInPath } from '../../../access/permissions/index.ts'
import { integrationHeader, workspaceSources } from '../../../compat/vendor-names.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import {
  type AnswerContext,
  answerCreated,
  answerOne,
  answerPage,
  answerWritten,
  pageDocument,
  type Resource,
  requireSameId,
  showQuery,
} from '../../../kit/jsonapi/index.ts'
import { document, nothing, type Reply } from '../../../kit/reply.ts'
import { createWorkspace } from './creation-actions.ts'
import { forceDeleteWorkspace } from './deletion/deletion-actions.ts'
import {
  answerWrittenPage,
  entityTag,
  expectedRevision,
  ifMatchHeader,
  renderWorkspace,
  renderWorkspaces,
  requireRevision,
} from './document-actions.ts'
import { includeWith } from './including/include-endpoints.ts'
import { listPage } from './listing/list-actions.ts'
import { toFilter, workspaceQuery, workspacesQuery } from './listing/list-fields.ts'
import { listOrder } from './listing/workspace-list.ts'
import { changedWorkspaceBody, newWorkspaceBody, toDraft } from './settings/settings-fields.ts'
import { changeSettings } from './settings/update-actions.ts'
import { foldTagName } from './tagging/tag.ts'
import type { Workspace } from './workspace.ts'
import { type OnWorkspace, onForceDelete, onWorkspace, workspaceAddresses } from './workspace-access-actions.ts'
import { workspaceDocument, workspacePage, workspacePath } from './workspace-document-fields.ts'

/**
 * A request under a former name of a workspace is redirected to its present path; `below` is what follows the name.
 * Every endpoint by name calls this first: nothing is done under a name that the workspace no longer has.
 */
export function redirectIfRenamed(
  { request, subject }: Pick<Call<Record<string, string>, unknown, unknown, OnWorkspace>, 'request' | 'subject'>,
  below = '',
): Reply | undefined {
  const { resource, grants } = subject
  if (resource.former === undefined) return undefined
  const rest = request.query.size > 0 ? `?${request.query}` : ''
  const path = `${workspacePath(grants.organizationName, resource.name)}${below}`
  return nothing(307, { Location: `${request.origin}${path}${rest}` })
}

type WorkspaceCall<B = unknown, Q = unknown> = Call<Record<string, string>, Q, B, OnWorkspace>

type ShowCall = WorkspaceCall<unknown, AnswerContext['query'] & { include: ReadonlySet<string> }>

async function answerShown(call: ShowCall): Promise<Reply> {
  const { resource: workspace, grants } = call.subject
  const { include, fields } = call.query
  const resource = await renderWorkspace(call, grants, workspace)
  if (include.size > 0) return await answerIncluding(call, resource)
  return fields?.size ? answerOne(call, resource) : answerWritten(resource)
}

async function answerIncluding(call: ShowCall, resource: Resource): Promise<Reply> {
  const { resource: workspace, grants } = call.subject
  const request = { grants, workspaces: [workspace], resources: [resource] }
  const { resources, ...extras } = await includeWith(call, call.query.include, request)
  return answerOne(call, resources[0] ?? resource, extras)
}

/** The source of workspaces that the server makes itself. */
export const firstSource: string = workspaceSources.api

/** The source of a workspace: a browser, a command line, or any other client of the API. */
function sourceOf(call: Pick<Call, 'caller' | 'request'>): string {
  if (call.request.headers[integrationHeader] !== undefined) return workspaceSources.commandLine
  const bySession = 'via' in call.caller && call.caller.via === 'session'
  return bySession ? workspaceSources.browser : workspaceSources.api
}

const list = endpoint({
  id: 'workspaces.list',
  route: 'GET /organizations/:organization/workspaces',
  summary: 'List the workspaces you can see in an organization.',
  description: 'A workspace must match all filters and searches. Totals count only the workspaces you can see.',
  access: inOrganization('can-traverse'),
  params: organizationInPath,
  query: workspacesQuery,
  returns: { 200: workspacePage },
  fails: ['malformed', 'missing'],
  handle: async (call) => {
    const { subject: grants, query } = call
    const request = { filter: toFilter(query), order: listOrder(query.sort), page: query.page }
    const { workspaces, total, pages } = await listPage(call, grants, request)
    const rendered = await renderWorkspaces(call, grants, workspaces)
    if (query.include.size === 0) {
      const found = pageDocument(call, { resources: rendered, total, pages })
      return query.fields.size > 0 ? document(found) : answerWrittenPage(found)
    }
    const including = { grants, workspaces, resources: rendered }
    const { resources, ...extras } = await includeWith(call, query.include, including)
    return answerPage(call, { resources, total, pages }, extras)
  },
})

const create = endpoint({
  id: 'workspaces.create',
  route: 'POST /organizations/:organization/workspaces',
  summary: 'Create a workspace.',
  access: inOrganization('can-create-workspace'),
  params: organizationInPath,
  query: showQuery(),
  body: newWorkspaceBody,
  returns: { 201: workspaceDocument },
  fails: ['missing', 'invalid'],
  example: {
    request: { data: { type: 'workspaces', attributes: { name: 'network-prod', 'execution-mode': 'local' } } },
  },
  handle: async (call) => {
    const { subject: grants, body } = call
    const { sourceName = null, sourceUrl = null } = body.read.attributes
    const workspace = await createWorkspace(call.deps, authorOf(call), grants, {
      ...toDraft(body),
      tagNames: (body.read.relationships.tags ?? []).map(({ attributes }) => foldTagName(attributes.name)),
      source: sourceOf(call),
      sourceName,
      sourceUrl,
    })
    const resource = await renderWorkspace(call, grants, workspace)
    return answerCreated(call, resource, { headers: { ETag: entityTag(resource) } })
  },
})

type Address = (typeof workspaceAddresses)[number]

const showAt = ({ suffix, path, params, redirects }: Address) =>
  endpoint({
    id: `workspaces.show${suffix}`,
    route: `GET ${path}`,
    summary: 'Read a workspace.',
    access: onWorkspace('can-read-run'),
    forRuns: 'tool',
    params,
    query: workspaceQuery,
    returns: { 200: workspaceDocument, ...redirects },
    fails: ['malformed', 'missing'],
    handle: (call) => redirectIfRenamed(call) ?? answerShown(call),
  })

const updateAt = ({ suffix, path, params, redirects }: Address) =>
  endpoint({
    id: `workspaces.update${suffix}`,
    route: `PATCH ${path}`,
    summary: 'Change the settings of a workspace; omitted attributes keep their values.',
    description: 'With `If-Match`, nothing is changed if the workspace has changed since it was read.',
    access: onWorkspace('can-update'),
    params,
    query: showQuery(),
    headers: ifMatchHeader,
    body: changedWorkspaceBody,
    returns: { 200: workspaceDocument, ...redirects },
    fails: ['missing', 'invalid', 'conflict', 'precondition'],
    example: { request: { data: { type: 'workspaces', attributes: { 'auto-apply': true } } } },
    handle: async (call) => {
      const { resource: addressed, grants } = call.subject
      const moved = redirectIfRenamed(call)
      if (moved) return moved
      const { read, requireNoFaults } = call.body
      const draft = toDraft({ read, requireNoFaults: (faults) => requireSameId(requireNoFaults(faults), addressed.id) })
      const expected = await expectedRevision(call)
      const draftFor = (before: Workspace) => {
        requireRevision(before, expected)
        return draft
      }
      const changed = await changeSettings(call.deps, authorOf(call), { grants, workspace: addressed, draftFor })
      const resource = await renderWorkspace(call, grants, changed)
      return answerOne(call, resource, { headers: { ETag: entityTag(resource) } })
    },
  })

const deleteAt = ({ suffix, path, params, redirects }: Address) =>
  endpoint({
    id: `workspaces.delete${suffix}`,
    route: `DELETE ${path}`,
    summary: 'Delete a workspace and its state, even if it is locked.',
    description:
      'Resources that the workspace manages are not destroyed. Use the safe-delete action to refuse deletion while ' +
      'it manages any.',
    access: onForceDelete,
    params,
    headers: ifMatchHeader,
    returns: { 204: null, ...redirects },
    fails: ['missing', 'refused', 'precondition'],
    handle: async (call) => {
      const moved = redirectIfRenamed(call)
      if (moved) return moved
      const { resource } = call.subject
      await forceDeleteWorkspace(call.deps, authorOf(call), resource, await expectedRevision(call))
      return nothing()
    },
  })

const addressedEndpoints = workspaceAddresses.flatMap((address) => [
  showAt(address),
  updateAt(address),
  deleteAt(address),
])

/** Workspaces: make, list, read, change, force delete. */
export const workspaceEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [list, create, ...addressedEndpoints])
