import { attribute } from '../../../kit/jsonapi/attribute-kinds.ts'
import { fieldSet } from '../../../kit/jsonapi/document-field-set.ts'

const nameProblem = (name: string): string | undefined => {
  if (name.trim() === '') return "can't be blank"
  return name !== name.trim() || /\p{Cc}/u.test(name)
    ? 'must not have control characters or spaces around it'
    : undefined
}

/** What somebody decides about a variable set. */
export const settings = fieldSet({
  name: attribute.text('Name of the variable set. Of two sets of one level, the first name is the stronger one.', {
    required: true,
    maxLength: 128,
    check: nameProblem,
    example: 'aws-credentials',
    shown: 'Name.',
  }),
  description: attribute.text('What it is for.', { nullable: true, maxLength: 512, default: '' }),
  global: attribute.flag('Whether every workspace of the organization has it.', { default: false }),
  priority: attribute.flag('Whether its variables replace those of workspaces and runs.', { default: false }),
})

/** What the server notes. */
export const facts = fieldSet({
  createdAt: attribute.time('When it was created.'),
  updatedAt: attribute.time('When it was last changed.'),
})
