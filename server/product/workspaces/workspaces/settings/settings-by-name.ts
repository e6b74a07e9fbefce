import { maybeIso } from '../../../../kernel/clock.ts'
import type { Workspace } from '../workspace-rules.ts'

/**
 * The settings for which documents and the change log use the same names and values. Settings that can be inherited are
 * not here: documents show what is in force, the change log what the workspace stores.
 */
export const settingsByName = (workspace: Workspace) => ({
  name: workspace.name,
  description: workspace.description,
  'allow-destroy-plan': workspace.allowDestroyPlan,
  'auto-apply': workspace.autoApply,
  'auto-apply-run-trigger': workspace.autoApplyRunTrigger,
  'auto-destroy-at': maybeIso(workspace.autoDestroyAt),
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
  'setting-overwrites': {
    'execution-mode': workspace.overwritesExecutionMode,
    'agent-pool': workspace.overwritesAgentPool,
  },
})
