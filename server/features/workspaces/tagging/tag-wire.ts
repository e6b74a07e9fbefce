import { attribute } from '../../../kit/jsonapi/index.ts'
import { longestTagName, tagNameProblem } from './tag-rules.ts'

/** What a flat tag in a document or list brings. */
export const tagAttributes = {
  name: attribute.text('Name.', { required: true, maxLength: longestTagName, check: tagNameProblem, example: 'core' }),
} as const
