import { appInstallationAlias, toolVersionAlias } from '../../../../compat/workspace-names.ts'
import type { Fault } from '../../../../kernel/failure.ts'
import { type Attribute, attribute, draftBody, relation, type Values } from '../../../../kit/jsonapi/index.ts'
import { executionModes } from '../../../people/organizations/index.ts'
import { bindingAttributes, sentBindings } from '../tagging/binding-wire.ts'
import { tagAttributes } from '../tagging/tag-wire.ts'
import { type AskedSettings, poolPointers, type WorkspaceDraft } from './asked-rules.ts'
import { activityDurationProblem } from './auto-destroy-rules.ts'
import { workspaceNameProblem } from './settings-rules.ts'
import {
  globProblem,
  longestPattern,
  maxPatterns,
  patternsProblem,
  regexProblem,
  relativePathProblem,
} from './vcs/trigger-rules.ts'
import { identifierProblem } from './vcs/vcs-rules.ts'

/** Null and blank have an error of their own, different from that of a wrong type: the name "can't be blank". */
const notBlank = (inner: Attribute<string, false>): Attribute<string, false> => ({
  ...inner,
  read: (raw, at, faults) => {
    if (raw !== null && raw !== '') return inner.read(raw, at, faults)
    faults.push({ detail: `${at.label} can't be blank`, pointer: at.pointer })
    return undefined
  },
})

const nameRules = { maxLength: 260, check: workspaceNameProblem, example: 'network-prod' } as const
const nameText = 'Letters, numbers, "-" and "_"; unique in the organization.'

const vcsRepo = attribute.object(
  'Link to a repository; null removes it. A new link needs identifier and oauth-token-id.',
  {
    identifier: notBlank(attribute.text('":org/:repo".', { maxLength: 512, check: identifierProblem })),
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
)

const settingOverwrites = attribute.object(
  "Which settings are the workspace's own; with false they follow the defaults of project and organization.",
  {
    executionMode: attribute.flag('Whether it has its own execution mode.', { default: true }),
    agentPool: attribute.flag('Whether it has its own agent pool.', { default: true }),
  },
  { nullable: true },
)

const pathText = { nullable: true, maxLength: longestPattern, check: relativePathProblem } as const
const pathItem = attribute.text('Path.', { maxLength: longestPattern, check: relativePathProblem })
const globItem = attribute.text('Glob.', { maxLength: longestPattern, check: globProblem })
const patternsRules = { nullable: true, maxItems: maxPatterns, check: patternsProblem } as const
const durationRules = { nullable: true, check: activityDurationProblem, example: '14d' } as const

const settings = {
  description: attribute.text('What it is for.', { nullable: true, maxLength: 4_096 }),
  executionMode: attribute.choice('Where runs are executed.', executionModes),
  operations: attribute.flag('Deprecated: true for execution-mode remote, false for local.'),
  agentPoolId: attribute.text('Agent pool for agent mode; an empty value is ignored.', { nullable: true }),
  settingOverwrites,
  allowDestroyPlan: attribute.flag('Whether destroy plans are allowed.', { default: true }),
  assessmentsEnabled: attribute.flag('Whether health is assessed; hosted edition only.', {
    aliases: ['drift-detection'],
    default: false,
  }),
  autoApply: attribute.flag('Apply automatically when a run is started by a user or a push.', { default: false }),
  autoApplyRunTrigger: attribute.flag('Apply automatically when a run trigger started the run.', { default: false }),
  autoDestroyAt: attribute.time('When everything is to be destroyed; null for never.', { nullable: true }),
  autoDestroyActivityDuration: attribute.text(
    'Period of inactivity after which everything is destroyed.',
    durationRules,
  ),
  inheritsProjectAutoDestroy: attribute.flag('Whether that period is inherited from the project.', { nullable: true }),
  fileTriggersEnabled: attribute.flag('Whether path prefixes and patterns decide which pushes start runs.', {
    default: true,
  }),
  triggerPrefixes: attribute.list('Paths watched in addition to the working directory.', pathItem, patternsRules),
  triggerPatterns: attribute.list('Glob patterns of watched files.', globItem, patternsRules),
  globalRemoteState: attribute.flag('Whether every workspace of the organization may read the state.'),
  projectRemoteState: attribute.flag('Whether every workspace of the project may read the state.'),
  queueAllRuns: attribute.flag('Whether runs may start before the first one was queued manually.', { default: false }),
  speculativeEnabled: attribute.flag('Whether pull requests start speculative plans.', { default: true }),
  structuredRunOutputEnabled: attribute.flag('Whether runs produce structured output.', { default: true }),
  toolVersion: attribute.text('Exact version, constraint, or `latest`; optionally prefixed with `tool:`.', {
    aliases: [toolVersionAlias],
    maxLength: 256,
    example: '~> 1.9',
  }),
  workingDirectory: attribute.text('Directory of the configuration in the repository.', pathText),
  vcsRepo,
} as const

const origin = {
  sourceName: attribute.text('Name of the tool that created the workspace.', { nullable: true, maxLength: 255 }),
  sourceUrl: attribute.text('URL of the tool that created the workspace.', {
    nullable: true,
    maxLength: 2_048,
    check: (text) => (isWebUrl(text) ? undefined : 'must be a URL'),
  }),
} as const

/** The parser skips line breaks, and slashes before the host, so that what is shown would be another URL. */
const isWebUrl = (text: string): boolean => /^https?:\/\/[^/\\\s]\P{Cc}*$/iu.test(text) && URL.canParse(text)

const relationships = {
  project: relation.one('projects', 'The project it belongs to; the default project if omitted.'),
  agentPool: relation.one('agent-pools', 'Agent pool for agent mode, unless the attribute names one.', {
    nullable: true,
  }),
  tagBindings: relation.items('tag-bindings', 'Tag bindings; on an update they replace the existing ones.', {
    attributes: bindingAttributes,
  }),
} as const

/** The body that makes a workspace. */
export const newWorkspaceBody = draftBody('workspaces', {
  attributes: { name: attribute.text(nameText, { ...nameRules, required: true }), ...settings, ...origin },
  relationships: { ...relationships, tags: relation.items('tags', 'Flat tags.', { attributes: tagAttributes }) },
})

/** The body that changes a workspace. */
export const changedWorkspaceBody = draftBody('workspaces', {
  attributes: { name: notBlank(attribute.text(nameText, nameRules)), ...settings },
  relationships,
})

type Sent<R> = {
  readonly read: { readonly attributes: AskedSettings; readonly relationships: R }
  readonly requireNoFaults: (faults: readonly Fault[]) => unknown
}

/** Settings as they were sent; generated clients name the pool by a relationship, which counts in agent mode only. */
function askedSettings(attributes: AskedSettings, related: string | null | undefined): AskedSettings {
  const { executionMode = 'agent', operations, agentPoolId } = attributes
  const counts = related !== undefined && !agentPoolId && executionMode === 'agent' && operations === undefined
  return counts ? { ...attributes, agentPoolId: related, poolPointer: poolPointers.relationship } : attributes
}

/** A document in the form that actions take. */
export const toDraft = ({ read, requireNoFaults }: Sent<SentRelationships>): WorkspaceDraft => ({
  asked: askedSettings(read.attributes, read.relationships.agentPool),
  projectId: read.relationships.project,
  bindings: read.relationships.tagBindings && sentBindings(read.relationships.tagBindings),
  requireNoFaults,
})

/** A document that the server wrote itself, read like one that was sent. */
export const readWorkspaceChange = (document: Readonly<Record<string, unknown>>): WorkspaceDraft =>
  toDraft(changedWorkspaceBody.parse({ ...document }, { warn: () => undefined }))

type SentRelationships = Partial<Values<typeof relationships>>
