import type { Members } from '../change-log/index.ts'
import type { Organization } from './organization-rules.ts'

/** Settings as the change log tells them, by the names of documents. */
export const describeOrganization = (organization: Organization): Members => ({
  name: organization.name,
  email: organization.email,
  'collaborator-auth-policy': organization.collaboratorAuthPolicy,
  'default-execution-mode': organization.defaultExecutionMode,
  'default-agent-pool-id': organization.defaultAgentPoolId,
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
