import { hidden, type OrganizationGrants } from '../../../access/permissions/index.ts'
import { type Instant, later } from '../../../kernel/clock.ts'
import { type Fault, failure } from '../../../kernel/failure.ts'
import { type Author, serverAuthor } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import { requireNoFaults } from '../../../kit/jsonapi/index.ts'
import type { Tx } from '../../../storage/open.ts'
import { organizationOf } from '../../people/organizations/index.ts'
import { keepContent, type UsableConfiguration, usableConfiguration } from '../configurations/index.ts'
import {
  catalogueOf,
  effectiveExecution,
  inheritedExecution,
  type LockHolder,
  loadWorkspace,
  mayOnWorkspace,
  projectDefaultsOf,
  type Workspace,
} from '../workspaces/index.ts'
import { type CreationContext, creationFaults, givenOrNull, openFaults, type RequestedRun } from './creation.ts'
import { addEvent } from './record-actions.ts'
import { noCounts, type Phase, type PhaseKind, type Run, runLimits } from './run.ts'
import { changeRuns, type Desk, type RunDeps, startRun } from './run-actions.ts'
import { facts, internals, options } from './run-fields.ts'
import { countOpen, insertRun, loadHead, loadLast, loadRepeated } from './run-store.ts'
import { withDeadline } from './transition.ts'
import { freezeVariables } from './variable-actions.ts'

/** A request for a new run. */
export type NewRun = {
  readonly by: LockHolder
  readonly grants: OrganizationGrants
  readonly workspace: Workspace
  readonly configurationId: string | null
  readonly requested: RequestedRun
  readonly source: string
  /** Why there is the run; `manual` unless somebody says otherwise. */
  readonly reason?: string
  readonly message: string
  readonly idempotencyKey: string | null
  /** Throws the faults together with those of the document. */
  readonly requireNoFaults: (faults: readonly Fault[]) => void
}

type CreationDeps = RunDeps & Pick<Deps, 'log'>

/** Where repeated requests are known for. */
const repeatedWithin = 24 * 3_600_000

/** Creates a run, which is pending at first. */
export async function createRun(deps: CreationDeps, author: Author, wanted: NewRun): Promise<Run> {
  const context = await contextOf(deps, wanted)
  wanted.requireNoFaults(creationFaults(wanted.requested, context))
  const { configuration, tool } = context
  if (!configuration || tool.version === null) throw hidden()
  const inputs = { ...context, configuration, toolVersion: tool.version }
  const allows = (workspace: Workspace) => mayOnWorkspace(wanted.grants, 'can-queue-run', workspace)
  const target = { workspaceId: wanted.workspace.id, allows, starts: false }
  return await changeRuns(deps, author, target, (desk) => addRun(deps, desk, wanted, inputs))
}

/** Lets a new run begin if it waits for nothing. It is there: should this fail, the sweeper does it a moment later. */
export async function beginRun(deps: CreationDeps, run: Run): Promise<void> {
  await startRun(deps, serverAuthor, run).catch((err) => deps.log.error({ err, run: run.id }, 'could not start a run'))
}

async function contextOf(deps: CreationDeps, wanted: NewRun): Promise<CreationContext> {
  const { workspace, requested, configurationId } = wanted
  const organization = await organizationOf(deps, workspace.organizationId)
  const project = await projectDefaultsOf(deps, workspace.projectId)
  const catalogue = await catalogueOf(deps)
  const tool = catalogue.resolve(requested.toolVersion ?? workspace.toolVersion, organization.defaultTool)
  return {
    workspace,
    execution: effectiveExecution(workspace, inheritedExecution(organization, project)),
    isRemoteExecutionOn: organization.remoteExecutionEnabled,
    configuration: await readableConfiguration(deps, wanted),
    isNamed: configurationId !== null,
    tool: { ...tool, isKnown: catalogue.releases.some(({ version }) => version === tool.version) },
  }
}

/** The configuration of a run: that of another workspace only if the caller may read the runs there. */
async function readableConfiguration(
  deps: Pick<Deps, 'db'>,
  { workspace, configurationId, grants }: NewRun,
): Promise<UsableConfiguration | undefined> {
  const found = await usableConfiguration(deps.db, { workspaceId: workspace.id, configurationId })
  if (!found || found.workspaceId === workspace.id) return found
  const other = await loadWorkspace(deps.db, found.workspaceId)
  return other && mayOnWorkspace(grants, 'can-read-run', other) ? found : undefined
}

type Inputs = CreationContext & { readonly configuration: UsableConfiguration; readonly toolVersion: string }

async function addRun(deps: RunDeps, desk: Desk, wanted: NewRun, inputs: Inputs): Promise<Run> {
  const { tx, workspace } = desk
  const repeated = await loadRepeatedRun(deps, tx, wanted)
  if (repeated) return repeated
  requireNoFaults(
    openFaults(await countOpen(tx, { workspaceId: workspace.id, organizationId: workspace.organizationId })),
  )
  if (!(await keepContent(tx, inputs.configuration.id))) throw contentGone()
  const last = await loadLast(tx, workspace.id)
  const head = await loadHead(tx, workspace.id)
  const made = newRun(deps, { ...wanted, workspace }, inputs, last)
  const place = made.queueNumber === null ? 'beside' : head ? 'behind' : 'first'
  const run = withDeadline(made, { now: made.createdAt, limits: runLimits, place, isFree: workspace.lock === null })
  await insertRun(tx, run)
  await freezeVariables(deps, tx, { run, workspace }, wanted.requested.variables ?? [])
  const description = 'The run was created.'
  await addEvent(deps, tx, run, { action: 'created', description, actor: run.createdBy })
  return run
}

const contentGone = () =>
  failure('conflict', 'runs.configuration-gone', 'The content of the configuration version has just been removed.')

const loadRepeatedRun = async (deps: RunDeps, tx: Tx, { workspace, by, idempotencyKey }: NewRun) =>
  idempotencyKey === null
    ? undefined
    : await loadRepeated(tx, workspace.id, {
        key: idempotencyKey,
        by,
        since: later(deps.clock.now(), -repeatedWithin),
      })

const newPhase = ({ ids }: RunDeps, kind: PhaseKind, now: Instant): Phase => ({
  id: ids.newId(kind),
  kind,
  status: 'pending',
  times: { 'pending-at': now },
  counts: noCounts,
})

function newRun(
  deps: RunDeps,
  { by, grants, workspace, requested, source, reason = 'manual', message, idempotencyKey }: NewRun,
  { configuration, execution, tool, toolVersion }: Inputs,
  last: { readonly ordinal: number; readonly queueNumber: number },
): Run {
  const now = deps.clock.now()
  const planOnly = requested.planOnly ?? configuration.speculative
  const savePlan = requested.savePlan ?? false
  const isBeside = planOnly || savePlan
  const mayApply = mayOnWorkspace(grants, 'can-queue-apply', workspace)
  const phase = (kind: PhaseKind): Phase => newPhase(deps, kind, now)
  const { variables: _, planOnly: _only, autoApply, toolVersion: _version, ...given } = requested
  return {
    ...options.initial,
    ...facts.initial,
    ...internals.initial,
    ...options.given(given),
    message: Array.from(message).slice(0, 4_096).join(''),
    targetAddrs: givenOrNull(requested.targetAddrs),
    replaceAddrs: givenOrNull(requested.replaceAddrs),
    policyPaths: requested.policyPaths ?? null,
    invokeActionAddrs: givenOrNull(requested.invokeActionAddrs),
    id: deps.ids.newId('run'),
    workspaceId: workspace.id,
    organizationId: workspace.organizationId,
    ordinal: last.ordinal + 1,
    queueNumber: isBeside ? null : last.queueNumber + 1,
    status: 'pending',
    times: { 'pending-at': now, 'plan-queueable-at': now },
    planOnly,
    autoApply: (autoApply ?? workspace.autoApply) && !isBeside && mayApply,
    toolVersion,
    toolName: tool.tool,
    source,
    triggerReason: reason,
    logFormat: 'text',
    createdAt: now,
    updatedAt: now,
    configurationVersionId: configuration.id,
    workingDirectory: workspace.workingDirectory ?? '',
    executionMode: execution.executionMode,
    agentPoolId: execution.agentPoolId,
    sshKeyId: workspace.sshKeyId,
    toldReasons: [],
    lookAt: later(now, 5_000),
    idempotencyKey,
    createdBy: by,
    confirmedBy: null,
    canceledBy: null,
    error: null,
    plan: phase('plan'),
    apply: phase('apply'),
  }
}
