import { canInOrganization } from '../../../../access/permissions/index.ts'
import { authorOf } from '../../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../../../kit/endpoint.ts'
import { answerPage, type Item, listBody, listQuery } from '../../../../kit/jsonapi/index.ts'
import { nothing, type Reply } from '../../../../kit/reply.ts'
import { renderWorkspaces } from '../document-actions.ts'
import { includeWith } from '../including/include-endpoints.ts'
import { includable } from '../listing/list-fields.ts'
import {
  mayOnWorkspace,
  type OnWorkspace,
  onWorkspace,
  onWorkspaceWhere,
  workspaceInPath,
} from '../workspace-access-actions.ts'
import { workspacePage } from '../workspace-document-fields.ts'
import { type ConsumerChange, changeConsumers, listConsumers } from './consumer-actions.ts'

const consumersPath = '/workspaces/:workspaceId/relationships/remote-state-consumers'
const someConsumersBody = listBody('workspaces', { emptyRefused: 'must contain at least one workspace' })
const anyConsumersBody = listBody('workspaces')
const example = { request: { data: [{ type: 'workspaces', id: 'ws-SihZTyXKfNXUWuUb' }] } }
const writeBase = { params: workspaceInPath, returns: { 204: null }, fails: ['missing', 'invalid'], example } as const

/**
 * Replacing the whole list may remove consumers that the caller cannot see, so it needs the right to see all
 * workspaces.
 */
const onAllWorkspaces = onWorkspaceWhere(
  'organization:can-manage-all-workspaces',
  (grants, workspace) =>
    mayOnWorkspace(grants, 'can-update', workspace) && canInOrganization(grants, 'can-manage-all-workspaces'),
)

const change =
  (kind: ConsumerChange) =>
  async (call: Call<Record<string, string>, unknown, readonly Item[], OnWorkspace>): Promise<Reply> => {
    const { resource: workspace, grants } = call.subject
    const ids = call.body.flatMap(({ id }) => id ?? [])
    await changeConsumers(call.deps, authorOf(call), { grants, workspace }, { change: kind, ids })
    return nothing()
  }

/** Which workspaces may read the state of another. */
export const consumerEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'remote-state-consumers.list',
    route: `GET ${consumersPath}`,
    summary: 'List the workspaces that may read the state of a workspace.',
    description: 'If the state is shared with the whole organization or project, these are all other workspaces in it.',
    access: onWorkspace('can-read-run'),
    params: workspaceInPath,
    query: listQuery({ include: includable }),
    returns: { 200: workspacePage },
    fails: ['malformed', 'missing'],
    handle: async (call) => {
      const { resource: workspace, grants } = call.subject
      const { workspaces, total } = await listConsumers(call.deps, grants, workspace, call.query.page)
      const rendered = await renderWorkspaces(call, grants, workspaces)
      if (call.query.include.size === 0) return answerPage(call, { resources: rendered, total })
      const { resources, ...extras } = await includeWith(call, call.query.include, {
        grants,
        workspaces,
        resources: rendered,
      })
      return answerPage(call, { resources, total }, extras)
    },
  }),
  endpoint({
    ...writeBase,
    id: 'remote-state-consumers.add',
    route: `POST ${consumersPath}`,
    summary: 'Allow more workspaces to read the state of a workspace.',
    access: onWorkspace('can-update'),
    body: someConsumersBody,
    handle: change('add'),
  }),
  endpoint({
    ...writeBase,
    id: 'remote-state-consumers.replace',
    route: `PATCH ${consumersPath}`,
    summary: 'Replace the list of workspaces that may read the state of a workspace.',
    access: onAllWorkspaces,
    body: anyConsumersBody,
    handle: change('replace'),
  }),
  endpoint({
    ...writeBase,
    id: 'remote-state-consumers.remove',
    route: `DELETE ${consumersPath}`,
    summary: 'Stop workspaces from reading the state of a workspace.',
    access: onWorkspace('can-update'),
    body: someConsumersBody,
    handle: change('remove'),
  }),
])
