import type { Instant } from '../../../../kernel/clock.ts'
import type { Fault } from '../../../../kernel/failure.ts'
import type { OrganizationDefaults } from '../../../people/organizations/organization.ts'
import { isAtLeast, type Release, readVersionRequest, resolveVersion } from '../tool-versions/tool-version.ts'
import {
  effectiveExecution,
  inheritedExecution,
  type OwnExecution,
  type ProjectDefaults,
  settingsOf,
  type Workspace,
  type WorkspaceSettings,
} from '../workspace.ts'
import { inheritable, settings, settled } from '../workspace-fields.ts'
import { autoDestroyFaults, lastActivityOf, type OwnAutoDestroy, settleAutoDestroy } from './auto-destroy.ts'
import { settleExecution } from './execution.ts'
import { faultAt, type RequestedSettings } from './requested-settings.ts'
import { settleVcsRepo } from './vcs-settings.ts'

type Triggers = Pick<WorkspaceSettings, 'fileTriggersEnabled' | 'triggerPrefixes' | 'triggerPatterns'>
type Requested = Pick<RequestedSettings, 'fileTriggersEnabled' | 'triggerPrefixes' | 'triggerPatterns'>

/**
 * Which changes of a repository start runs, after a request. Patterns and prefixes are one setting: whoever names one of
 * them says that the other is empty.
 */
function settleTriggers(
  requested: Requested,
  before: Triggers,
  tags: { readonly regex: string | null; readonly given: boolean },
): { readonly triggers: Triggers; readonly faults: readonly Fault[] } {
  const { triggerPrefixes, triggerPatterns } = requested
  const isGiven = triggerPrefixes !== undefined || triggerPatterns !== undefined
  const prefixes = isGiven ? (triggerPrefixes ?? []) : before.triggerPrefixes
  const patterns = isGiven ? (triggerPatterns ?? []) : before.triggerPatterns
  const faults: Fault[] = []
  if (prefixes.length && patterns.length) {
    faults.push(faultAt('trigger-patterns', 'Trigger patterns cannot be combined with trigger-prefixes'))
  }
  const offByTags = tags.given && tags.regex !== null && requested.fileTriggersEnabled === undefined
  const triggers: Triggers = {
    fileTriggersEnabled: requested.fileTriggersEnabled ?? (offByTags ? false : before.fileTriggersEnabled),
    triggerPrefixes: unique(prefixes),
    triggerPatterns: unique(patterns),
  }
  const clash = triggers.fileTriggersEnabled || prefixes.length > 0 || patterns.length > 0
  if (tags.regex !== null && clash) faults.push(clashWithTags)
  return { triggers, faults }
}

const clashWithTags = faultAt(
  'vcs-repo/tags-regex',
  'Tags regex cannot be combined with trigger-patterns, trigger-prefixes or file-triggers-enabled',
)

const unique = (entries: readonly string[]): readonly string[] => [...new Set(entries)]

/** What the organization of a workspace decides about its settings. */
type OrganizationContext = OrganizationDefaults & {
  readonly defaultTool: string
  readonly tier: string
  readonly defaultGlobalRemoteState: boolean
  readonly workspacesInheritSettingsByDefault: boolean
}

/** Everything that settings depend on besides the request. */
export type SettingsContext = {
  /** Undefined while the workspace is being created. */
  readonly before: Workspace | undefined
  readonly organization: OrganizationContext
  /** The project the workspace will be in. */
  readonly project: ProjectDefaults
  readonly releases: readonly Release[]
  readonly edition: 'hosted' | 'self-hosted'
  readonly now: Instant
  readonly newWebhookId: string
}

/** Settings after a request, their faults, and what has to be checked in the database. */
export type SettledSettings = {
  readonly settings: WorkspaceSettings
  readonly faults: readonly Fault[]
  readonly newPoolId: string | null
  readonly newTokenId: string | null
}

/** Settings of a new workspace before the request is applied. */
function freshSettings(
  requested: RequestedSettings,
  { organization, project, releases }: SettingsContext,
): WorkspaceSettings {
  const newest = resolveVersion({ tool: undefined, kind: 'latest' }, releases, organization.defaultTool)
  return {
    ...settings.initial,
    ...inheritable.initial,
    ...settled.initial,
    ...inheritedExecution(organization, project),
    name: '',
    // Sharing with the project only opts out of the default.
    globalRemoteState: organization.defaultGlobalRemoteState && requested.projectRemoteState !== true,
    projectRemoteState: false,
    toolVersion: newest?.version ?? 'latest',
    vcsRepo: null,
    projectId: project.id,
  }
}

/** Applies a create or an update to the settings. All faults are returned, none is thrown. */
export function settleSettings(requested: RequestedSettings, context: SettingsContext): SettledSettings {
  const { before, organization, project } = context
  const base: WorkspaceSettings = before ?? freshSettings(requested, context)
  const inherited = inheritedExecution(organization, project)
  const inheritByDefault = organization.workspacesInheritSettingsByDefault
  const execution = settleExecution(requested, {
    before: before && ownExecution(before),
    inherited,
    inheritByDefault,
    moved: before !== undefined && before.projectId !== project.id,
  })
  const vcs = settleVcsRepo(requested.vcsRepo, before?.vcsRepo, context.newWebhookId)
  const tags = { regex: vcs.repo?.tagsRegex ?? null, given: requested.vcsRepo?.tagsRegex !== undefined }
  const { triggers, faults: triggerFaults } = settleTriggers(requested, base, tags)
  const plain = inheritable.applied(requested, settings.applied(requested, settingsOf(base)))
  const after: WorkspaceSettings = {
    ...plain,
    ...execution.own,
    ...triggers,
    ...settleAutoDestroy(requested, autoDestroyContext(base, context)),
    vcsRepo: vcs.repo,
    projectId: project.id,
    toolVersionIsSet: base.toolVersionIsSet || requested.toolVersion !== undefined,
    assessmentsEnabled: context.edition === 'hosted' && plain.assessmentsEnabled,
  }
  const faults = [
    ...execution.faults,
    ...vcs.faults,
    ...triggerFaults,
    ...autoDestroyFaults(requested),
    ...versionFaults(requested, context),
    ...assessmentFaults(requested, after, context),
    ...sharingFaults(after),
  ]
  return { settings: after, faults, newPoolId: execution.newPoolId, newTokenId: vcs.newTokenId }
}

const ownExecution = (settings: WorkspaceSettings): OwnExecution => ({
  executionMode: settings.executionMode,
  agentPoolId: settings.agentPoolId,
  overwritesExecutionMode: settings.overwritesExecutionMode,
  overwritesAgentPool: settings.overwritesAgentPool,
})

const ownAutoDestroy = (settings: WorkspaceSettings): OwnAutoDestroy => ({
  autoDestroyAt: settings.autoDestroyAt,
  autoDestroyStatus: settings.autoDestroyStatus,
  autoDestroyActivityDuration: settings.autoDestroyActivityDuration,
  inheritsProjectAutoDestroy: settings.inheritsProjectAutoDestroy,
})

/** Creating a workspace counts as a move into its project, whose duration it then follows. */
const autoDestroyContext = (base: WorkspaceSettings, { before, project, now }: SettingsContext) => ({
  before: ownAutoDestroy(base),
  projectDuration: project.autoDestroyActivityDuration,
  moved: before?.projectId !== project.id,
  now,
  lastActivityAt: lastActivityOf(before),
})

function versionFaults({ toolVersion }: RequestedSettings, { releases, organization }: SettingsContext): Fault[] {
  if (toolVersion === undefined) return []
  const versionRequest = readVersionRequest(toolVersion)
  const tools = new Set([organization.defaultTool, ...releases.map(({ tool }) => tool)])
  const known = versionRequest && (versionRequest.tool === undefined || tools.has(versionRequest.tool))
  if (known && resolveVersion(versionRequest, releases, organization.defaultTool) !== undefined) return []
  return [faultAt('tool-version', 'Tool version is unknown, or the constraint matches no release')]
}

const assessedElsewhere = faultAt(
  'assessments-enabled',
  'Assessments enabled cannot be true: health assessments belong to the hosted edition; send false, or leave it out',
)

/** The first release of the tool that can be assessed. */
const firstAssessable = '0.15.4'

function assessmentFaults(requested: RequestedSettings, after: WorkspaceSettings, context: SettingsContext): Fault[] {
  if (requested.assessmentsEnabled !== true) return []
  if (context.edition !== 'hosted') return [assessedElsewhere]
  if (isAssessable(after, context)) return []
  const detail = `Assessments enabled needs the plus tier, remote execution and a tool version of ${firstAssessable} or later`
  return [faultAt('assessments-enabled', detail)]
}

/** True if health assessments are possible for a workspace with these settings. */
export function isAssessable(
  settings: WorkspaceSettings,
  { organization, project, releases }: Pick<SettingsContext, 'organization' | 'project' | 'releases'>,
): boolean {
  const { executionMode } = effectiveExecution(settings, inheritedExecution(organization, project))
  const versionRequest = readVersionRequest(settings.toolVersion)
  const release = versionRequest && resolveVersion(versionRequest, releases, organization.defaultTool)
  return organization.tier === 'plus' && executionMode === 'remote' && isAtLeast(release?.version, firstAssessable)
}

const sharingFaults = (settings: WorkspaceSettings): Fault[] =>
  settings.globalRemoteState && settings.projectRemoteState
    ? [
        faultAt(
          'project-remote-state',
          'Project remote state cannot be enabled when global remote state sharing is enabled',
        ),
      ]
    : []
