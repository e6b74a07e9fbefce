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
} from '../../../access/permissions/index.ts'
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
  documentSchema,
  pageSchema,
  type Resource,
  rangeOf,
  requireSameId,
} from '../../../kit/jsonapi/index.ts'
import { nothing, type Reply } from '../../../kit/reply.ts'
import { WhileUnchanged } from '../../../kit/unchanged.ts'
import { loadUser } from '../users/index.ts'
import { entitlementSchema, toEntitlementResource } from './entitlement-wire.ts'
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
import { toProjectResource } from './projects/project-resource-wire.ts'
import { loadProjects } from './projects/project-row-store.ts'
import { retentionPoliciesOf, retentionPolicyOf } from './retention/retention-actions.ts'
import { toRetentionLink } from './retention/retention-wire.ts'

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
      const found = await listOrganizations(call.deps.db, filter, rangeOf(page))
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
  endpoint({
    id: 'organizations.update',
    route: 'PATCH /organizations/:organization',
    summary: 'Change the settings of an organization.',
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
  }),
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
