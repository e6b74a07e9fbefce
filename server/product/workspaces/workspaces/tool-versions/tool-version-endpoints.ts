import { hidden, inOrganization, organizationInPath, siteAdministrator } from '../../../../access/permissions/index.ts'
import { toolNames, toolVersionsAlias } from '../../../../compat/vendor-names.ts'
import { toIso } from '../../../../kernel/clock.ts'
import { authorOf } from '../../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../../../kit/endpoint.ts'
import {
  allSchema,
  answerAll,
  answerCreated,
  answerOne,
  answerPage,
  attribute,
  changing,
  documentSchema,
  entriesOn,
  listQuery,
  pageSchema,
  parameter,
  type Resource,
  requireSameId,
  resourceBody,
  resourceSchema,
  shown,
  showQuery,
} from '../../../../kit/jsonapi/index.ts'
import { nothing } from '../../../../kit/reply.ts'
import { addToolVersion, changeToolVersion, removeToolVersion } from './catalogue-actions.ts'
import {
  buildsProblem,
  byVersion,
  digestProblem,
  downloadProblem,
  exactVersionProblem,
  processors,
  shownBuilds,
  systems,
  type ToolVersion,
} from './tool-version.ts'
import { findToolVersions, loadToolVersion } from './tool-version-store.ts'

export { shippedReleases } from '../../../../compat/vendor-names.ts'

/** The catalogue under its own name, and under the one by which clients of this family manage a single tool. */
const catalogueForms = [
  { type: 'tool-versions', tool: undefined },
  { type: toolVersionsAlias.name, tool: toolVersionsAlias.tool },
] as const

/** One of the two forms. */
type CatalogueForm = (typeof catalogueForms)[number]

const types = catalogueForms.map(({ type }) => type)

const build = attribute.object('The download for one platform.', {
  url: attribute.text('Download URL.', { required: true, maxLength: 2_048, check: downloadProblem }),
  sha: attribute.text('SHA-256 of the download.', { required: true, maxLength: 128, check: digestProblem }),
  os: attribute.choice('The operating system.', systems, { required: true }),
  arch: attribute.choice('The CPU architecture.', processors, { required: true }),
})

const settings = {
  url: attribute.text('Download URL for Linux on amd64.', { nullable: true, maxLength: 2_048 }),
  sha: attribute.text('SHA-256 of that download.', { nullable: true, maxLength: 128 }),
  archs: attribute.list('Downloads by platform; used instead of `url` and `sha`, and replaces earlier ones.', build, {
    check: buildsProblem,
  }),
  enabled: attribute.flag('Whether workspaces can use it.', { default: true }),
  beta: attribute.flag('Whether it is a beta, which constraints skip unless they name it.', { default: false }),
  deprecated: attribute.flag('Whether it is deprecated.', { default: false }),
  deprecatedReason: attribute.text('Why it is deprecated.', { nullable: true, maxLength: 1_024 }),
} as const

const versionRules = { maxLength: 128, check: exactVersionProblem, example: '1.13.0' } as const

/** The body that adds a release. */
const newToolVersionBody = resourceBody(types, {
  attributes: {
    version: attribute.text('Exact version.', { ...versionRules, required: true }),
    tool: attribute.choice('The tool it is a release of; defaults to the first one.', toolNames),
    ...settings,
  },
})

/** The body that changes a release. */
const changedToolVersionBody = resourceBody(types, {
  attributes: changing({ version: attribute.text('Exact version.', versionRules), ...settings }),
})

/** The tool of a release for which none is sent. */
const firstTool: string = toolNames[0]

/** The query of the catalogue. */
const toolVersionsQuery = listQuery({
  parameters: {
    tool: parameter.text('filter[tool]', 'Releases of this tool only.'),
    version: parameter.text('filter[version]', 'The release of exactly this version.'),
    search: parameter.text('search[version]', 'Part of the version.'),
  },
})

/** A release as answers show it. */
const toolVersionSchema = resourceSchema(types, {
  name: 'ToolVersion',
  attributes: {
    tool: shown.text('The tool it is a release of.'),
    version: shown.text('Exact version.'),
    enabled: shown.flag('Whether workspaces can use it.'),
    official: shown.flag('Whether it came with the server.'),
    beta: shown.flag('Whether it is a beta, which constraints skip unless they name it.'),
    deprecated: shown.flag('Whether it is deprecated.'),
    'deprecated-reason': shown.maybeText('Why it is deprecated.'),
    url: shown.maybeText('Download URL for Linux on amd64.'),
    sha: shown.maybeText('SHA-256 of that download.'),
    archs: shown.entries('Downloads by platform; empty if none are recorded.', {
      url: shown.text('Download URL.'),
      sha: shown.text('SHA-256 of the download.'),
      os: shown.text('The operating system.'),
      arch: shown.text('The CPU architecture.'),
    }),
    'created-at': shown.time('When it was added.'),
  },
})

/** A release as a resource. */
const toToolVersionResource = (release: ToolVersion, type: string): Resource => ({
  type,
  id: release.id,
  attributes: {
    tool: release.tool,
    version: release.version,
    enabled: release.enabled,
    official: release.official,
    beta: release.beta,
    deprecated: release.deprecated,
    'deprecated-reason': release.deprecatedReason,
    ...shownBuilds(release),
    'created-at': toIso(release.createdAt),
  },
  links: { self: `/api/v2/admin/${type}/${release.id}` },
})

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
      const { tool = firstTool, ...requested } = call.body.attributes
      const release = await addToolVersion(call.deps, authorOf(call), { ...requested, tool: form.tool ?? tool })
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
