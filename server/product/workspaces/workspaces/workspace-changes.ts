import type { Members } from '../../../kit/change-log/index.ts'
import { settingsByName } from './settings/settings-by-name.ts'
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
  ...settingsByName(workspace),
  'project-id': workspace.projectId,
  'execution-mode': workspace.executionMode,
  'agent-pool-id': workspace.agentPoolId,
  'assessments-enabled': workspace.assessmentsEnabled,
  'auto-destroy-activity-duration': workspace.autoDestroyActivityDuration,
  'inherits-project-auto-destroy': workspace.inheritsProjectAutoDestroy,
  'vcs-repo': describeRepo(workspace.vcsRepo),
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
