import { Type } from '../../../../kit/endpoint.ts'
import {
  attribute,
  type LooseBody,
  looseBody,
  type Resource,
  resourceSchema,
  shown,
} from '../../../../kit/jsonapi/index.ts'
import { expiryProblem, longestReason } from '../locking/lock.ts'
import { bindingAttributes } from '../tagging/binding-wire.ts'
import { tagAttributes } from '../tagging/tag-wire.ts'
import { type BulkOutcome, type BulkRun, bulkActions } from './bulk-rules.ts'

const attributes = {
  action: attribute.choice('What to do with each workspace.', bulkActions, { required: true }),
  dryRun: attribute.flag('Report what would happen without changing anything.', { default: false }),
  reason: attribute.text('Why the workspaces are locked.', { nullable: true, maxLength: longestReason }),
  expiresAfter: attribute.text('Release the locks automatically after this time.', {
    nullable: true,
    check: expiryProblem,
    example: '2h',
  }),
  tags: attribute.list('Names of flat tags.', tagAttributes.name, { maxItems: 100 }),
  bindings: attribute.list('Tag bindings.', attribute.object('Tag binding.', bindingAttributes), { maxItems: 100 }),
} as const

/** The action on the workspaces that the query selects. */
export const bulkBody = looseBody(attributes)

/** What was sent. */
export type BulkSent = LooseBody<typeof attributes>

const resultSchema = resourceSchema('bulk-results', {
  attributes: {
    name: shown.text('Name of the workspace.'),
    result: Type.Union(
      ['changed', 'unchanged', 'refused'].map((result) => Type.Literal(result)),
      { description: 'What was done to it, or would be without `dry-run`.' },
    ),
    detail: shown.text('Why it was refused; otherwise empty.'),
  },
})

/** The answer: one result for each workspace that was reached, under the id of the workspace. */
export const bulkSchema = Type.Object({
  data: Type.Array(resultSchema),
  meta: Type.Object({
    'dry-run': shown.flag('True if nothing was changed.'),
    matched: shown.whole('Number of workspaces that the query selects; with `page[after]`, after that name.'),
    changed: shown.whole('Number of workspaces that were changed, or would be.'),
    unchanged: shown.whole('Number of workspaces that needed no change.'),
    refused: shown.whole('Number of workspaces that could not be changed.'),
    remaining: shown.whole('Number of workspaces that were not reached.'),
  }),
  links: shown.sometimes(
    Type.Object({ next: shown.text('Where to send the same body for those that were not reached, if there are any.') }),
  ),
})

const toResult = ({ id, name, result, detail }: BulkOutcome): Resource => ({
  type: 'bulk-results',
  id,
  attributes: { name, result, detail },
  links: { self: `/api/v2/workspaces/${id}` },
})

/** The document of a bulk operation; `continuedAt` is the address for what comes after a name. */
export function toBulkDocument(
  { outcomes, rest }: BulkRun,
  dryRun: boolean,
  continuedAt: (after: string) => string,
): object {
  const number = (wanted: string): number => outcomes.filter(({ result }) => result === wanted).length
  const remaining = rest?.count ?? 0
  return {
    data: outcomes.map(toResult),
    meta: {
      'dry-run': dryRun,
      matched: outcomes.length + remaining,
      changed: number('changed'),
      unchanged: number('unchanged'),
      refused: number('refused'),
      remaining,
    },
    ...(rest ? { links: { next: continuedAt(rest.after) } } : {}),
  }
}
