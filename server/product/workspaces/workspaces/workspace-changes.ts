import type { Members } from '../../../kit/change-log/index.ts'
import { inheritable, settings } from './workspace-fields.ts'
import type { Workspace } from './workspace-rules.ts'

type WorkspaceNames = { readonly organizationId: string; readonly id: string; readonly name: string }

/** The subject of a change of a workspace in the change log. */
export const workspaceSubject = ({ organizationId, id, name }: WorkspaceNames) => ({
  organizationId,
  workspaceId: id,
  subject: { type: 'workspaces', id, name },
})

/** A workspace as the change log shows it, by the names of documents; a log entry can be written back by PATCH. */
export const describeWorkspace = (workspace: Workspace): Members => ({
  ...settings.toDocument(workspace),
  ...inheritable.toDocument(workspace),
  'setting-overwrites': describeOverwrites(workspace),
  'agent-pool-id': workspace.agentPoolId,
  'project-id': workspace.projectId,
  'vcs-repo': describeRepo(workspace.vcsRepo),
})

/** Which settings are its own. */
export const describeOverwrites = (workspace: Workspace): Members => ({
  'execution-mode': workspace.overwritesExecutionMode,
  'agent-pool': workspace.overwritesAgentPool,
})

/**
 * The repository of a workspace as the change log shows it. The address that the provider calls is left out: it is a
 * secret.
 */
export const describeRepo = (repo: Workspace['vcsRepo']): Members | null =>
  repo && {
    identifier: repo.identifier,
    'oauth-token-id': repo.oauthTokenId,
    'vcs-app-installation-id': repo.installationId,
    branch: repo.branch,
    'ingress-submodules': repo.ingressSubmodules,
    'tags-regex': repo.tagsRegex,
  }
