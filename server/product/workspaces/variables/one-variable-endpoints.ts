import { onResource, type PermittedResource } from '../../../access/permissions/index.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import {
  type Access,
  type Call,
  defineEndpoints,
  type Endpoint,
  endpoint,
  type RuleCall,
} from '../../../kit/endpoint.ts'
import {
  answerAll,
  answerOne,
  documentSchema,
  type Resource,
  requireSameId,
  showQuery,
} from '../../../kit/jsonapi/index.ts'
import { nothing, type Reply } from '../../../kit/reply.ts'
import { mayOnWorkspace, type Workspace } from '../workspaces/index.ts'
import { changeVariable, removeVariable, visibleValue } from './variable-actions.ts'
import type { Variable } from './variable-rules.ts'
import { listVariables } from './variable-store.ts'
import { changedVariableBody, toVariableChange, toVariableResource, variableSchema } from './variable-wire.ts'

/** The right that a caller needs on the workspace of a variable. */
export type VariableRight = 'can-read-variable' | 'can-update-variable'

/** A variable with the workspace it belongs to. */
type VariableInWorkspace = {
  readonly organizationId: string
  readonly workspace: Workspace
  readonly variable: Variable
}

/** The parameters of the paths to one variable. */
export const variableInPath = {
  variableId: { description: 'Identifier of the variable.', example: 'var-EavQ1LztoRTQHSNT' },
}

/** Access to a variable, found by `load`, for callers with this right on its workspace. */
export const onVariable = (
  right: VariableRight,
  load: (call: RuleCall) => Promise<VariableInWorkspace | undefined>,
): Access<PermittedResource<VariableInWorkspace>> =>
  onResource({
    name: `workspace:${right}`,
    load,
    allows: (grants, { workspace }) => mayOnWorkspace(grants, right, workspace),
  })

/** A variable as a resource, without its value if it is sensitive. */
export const renderVariable = (deps: Pick<Deps, 'keyring'>, variable: Variable): Resource =>
  toVariableResource(variable, visibleValue(deps, variable))

/** All variables of a workspace, without pages: clients that run configurations read them all at once. */
export async function answerVariables(
  call: Pick<Call, 'deps'> & Parameters<typeof answerAll>[0],
  workspaceId: string,
): Promise<Reply> {
  const variables = await listVariables(call.deps.db, [workspaceId])
  return answerAll(
    call,
    variables.map((variable) => renderVariable(call.deps, variable)),
  )
}

/** Where a variable is found, and the ending that distinguishes the ids of the endpoints there. */
type VariableAddress = {
  readonly ending: '' | '-bare'
  readonly route: `/${string}`
  readonly params: Readonly<Record<string, { description: string; example: string }>>
  readonly access: (right: VariableRight) => Access<PermittedResource<VariableInWorkspace>>
}

/** Reading, changing and deleting one variable: the same at each of its addresses. */
export const oneVariableEndpoints = ({ ending, route, params, access }: VariableAddress): readonly Endpoint[] =>
  defineEndpoints('api/v2', [
    endpoint({
      id: `vars.show${ending}`,
      route: `GET ${route}`,
      summary: 'Read a variable.',
      access: access('can-read-variable'),
      params,
      query: showQuery(),
      returns: { 200: documentSchema(variableSchema) },
      fails: ['missing'],
      handle: (call) => answerOne(call, renderVariable(call.deps, call.subject.resource.variable)),
    }),
    endpoint({
      id: `vars.update${ending}`,
      route: `PATCH ${route}`,
      summary: 'Change a variable; omitted attributes keep their values.',
      access: access('can-update-variable'),
      params,
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
      id: `vars.delete${ending}`,
      route: `DELETE ${route}`,
      summary: 'Delete a variable.',
      access: access('can-update-variable'),
      params,
      returns: { 204: null },
      fails: ['missing'],
      handle: async (call) => {
        const { workspace, variable } = call.subject.resource
        await removeVariable(call.deps, authorOf(call), workspace, variable.id)
        return nothing()
      },
    }),
  ])
