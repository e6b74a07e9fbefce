import type { Members } from '../../../kit/change-log/index.ts'
import { settings } from './organization-fields.ts'
import type { Organization } from './organization-rules.ts'

/** An organization as the change log shows it. */
export const describeOrganization = (organization: Organization): Members => ({
  ...settings.toDocument(organization),
  tier: organization.tier,
  'default-agent-pool-id': organization.defaultAgentPoolId,
})
