import { inputCategory } from '../../../compat/vendor-names.ts'
import { attribute, spelled } from '../../../kit/jsonapi/attribute-kinds.ts'
import { fieldSet } from '../../../kit/jsonapi/document-field-set.ts'

/** The largest value of a variable, in bytes. */
export const maxValueBytes: number = 256 * 1024

/** What is wrong with the key of a variable. */
export function variableKeyProblem(key: string): string | undefined {
  if (key.trim() === '') return "can't be blank"
  // Control characters and spaces fit into neither a variable file nor an environment.
  return /[\s\p{Cc}]/u.test(key) ? 'must not contain spaces or control characters' : undefined
}

/** What is wrong with the value of a variable. */
export const variableValueProblem = (value: string): string | undefined =>
  Buffer.byteLength(value) > maxValueBytes ? 'is too long, the maximum is 256 KiB' : undefined

const category = attribute.choice(
  `\`${inputCategory}\` for inputs of the configuration, \`env\` for the environment of runs.`,
  [inputCategory, 'env'],
  { required: true, example: inputCategory, shown: `\`${inputCategory}\` or \`env\`.` },
)

/** The settings of a variable besides its value. */
export const settings = fieldSet({
  key: attribute.text('Name of the variable.', {
    required: true,
    maxLength: 128,
    check: variableKeyProblem,
    example: 'region',
    shown: 'Name.',
  }),
  category: spelled(category, { [inputCategory]: 'input', env: 'env' }),
  hcl: attribute.flag('Whether the value is parsed as HCL rather than as plain text; no effect for `env`.', {
    default: false,
    shown: 'Whether the value is parsed as HCL.',
  }),
  sensitive: attribute.flag('Whether the value is write-only. Once true, it cannot be reset.', {
    default: false,
    shown: 'Whether the value is write-only.',
  }),
  applyOnly: attribute.flag('Whether only applies see it, and no plan ever does; for `env` only.', {
    default: false,
    shown: 'Whether only applies see it.',
  }),
  description: attribute.text('What it is for.', { nullable: true, maxLength: 512 }),
})

/** What the server notes. */
export const facts = fieldSet({
  versionId: attribute.text('Changes with every change of the variable.'),
  createdAt: attribute.time('When it was created.'),
})

/** The value as it is sent. It is stored sealed, and whether it is shown depends on the variable. */
export const value = attribute.text('Its value; never returned for a sensitive variable.', {
  nullable: true,
  check: variableValueProblem,
  default: '',
  example: 'eu-west-1',
})
