import { anyActor, hidden, within, withinNamed } from '../../access/permissions/index.ts'
import { isId } from '../../kernel/ids.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../kit/endpoint.ts'
import {
  allSchema,
  answerCreated,
  documentSchema,
  invalidDocument,
  parameter,
  showQuery,
} from '../../kit/jsonapi/index.ts'
import { authorOf } from '../change-log/index.ts'
import { loadWorkspace, loadWorkspaceByName, type Workspace } from '../workspaces/index.ts'
import {
  answerVariables,
  mayWithVariables,
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

const filters = {
  organization: parameter.text('filter[organization][name]', 'Name of the organization; needed.'),
  workspace: parameter.text('filter[workspace][name]', 'Name of the workspace; needed.'),
} as const

type ListCall = Call<Record<string, string>, Readonly<Record<keyof typeof filters, string | undefined>>>

async function listedWorkspace(call: ListCall): Promise<Workspace> {
  const { organization, workspace } = call.query
  const sent = { 'filter[organization][name]': organization, 'filter[workspace][name]': workspace }
  const missing = Object.entries(sent).flatMap(([parameter, value]) =>
    value === undefined ? [{ detail: `Parameter ${parameter} is needed`, parameter }] : [],
  )
  if (missing.length > 0) throw invalidDocument(missing)
  const grants = await withinNamed(call, organization ?? '')
  const found = await loadWorkspaceByName(call.deps.db, grants.organizationId, workspace ?? '')
  if (!found || !mayWithVariables(grants, 'can-read-variable', found)) throw hidden()
  return found
}

async function writableWorkspace(call: Pick<Call, 'deps' | 'caller'>, id: string): Promise<Workspace> {
  const found = isId('ws', id) ? await loadWorkspace(call.deps.db, id) : undefined
  if (!found) throw hidden()
  const grants = await within(call, found.organizationId)
  if (!mayWithVariables(grants, 'can-update-variable', found)) throw hidden()
  return found
}

/** The same variables at addresses without their workspace, as older clients of this family know them. */
export const bareVariableEndpoints: readonly Endpoint[] = [
  ...defineEndpoints('api/v2', [
    endpoint({
      id: 'vars.list-bare',
      route: 'GET /vars',
      summary: 'List the variables of the workspace that the filters name.',
      access: anyActor(),
      query: showQuery({ parameters: filters }),
      returns: { 200: allSchema(variableSchema) },
      fails: ['missing', 'invalid'],
      handle: async (call) => answerVariables(call, (await listedWorkspace(call)).id),
    }),
    endpoint({
      id: 'vars.create-bare',
      route: 'POST /vars',
      summary: 'Give the workspace that the body names a variable.',
      access: anyActor(),
      query: showQuery(),
      body: placedVariableBody,
      returns: { 201: documentSchema(variableSchema) },
      fails: ['missing', 'invalid'],
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
