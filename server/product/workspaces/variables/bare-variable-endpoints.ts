import { anyActor, grantsInOrganization, hidden } from '../../../access/permissions/index.ts'
import { isId } from '../../../kernel/ids.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import { allSchema, answerCreated, documentSchema, showQuery } from '../../../kit/jsonapi/index.ts'
import {
  filteredWorkspace,
  loadWorkspace,
  mayOnWorkspace,
  type Workspace,
  workspaceFilters,
} from '../workspaces/index.ts'
import {
  answerVariables,
  oneVariableEndpoints,
  onVariable,
  renderVariable,
  type VariableRight,
  variableInPath,
} from './one-variable-endpoints.ts'
import { createVariable } from './variable-actions.ts'
import { loadVariableAnywhere } from './variable-store.ts'
import { placedVariableBody, placedVariableExample, toNewVariable, variableSchema } from './variable-wire.ts'

/** A variable, wherever it is. */
const onBareVariable = (right: VariableRight) =>
  onVariable(right, async ({ deps, params: { variableId = '' } }) => {
    const variable = isId('var', variableId) ? await loadVariableAnywhere(deps.db, variableId) : undefined
    const workspace = variable && (await loadWorkspace(deps.db, variable.workspaceId))
    return workspace && { organizationId: workspace.organizationId, workspace, variable }
  })

async function writableWorkspace(call: Pick<Call, 'deps' | 'caller'>, id: string): Promise<Workspace> {
  const found = isId('ws', id) ? await loadWorkspace(call.deps.db, id) : undefined
  if (!found) throw hidden()
  const grants = await grantsInOrganization(call, found.organizationId)
  if (!mayOnWorkspace(grants, 'can-update-variable', found)) throw hidden()
  return found
}

/** The same variables at addresses without their workspace, as older clients of this family know them. */
export const bareVariableEndpoints: readonly Endpoint[] = [
  ...defineEndpoints('api/v2', [
    endpoint({
      id: 'vars.list-bare',
      route: 'GET /vars',
      summary: 'List the variables of the workspace named by the filters.',
      access: anyActor(),
      query: showQuery({ parameters: workspaceFilters }),
      returns: { 200: allSchema(variableSchema) },
      fails: ['missing', 'invalid'],
      handle: async (call) => answerVariables(call, (await filteredWorkspace(call, 'can-read-variable')).id),
    }),
    endpoint({
      id: 'vars.create-bare',
      route: 'POST /vars',
      summary: 'Create a variable in the workspace named in the body.',
      access: anyActor(),
      query: showQuery(),
      body: placedVariableBody,
      returns: { 201: documentSchema(variableSchema) },
      fails: ['missing', 'invalid', 'conflict'],
      example: { request: placedVariableExample },
      handle: async (call) => {
        const { attributes, relationships } = call.body
        const workspace = await writableWorkspace(call, relationships.workspace)
        const made = await createVariable(call.deps, authorOf(call), workspace, toNewVariable(attributes))
        return answerCreated(call, renderVariable(call.deps, made))
      },
    }),
  ]),
  ...oneVariableEndpoints({
    ending: '-bare',
    route: '/vars/:variableId',
    params: variableInPath,
    access: onBareVariable,
  }),
]
