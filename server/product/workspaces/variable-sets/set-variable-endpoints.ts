import { hidden } from '../../../access/permissions/index.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import {
  allSchema,
  answerAll,
  answerCreated,
  answerOne,
  documentSchema,
  requireSameId,
  showQuery,
} from '../../../kit/jsonapi/index.ts'
import { nothing } from '../../../kit/reply.ts'
import {
  changedVariableBody,
  newVariableBody,
  newVariableExample,
  renderVariable,
  toNewVariable,
  toVariableChange,
} from '../variables/index.ts'
import { onWorkspace, workspaceInPath } from '../workspaces/index.ts'
import { variablesInForce } from './in-force-actions.ts'
import { strongestOf } from './precedence.ts'
import type { SetVariable } from './set-variable.ts'
import { changeSetVariable, createSetVariable, removeSetVariable } from './set-variable-actions.ts'
import { listSetVariables } from './set-variable-store.ts'
import { type AddressedSet, onManagedSet, onReadableSet, setInPath } from './variable-set-access-actions.ts'
import { renderSetVariable, setVariableSchema } from './variable-set-document-endpoints.ts'

const inSet = {
  ...setInPath,
  setVariableId: { description: 'Identifier of the variable.', example: 'var-EavQ1LztoRTQHSNT' },
}
const collection = '/varsets/:varsetId/relationships/vars'

function variableOf({ variable }: AddressedSet): SetVariable {
  if (!variable) throw hidden()
  return variable
}

/** Variables of sets, and all that a workspace has. */
export const setVariableEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'varset-vars.list',
    route: `GET ${collection}`,
    summary: 'List the variables of a variable set.',
    access: onReadableSet,
    params: setInPath,
    query: showQuery(),
    returns: { 200: allSchema(setVariableSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const variables = await listSetVariables(call.deps.db, [call.subject.resource.set.id])
      return answerAll(
        call,
        variables.map((variable) => renderSetVariable(call.deps, variable)),
      )
    },
  }),
  endpoint({
    id: 'varset-vars.create',
    route: `POST ${collection}`,
    summary: 'Create a variable in a variable set.',
    access: onManagedSet,
    params: setInPath,
    query: showQuery(),
    body: newVariableBody,
    returns: { 201: documentSchema(setVariableSchema) },
    fails: ['missing', 'invalid', 'conflict'],
    example: { request: newVariableExample },
    handle: async (call) => {
      const sent = toNewVariable(call.body.attributes)
      const made = await createSetVariable(call.deps, authorOf(call), call.subject.resource.set, sent)
      return answerCreated(call, renderSetVariable(call.deps, made))
    },
  }),
  endpoint({
    id: 'varset-vars.show',
    route: `GET ${collection}/:setVariableId`,
    summary: 'Read a variable of a variable set.',
    access: onReadableSet,
    params: inSet,
    query: showQuery(),
    returns: { 200: documentSchema(setVariableSchema) },
    fails: ['missing'],
    handle: (call) => answerOne(call, renderSetVariable(call.deps, variableOf(call.subject.resource))),
  }),
  endpoint({
    id: 'varset-vars.update',
    route: `PATCH ${collection}/:setVariableId`,
    summary: 'Change a variable of a variable set; omitted attributes keep their values.',
    access: onManagedSet,
    params: inSet,
    query: showQuery(),
    body: changedVariableBody,
    returns: { 200: documentSchema(setVariableSchema) },
    fails: ['missing', 'invalid', 'conflict'],
    example: { request: { data: { type: 'vars', attributes: { value: 'eu-west-2' } } } },
    handle: async (call) => {
      const { resource } = call.subject
      const { id } = variableOf(resource)
      requireSameId(call.body, id)
      const change = toVariableChange(call.body.attributes)
      const changed = await changeSetVariable(call.deps, authorOf(call), { set: resource.set, id }, change)
      return answerOne(call, renderSetVariable(call.deps, changed))
    },
  }),
  endpoint({
    id: 'varset-vars.delete',
    route: `DELETE ${collection}/:setVariableId`,
    summary: 'Delete a variable of a variable set.',
    access: onManagedSet,
    params: inSet,
    returns: { 204: null },
    fails: ['missing'],
    handle: async (call) => {
      const { resource } = call.subject
      await removeSetVariable(call.deps, authorOf(call), resource.set, variableOf(resource).id)
      return nothing()
    },
  }),
  endpoint({
    id: 'vars.list-all',
    route: 'GET /workspaces/:workspaceId/all-vars',
    summary: 'List the variables in force in a workspace: its own, and those of its variable sets.',
    description: 'Variables that a stronger one replaces are left out.',
    access: onWorkspace('can-read-variable'),
    params: workspaceInPath,
    query: showQuery(),
    returns: { 200: allSchema(setVariableSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const inForce = strongestOf(await variablesInForce(call.deps.db, call.subject.resource))
      return answerAll(
        call,
        inForce.map(({ variable }) =>
          'setId' in variable ? renderSetVariable(call.deps, variable) : renderVariable(call.deps, variable),
        ),
      )
    },
  }),
])
