import {
  actorOf,
  anyActor,
  anyPerson,
  canOnProject,
  grantsOf,
  hidden,
  inOrganization,
  type OrganizationGrants,
  organizationInPath,
  organizationRights,
} from '../../../access/permissions/index.ts'
import { toolNames } from '../../../compat/vendor-names.ts'
import { failure } from '../../../kernel/failure.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import { perApp } from '../../../kit/deps.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import {
  type AnswerContext,
  answerCreated,
  answerOne,
  answerPage,
  answerWritten,
  changing,
  documentSchema,
  draftBody,
  listQuery,
  pageSchema,
  parameter,
  type ReadMembers,
  type Relationship,
  type Resource,
  rangeOf,
  relation,
  requireSameId,
  resourceSchema,
  shown,
  showQuery,
  toLink,
  toOne,
} from '../../../kit/jsonapi/index.ts'
import { nothing, type Reply } from '../../../kit/reply.ts'
import { WhileUnchanged } from '../../../kit/unchanged.ts'
import { loadUser } from '../users/index.ts'
import {
  defaultPoolPointers,
  type Organization,
  type OrganizationSettings,
  type RequestedSettings,
} from './organization.ts'
import { changeOrganization, createOrganization, organizationOf, removeOrganization } from './organization-actions.ts'
import { facts, settings } from './organization-fields.ts'
import { listOrganizations } from './organization-store.ts'
import { toProjectResource } from './projects/project-document-fields.ts'
import { loadProjects } from './projects/project-row-store.ts'
import { retentionPoliciesOf, retentionPolicyOf } from './retention/data-retention-actions.ts'
import { toRetentionLink } from './retention/data-retention-endpoints.ts'

/** What is implemented. Where `operations` is false, command lines run everything on their own machine. */
const implemented = {
  agents: true,
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
const entitlementSchema = resourceSchema('entitlement-sets', {
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
const toEntitlementResource = (
  organization: Pick<Organization, 'id' | 'name' | 'remoteExecutionEnabled'>,
): Resource => ({
  type: 'entitlement-sets',
  id: organization.id,
  attributes: { ...implemented, operations: organization.remoteExecutionEnabled },
  links: { self: `/api/v2/organizations/${organization.name}/entitlement-set` },
})

/** The tool whose versions new organizations use. */
export const firstTool: OrganizationSettings['defaultTool'] = toolNames[0]

const relationships = {
  defaultAgentPool: relation.one('agent-pools', 'Agent pool for agent mode.', { nullable: true }),
} as const

/** The body that makes an organization. */
const newOrganizationBody = draftBody('organizations', { attributes: settings.fields, relationships })

/** The body that changes an organization. */
const changedOrganizationBody = draftBody('organizations', {
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
export function toSettings({ attributes, relationships: sent }: ReadBody): RequestedSettings {
  const { pool, poolPointer = defaultPoolPointers.relationship } = sentDefaultPool(
    attributes.defaultAgentPoolId,
    sent.defaultAgentPool,
  )
  return { read: { ...attributes, ...pool }, poolPointer }
}

/** The query of the list of organizations. */
const organizationsQuery = listQuery({
  parameters: {
    search: parameter.text('q', 'Part of the name or of the e-mail address.'),
    name: parameter.text('q[name]', 'Part of the name.'),
    email: parameter.text('q[email]', 'Part of the e-mail address.'),
  },
})

/** The query of a read of one organization. */
const shownOrganizationQuery = showQuery({ include: ['default_project'] })

/** The query of other endpoints that answer with an organization. */
const organizationQuery = showQuery()

/** An organization as answers show it. */
const organizationSchema = resourceSchema('organizations', {
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

const params = organizationInPath
const document = documentSchema(organizationSchema)

async function renderOrganization(
  call: Pick<Call, 'deps'>,
  organization: Organization,
  grants: OrganizationGrants,
): Promise<Resource> {
  const retention = toRetentionLink(await retentionPolicyOf(call.deps, organization.id))
  return toOrganizationResource(organization, grants, retention)
}

const documentCache = perApp(() => new WhileUnchanged<OrganizationGrants, Resource>(new WeakMap()))

/** The organization that these rights are about; from memory while nothing has changed. */
const recallOrganization = async (call: Pick<Call, 'deps'>, grants: OrganizationGrants): Promise<Resource> =>
  await documentCache(call.deps).get(call.deps, grants, async () =>
    renderOrganization(call, await organizationOf(call.deps, grants.organizationId), grants),
  )

/** With the default project, for those who can see it. */
async function answerWithProject(
  call: AnswerContext & Pick<Call, 'deps'>,
  grants: OrganizationGrants,
  resource: Resource,
): Promise<Reply> {
  const { deps } = call
  const organization = await organizationOf(deps, grants.organizationId)
  const { defaultProjectId: id } = organization
  const projects = canOnProject(grants, 'can-read', id) ? await loadProjects(deps.db, [id]) : []
  return answerOne(call, resource, {
    included: projects.map((project) => toProjectResource(project, grants, organization)),
  })
}

/** After a change, the rights of the caller are determined again. */
async function renderForCaller(call: Pick<Call, 'deps' | 'caller'>, organization: Organization): Promise<Resource> {
  const { byId } = await grantsOf(call.deps, actorOf(call.caller))
  const grants = byId.get(organization.id)
  if (!grants) throw hidden()
  return renderOrganization(call, organization, grants)
}

/** Some clients send changes with PUT; what they leave out stays as it is, too. */
const updateBy = (verb: 'PATCH' | 'PUT', suffix: string) =>
  endpoint({
    id: `organizations.update${suffix}`,
    route: `${verb} /organizations/:organization`,
    summary: 'Change the settings of an organization; omitted attributes keep their values.',
    access: inOrganization('can-update'),
    params,
    query: organizationQuery,
    body: changedOrganizationBody,
    returns: { 200: document },
    fails: ['missing', 'invalid', 'conflict'],
    handle: async (call) => {
      const { organizationId, organizationName } = call.subject
      const draft = {
        ...toSettings(call.body.read),
        requireNoFaults: (faults?: Parameters<typeof call.body.requireNoFaults>[0]) =>
          requireSameId(call.body.requireNoFaults(faults), organizationName, organizationId),
      }
      const organization = await changeOrganization(call.deps, authorOf(call), organizationId, draft)
      return answerOne(call, await renderForCaller(call, organization))
    },
  })

/** Organizations and their settings. */
export const organizationEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'organizations.list',
    route: 'GET /organizations',
    summary: 'List the organizations you belong to.',
    access: anyActor(),
    query: organizationsQuery,
    returns: { 200: pageSchema(organizationSchema) },
    handle: async (call) => {
      const { page, search, name, email } = call.query
      const { byId } = await grantsOf(call.deps, call.subject)
      const filter = { ids: [...byId.keys()], text: search, name, email }
      const found = await listOrganizations(call.deps.reads, filter, rangeOf(page))
      const policies = await retentionPoliciesOf(
        call.deps,
        found.organizations.map(({ id }) => id),
      )
      const resources = found.organizations.flatMap((organization) => {
        const grants = byId.get(organization.id)
        const retention = toRetentionLink(policies.get(organization.id))
        return grants ? [toOrganizationResource(organization, grants, retention)] : []
      })
      return answerPage(call, { resources, total: found.total })
    },
  }),
  endpoint({
    id: 'organizations.create',
    route: 'POST /organizations',
    summary: 'Create an organization; you become its first owner.',
    access: anyPerson(),
    query: organizationQuery,
    body: newOrganizationBody,
    returns: { 201: document },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      const owner = await loadUser(call.deps.db, call.subject.id)
      if (!owner) throw failure('unauthenticated', 'user.missing', 'This person does not exist any more.')
      const draft = { ...toSettings(call.body.read), requireNoFaults: call.body.requireNoFaults }
      const wanted = { owner, draft, defaultTool: firstTool }
      const organization = await createOrganization(call.deps, authorOf(call), wanted)
      return answerCreated(call, await renderForCaller(call, organization))
    },
  }),
  endpoint({
    id: 'organizations.show',
    route: 'GET /organizations/:organization',
    summary: 'Read an organization.',
    access: inOrganization('can-traverse'),
    params,
    query: shownOrganizationQuery,
    returns: { 200: document },
    fails: ['missing', 'malformed'],
    handle: async (call) => {
      const { include, fields } = call.query
      const resource = await recallOrganization(call, call.subject)
      if (include.has('default_project')) return await answerWithProject(call, call.subject, resource)
      return fields.size > 0 ? answerOne(call, resource) : answerWritten(resource)
    },
  }),
  updateBy('PATCH', ''),
  updateBy('PUT', '-by-put'),
  endpoint({
    id: 'organizations.delete',
    route: 'DELETE /organizations/:organization',
    summary: 'Delete an organization and everything in it.',
    access: inOrganization('can-destroy'),
    params,
    returns: { 204: null },
    fails: ['missing'],
    handle: async (call) => {
      await removeOrganization(call.deps, authorOf(call), call.subject.organizationId)
      return nothing()
    },
  }),
  endpoint({
    id: 'organizations.entitlement-set',
    route: 'GET /organizations/:organization/entitlement-set',
    summary: 'Read which features are available and enabled.',
    access: inOrganization('can-traverse'),
    forRuns: 'tool',
    params,
    query: organizationQuery,
    returns: { 200: documentSchema(entitlementSchema) },
    fails: ['missing'],
    handle: async (call) =>
      answerOne(call, toEntitlementResource(await organizationOf(call.deps, call.subject.organizationId))),
  }),
])
