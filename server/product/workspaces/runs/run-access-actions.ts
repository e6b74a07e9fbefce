import { type OrganizationGrants, onResource, type PermittedResource } from '../../../access/permissions/index.ts'
import { isId } from '../../../kernel/ids.ts'
import type { ActorPrincipal } from '../../../kernel/principal.ts'
import type { RuleAccess, RuleCall } from '../../../kit/endpoint.ts'
import { holderOf, isSameHolder, loadWorkspace, mayOnWorkspace, type Workspace } from '../workspaces/index.ts'
import { loadComment, loadEvent } from './record-store.ts'
import type { Run } from './run.ts'
import { loadRun, loadRunOfPhase } from './run-store.ts'

/** A run with its workspace, and what of it the path names. */
export type RunInWorkspace = { readonly organizationId: string; readonly run: Run; readonly workspace: Workspace }

/** What an endpoint about one run finds in `subject`. */
export type OnRun = PermittedResource<RunInWorkspace>

/** What may be done with a run. */
export type RunRight =
  | 'can-read'
  | 'can-read-plan'
  | 'can-read-state'
  | 'can-comment'
  | 'can-apply'
  | 'can-cancel'
  | 'can-force-cancel'

/** The parameters of paths that name a run, a plan, an apply, an event or a comment. */
export const runInPath = { runId: { description: 'Identifier of the run.', example: 'run-CZcmD7eagjhyX0vN' } }
/** The parameter of paths that name a plan. */
export const planInPath = { planId: { description: 'Identifier of the plan.', example: 'plan-8F5JFydVYAmtTjET' } }
/** The parameter of paths that name an apply. */
export const applyInPath = { applyId: { description: 'Identifier of the apply.', example: 'apply-47MBvjwzBG8YKc2v' } }
/** The parameter of paths that name an event of a run. */
export const eventInPath = { runEventId: { description: 'Identifier of the event.', example: 're-VnNhLGoWcdrtMYjm' } }
/** The parameter of paths that name a comment on a run. */
export const commentInPath = {
  commentId: { description: 'Identifier of the comment.', example: 'wsc-JdFX3u8o114F4CWf' },
}

async function loadNamed({ deps: { db }, params }: RuleCall): Promise<Run | undefined> {
  const { runId, planId, applyId, runEventId, commentId } = params
  if (runId !== undefined) return isId('run', runId) ? await loadRun(db, runId) : undefined
  if (planId !== undefined) return isId('plan', planId) ? await loadRunOfPhase(db, 'plan', planId) : undefined
  if (applyId !== undefined) return isId('apply', applyId) ? await loadRunOfPhase(db, 'apply', applyId) : undefined
  if (runEventId !== undefined && isId('re', runEventId)) {
    const event = await loadEvent(db, runEventId)
    return event && (await loadRun(db, event.runId))
  }
  if (commentId !== undefined && isId('wsc', commentId)) {
    const comment = await loadComment(db, commentId)
    return comment && (await loadRun(db, comment.runId))
  }
  return undefined
}

async function loadInWorkspace(call: RuleCall): Promise<RunInWorkspace | undefined> {
  const run = await loadNamed(call)
  const workspace = run && (await loadWorkspace(call.deps.db, run.workspaceId))
  return workspace && { organizationId: workspace.organizationId, run, workspace }
}

/** Whether somebody may do this with a run, on what its workspace is by now. */
export function mayOnRun(
  { grants, actor }: { readonly grants: OrganizationGrants; readonly actor: ActorPrincipal },
  right: RunRight,
  run: Run,
  workspace: Workspace,
): boolean {
  const has = (name: Parameters<typeof mayOnWorkspace>[1]) => mayOnWorkspace(grants, name, workspace)
  switch (right) {
    case 'can-read':
      return has('can-read-run')
    // A plan as JSON has the values of sensitive variables in clear.
    case 'can-read-plan':
      return has('can-update') && !grants.organizationToken
    case 'can-read-state':
      return has('can-read-state-versions')
    case 'can-comment':
      return has('can-queue-run')
    case 'can-force-cancel':
      return has('can-force-unlock') && !grants.organizationToken
    case 'can-cancel':
      return has('can-queue-apply') || (has('can-queue-run') && isOwnBeside(run, actor))
    default:
      return has('can-queue-apply')
  }
}

/** Who plans without holding up others may end that without the right to apply. */
const isOwnBeside = ({ createdBy, planOnly, savePlan }: Run, actor: ActorPrincipal): boolean =>
  (planOnly || savePlan) && isSameHolder(createdBy, holderOf(actor))

/** Access to a run for those who may do this with it; for all others it does not exist. */
export const onRun = (right: RunRight): RuleAccess<OnRun> =>
  onResource({
    name: `run:${right}`,
    load: loadInWorkspace,
    allows: (grants, { run, workspace }, actor) =>
      mayOnRun({ grants, actor }, right, run, workspace) && (actor.kind !== 'run' || actor.id === run.id),
  })
