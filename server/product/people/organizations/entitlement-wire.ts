import { type Resource, resourceSchema, shown } from '../../../kit/jsonapi/index.ts'
import type { Organization } from './organization-rules.ts'

/** What is implemented. While `operations` is false, command lines run everything on their own machine. */
const implemented = {
  agents: false,
  'audit-logging': true,
  'configuration-designer': false,
  'cost-estimation': false,
  'global-run-tasks': false,
  operations: false,
  'policy-enforcement': false,
  'private-module-registry': false,
  'run-tasks': false,
  'self-serve-billing': false,
  sentinel: false,
  sso: false,
  'state-storage': true,
  teams: true,
  'usage-reporting': false,
  'user-limit': null,
  'vcs-integrations': false,
} as const

/** An entitlement set as answers show it. */
export const entitlementSchema = resourceSchema('entitlement-sets', {
  attributes: {
    ...Object.fromEntries(
      Object.keys(implemented)
        .filter((name) => name !== 'user-limit')
        .map((name) => [name, shown.flag(`Whether the feature \`${name}\` is available and enabled.`)]),
    ),
    'user-limit': shown.maybeWhole('How many users an organization may have; null for no limit.'),
  },
})

/** The entitlement set of an organization as a resource. */
export const toEntitlementResource = (organization: Pick<Organization, 'id' | 'name'>): Resource => ({
  type: 'entitlement-sets',
  id: organization.id,
  attributes: implemented,
  links: { self: `/api/v2/organizations/${organization.name}/entitlement-set` },
})
