import {
  actorOf,
  anyActor,
  anyPerson,
  canOnProject,
  grantsOf,
  hidden,
  inOrganization,
  type OrganizationGrants,
} from '../../access/permissions/index.ts'
import { failure } from '../../kernel/failure.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../kit/endpoint.ts'
import {
  answerCreated,
  answerOne,
  answerPage,
  documentSchema,
  offsetOf,
  pageSchema,
  type Resource,
  requireSameId,
} from '../../kit/jsonapi/index.ts'
import { nothing } from '../../kit/reply.ts'
import { authorOf } from '../change-log/index.ts'
import { loadUser } from '../users/index.ts'
import { entitlementSchema, toEntitlementResource } from './entitlement-wire.ts'
import { loadIncludedProjects } from './including/included-project-store.ts'
import { toIncludedProject } from './including/included-project-wire.ts'
import { changeOrganization, createOrganization, organizationOf, removeOrganization } from './organization-actions.ts'
import type { Organization } from './organization-rules.ts'
import { listOrganizations } from './organization-store.ts'
import {
  changedOrganizationBody,
  firstTool,
  newOrganizationBody,
  organizationQuery,
  organizationSchema,
  organizationsQuery,
  shownOrganizationQuery,
  toOrganizationResource,
  toSettings,
} from './organization-wire.ts'
import { retentionPolicyOf } from './retention/retention-actions.ts'
import { toRetentionLink } from './retention/retention-wire.ts'

const params = { organization: { description: 'Name of the organization.', example: 'acme' } }
const document = documentSchema(organizationSchema)

async function rendered(
  call: Pick<Call, 'deps'>,
  organization: Organization,
  grants: OrganizationGrants,
): Promise<Resource> {
  const retention = toRetentionLink(await retentionPolicyOf(call.deps, organization.id))
  return toOrganizationResource(organization, grants, retention)
}

/** The default project, for those who can see it. */
async function defaultProject(
  { deps }: Pick<Call, 'deps'>,
  organization: Organization,
  grants: OrganizationGrants,
): Promise<Resource[]> {
  const { defaultProjectId: id } = organization
  if (!canOnProject(grants, 'can-read', id)) return []
  const projects = await loadIncludedProjects(deps.db, [id])
  return projects.map((project) => toIncludedProject(project, grants, organization))
}

/** After a change, what the caller may do is asked anew. */
async function renderedFor(call: Pick<Call, 'deps' | 'caller'>, organization: Organization): Promise<Resource> {
  const { byId } = await grantsOf(call.deps, actorOf(call.caller))
  const grants = byId.get(organization.id)
  if (!grants) throw hidden()
  return rendered(call, organization, grants)
}

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
      const found = await listOrganizations(call.deps.db, filter, { offset: offsetOf(page), limit: page.size })
      const resources: Resource[] = []
      for (const organization of found.organizations) {
        const grants = byId.get(organization.id)
        if (grants) resources.push(await rendered(call, organization, grants))
      }
      return answerPage(call, { resources, total: found.total })
    },
  }),
  endpoint({
    id: 'organizations.create',
    route: 'POST /organizations',
    summary: 'Make an organization; you become its first owner.',
    access: anyPerson(),
    query: organizationQuery,
    body: newOrganizationBody,
    returns: { 201: document },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      const owner = await loadUser(call.deps.db, call.subject.id)
      if (!owner) throw failure('unauthenticated', 'user.missing', 'This person does not exist any more.')
      const draft = { read: toSettings(call.body.read), settle: call.body.settle }
      const organization = await createOrganization(call.deps, authorOf(call), owner, draft, firstTool)
      return answerCreated(call, await renderedFor(call, organization))
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
      const organization = await organizationOf(call.deps, call.subject.organizationId)
      const resource = await rendered(call, organization, call.subject)
      if (!call.query.include.has('default_project')) return answerOne(call, resource)
      return answerOne(call, resource, { included: await defaultProject(call, organization, call.subject) })
    },
  }),
  endpoint({
    id: 'organizations.update',
    route: 'PATCH /organizations/:organization',
    summary: 'Change settings of an organization.',
    access: inOrganization('can-update'),
    params,
    query: organizationQuery,
    body: changedOrganizationBody,
    returns: { 200: document },
    fails: ['missing', 'invalid', 'conflict'],
    handle: async (call) => {
      const { organizationId, organizationName } = call.subject
      const draft = {
        read: toSettings(call.body.read),
        settle: (faults?: Parameters<typeof call.body.settle>[0]) =>
          requireSameId(call.body.settle(faults), organizationName, organizationId),
      }
      const organization = await changeOrganization(call.deps, authorOf(call), organizationId, draft)
      return answerOne(call, await renderedFor(call, organization))
    },
  }),
  endpoint({
    id: 'organizations.delete',
    route: 'DELETE /organizations/:organization',
    summary: 'Remove an organization with all that is in it.',
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
    summary: 'Read what is built and switched on.',
    access: inOrganization('can-traverse'),
    params,
    query: organizationQuery,
    returns: { 200: documentSchema(entitlementSchema) },
    fails: ['missing'],
    handle: (call) => {
      const { organizationId, organizationName } = call.subject
      const organization = { id: organizationId as Organization['id'], name: organizationName }
      return answerOne(call, toEntitlementResource(organization))
    },
  }),
])
