import { type OrganizationGrants, organizationRights } from '../../../access/permissions/index.ts'
import { toolNames } from '../../../compat/names.ts'
import {
  changing,
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
import { facts, settings } from './organization-fields.ts'
import {
  type AskedSettings,
  defaultPoolPointers,
  type Organization,
  type OrganizationSettings,
} from './organization-rules.ts'

/** The tool whose versions new organizations use. */
export const firstTool: OrganizationSettings['defaultTool'] = toolNames[0]

const relationships = {
  defaultAgentPool: relation.one('agent-pools', 'Agent pool for agent mode.', { nullable: true }),
} as const

/** The body that makes an organization. */
export const newOrganizationBody = draftBody('organizations', { attributes: settings.fields, relationships })

/** The body that changes an organization. */
export const changedOrganizationBody = draftBody('organizations', {
  attributes: changing(settings.fields),
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
    ...settings.shown,
    'external-id': shown.text('Identifier that stays when the name changes.'),
    ...facts.shown,
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
      ...settings.toDocument(organization),
      'external-id': organization.id,
      ...facts.toDocument(organization),
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
