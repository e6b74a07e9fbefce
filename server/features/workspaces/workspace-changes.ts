import { maybeIso } from '../../kernel/clock.ts'
import type { Members } from '../change-log/index.ts'
import type { Workspace } from './workspace-rules.ts'

type WorkspaceNames = { readonly organizationId: string; readonly id: string; readonly name: string }

/** What a change of a workspace is about, as the change log files it. */
export const aboutWorkspace = ({ organizationId, id, name }: WorkspaceNames) => ({
  organizationId,
  workspaceId: id,
  subject: { type: 'workspaces', id, name },
})

/** Settings as the change log tells them, by the names of documents; a log entry can be written back by PATCH. */
export const describeWorkspace = (workspace: Workspace): Members => ({
  name: workspace.name,
  description: workspace.description,
  'project-id': workspace.projectId,
  'execution-mode': workspace.executionMode,
  'agent-pool-id': workspace.agentPoolId,
  'setting-overwrites': {
    'execution-mode': workspace.overwritesExecutionMode,
    'agent-pool': workspace.overwritesAgentPool,
  },
  'allow-destroy-plan': workspace.allowDestroyPlan,
  'assessments-enabled': workspace.assessmentsEnabled,
  'auto-apply': workspace.autoApply,
  'auto-apply-run-trigger': workspace.autoApplyRunTrigger,
  'auto-destroy-at': maybeIso(workspace.autoDestroyAt),
  'auto-destroy-activity-duration': workspace.autoDestroyActivityDuration,
  'inherits-project-auto-destroy': workspace.inheritsProjectAutoDestroy,
  'file-triggers-enabled': workspace.fileTriggersEnabled,
  'trigger-prefixes': workspace.triggerPrefixes,
  'trigger-patterns': workspace.triggerPatterns,
  'global-remote-state': workspace.globalRemoteState,
  'project-remote-state': workspace.projectRemoteState,
  'queue-all-runs': workspace.queueAllRuns,
  'speculative-enabled': workspace.speculativeEnabled,
  'structured-run-output-enabled': workspace.structuredRunOutputEnabled,
  'tool-version': workspace.toolVersion,
  'working-directory': workspace.workingDirectory,
  'vcs-repo': describeRepo(workspace.vcsRepo),
})

/** The repository of a workspace as the change log tells it. The address that the provider calls stays out: it is a secret. */
export const describeRepo = (repo: Workspace['vcsRepo']): Members | null =>
  repo && {
    identifier: repo.identifier,
    'oauth-token-id': repo.oauthTokenId,
    'vcs-app-installation-id': repo.installationId,
    branch: repo.branch,
    'ingress-submodules': repo.ingressSubmodules,
    'tags-regex': repo.tagsRegex,
  }
