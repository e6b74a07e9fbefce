import { appInstallationAlias, toolVersionAlias } from '../../../compat/vendor-names.ts'
import { attribute } from '../../../kit/jsonapi/attribute-kinds.ts'
import { fieldSet } from '../../../kit/jsonapi/document-field-set.ts'
import { executionModes } from '../../people/organizations/execution-modes.ts'
import { activityDurationProblem } from '../../people/organizations/projects/project-fields.ts'
import {
  globProblem,
  identifierProblem,
  longestPattern,
  maxPatterns,
  patternsProblem,
  regexProblem,
  relativePathProblem,
  webUrlProblem,
  workspaceNameProblem,
} from './settings/setting-values.ts'

const path = { maxLength: longestPattern, check: relativePathProblem } as const
const patterns = { nullable: true, maxItems: maxPatterns, check: patternsProblem, default: [] } as const

/** Settings that documents show as they are stored. */
export const settings = fieldSet({
  name: attribute.text('Letters, numbers, "-" and "_"; unique in the organization.', {
    required: true,
    maxLength: 260,
    check: workspaceNameProblem,
    example: 'network-prod',
    shown: 'Name, unique in the organization.',
  }),
  description: attribute.text('What it is for.', { nullable: true, maxLength: 4_096 }),
  contact: attribute.text('Whom to ask about it.', {
    nullable: true,
    maxLength: 256,
    example: 'net-team@corp.example',
  }),
  allowDestroyPlan: attribute.flag('Whether destroy plans are allowed.', { default: true }),
  autoApply: attribute.flag('Apply automatically when a run is started by a user or a push.', { default: false }),
  autoApplyRunTrigger: attribute.flag('Apply automatically when a run trigger started the run.', { default: false }),
  autoDestroyAt: attribute.time('When everything is to be destroyed; null for never.', {
    nullable: true,
    shown: 'When everything is next scheduled to be destroyed.',
  }),
  fileTriggersEnabled: attribute.flag('Whether path prefixes and patterns decide which pushes start runs.', {
    default: true,
  }),
  triggerPrefixes: attribute.list(
    'Paths watched in addition to the working directory.',
    attribute.text('Path.', path),
    patterns,
  ),
  triggerPatterns: attribute.list(
    'Glob patterns of watched files.',
    attribute.text('Glob.', { maxLength: longestPattern, check: globProblem }),
    patterns,
  ),
  globalRemoteState: attribute.flag('Whether every workspace of the organization may read the state.'),
  projectRemoteState: attribute.flag('Whether every workspace of the project may read the state.'),
  queueAllRuns: attribute.flag('Whether runs may start before the first one was queued manually.', { default: false }),
  speculativeEnabled: attribute.flag('Whether pull requests start speculative plans.', { default: true }),
  structuredRunOutputEnabled: attribute.flag('Whether runs produce structured output.', { default: true }),
  toolVersion: attribute.text('Exact version, constraint, or `latest`; optionally prefixed with `tool:`.', {
    aliases: [toolVersionAlias],
    maxLength: 256,
    example: '~> 1.9',
    shown: 'Version or constraint, as it was set.',
  }),
  workingDirectory: attribute.text('Directory of the configuration in the repository.', { ...path, nullable: true }),
})

/** Settings that can be inherited: documents show what is in force, the change log what the workspace stores. */
export const inheritable = fieldSet({
  executionMode: attribute.choice('Where runs are executed.', executionModes, {
    shown: '`remote`, `local` or `agent`; its own, or the default of its project or organization.',
  }),
  agentPoolId: attribute.text('Agent pool for agent mode; an empty value is ignored.', {
    nullable: true,
    shown: false,
  }),
  assessmentsEnabled: attribute.flag('Whether health is assessed; hosted edition only.', {
    aliases: ['drift-detection'],
    default: false,
  }),
  autoDestroyActivityDuration: attribute.text('Period of inactivity after which everything is destroyed.', {
    nullable: true,
    check: activityDurationProblem,
    example: '14d',
    shown: 'Period of inactivity after which everything is destroyed: `14d`, `36h`.',
  }),
  inheritsProjectAutoDestroy: attribute.flag('Whether that period is inherited from the project.', {
    nullable: true,
    shown: 'Whether that period is inherited from the project; null if there is none.',
  }),
})

/** What is sent and decides other settings. */
export const deciding = {
  operations: attribute.flag('Deprecated: true for execution-mode remote, false for local.'),
  settingOverwrites: attribute.object(
    "Which settings are the workspace's own; with false they follow the defaults of project and organization.",
    {
      executionMode: attribute.flag('Whether it has its own execution mode.', { default: true }),
      agentPool: attribute.flag('Whether it has its own agent pool.', { default: true }),
    },
    { nullable: true },
  ),
  vcsRepo: attribute.object(
    'Link to a repository; null removes it. A new link needs identifier and oauth-token-id.',
    {
      identifier: {
        ...attribute.text('":org/:repo".', { required: true, maxLength: 512, check: identifierProblem }),
        required: false as const,
      },
      oauthTokenId: attribute.text('The version control token, `ot-…`.', { nullable: true }),
      vcsAppInstallationId: attribute.text('An app installation instead of the token; on updates only.', {
        nullable: true,
        aliases: [appInstallationAlias],
      }),
      branch: attribute.text('Branch; empty for the default branch.', { nullable: true, maxLength: 255 }),
      ingressSubmodules: attribute.flag('Whether submodules are fetched.', { default: false }),
      tagsRegex: attribute.text('Git tags that start runs, as a regular expression.', {
        nullable: true,
        maxLength: longestPattern,
        check: regexProblem,
      }),
    },
    { nullable: true },
  ),
} as const

/** What follows from settings, and is stored with them. */
export const settled = fieldSet({
  projectId: attribute.text('Its project.', { shown: false }),
  overwritesExecutionMode: attribute.flag('Whether it has its own execution mode.', { default: true, shown: false }),
  overwritesAgentPool: attribute.flag('Whether it has its own agent pool.', { default: true, shown: false }),
  toolVersionIsSet: attribute.flag('Whether somebody chose the version of its tool.', { default: false, shown: false }),
  autoDestroyStatus: attribute.text('null, `scheduled`, `queued`, `destroying`, `destroyed`, `errored` or `skipped`.', {
    nullable: true,
  }),
})

/** What is said only when a workspace is created. */
export const origin = fieldSet({
  sourceName: attribute.text('Name of the tool that created the workspace.', {
    nullable: true,
    maxLength: 255,
    shown: 'Name of the tool that created it.',
  }),
  sourceUrl: attribute.text('URL of the tool that created the workspace.', {
    nullable: true,
    maxLength: 2_048,
    check: webUrlProblem,
    shown: 'URL of the tool that created it.',
  }),
})

/** What the server notes, and documents show. */
export const facts = fieldSet({
  source: attribute.text('Where the workspace came from.'),
  /** A copy of what `workspace_tags` says. */
  tagNames: attribute.list('Flat tags, in the order they were added.', attribute.text('Name.')),
  resourceCount: attribute.whole('Number of resources that its state manages.', { default: 0 }),
  createdAt: attribute.time('When it was created.'),
  updatedAt: attribute.time('When its settings last changed.'),
  latestChangeAt: attribute.time('When its state last changed.'),
  planDurationAverage: attribute.whole('Average in milliseconds, over past runs.', { nullable: true }),
  applyDurationAverage: attribute.whole('The same of applies.', { nullable: true }),
  runFailures: attribute.whole('Past runs that failed.', { nullable: true }),
})

/** What only the server reads. */
export const internals = fieldSet({
  organizationId: attribute.text('Its organization.'),
  sshKeyId: attribute.text('The key that fetches modules.', { nullable: true }),
  currentStateVersionId: attribute.text('Its current state.', { nullable: true }),
  currentConfigurationVersionId: attribute.text('The configuration that runs use unless they name one.', {
    nullable: true,
  }),
  currentRunId: attribute.text('The run that is first in its queue, or was the last to be.', { nullable: true }),
  currentRunStatus: attribute.text('What has become of that run.', { nullable: true }),
  currentRunNewestFirst: attribute.whole('When that run was created, in milliseconds below zero; 0 without a run.', {
    default: 0,
  }),
  currentRunAtOrLast: attribute.whole('When it was created, in milliseconds; later than any time without a run.', {
    default: Number.MAX_SAFE_INTEGER,
  }),
  runsCounted: attribute.whole('How many runs these figures cover.', { nullable: true }),
  resourceCountKnown: attribute.flag('False if the state cannot be read: nobody may call it empty.', { default: true }),
  /** Writes that need the lock name the generation they were allowed under. */
  lockGeneration: attribute.whole('Moves with every lock and unlock.', { default: 0 }),
  revision: attribute.whole('Moves with every write: a writer sees by it whether somebody was faster.', { default: 1 }),
})
