import {
  anyActor,
  grantsInOrganization,
  hidden,
  onResource,
  type PermittedResource,
} from '../../../access/permissions/index.ts'
import { inputCategory } from '../../../compat/vendor-names.ts'
import { isId } from '../../../kernel/ids.ts'
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
  allSchema,
  answerAll,
  answerCreated,
  answerOne,
  changing,
  documentSchema,
  type Resource,
  relation,
  requireSameId,
  resourceBody,
  resourceSchema,
  shown,
  showQuery,
  toOne,
  type Values,
} from '../../../kit/jsonapi/index.ts'
import { nothing, type Reply } from '../../../kit/reply.ts'
import {
  filteredWorkspace,
  loadWorkspace,
  mayOnWorkspace,
  onWorkspace,
  type Workspace,
  workspaceFilters,
  workspaceInPath,
} from '../workspaces/index.ts'
import type { NewVariable, Variable, VariableChange } from './variable.ts'
import { changeVariable, createVariable, removeVariable, visibleValue } from './variable-actions.ts'
import { facts, settings, value } from './variable-fields.ts'
import { listVariables, loadVariable, loadVariableAnywhere } from './variable-store.ts'

/** What is sent about a variable. */
export const variableAttributes = { ...settings.fields, value }
const attributes = variableAttributes

/** The body that makes a variable. */
export const newVariableBody = resourceBody('vars', { attributes })

/** The body that makes a variable and names its workspace. */
const placedVariableBody = resourceBody('vars', {
  attributes,
  relationships: { workspace: relation.one('workspaces', 'The workspace it is for.', { required: true }) },
})

/** The body that changes a variable. */
export const changedVariableBody = resourceBody('vars', { attributes: changing(attributes) })

/** A new variable as it was sent, with defaults for the other fields. */
export const toNewVariable = (sent: Values<typeof attributes>): NewVariable => ({
  ...settings.made(sent),
  value: sent.value ?? value.initial,
})

/** A change as it was sent; a value of null makes it empty. */
export const toVariableChange = (sent: Partial<Values<typeof attributes>>): VariableChange => ({
  ...settings.given(sent),
  ...(sent.value === undefined ? {} : { value: sent.value ?? value.initial }),
})

/** A body that makes a variable, for the reference. */
export const newVariableExample: object = {
  data: { type: 'vars', attributes: { key: 'region', value: 'eu-west-1', category: inputCategory } },
}

/** A body that makes a variable and names its workspace, for the reference. */
const placedVariableExample: object = {
  data: {
    type: 'vars',
    attributes: { key: 'region', value: 'eu-west-1', category: inputCategory },
    relationships: { workspace: { data: { type: 'workspaces', id: 'ws-SihZTyXKfNXUWuUa' } } },
  },
}

/** A variable as answers show it. */
const variableSchema = resourceSchema('vars', {
  name: 'Variable',
  attributes: {
    ...settings.shown,
    value: shown.maybeText('Value; null if it is sensitive.'),
    ...facts.shown,
  },
  relationships: { configurable: 'The workspace it belongs to.' },
})

/** A variable as a resource, with its value if the caller may see it. */
const toVariableResource = (variable: Variable, shownValue: string | null): Resource => ({
  type: 'vars',
  id: variable.id,
  attributes: { ...settings.toDocument(variable), value: shownValue, ...facts.toDocument(variable) },
  relationships: {
    configurable: toOne('workspaces', variable.workspaceId, `/api/v2/workspaces/${variable.workspaceId}`),
  },
  links: { self: `/api/v2/workspaces/${variable.workspaceId}/vars/${variable.id}` },
})

/** The right that a caller needs on the workspace of a variable. */
type VariableRight = 'can-read-variable' | 'can-update-variable'

/** A variable with the workspace it belongs to. */
type VariableInWorkspace = {
  readonly organizationId: string
  readonly workspace: Workspace
  readonly variable: Variable
}

/** The parameters of the paths to one variable. */
const variableInPath = {
  variableId: { description: 'Identifier of the variable.', example: 'var-EavQ1LztoRTQHSNT' },
}

/** Access to a variable, found by `load`, for callers with this right on its workspace. */
const onVariable = (
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
async function answerVariables(
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
const oneVariableEndpoints = ({ ending, route, params, access }: VariableAddress): readonly Endpoint[] =>
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
