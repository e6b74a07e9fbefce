import type { Organization } from './organization-rules.ts'

/** The settings for which documents and the change log use the same names and values; each adds the rest itself. */
export const settingsByName = (organization: Organization) => ({
  'collaborator-auth-policy': organization.collaboratorAuthPolicy,
  'default-execution-mode': organization.defaultExecutionMode,
  'default-tool': organization.defaultTool,
  tier: organization.tier,
  'allow-force-delete-workspaces': organization.allowForceDeleteWorkspaces,
  'assessments-enforced': organization.assessmentsEnforced,
  'default-global-remote-state': organization.defaultGlobalRemoteState,
  'workspaces-inherit-settings-by-default': organization.workspacesInheritSettingsByDefault,
  'keep-outputs-of-encrypted-state': organization.keepOutputsOfEncryptedState,
  'user-tokens-enabled': organization.userTokensEnabled,
  'cost-estimation-enabled': organization.costEstimationEnabled,
  'speculative-plan-management-enabled': organization.speculativePlanManagementEnabled,
  'aggregated-commit-status-enabled': organization.aggregatedCommitStatusEnabled,
  'send-passing-statuses-for-untriggered-speculative-plans':
    organization.sendPassingStatusesForUntriggeredSpeculativePlans,
  'session-timeout': organization.sessionTimeout,
  'session-remember': organization.sessionRemember,
})
