import { actorOf, grantsOf } from '../../../access/permissions/index.ts'
import type { Call } from '../../../kit/endpoint.ts'
import type { Resource } from '../../../kit/jsonapi/index.ts'
import { toOrganizationResource } from './organization-endpoints.ts'
import { loadOrganizations } from './organization-store.ts'
import { retentionPoliciesOf } from './retention/data-retention-actions.ts'
import { toRetentionLink } from './retention/data-retention-endpoints.ts'

/** Organizations as a site administrator sees them: with the rights in each that the administrator has there. */
export async function renderOrganizations(
  { deps, caller }: Pick<Call, 'deps' | 'caller'>,
  ids: readonly string[],
): Promise<readonly Resource[]> {
  const organizations = await loadOrganizations(deps.db, ids)
  const { byId } = await grantsOf(deps, actorOf(caller))
  const policies = await retentionPoliciesOf(deps, ids)
  return organizations.map((organization) =>
    toOrganizationResource(organization, byId.get(organization.id), toRetentionLink(policies.get(organization.id))),
  )
}
