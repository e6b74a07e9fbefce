/** The name of `tool-version` that clients of this family send and read. */
export const toolVersionAlias = 'terraform-version'

/** The name of `vcs-app-installation-id` that clients of this family send. */
export const appInstallationAlias = 'github-app-installation-id'

/** The types that documents about the access of a team to a project give themselves; pytfe sends the second. */
export const projectAccessTypes = ['team-projects', 'team-project-access'] as const

/** The header with which command lines say what they are used for. */
export const integrationHeader = 'x-terraform-integration'

/** Where a workspace came from, in the words clients compare with. */
export const workspaceSources = {
  api: 'tfe-api',
  browser: 'tfe-ui',
  commandLine: 'terraform',
  module: 'tfe-module',
} as const

/** Prefixes of tag keys that are reserved for vendors; the last is ours. */
export const reservedTagPrefixes = ['hc:', 'hcp:', 'holdfast:'] as const

/** Where clients of this family look for the catalogue of one tool, below `/admin`; also what they call its entries. */
export const toolVersionsAlias = { name: 'terraform-versions', tool: 'terraform' } as const
