import { canOnWorkspace, canSeeWorkspace, onResource, type Permitted } from '../../access/permissions/index.ts'
import { isId } from '../../kernel/ids.ts'
import type { Deps } from '../../kit/deps.ts'
import { type Access, type Call, defineEndpoints, type Endpoint, endpoint } from '../../kit/endpoint.ts'
import {
  allSchema,
  answerAll,
  answerCreated,
  answerOne,
  documentSchema,
  type Resource,
  requireSameId,
  showQuery,
} from '../../kit/jsonapi/index.ts'
import { nothing, type Reply } from '../../kit/reply.ts'
import { authorOf } from '../change-log/index.ts'
import { loadWorkspace, type OnWorkspace, onWorkspace, type Workspace } from '../workspaces/index.ts'
import { changeVariable, createVariable, removeVariable, visibleValue } from './variable-actions.ts'
import type { Variable } from './variable-rules.ts'
import { listVariables, loadVariable } from './variable-store.ts'
import {
  changedVariableBody,
  newVariableBody,
  newVariableExample,
  toNewVariable,
  toVariableChange,
  toVariableResource,
  variableSchema,
} from './variable-wire.ts'

const inPath = { workspaceId: { description: 'Identifier of the workspace.', example: 'ws-SihZTyXKfNXUWuUa' } }
const byId = {
  ...inPath,
  variableId: { description: 'Identifier of the variable.', example: 'var-EavQ1LztoRTQHSNT' },
}

/** A variable with the workspace it belongs to. */
export type VariableInWorkspace = {
  readonly organizationId: string
  readonly workspace: Workspace
  readonly variable: Variable
}

/** Access to a variable for those with this right on its workspace. */
const onVariable = (right: 'can-read-variable' | 'can-update-variable'): Access<Permitted<VariableInWorkspace>> =>
  onResource({
    name: `workspace:${right}`,
    load: async ({ deps, params: { workspaceId = '', variableId = '' } }) => {
      if (!isId('ws', workspaceId) || !isId('var', variableId)) return undefined
      const workspace = await loadWorkspace(deps.db, workspaceId)
      const variable = workspace && (await loadVariable(deps.db, workspaceId, variableId))
      return variable && { organizationId: workspace.organizationId, workspace, variable }
    },
    allows: (grants, { workspace }) => canSeeWorkspace(grants, workspace) && canOnWorkspace(grants, right, workspace),
  })

/** A variable as a resource, without its value where it is sensitive. */
export const renderVariable = (deps: Pick<Deps, 'keyring'>, variable: Variable): Resource =>
  toVariableResource(variable, visibleValue(deps, variable))

/** All of them without pages: clients that run configurations read them once. */
async function answerVariables(
  call: Pick<Call, 'deps' | 'request'> & Parameters<typeof answerAll>[0] & { readonly subject: OnWorkspace },
): Promise<Reply> {
  const variables = await listVariables(call.deps.db, [call.subject.resource.id])
  return answerAll(
    call,
    variables.map((variable) => renderVariable(call.deps, variable)),
  )
}

/** Variables of workspaces. */
export const variableEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'vars.list',
    route: 'GET /workspaces/:workspaceId/vars',
    summary: 'List the variables of a workspace.',
    access: onWorkspace('can-read-variable'),
    params: inPath,
    query: showQuery(),
    returns: { 200: allSchema(variableSchema) },
    fails: ['missing'],
    handle: answerVariables,
  }),
  endpoint({
    id: 'vars.list-all',
    route: 'GET /workspaces/:workspaceId/all-vars',
    summary: 'List the variables of a workspace with those it inherits.',
    access: onWorkspace('can-read-variable'),
    params: inPath,
    query: showQuery(),
    returns: { 200: allSchema(variableSchema) },
    fails: ['missing'],
    handle: answerVariables,
  }),
  endpoint({
    id: 'vars.create',
    route: 'POST /workspaces/:workspaceId/vars',
    summary: 'Give a workspace a variable.',
    access: onWorkspace('can-update-variable'),
    params: inPath,
    query: showQuery(),
    body: newVariableBody,
    returns: { 201: documentSchema(variableSchema) },
    fails: ['missing', 'invalid'],
    example: { request: newVariableExample },
    handle: async (call) => {
      const sent = toNewVariable(call.body.attributes)
      const made = await createVariable(call.deps, authorOf(call), call.subject.resource, sent)
      return answerCreated(call, renderVariable(call.deps, made))
    },
  }),
  endpoint({
    id: 'vars.show',
    route: 'GET /workspaces/:workspaceId/vars/:variableId',
    summary: 'Read a variable.',
    access: onVariable('can-read-variable'),
    params: byId,
    query: showQuery(),
    returns: { 200: documentSchema(variableSchema) },
    fails: ['missing'],
    handle: (call) => answerOne(call, renderVariable(call.deps, call.subject.resource.variable)),
  }),
  endpoint({
    id: 'vars.update',
    route: 'PATCH /workspaces/:workspaceId/vars/:variableId',
    summary: 'Change a variable; what is not sent stays.',
    access: onVariable('can-update-variable'),
    params: byId,
    query: showQuery(),
    body: changedVariableBody,
    returns: { 200: documentSchema(variableSchema) },
    fails: ['missing', 'invalid', 'conflict'],
    example: { request: { data: { type: 'vars', attributes: { value: 'eu-west-2' } } } },
    handle: async (call) => {
      const { workspace, variable } = call.subject.resource
      requireSameId(call.body, variable.id)
      const change = toVariableChange(call.body.attributes)
      const changed = await changeVariable(call.deps, authorOf(call), { workspace, id: variable.id }, change)
      return answerOne(call, renderVariable(call.deps, changed))
    },
  }),
  endpoint({
    id: 'vars.delete',
    route: 'DELETE /workspaces/:workspaceId/vars/:variableId',
    summary: 'Delete a variable.',
    access: onVariable('can-update-variable'),
    params: byId,
    returns: { 204: null },
    fails: ['missing'],
    handle: async (call) => {
      const { workspace, variable } = call.subject.resource
      await removeVariable(call.deps, authorOf(call), workspace, variable)
      return nothing()
    },
  }),
])
