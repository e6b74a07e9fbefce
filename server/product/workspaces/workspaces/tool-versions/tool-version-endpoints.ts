import { hidden, inOrganization, organizationInPath, siteAdministrator } from '../../../../access/permissions/index.ts'
import { authorOf } from '../../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../../../kit/endpoint.ts'
import {
  allSchema,
  answerAll,
  answerCreated,
  answerOne,
  answerPage,
  documentSchema,
  entriesOn,
  pageSchema,
  requireSameId,
  showQuery,
} from '../../../../kit/jsonapi/index.ts'
import { nothing } from '../../../../kit/reply.ts'
import { addToolVersion, changeToolVersion, removeToolVersion } from './catalogue-actions.ts'
import { byVersion, type ToolVersion } from './tool-version-rules.ts'
import { findToolVersions, loadToolVersion } from './tool-version-store.ts'
import {
  type CatalogueForm,
  catalogueForms,
  changedToolVersionBody,
  firstTool,
  newToolVersionBody,
  toolVersionSchema,
  toolVersionsQuery,
  toToolVersionResource,
} from './tool-version-wire.ts'

const document = documentSchema(toolVersionSchema)
const params = { versionId: { description: 'Identifier of the release.' } }

async function loadAddressedVersion(
  { deps, params: { versionId = '' } }: Pick<Call, 'deps' | 'params'>,
  form: CatalogueForm,
): Promise<ToolVersion> {
  const release = await loadToolVersion(deps.db, versionId)
  if (!release || (form.tool !== undefined && release.tool !== form.tool)) throw hidden()
  return release
}

const listAt = (form: CatalogueForm) =>
  endpoint({
    id: `${form.type}.list`,
    route: `GET /admin/${form.type}`,
    summary: 'List the releases in the catalogue, newest first.',
    access: siteAdministrator(),
    query: toolVersionsQuery,
    returns: { 200: pageSchema(toolVersionSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { page, version, search } = call.query
      const found = await findToolVersions(call.deps.db, { tool: form.tool ?? call.query.tool, version, search })
      const sorted = found.sort(byVersion)
      const resources = entriesOn(page, sorted).map((release) => toToolVersionResource(release, form.type))
      return answerPage(call, { resources, total: sorted.length })
    },
  })

const createAt = (form: CatalogueForm) =>
  endpoint({
    id: `${form.type}.create`,
    route: `POST /admin/${form.type}`,
    summary: 'Add a release to the catalogue.',
    access: siteAdministrator(),
    query: showQuery(),
    body: newToolVersionBody,
    returns: { 201: document },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      const { tool = firstTool, ...asked } = call.body.attributes
      const release = await addToolVersion(call.deps, authorOf(call), { ...asked, tool: form.tool ?? tool })
      return answerCreated(call, toToolVersionResource(release, form.type))
    },
  })

const showAt = (form: CatalogueForm) =>
  endpoint({
    id: `${form.type}.show`,
    route: `GET /admin/${form.type}/:versionId`,
    summary: 'Read a release in the catalogue.',
    access: siteAdministrator(),
    params,
    query: showQuery(),
    returns: { 200: document },
    fails: ['missing'],
    handle: async (call) => answerOne(call, toToolVersionResource(await loadAddressedVersion(call, form), form.type)),
  })

const updateAt = (form: CatalogueForm) =>
  endpoint({
    id: `${form.type}.update`,
    route: `PATCH /admin/${form.type}/:versionId`,
    summary: 'Change or disable a release in the catalogue.',
    access: siteAdministrator(),
    params,
    query: showQuery(),
    body: changedToolVersionBody,
    returns: { 200: document },
    fails: ['missing', 'invalid', 'conflict'],
    handle: async (call) => {
      const { id } = await loadAddressedVersion(call, form)
      requireSameId(call.body, id)
      const changed = await changeToolVersion(call.deps, authorOf(call), id, call.body.attributes)
      return answerOne(call, toToolVersionResource(changed, form.type))
    },
  })

const deleteAt = (form: CatalogueForm) =>
  endpoint({
    id: `${form.type}.delete`,
    route: `DELETE /admin/${form.type}/:versionId`,
    summary: 'Remove a release from the catalogue.',
    description: 'Workspaces that name this exact version keep it; constraints resolve to the remaining releases.',
    access: siteAdministrator(),
    params,
    returns: { 204: null },
    fails: ['missing'],
    handle: async (call) => {
      await removeToolVersion(call.deps, authorOf(call), (await loadAddressedVersion(call, form)).id)
      return nothing()
    },
  })

const listAvailable = endpoint({
  id: 'tool-versions.choose',
  route: 'GET /organizations/:organization/tool-versions',
  summary: 'List the releases available to workspaces, newest first.',
  access: inOrganization('can-traverse'),
  params: organizationInPath,
  query: showQuery(),
  returns: { 200: allSchema(toolVersionSchema) },
  fails: ['missing'],
  handle: async (call) => {
    const enabled = (await findToolVersions(call.deps.db, {})).filter((release) => release.enabled)
    return answerAll(
      call,
      enabled.sort(byVersion).map((release) => toToolVersionResource(release, 'tool-versions')),
    )
  },
})

/** The catalogue of releases: administrators edit it, everybody chooses from it. */
export const toolVersionEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  listAvailable,
  ...catalogueForms.flatMap((form) => [listAt(form), createAt(form), showAt(form), updateAt(form), deleteAt(form)]),
])
