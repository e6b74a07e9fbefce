import {
  actorOf,
  grantsInOrganization,
  inOrganization,
  organizationInPath,
} from '../../../../access/permissions/index.ts'
import type { ActorPrincipal } from '../../../../kernel/principal.ts'
import { authorOf } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { defineEndpoints, type Endpoint, endpoint, Type } from '../../../../kit/endpoint.ts'
import {
  attribute,
  continuedAt,
  invalidDocument,
  type LooseBody,
  looseBody,
  type Resource,
  resourceSchema,
  shown,
} from '../../../../kit/jsonapi/index.ts'
import { document } from '../../../../kit/reply.ts'
import { currentCaller } from '../../../../kit/still-allowed.ts'
import { toFilter, workspaceSelection } from '../listing/list-fields.ts'
import { expiryProblem, longestReason, newLock } from '../locking/lock.ts'
import { bindingAttributes, tagAttributes } from '../tagging/tag-fields.ts'
import {
  type BulkOutcome,
  type BulkRequest,
  type BulkRun,
  bulkActions,
  bulkRequestProblem,
  callTimes,
  isTimeUp,
  maxResults,
} from './bulk.ts'
import { runBulkOperation, selectionOf } from './bulk-actions.ts'

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
const bulkBody = looseBody(attributes)

/** What was sent. */
type BulkSent = LooseBody<typeof attributes>

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
const bulkSchema = Type.Object({
  data: Type.Array(resultSchema),
  meta: Type.Object({
    'dry-run': shown.flag('True if nothing was changed.'),
    matched: shown.whole('Number of workspaces that the query selects; with `page[after]`, after that name.'),
    changed: shown.whole('Number of workspaces that were changed, or would be.'),
    unchanged: shown.whole('Number of workspaces that needed no change.'),
    refused: shown.whole('Number of workspaces that could not be changed.'),
    remaining: shown.whole('Number of workspaces that were not reached.'),
    warnings: shown.warnings(),
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
function toBulkDocument({ outcomes, rest }: BulkRun, dryRun: boolean, continuedAt: (after: string) => string): object {
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

function toBulkRequest(
  { clock }: Pick<Deps, 'clock'>,
  actor: ActorPrincipal,
  { attributes: sent, pointer }: BulkSent,
): BulkRequest {
  const bulkRequest: BulkRequest = {
    action: sent.action,
    lock: newLock(actor, sent, clock.now()),
    tagNames: sent.tags ?? [],
    bindings: (sent.bindings ?? []).map(({ key, value }) => ({ key, value: value ?? '' })),
  }
  const problem = bulkRequestProblem(bulkRequest)
  if (problem) throw invalidDocument([{ detail: problem.detail, pointer: `${pointer}/${problem.name}` }])
  return bulkRequest
}

/** One action on all workspaces that a query selects. */
export const bulkEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'workspaces.bulk',
    route: 'POST /organizations/:organization/workspaces/actions/bulk',
    summary: 'Lock, unlock or tag all workspaces that match a list query.',
    description:
      'The query takes the filters and searches of the workspace list, and nothing else: paging, unknown ' +
      'parameters and attributes, and a filter without a value are refused instead of ignored. Results are ordered by ' +
      'name. Permissions are checked ' +
      `for each workspace. With \`dry-run\`, nothing is changed. After ${callTimes.working / 1_000} seconds or ` +
      `${maxResults} workspaces, the answer contains what was done so far, and \`links.next\` goes on.`,
    access: inOrganization('can-traverse'),
    params: organizationInPath,
    query: workspaceSelection,
    body: bulkBody,
    exactNames: true,
    returns: { 200: bulkSchema },
    fails: ['malformed', 'missing', 'invalid'],
    example: { request: { action: 'add-tags', tags: ['core'], 'dry-run': true } },
    deadline: callTimes.deadline,
    handle: async (call) => {
      const { deps, subject: grants, query, body, request, signal } = call
      const began = deps.clock.monotonic()
      const dryRun = body.attributes.dryRun ?? false
      const run = await runBulkOperation(deps, {
        author: authorOf(call),
        grants,
        currentGrants: async () =>
          await grantsInOrganization({ deps, caller: await currentCaller(call) }, grants.organizationId),
        request: toBulkRequest(deps, actorOf(call.caller), body),
        selection: selectionOf(deps, toFilter(query)),
        after: query.after ?? '',
        dryRun,
        isTimeUp: () => isTimeUp(deps.clock.monotonic() - began, deps.node.isStopping()),
        signal,
      })
      return document(toBulkDocument(run, dryRun, (after) => continuedAt(request, 'page[after]', after)))
    },
  }),
])
