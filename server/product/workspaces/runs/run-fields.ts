import { runSources, toolNames, toolVersionAlias } from '../../../compat/vendor-names.ts'
import { attribute } from '../../../kit/jsonapi/attribute-kinds.ts'
import { fieldSet } from '../../../kit/jsonapi/document-field-set.ts'

const longestText = 4_096

/** The source of a run that an upload has queued. */
export const configurationSource: string = runSources.configuration

/** The first release that can invoke actions. */
export const invoking = { tool: toolNames[1], version: '1.14.0' } as const

/** What is wrong with the address of a resource, or the key of a variable. */
export const addressProblem = (text: string): string | undefined =>
  /\p{Cc}/u.test(text) ? 'must not contain control characters' : undefined

const addresses = (description: string) =>
  attribute.list(description, attribute.text('Address.', { maxLength: longestText, check: addressProblem }), {
    nullable: true,
    maxItems: 1_000,
  })

/** What a run is created with, and shows as it was sent. */
export const options = fieldSet({
  message: attribute.text('What it is for; what is beyond 4,096 characters is cut off.', { default: '' }),
  isDestroy: attribute.flag('Whether it destroys everything.', { default: false }),
  refresh: attribute.flag('Whether the state is brought up to date before planning.', { default: true }),
  refreshOnly: attribute.flag('Whether it only brings the state up to date.', { default: false }),
  targetAddrs: addresses('The only resources that are planned.'),
  replaceAddrs: addresses('Resources that are replaced.'),
  savePlan: attribute.flag('Whether the plan is kept until somebody confirms it, without holding the workspace.', {
    default: false,
  }),
  allowEmptyApply: attribute.flag('Whether a plan without changes is applied.', { default: false }),
  allowConfigGeneration: attribute.flag('Whether the plan may write configuration for imported resources.', {
    default: false,
  }),
  debuggingMode: attribute.flag('Whether the tool logs everything that it does.', { default: false }),
  policyPaths: attribute.list('Shown as sent; without effect.', attribute.text('Path.'), { nullable: true }),
})

/** What is frozen when a run is created, and shown. */
export const inputs = fieldSet({
  planOnly: attribute.flag('Whether it never applies; by default so if its configuration is speculative.'),
  autoApply: attribute.flag('Whether a plan with changes is applied without confirmation.'),
  invokeActionAddrs: addresses('Actions of the configuration that are invoked.'),
  toolVersion: attribute.text('The exact version of the tool.', { aliases: [toolVersionAlias] }),
  toolName: attribute.text('The tool.'),
  source: attribute.text('How it was created.'),
  triggerReason: attribute.text('Why it was created.'),
  logFormat: attribute.choice('`text` or `json`.', ['text', 'json']),
})

/** What the server notes, and shows. */
export const facts = fieldSet({
  hasChanges: attribute.flag('Whether the plan changes anything.', { default: false }),
  planDigest: attribute.text('SHA-256 of the plan file: what is shown, confirmed and applied.', { nullable: true }),
  createdAt: attribute.time('When it was created.'),
  updatedAt: attribute.time('When its status last changed.'),
  confirmedAt: attribute.time('When it was confirmed.', { nullable: true }),
  canceledAt: attribute.time('When it was canceled, or asked to end.', { nullable: true }),
  forceCancelAvailableAt: attribute.time('From when it can be canceled by force.', { nullable: true }),
  deadlineAt: attribute.time('When the server acts by itself if nothing happens before.', { nullable: true }),
})

/** What only the server reads. */
export const internals = fieldSet({
  workspaceId: attribute.text('Its workspace.'),
  organizationId: attribute.text('Its organization.'),
  ordinal: attribute.whole('Counts the runs of a workspace from 1.'),
  configurationVersionId: attribute.text('What it plans.'),
  workingDirectory: attribute.text('Where the tool runs.'),
  executionMode: attribute.text('`remote` or `agent`.'),
  agentPoolId: attribute.text('Who executes it in agent mode.', { nullable: true }),
  sshKeyId: attribute.text('The key that fetches modules.', { nullable: true }),
  /** Null beside the queue: plan-only runs, and saved plans that nobody has confirmed. */
  queueNumber: attribute.whole('Its place in the queue of the workspace.', { nullable: true }),
  generatedConfiguration: attribute.flag('Whether the plan wrote configuration.', { default: false }),
  inputStateVersionId: attribute.text('The state it was planned with.', { nullable: true }),
  discardedAt: attribute.time('When somebody discarded it.', { nullable: true }),
  discardedById: attribute.text('Who discarded it.', { nullable: true }),
  forceCanceledAt: attribute.time('When it was ended by force.', { nullable: true }),
  timedOut: attribute.flag('Whether the phase has had its longest time.', { default: false }),
  fence: attribute.whole('Moves whenever a job is offered or taken back; effects of a runner name it.', { default: 0 }),
  attempt: attribute.whole('How often the present job has been offered.', { default: 0 }),
  claimedBy: attribute.text('The runner that has the job.', { nullable: true }),
  isStarted: attribute.flag('Whether the runner has begun to work on the job.', { default: false }),
  isLost: attribute.flag('Whether the runner of an apply gives no signs of life.', { default: false }),
  signal: attribute.text('What the runner is to do to the tool: `interrupt` or `kill`.', { nullable: true }),
  leaseUntil: attribute.time('Until when the runner has to give a sign of life.', { nullable: true }),
  limitAt: attribute.time('When the phase has had its longest time.', { nullable: true }),
  endBy: attribute.time('When the next thing is done to a phase that should end.', { nullable: true }),
  /** Reasons that were told already, each once. */
  toldReasons: attribute.list('Why it waited.', attribute.text('Code.')),
  lookAt: attribute.time('When to look why it waits.', { nullable: true }),
  idempotencyKey: attribute.text('By which a repeated request is known.', { nullable: true }),
})
