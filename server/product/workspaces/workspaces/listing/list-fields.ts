import { parameter } from '../../../../kit/jsonapi/parameters.ts'
import { listQuery, type ParameterValues, selectionQuery, showQuery } from '../../../../kit/jsonapi/queries.ts'
import { readVersionRequest } from '../tool-versions/tool-version.ts'
import { readWildcard, sortKeys, type WorkspaceFilter } from './workspace-list.ts'

const runs = ['current_run', 'latest_run'].flatMap((run) => [
  run,
  `${run}.plan`,
  `${run}.apply`,
  `${run}.configuration_version`,
  `${run}.configuration_version.ingress_attributes`,
])

/** What every read of workspaces can include. Commits and READMEs do not exist yet and contribute nothing. */
export const includable = [
  ...runs,
  'current_configuration_version',
  'current_configuration_version.ingress_attributes',
  'current_state_version',
  'current_assessment_result',
  'locked_by',
  'organization',
  'outputs',
  'project',
  'readme',
  'agent_pool',
  'vars',
  'effective_tag_bindings',
] as const

/** How many tags a search takes at most. */
const maxTagParameters = 100

/** How many names a filter takes at most. */
const maxNames = 100

const versionProblem = (text: string): string | undefined =>
  readVersionRequest(text) ? undefined : 'must be a version such as 1.9.4, or a constraint such as ~> 1.9'

const parameters = {
  name: parameter.text('search[name]', 'Part of the name, case-insensitive.'),
  wildcard: parameter.text(
    'search[wildcard-name]',
    'The name, with "*" as a wildcard at its beginning, its end or both.',
  ),
  names: parameter.list('filter[names]', 'Workspaces with these names only.', maxNames),
  tags: parameter.list(
    'search[tags]',
    'Flat tags or tag binding keys; a workspace must have all of them.',
    maxTagParameters,
  ),
  excludeTags: parameter.list(
    'search[exclude-tags]',
    'Flat tags or tag binding keys; a workspace must have none of them.',
    maxTagParameters,
  ),
  projectId: parameter.text('filter[project][id]', 'Workspaces of this project only.'),
  runStatuses: parameter.list('filter[current-run][status]', 'Workspaces whose current run has this status.'),
  locked: parameter.flag('filter[locked]', 'Workspaces that are locked, or those that are not.'),
  toolVersion: parameter.text(
    'filter[tool-version]',
    'Workspaces with this tool version, as it was set: `~> 1.9` does not find `1.9.4`.',
    versionProblem,
  ),
  updatedSince: parameter.time('filter[updated-since]', 'Workspaces whose `updated-at` is this time or later.'),
  tagged: parameter.groups('filter[tagged]', ['key', 'value'], 'Effective tag bindings that a workspace must have.'),
} as const

/** The query of the list of workspaces. */
export const workspacesQuery = listQuery({ include: includable, parameters, sort: sortKeys })

/** The query of a change to all workspaces that the list would show. */
export const workspaceSelection = selectionQuery({
  ...parameters,
  after: parameter.text('page[after]', 'Name of the workspace to continue after, as given in `links.next`.'),
})

/** The query of a read of one workspace. */
export const workspaceQuery = showQuery({ include: includable })

/** The filter of a query. */
export const toFilter = (query: ParameterValues<typeof parameters>): WorkspaceFilter => ({
  nameContains: query.name?.toLowerCase(),
  nameLike: query.wildcard === undefined ? undefined : readWildcard(query.wildcard),
  names: query.names,
  tags: query.tags ?? [],
  excludeTags: query.excludeTags ?? [],
  projectId: query.projectId,
  runStatuses: query.runStatuses ?? [],
  locked: query.locked,
  toolVersion: query.toolVersion,
  updatedSince: query.updatedSince,
  tagged: query.tagged
    .filter(({ key, value }) => key !== undefined || value !== undefined)
    .map(({ key, value }) => ({ key, value })),
})
