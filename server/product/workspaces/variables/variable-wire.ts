import { inputCategory } from '../../../compat/variable-names.ts'
import { toIso } from '../../../kernel/clock.ts'
import {
  attribute,
  type Resource,
  relation,
  resourceBody,
  resourceSchema,
  shown,
  toOne,
  type Values,
} from '../../../kit/jsonapi/index.ts'
import {
  type Variable,
  type VariableCategory,
  type VariableChange,
  type VariableSettings,
  variableKeyProblem,
  variableLimits,
  variableValueProblem,
} from './variable-rules.ts'

const key = attribute.text('Name of the variable.', {
  required: true,
  maxLength: variableLimits.key,
  check: variableKeyProblem,
  example: 'region',
})

const categories = [inputCategory, 'env'] as const

const category = attribute.choice(
  `\`${inputCategory}\` for inputs of the configuration, \`env\` for the environment of runs.`,
  categories,
  { required: true, example: inputCategory },
)

const toCategory = (sent: (typeof categories)[number]): VariableCategory => (sent === 'env' ? 'env' : 'input')

const settings = {
  value: attribute.text('Its value; never returned for a sensitive variable.', {
    nullable: true,
    check: variableValueProblem,
    default: '',
    example: 'eu-west-1',
  }),
  hcl: attribute.flag('Whether the value is parsed as HCL rather than as plain text; no effect for `env`.', {
    default: false,
  }),
  sensitive: attribute.flag('Whether the value is write-only. Once true, it cannot be reset.', { default: false }),
  description: attribute.text('What it is for.', { nullable: true, maxLength: variableLimits.description }),
} as const

/** The body that makes a variable. */
export const newVariableBody = resourceBody('vars', { attributes: { key, category, ...settings } })

/** The body that makes a variable and names its workspace. */
export const placedVariableBody = resourceBody('vars', {
  attributes: { key, category, ...settings },
  relationships: { workspace: relation.one('workspaces', 'The workspace it is for.', { required: true }) },
})

/** The body that changes a variable. */
export const changedVariableBody = resourceBody('vars', {
  attributes: {
    key: { ...key, required: false as const },
    category: { ...category, required: false as const },
    ...settings,
  },
})

type Sent = Values<typeof settings>
type SentCategory = (typeof categories)[number]

/** A new variable as it was sent, with defaults for the other fields. */
export const toNewVariable = (
  sent: Sent & { readonly key: string; readonly category: SentCategory },
): VariableSettings & { readonly value: string } => ({
  key: sent.key,
  category: toCategory(sent.category),
  value: sent.value ?? '',
  hcl: sent.hcl ?? false,
  sensitive: sent.sensitive ?? false,
  description: sent.description ?? null,
})

/** A change as it was sent; a value of null makes it empty. */
export function toVariableChange(
  sent: Sent & { readonly key?: string; readonly category?: SentCategory },
): VariableChange {
  const { value, category, ...rest } = sent
  return {
    ...rest,
    ...(value === undefined ? {} : { value: value ?? '' }),
    ...(category === undefined ? {} : { category: toCategory(category) }),
  }
}

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
    key: shown.text('Name.'),
    value: shown.maybeText('Value; null if it is sensitive.'),
    sensitive: shown.flag('Whether the value is write-only.'),
    category: shown.text(`\`${inputCategory}\` or \`env\`.`),
    hcl: shown.flag('Whether the value is parsed as HCL.'),
    'created-at': shown.time('When it was created.'),
    description: shown.maybeText('What it is for.'),
    'version-id': shown.text('Changes with every change of the variable.'),
  },
  relationships: { configurable: 'The workspace it belongs to.' },
})

/** A variable as a resource, with its value if the caller may see it. */
export const toVariableResource = (variable: Variable, value: string | null): Resource => ({
  type: 'vars',
  id: variable.id,
  attributes: {
    key: variable.key,
    value,
    sensitive: variable.sensitive,
    category: variable.category === 'env' ? 'env' : inputCategory,
    hcl: variable.hcl,
    'created-at': toIso(variable.createdAt),
    description: variable.description,
    'version-id': variable.versionId,
  },
  relationships: {
    configurable: toOne('workspaces', variable.workspaceId, `/api/v2/workspaces/${variable.workspaceId}`),
  },
  links: { self: `/api/v2/workspaces/${variable.workspaceId}/vars/${variable.id}` },
})
