import type { Members } from '../../../kit/change-log/index.ts'
import type { Organization } from './organization-rules.ts'
import { settingsByName } from './settings-by-name.ts'

/** An organization as the change log shows it. */
export const describeOrganization = (organization: Organization): Members => ({
  name: organization.name,
  email: organization.email,
  ...settingsByName(organization),
  'default-agent-pool-id': organization.defaultAgentPoolId,
})
