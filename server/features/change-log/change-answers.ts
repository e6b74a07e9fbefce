import type { OrganizationGrants } from '../../access/permissions/index.ts'
import type { Call } from '../../kit/endpoint.ts'
import { answerAll, type PageRequest } from '../../kit/jsonapi/index.ts'
import type { Reply } from '../../kit/reply.ts'
import { listChanges } from './change-store.ts'
import { toChangeResource } from './change-wire.ts'

/** What a list of changes is asked for. */
export type ChangesAsked = {
  readonly page: PageRequest
  readonly before?: string | undefined
  readonly workspaceId?: string | undefined
  readonly subjectType?: string | undefined
  readonly subjectId?: string | undefined
  readonly exceptTypes?: readonly string[] | undefined
}

/** Answers with changes of one organization, and a link that goes on where these end. */
export async function answerChanges(
  call: Pick<Call, 'deps' | 'request'>,
  grants: Pick<OrganizationGrants, 'organizationId' | 'organizationName'>,
  asked: ChangesAsked,
): Promise<Reply> {
  const { page, before, ...filter } = asked
  const position = before === undefined || !/^\d{1,17}$/.test(before) ? undefined : Number(before)
  const changes = await listChanges(call.deps.db, {
    ...filter,
    organizationId: grants.organizationId,
    before: position,
    limit: page.size,
  })
  const last = changes.length === page.size ? changes.at(-1) : undefined
  const next = last && nextLink(call.request, last.position)
  const resources = changes.map((change) => toChangeResource(change, grants.organizationName))
  return answerAll({ request: call.request, query: {} }, resources, next ? { links: { next } } : {})
}

function nextLink(request: Call['request'], before: number): string {
  const query = new URLSearchParams(request.query)
  query.set('page[before]', String(before))
  return `${request.origin}/api/v2/${request.path}?${query}`
}
