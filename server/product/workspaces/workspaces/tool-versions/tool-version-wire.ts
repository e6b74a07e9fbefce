import { toolNames } from '../../../../compat/names.ts'
import { toolVersionsAlias } from '../../../../compat/workspace-names.ts'
import { toIso } from '../../../../kernel/clock.ts'
import {
  attribute,
  changing,
  listQuery,
  parameter,
  type Resource,
  resourceBody,
  resourceSchema,
  shown,
} from '../../../../kit/jsonapi/index.ts'
import { buildsProblem, digestProblem, downloadProblem, processors, shownBuilds, systems } from './build-rules.ts'
import { exactVersionProblem, type ToolVersion } from './tool-version-rules.ts'

export { shippedReleases } from '../../../../compat/tool-releases.ts'

/** The catalogue under its own name, and under the one by which clients of this family manage a single tool. */
export const catalogueForms = [
  { type: 'tool-versions', tool: undefined },
  { type: toolVersionsAlias.name, tool: toolVersionsAlias.tool },
] as const

/** One of the two forms. */
export type CatalogueForm = (typeof catalogueForms)[number]

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
export const newToolVersionBody = resourceBody(types, {
  attributes: {
    version: attribute.text('Exact version.', { ...versionRules, required: true }),
    tool: attribute.choice('The tool it is a release of; defaults to the first one.', toolNames),
    ...settings,
  },
})

/** The body that changes a release. */
export const changedToolVersionBody = resourceBody(types, {
  attributes: changing({ version: attribute.text('Exact version.', versionRules), ...settings }),
})

/** The tool of a release for which none is sent. */
export const firstTool: string = toolNames[0]

/** The query of the catalogue. */
export const toolVersionsQuery = listQuery({
  parameters: {
    tool: parameter.text('filter[tool]', 'Releases of this tool only.'),
    version: parameter.text('filter[version]', 'The release of exactly this version.'),
    search: parameter.text('search[version]', 'Part of the version.'),
  },
})

/** A release as answers show it. */
export const toolVersionSchema = resourceSchema(types, {
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
export const toToolVersionResource = (release: ToolVersion, type: string): Resource => ({
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
