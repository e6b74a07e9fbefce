import { isId } from '../../../kernel/ids.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import { allSchema, answerCreated, documentSchema, showQuery } from '../../../kit/jsonapi/index.ts'
import { loadWorkspace, onWorkspace, workspaceInPath } from '../workspaces/index.ts'
import {
  answerVariables,
  oneVariableEndpoints,
  onVariable,
  renderVariable,
  type VariableRight,
  variableInPath,
} from './one-variable-endpoints.ts'
import { createVariable } from './variable-actions.ts'
import { loadVariable } from './variable-store.ts'
import { newVariableBody, newVariableExample, toNewVariable, variableSchema } from './variable-wire.ts'

/** A variable below its workspace. */
const onVariableOfWorkspace = (right: VariableRight) =>
  onVariable(right, async ({ deps, params: { workspaceId = '', variableId = '' } }) => {
    if (!isId('ws', workspaceId) || !isId('var', variableId)) return undefined
    const workspace = await loadWorkspace(deps.db, workspaceId)
    const variable = workspace && (await loadVariable(deps.db, workspaceId, variableId))
    return variable && { organizationId: workspace.organizationId, workspace, variable }
  })

/** Variables of workspaces. */
export const variableEndpoints: readonly Endpoint[] = [
  ...defineEndpoints('api/v2', [
    endpoint({
      id: 'vars.list',
      route: 'GET /workspaces/:workspaceId/vars',
      summary: 'List the variables of a workspace.',
      access: onWorkspace('can-read-variable'),
      params: workspaceInPath,
      query: showQuery(),
      returns: { 200: allSchema(variableSchema) },
      fails: ['missing'],
      handle: (call) => answerVariables(call, call.subject.resource.id),
    }),
    endpoint({
      id: 'vars.list-all',
      route: 'GET /workspaces/:workspaceId/all-vars',
      summary: 'List the variables of a workspace, including inherited ones.',
      access: onWorkspace('can-read-variable'),
      params: workspaceInPath,
      query: showQuery(),
      returns: { 200: allSchema(variableSchema) },
      fails: ['missing'],
      handle: (call) => answerVariables(call, call.subject.resource.id),
    }),
    endpoint({
      id: 'vars.create',
      route: 'POST /workspaces/:workspaceId/vars',
      summary: 'Create a variable in a workspace.',
      access: onWorkspace('can-update-variable'),
      params: workspaceInPath,
      query: showQuery(),
      body: newVariableBody,
      returns: { 201: documentSchema(variableSchema) },
      fails: ['missing', 'invalid', 'conflict'],
      example: { request: newVariableExample },
      handle: async (call) => {
        const sent = toNewVariable(call.body.attributes)
        const made = await createVariable(call.deps, authorOf(call), call.subject.resource, sent)
        return answerCreated(call, renderVariable(call.deps, made))
      },
    }),
  ]),
  ...oneVariableEndpoints({
    ending: '',
    route: '/workspaces/:workspaceId/vars/:variableId',
    params: { ...workspaceInPath, ...variableInPath },
    access: onVariableOfWorkspace,
  }),
]
