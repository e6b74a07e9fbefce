import { inputCategory } from '../../../compat/variable-names.ts'
import {
  changing,
  type Resource,
  relation,
  resourceBody,
  resourceSchema,
  shown,
  toOne,
  type Values,
} from '../../../kit/jsonapi/index.ts'
import { facts, settings, value } from './variable-fields.ts'
import type { Variable, VariableChange, VariableSettings } from './variable-rules.ts'

const attributes = { ...settings.fields, value }

/** The body that makes a variable. */
export const newVariableBody = resourceBody('vars', { attributes })

/** The body that makes a variable and names its workspace. */
export const placedVariableBody = resourceBody('vars', {
  attributes,
  relationships: { workspace: relation.one('workspaces', 'The workspace it is for.', { required: true }) },
})

/** The body that changes a variable. */
export const changedVariableBody = resourceBody('vars', { attributes: changing(attributes) })

/** A new variable as it was sent, with defaults for the other fields. */
export const toNewVariable = (sent: Values<typeof attributes>): VariableSettings & { readonly value: string } => ({
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
export const placedVariableExample: object = {
  data: {
    type: 'vars',
    attributes: { key: 'region', value: 'eu-west-1', category: inputCategory },
    relationships: { workspace: { data: { type: 'workspaces', id: 'ws-SihZTyXKfNXUWuUa' } } },
  },
}

/** A variable as answers show it. */
export const variableSchema = resourceSchema('vars', {
  name: 'Variable',
  attributes: {
    ...settings.shown,
    value: shown.maybeText('Value; null if it is sensitive.'),
    ...facts.shown,
  },
  relationships: { configurable: 'The workspace it belongs to.' },
})

/** A variable as a resource, with its value if the caller may see it. */
export const toVariableResource = (variable: Variable, shownValue: string | null): Resource => ({
  type: 'vars',
  id: variable.id,
  attributes: { ...settings.toDocument(variable), value: shownValue, ...facts.toDocument(variable) },
  relationships: {
    configurable: toOne('workspaces', variable.workspaceId, `/api/v2/workspaces/${variable.workspaceId}`),
  },
  links: { self: `/api/v2/workspaces/${variable.workspaceId}/vars/${variable.id}` },
})
