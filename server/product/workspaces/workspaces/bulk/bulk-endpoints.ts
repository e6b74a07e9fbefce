import {
  actorOf,
  grantsInOrganization,
  inOrganization,
  organizationInPath,
} from '../../../../access/permissions/index.ts'
import type { ActorPrincipal } from '../../../../kernel/principal.ts'
import { authorOf } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../../kit/endpoint.ts'
import { continuedAt, invalidDocument } from '../../../../kit/jsonapi/index.ts'
import { document } from '../../../../kit/reply.ts'
import { currentCaller } from '../../../../kit/still-allowed.ts'
import { toFilter, workspaceSelection } from '../listing/list-wire.ts'
import { newLock } from '../locking/lock.ts'
import { runBulkOperation, selectionOf } from './bulk-actions.ts'
import { type BulkRequest, bulkRequestProblem, callTimes, isTimeUp, maxResults } from './bulk-rules.ts'
import { type BulkSent, bulkBody, bulkSchema, toBulkDocument } from './bulk-wire.ts'

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
      'The query takes the filters and searches of the workspace list, and nothing else: paging, an unknown parameter ' +
      'and a filter without a value are refused instead of ignored. Results are ordered by ' +
      'name. Permissions are checked ' +
      `for each workspace. With \`dry-run\`, nothing is changed. After ${callTimes.working / 1_000} seconds or ` +
      `${maxResults} workspaces, the answer contains what was done so far, and \`links.next\` goes on.`,
    access: inOrganization('can-traverse'),
    params: organizationInPath,
    query: workspaceSelection,
    body: bulkBody,
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
