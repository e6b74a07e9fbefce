import { appInstallationAlias, toolVersionAlias } from '../../../compat/workspace-names.ts'
import type { Fault } from '../../../kernel/failure.ts'
import { type Attribute, attribute, draftBody, relation, type Values } from '../../../kit/jsonapi/index.ts'
import { executionModes } from '../../organizations/index.ts'
import { bindingAttributes, sentBindings } from '../tagging/binding-wire.ts'
import { tagAttributes } from '../tagging/tag-wire.ts'
import { type AskedSettings, poolPointers, type WorkspaceDraft } from './asked-rules.ts'
import { activityDurationProblem } from './auto-destroy-rules.ts'
import { workspaceNameProblem } from './settings-rules.ts'
import {
  globProblem,
  longestPattern,
  mostPatterns,
  patternsProblem,
  regexProblem,
  relativePathProblem,
} from './trigger-rules.ts'
import { identifierProblem } from './vcs-rules.ts'

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

const blankOr = (problem: (text: string) => string | undefined) => (text: string) =>
  text === '' ? undefined : problem(text)

const vcsRepo = attribute.object(
  'Link to a repository; null removes it. A new link needs identifier and oauth-token-id.',
  {
    identifier: notBlank(attribute.text('":org/:repo".', { maxLength: 512, check: identifierProblem })),
    oauthTokenId: attribute.text('The connection, `ot-…`.', { nullable: true }),
    vcsAppInstallationId: attribute.text('An app installation in place of the token; on updates only.', {
      nullable: true,
      aliases: [appInstallationAlias],
    }),
    branch: attribute.text('Branch; blank for the default one.', { nullable: true, maxLength: 255 }),
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
  "Which settings are the workspace's own; false follows the defaults of project and organization.",
  {
    executionMode: attribute.flag('Own execution mode.', { default: true }),
    agentPool: attribute.flag('Own agent pool.', { default: true }),
  },
  { nullable: true },
)

const pathText = { nullable: true, maxLength: longestPattern, check: relativePathProblem } as const
const pathItem = attribute.text('Path.', { maxLength: longestPattern, check: relativePathProblem })
const globItem = attribute.text('Glob.', { maxLength: longestPattern, check: globProblem })
const patternsRules = { nullable: true, maxItems: mostPatterns, check: patternsProblem } as const
const durationRules = { nullable: true, check: activityDurationProblem, example: '14d' } as const

const settings = {
  description: attribute.text('What it is for.', { nullable: true, maxLength: 4_096 }),
  executionMode: attribute.choice('Where runs are carried out.', executionModes),
  operations: attribute.flag('Deprecated: true for execution-mode remote, false for local.'),
  agentPoolId: attribute.text('Pool for agent mode; blank counts as not given.', { nullable: true }),
  settingOverwrites,
  allowDestroyPlan: attribute.flag('Whether destroy plans can be made.', { default: true }),
  assessmentsEnabled: attribute.flag('Health assessments; hosted edition only.', {
    aliases: ['drift-detection'],
    default: false,
  }),
  autoApply: attribute.flag('Apply without asking when a run is started by people or pushes.', { default: false }),
  autoApplyRunTrigger: attribute.flag('Apply without asking when a run trigger started the run.', { default: false }),
  autoDestroyAt: attribute.time('When everything is destroyed next; null for never.', { nullable: true }),
  autoDestroyActivityDuration: attribute.text('Destroy after so long without activity.', durationRules),
  inheritsProjectAutoDestroy: attribute.flag('Whether the project decides about that.', { nullable: true }),
  fileTriggersEnabled: attribute.flag('Whether prefixes and patterns select which pushes start runs.', {
    default: true,
  }),
  triggerPrefixes: attribute.list('Paths watched beside the working directory.', pathItem, patternsRules),
  triggerPatterns: attribute.list('Glob patterns of watched files.', globItem, patternsRules),
  globalRemoteState: attribute.flag('Whether every workspace of the organization may read the state.'),
  projectRemoteState: attribute.flag('Whether every workspace of the project may read the state.'),
  queueAllRuns: attribute.flag('Whether runs start before the first one was made by hand.', { default: false }),
  speculativeEnabled: attribute.flag('Whether pull requests are planned.', { default: true }),
  structuredRunOutputEnabled: attribute.flag('Whether runs report in a structured form.', { default: true }),
  toolVersion: attribute.text('Exact version, constraint, or `latest`; maybe after `tool:`.', {
    aliases: [toolVersionAlias],
    maxLength: 256,
    example: '~> 1.9',
  }),
  workingDirectory: attribute.text('Where the configuration lies in the repository.', pathText),
  vcsRepo,
} as const

const origin = {
  sourceName: attribute.text('Name of what created the workspace.', { nullable: true, maxLength: 255 }),
  sourceUrl: attribute.text('Address of what created the workspace.', {
    nullable: true,
    maxLength: 2_048,
    check: blankOr((text) => (isWebUrl(text) ? undefined : 'must be a URL')),
  }),
} as const

const isWebUrl = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

const relationships = {
  project: relation.one('projects', 'The project it belongs to; the default project unless told.'),
  agentPool: relation.one('agent-pools', 'Pool for agent mode, unless the attribute names one.', { nullable: true }),
  tagBindings: relation.items('tag-bindings', 'Keys and values; on an update they replace those there are.', {
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
  readonly settle: (faults: readonly Fault[]) => unknown
}

/** Settings as they were sent; generated clients name the pool by a relationship, which counts in agent mode only. */
function askedSettings(attributes: AskedSettings, related: string | null | undefined): AskedSettings {
  const { executionMode = 'agent', operations, agentPoolId } = attributes
  const counts = related !== undefined && !agentPoolId && executionMode === 'agent' && operations === undefined
  return counts ? { ...attributes, agentPoolId: related, poolPointer: poolPointers.relationship } : attributes
}

/** A document in the form that actions take. */
export const toDraft = ({ read, settle }: Sent<SentRelationships>): WorkspaceDraft => ({
  asked: askedSettings(read.attributes, read.relationships.agentPool),
  projectId: read.relationships.project,
  bindings: read.relationships.tagBindings && sentBindings(read.relationships.tagBindings),
  settle,
})

/** A document that the server wrote itself, read like one that was sent. */
export const readWorkspaceChange = (document: Readonly<Record<string, unknown>>): WorkspaceDraft =>
  toDraft(changedWorkspaceBody.parse({ ...document }, { warn: () => undefined }))

type SentRelationships = Partial<Values<typeof relationships>>
