import { type OrganizationGrants, rightsOnWorkspace, workspaceRights } from '../../../access/permissions/index.ts'
import { toolVersionAlias } from '../../../compat/vendor-names.ts'
import { toIso } from '../../../kernel/clock.ts'
import type { ActorPrincipal } from '../../../kernel/principal.ts'
import { type Call, Type } from '../../../kit/endpoint.ts'
import { type Relationship, type Resource, resourceSchema, shown, toMany, toOne } from '../../../kit/jsonapi/index.ts'
import { serviceUserId } from '../../people/users/index.ts'
import type { StatusTimes } from '../configurations/index.ts'
import { holderOf, isSameHolder, type LockHolder, type Workspace } from '../workspaces/index.ts'
import { positionsOf } from './list-store.ts'

import { listComments, listEvents, listGivenVariables } from './record-store.ts'
import { type Run, runLimits } from './run.ts'
import { facts, inputs, options } from './run-fields.ts'
import { actionsOf, type Situation } from './transition.ts'
import { openGiven } from './variable-actions.ts'
import type { WaitReason } from './wait-reason.ts'
import { surroundingsOf } from './waiting-actions.ts'

/** What rendering a run needs of a call. */
type RenderCall = Pick<Call, 'deps'>

/** Who reads, with their rights in the organization. */
export type Reader = { readonly grants: OrganizationGrants; readonly actor: ActorPrincipal }

/** Times as documents have them. */
export const timesShown = (times: StatusTimes): Record<string, string> =>
  Object.fromEntries(Object.entries(times).map(([name, at]) => [name, toIso(at)]))

/** A person; teams and organizations appear as their service users. */
export const personShown = (holder: LockHolder | null): Relationship => {
  if (!holder) return { data: null }
  const id = holder.kind === 'user' ? holder.id : serviceUserId(holder)
  return toOne('users', id, `/api/v2/users/${id}`)
}

/** A run with everything that its document shows besides its row. */
type RunView = {
  readonly run: Run
  readonly workspace: Workspace
  readonly organizationName: string
  readonly situation: Situation
  readonly reason: WaitReason | undefined
  readonly position: number
  readonly eventIds: readonly string[]
  readonly commentIds: readonly string[]
  readonly variables: readonly { readonly key: string; readonly value: string | null }[]
  readonly reader: Reader
}

/** What the caller may do with a run. */
export function permissionsOn({ run, workspace, reader }: Pick<RunView, 'run' | 'workspace' | 'reader'>) {
  const rights = rightsOnWorkspace(reader.grants, workspace)
  const has = (right: 'can-queue-run' | 'can-queue-apply' | 'can-force-unlock') => workspaceRights.has(rights, right)
  const isOwn = isSameHolder(run.createdBy, holderOf(reader.actor)) && (run.planOnly || run.savePlan)
  const isToken = reader.grants.organizationToken
  return {
    'can-apply': has('can-queue-apply'),
    'can-cancel': has('can-queue-apply') || (isOwn && has('can-queue-run')),
    'can-comment': has('can-queue-run'),
    'can-discard': has('can-queue-apply'),
    'can-force-cancel': has('can-force-unlock') && !isToken,
    'can-force-execute': has('can-queue-apply'),
    'can-override-policy-check': false,
  }
}

const toRunResource = (view: RunView): Resource => {
  const { run, workspace, organizationName, situation, reason } = view
  const self = `/api/v2/runs/${run.id}`
  return {
    type: 'runs',
    id: run.id,
    attributes: {
      ...options.toDocument(run),
      ...inputs.toDocument(run),
      ...facts.toDocument(run),
      [toolVersionAlias]: run.toolVersion,
      variables: view.variables,
      status: run.status,
      'status-timestamps': timesShown(withForce(run)),
      'position-in-queue': view.position,
      actions: actionsOf(run, situation),
      permissions: permissionsOn(view),
      'wait-reason': reason
        ? { code: reason.code, message: reason.message, since: toIso(reason.since), details: reason.details }
        : null,
      error: run.error,
    },
    relationships: {
      workspace: toOne('workspaces', run.workspaceId, `/api/v2/workspaces/${run.workspaceId}`),
      'configuration-version': toOne(
        'configuration-versions',
        run.configurationVersionId,
        `${self}/configuration-version`,
      ),
      plan: toOne('plans', run.plan.id, `${self}/plan`),
      apply: toOne('applies', run.apply.id, `${self}/apply`),
      'created-by': personShown(run.createdBy),
      'confirmed-by': personShown(run.confirmedBy),
      'canceled-by': personShown(run.canceledBy),
      'run-events': toMany('run-events', view.eventIds, `${self}/run-events`),
      comments: toMany('comments', view.commentIds, `${self}/comments`),
      'input-state-version': toOne('state-versions', run.inputStateVersionId),
      'cost-estimate': { data: null },
      'policy-checks': { data: [] },
      'task-stages': { data: [] },
      'tf-policy-evaluations': { data: [] },
      'triggering-run': { data: null },
      'triggering-source': { data: null },
    },
    links: { self, 'self-html': `/app/${organizationName}/${workspace.name}/runs/${run.id}` },
  }
}

const withForce = ({ times, forceCanceledAt }: Run): StatusTimes =>
  forceCanceledAt === null ? times : { ...times, 'force-canceled-at': forceCanceledAt }

/** Runs of one organization as resources: the same few queries for one as for a page of them. */
export async function renderRuns({ deps }: RenderCall, reader: Reader, runs: readonly Run[]): Promise<Resource[]> {
  if (runs.length === 0) return []
  const ids = runs.map(({ id }) => id)
  const { workspaces, heads, reasons } = await surroundingsOf(deps, runs)
  const { organizationId, organizationName } = reader.grants
  const positions = await positionsOf(deps.reads, organizationId, ids)
  const events = Map.groupBy(await listEvents(deps.db, ids), ({ runId }) => runId)
  const comments = Map.groupBy(await listComments(deps.db, ids), ({ runId }) => runId)
  const given = Map.groupBy(await listGivenVariables(deps.db, ids), ({ runId }) => runId)
  return runs.flatMap((run) => {
    const workspace = workspaces.get(run.workspaceId)
    if (!workspace) return []
    const head = heads.get(workspace.id)
    return toRunResource({
      run,
      workspace,
      organizationName,
      situation: situationOf(deps, run, workspace, head),
      reason: reasons.get(run.id),
      position: positions.get(run.id) ?? 0,
      eventIds: (events.get(run.id) ?? []).map(({ id }) => id),
      commentIds: (comments.get(run.id) ?? []).map(({ id }) => id),
      variables: (given.get(run.id) ?? []).map((variable) => openGiven(deps, variable)),
      reader,
    })
  })
}

/** A run as a resource. */
export async function renderRun(call: RenderCall, reader: Reader, run: Run): Promise<Resource> {
  const [resource] = await renderRuns(call, reader, [run])
  return resource as Resource
}

/** What decides which actions are possible, as far as documents show them. */
const situationOf = (
  { clock }: Pick<Call['deps'], 'clock'>,
  run: Run,
  workspace: Workspace,
  head: Run | undefined,
): Situation => ({
  now: clock.now(),
  limits: runLimits,
  place: run.queueNumber === null ? 'beside' : head?.id === run.id ? 'first' : 'behind',
  isFree: workspace.lock === null && (!head || head.id === run.id),
  holder: null,
  stateId: workspace.currentStateVersionId,
  mayApply: true,
  by: null,
  queueNumber: 0,
  runner: null,
  result: null,
})

/** A run as answers show it. */
export const runSchema = resourceSchema('runs', {
  attributes: {
    ...options.shown,
    ...inputs.shown,
    ...facts.shown,
    [toolVersionAlias]: shown.text('Same as `tool-version`, under the name that compatible clients know.'),
    variables: shown.entries('Variables that it was given, as they were sent.', {
      key: shown.text('Name.'),
      value: shown.maybeText('Text of its value; null if the workspace has a sensitive variable of that name.'),
    }),
    status: shown.text('What has become of it.'),
    'status-timestamps': Type.Record(Type.String(), Type.String({ format: 'date-time' }), {
      description: 'When each status was reached.',
    }),
    'position-in-queue': shown.whole('How many runs are before it; 0 if none of them waits.'),
    actions: shown.flags(
      ['is-cancelable', 'is-confirmable', 'is-discardable', 'is-force-cancelable'],
      'What can be done with it.',
    ),
    permissions: shown.flags(
      [
        'can-apply',
        'can-cancel',
        'can-comment',
        'can-discard',
        'can-force-cancel',
        'can-force-execute',
        'can-override-policy-check',
      ],
      'What the caller may do with it.',
    ),
    'wait-reason': Type.Union(
      [
        Type.Object({
          code: shown.text('For programs.'),
          message: shown.text('For people.'),
          since: shown.time('Since when.'),
          details: Type.Record(Type.String(), Type.String(), { description: 'Whom or what it waits for.' }),
        }),
        Type.Null(),
      ],
      { description: 'Why it waits; null if it does not.' },
    ),
    error: Type.Union(
      [
        Type.Object({
          code: shown.text('For programs.'),
          message: shown.text('For people: what was wrong, and what to do.'),
          phase: shown.text('`plan` or `apply`.'),
        }),
        Type.Null(),
      ],
      { description: 'Why it ended with an error.' },
    ),
  },
  relationships: {
    workspace: 'Its workspace.',
    'configuration-version': 'What it plans.',
    plan: 'Its plan.',
    apply: 'Its apply.',
    'created-by': 'Who created it.',
    'confirmed-by': 'Who confirmed it; null if it was confirmed by itself.',
    'canceled-by': 'Who canceled it.',
    'run-events': 'What happened to it.',
    comments: 'What was said about it.',
    'input-state-version': 'The state that it was planned with.',
    'cost-estimate': 'Always null.',
    'policy-checks': 'Always empty.',
    'task-stages': 'Always empty.',
    'tf-policy-evaluations': 'Always empty.',
    'triggering-run': 'Always null.',
    'triggering-source': 'Always null.',
  },
})
