import { attribute } from '../../../../kit/jsonapi/index.ts'
import { longestTagName, tagNameProblem } from './tag-rules.ts'

/** The attributes of a flat tag in a document or list. */
export const tagAttributes = {
  name: attribute.text('Name.', { required: true, maxLength: longestTagName, check: tagNameProblem, example: 'core' }),
} as const
