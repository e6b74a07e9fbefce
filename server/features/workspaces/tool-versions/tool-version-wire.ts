import { toolNames } from '../../../compat/names.ts'
import { toolVersionsAlias } from '../../../compat/workspace-names.ts'
import { toIso } from '../../../kernel/clock.ts'
import {
  attribute,
  listQuery,
  parameter,
  type Resource,
  resourceBody,
  resourceSchema,
  shown,
} from '../../../kit/jsonapi/index.ts'
import { buildsProblem, digestProblem, downloadProblem, processors, systems } from './build-rules.ts'
import { exactVersionProblem, type ToolVersion } from './tool-version-rules.ts'

export { shippedReleases } from '../../../compat/tool-releases.ts'

/** The catalogue under its own name, and under the one by which clients of this family manage a single tool. */
export const catalogueForms = [
  { type: 'tool-versions', tool: undefined },
  { type: toolVersionsAlias.name, tool: toolVersionsAlias.tool },
] as const

/** One of the two forms. */
export type CatalogueForm = (typeof catalogueForms)[number]

const types = catalogueForms.map(({ type }) => type)

const build = attribute.object('Where it can be downloaded for one platform.', {
  url: attribute.text('Where it can be downloaded.', { required: true, maxLength: 2_048, check: downloadProblem }),
  sha: attribute.text('SHA-256 of the download.', { required: true, maxLength: 128, check: digestProblem }),
  os: attribute.choice('The operating system.', systems, { required: true }),
  arch: attribute.choice('The processor.', processors, { required: true }),
})

const settings = {
  url: attribute.text('Where it can be downloaded for linux on amd64.', { nullable: true, maxLength: 2_048 }),
  sha: attribute.text('SHA-256 of that download.', { nullable: true, maxLength: 128 }),
  archs: attribute.list(
    'Where it can be downloaded; in place of `url` and `sha`, and of all that was told before.',
    build,
    {
      check: buildsProblem,
    },
  ),
  enabled: attribute.flag('Whether workspaces can ask for it.', { default: true }),
  beta: attribute.flag('Whether constraints leave it out unless they name it.', { default: false }),
  deprecated: attribute.flag('Whether it should not be used any more.', { default: false }),
  deprecatedReason: attribute.text('Why not.', { nullable: true, maxLength: 1_024 }),
} as const

const versionRules = { maxLength: 128, check: exactVersionProblem, example: '1.13.0' } as const

/** The body that adds a release. */
export const newToolVersionBody = resourceBody(types, {
  attributes: {
    version: attribute.text('Exact version.', { ...versionRules, required: true }),
    tool: attribute.choice('The tool it is a release of; the first of them unless told.', toolNames),
    ...settings,
  },
})

/** The body that changes a release. */
export const changedToolVersionBody = resourceBody(types, {
  attributes: { version: attribute.text('Exact version.', versionRules), ...settings },
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
  attributes: {
    tool: shown.text('The tool it is a release of.'),
    version: shown.text('Exact version.'),
    enabled: shown.flag('Whether workspaces can ask for it.'),
    official: shown.flag('Whether it came with the server.'),
    beta: shown.flag('Whether constraints leave it out unless they name it.'),
    deprecated: shown.flag('Whether it should not be used any more.'),
    'deprecated-reason': shown.maybeText('Why not.'),
    url: shown.maybeText('Where it can be downloaded for linux on amd64.'),
    sha: shown.maybeText('SHA-256 of that download.'),
    archs: shown.entries('Where it can be downloaded for which platform; empty if that is not known.', {
      url: shown.text('Where it can be downloaded.'),
      sha: shown.text('SHA-256 of the download.'),
      os: shown.text('The operating system.'),
      arch: shown.text('The processor.'),
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
    url: release.url,
    sha: release.sha,
    archs: release.archs,
    'created-at': toIso(release.createdAt),
  },
  links: { self: `/api/v2/admin/${type}/${release.id}` },
})
