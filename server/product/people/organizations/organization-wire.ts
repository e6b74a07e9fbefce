import { type OrganizationGrants, organizationRights } from '../../../access/permissions/index.ts'
import { toolNames } from '../../../compat/names.ts'
import { toIso } from '../../../kernel/clock.ts'
import {
  attribute,
  draftBody,
  listQuery,
  parameter,
  type ReadMembers,
  type Relationship,
  type Resource,
  relation,
  resourceSchema,
  shown,
  showQuery,
  toLink,
  toOne,
} from '../../../kit/jsonapi/index.ts'
import { emailProblem } from '../users/index.ts'
import {
  type AskedSettings,
  defaultPoolPointers,
  executionModes,
  type Organization,
  type OrganizationSettings,
  organizationNameProblem,
} from './organization-rules.ts'
import { settingsByName } from './settings-by-name.ts'

/** The tool whose versions new organizations use. */
export const firstTool: string = toolNames[0]

const minutes = { nullable: true, minimum: 1, maximum: 525_600 } as const

const settings = {
  collaboratorAuthPolicy: attribute.choice('How users sign in; two-factor authentication is not available yet.', [
    'password',
  ]),
  defaultExecutionMode: attribute.choice('Where runs are executed unless a workspace overrides it.', executionModes),
  defaultAgentPoolId: attribute.text('Agent pool for agent mode.', { nullable: true }),
  defaultTool: attribute.choice('The tool whose versions workspaces use.', toolNames),
  allowForceDeleteWorkspaces: attribute.flag('Whether workspace admins may delete workspaces without safe-delete.', {
    default: false,
  }),
  assessmentsEnforced: attribute.flag('Whether health is assessed for every eligible workspace.', { default: false }),
  defaultGlobalRemoteState: attribute.flag('Default of `global-remote-state` for workspaces that do not set it.', {
    default: false,
  }),
  workspacesInheritSettingsByDefault: attribute.flag('Whether new workspaces follow the defaults.', { default: false }),
  keepOutputsOfEncryptedState: attribute.flag(
    'Whether plaintext outputs and renderings sent with encrypted state are kept.',
    { default: true },
  ),
  userTokensEnabled: attribute.flag('Whether user tokens are accepted in this organization; team tokens always are.', {
    default: true,
  }),
  costEstimationEnabled: attribute.flag('Stored for clients that set it; has no effect.', { default: false }),
  speculativePlanManagementEnabled: attribute.flag('Stored for clients that set it; has no effect.', { default: true }),
  aggregatedCommitStatusEnabled: attribute.flag('Stored for clients that set it; has no effect.', { default: true }),
  sendPassingStatusesForUntriggeredSpeculativePlans: attribute.flag('Stored for clients that set it; has no effect.', {
    default: false,
  }),
  sessionTimeout: attribute.whole(
    'Minutes of inactivity after which sessions end; stored for clients, has no effect.',
    minutes,
  ),
  sessionRemember: attribute.whole('Minutes after which sessions end; stored for clients, has no effect.', minutes),
} as const

const relationships = {
  defaultAgentPool: relation.one('agent-pools', 'Agent pool for agent mode.', { nullable: true }),
} as const

const nameRules = { check: organizationNameProblem, example: 'acme' } as const
const emailRules = { check: emailProblem, example: 'ops@example.com' } as const

/** The body that makes an organization. */
export const newOrganizationBody = draftBody('organizations', {
  attributes: {
    name: attribute.text('Name; part of URLs.', { ...nameRules, required: true }),
    email: attribute.text('Contact e-mail address of the owners.', { ...emailRules, required: true }),
    ...settings,
  },
  relationships,
})

/** The body that changes an organization. */
export const changedOrganizationBody = draftBody('organizations', {
  attributes: {
    name: attribute.text('Name; part of URLs.', nameRules),
    email: attribute.text('Contact e-mail address of the owners.', emailRules),
    ...settings,
  },
  relationships,
})

type ReadBody = {
  readonly attributes: Partial<OrganizationSettings>
  readonly relationships: ReadMembers<Record<never, never>, typeof relationships>['relationships']
}

/** A default pool as a document names it, and where; both are absent if it names none. */
type SentDefaultPool = {
  readonly pool?: { readonly defaultAgentPoolId: string | null }
  readonly poolPointer?: string
}

/** The default pool is sent as a relationship, which wins if both are present, or as an attribute; blank means none. */
export function sentDefaultPool(
  attribute: string | null | undefined,
  related: string | null | undefined,
): SentDefaultPool {
  const poolId = related === undefined ? attribute : related
  if (poolId === undefined) return {}
  const poolPointer = defaultPoolPointers[related === undefined ? 'attribute' : 'relationship']
  return { pool: { defaultAgentPoolId: poolId || null }, poolPointer }
}

/** Settings as they were sent. */
export function toSettings({ attributes, relationships: sent }: ReadBody): AskedSettings {
  const { pool, poolPointer = defaultPoolPointers.relationship } = sentDefaultPool(
    attributes.defaultAgentPoolId,
    sent.defaultAgentPool,
  )
  return { read: { ...attributes, ...pool }, poolPointer }
}

/** The query of the list of organizations. */
export const organizationsQuery = listQuery({
  parameters: {
    search: parameter.text('q', 'Part of the name or of the e-mail address.'),
    name: parameter.text('q[name]', 'Part of the name.'),
    email: parameter.text('q[email]', 'Part of the e-mail address.'),
  },
})

/** The query of a read of one organization. */
export const shownOrganizationQuery = showQuery({ include: ['default_project'] })

/** The query of other endpoints that answer with an organization. */
export const organizationQuery = showQuery()

/** An organization as answers show it. */
export const organizationSchema = resourceSchema('organizations', {
  attributes: {
    name: shown.text('Name; also the id of the document.'),
    'external-id': shown.text('Identifier that stays when the name changes.'),
    email: shown.text('Contact e-mail address of the owners.'),
    'created-at': shown.time('When it was created.'),
    'collaborator-auth-policy': shown.text('How users sign in.'),
    'default-execution-mode': shown.text('`remote`, `local` or `agent`.'),
    'default-tool': shown.text('The tool whose versions workspaces use.'),
    tier: shown.text('The plan in the hosted edition.'),
    'allow-force-delete-workspaces': shown.flag('Whether workspace admins may delete workspaces without safe-delete.'),
    'assessments-enforced': shown.flag('Whether health is assessed for every eligible workspace.'),
    'default-global-remote-state': shown.flag('Default of `global-remote-state` for workspaces that do not set it.'),
    'workspaces-inherit-settings-by-default': shown.flag('Whether new workspaces follow the defaults.'),
    'keep-outputs-of-encrypted-state': shown.flag('Whether plaintext data sent with encrypted state is kept.'),
    'user-tokens-enabled': shown.flag('Whether user tokens are accepted in this organization.'),
    'cost-estimation-enabled': shown.flag('Stored for clients that set it; has no effect.'),
    'speculative-plan-management-enabled': shown.flag('Stored for clients that set it; has no effect.'),
    'aggregated-commit-status-enabled': shown.flag('Stored for clients that set it; has no effect.'),
    'send-passing-statuses-for-untriggered-speculative-plans': shown.flag(
      'Stored for clients that set it; has no effect.',
    ),
    'session-timeout': shown.maybeWhole('Minutes; stored for clients, has no effect.'),
    'session-remember': shown.maybeWhole('Minutes; stored for clients, has no effect.'),
    'plan-expired': shown.flag('Always false.'),
    'fair-run-queuing-enabled': shown.flag('Always false.'),
    'saml-enabled': shown.flag('Always false.'),
    'two-factor-conformant': shown.flag('Always true.'),
    permissions: shown.flags(organizationRights.names, 'What the caller may do.'),
  },
  relationships: {
    'default-project': 'The project of workspaces that name none.',
    'default-agent-pool': 'Agent pool for agent mode, or null.',
    'data-retention-policy': 'The policy for workspaces without their own, or null.',
    'entitlement-set': 'The features that are available and enabled.',
    'authentication-token': 'The token of the organization.',
    'oauth-tokens': 'Version control connections.',
  },
})

/** The address of an organization. */
const organizationPath = (name: string): string => `/api/v2/organizations/${name}`

/**
 * An organization as a resource, for somebody with these grants or none in it. `retention` is the explicit policy, as
 * type and id.
 */
export function toOrganizationResource(
  organization: Organization,
  grants: OrganizationGrants | undefined,
  retention: Relationship = { data: null },
): Resource {
  const self = organizationPath(organization.name)
  return {
    type: 'organizations',
    id: organization.name,
    attributes: {
      name: organization.name,
      'external-id': organization.id,
      email: organization.email,
      'created-at': toIso(organization.createdAt),
      ...settingsByName(organization),
      'plan-expired': false,
      'fair-run-queuing-enabled': false,
      'saml-enabled': false,
      'two-factor-conformant': true,
      permissions: organizationRights.flags(grants?.organizationWide.organization ?? organizationRights.none),
    },
    relationships: {
      'default-project': toOne(
        'projects',
        organization.defaultProjectId,
        `/api/v2/projects/${organization.defaultProjectId}`,
      ),
      'default-agent-pool': toOne('agent-pools', organization.defaultAgentPoolId),
      'data-retention-policy': retention,
      'entitlement-set': toLink(`${self}/entitlement-set`),
      'authentication-token': toLink(`${self}/authentication-token`),
      'oauth-tokens': toLink(`${self}/oauth-tokens`),
    },
    links: { self },
  }
}
