import { authorOf } from '../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import { attribute, type LooseBody, looseBody } from '../../../kit/jsonapi/index.ts'
import { nothing } from '../../../kit/reply.ts'
import { holderOf, type Workspace } from '../workspaces/index.ts'
import { longestComment } from './record.ts'
import { mayOnRun, type OnRun, onRun, type RunRight, runInPath } from './run-access-actions.ts'
import { moveRun } from './run-actions.ts'
import type { Trigger } from './run-words.ts'

const comment = attribute.text('What is said about it.', { nullable: true, maxLength: longestComment })
const planDigest = attribute.text('The plan-digest that was shown; refused if the run has another by now.', {
  nullable: true,
})

const commented = { comment }
const confirmed = { comment, planDigest }

/** An action on a run: what it is called, which right it takes, and what it does. */
type Action = {
  readonly name: string
  readonly right: RunRight
  readonly trigger: Trigger
  readonly summary: string
}

type Sent = { readonly comment?: string | null; readonly planDigest?: string | null }

type ActionCall = Pick<Call<Record<string, string>, unknown, unknown, OnRun>, 'deps' | 'caller' | 'request' | 'subject'>

async function act(call: ActionCall, { right, trigger }: Action, said: Sent) {
  const { deps, subject } = call
  const { run } = subject.resource
  const allows = (workspace: Workspace) => mayOnRun(subject, right, run, workspace)
  const move = {
    by: holderOf(subject.actor),
    comment: said.comment ?? undefined,
    planDigest: said.planDigest ?? undefined,
  }
  await moveRun(deps, authorOf(call), { run, allows }, trigger, move)
  return nothing(202)
}

const action = (each: Action) =>
  endpoint({
    id: `runs.${each.name}`,
    route: `POST /runs/:runId/actions/${each.name}`,
    summary: each.summary,
    access: onRun(each.right),
    params: runInPath,
    body: looseBody(commented),
    returns: { 202: null },
    fails: ['missing', 'conflict', 'invalid'],
    handle: (call) => act(call, each, (call.body as LooseBody<typeof commented>).attributes),
  })

const apply: Action = {
  name: 'apply',
  right: 'can-apply',
  trigger: 'confirm',
  summary: 'Confirm the plan of a run, which is applied then.',
}

/** What people do with runs. */
export const actionEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'runs.apply',
    route: 'POST /runs/:runId/actions/apply',
    summary: apply.summary,
    access: onRun(apply.right),
    params: runInPath,
    body: looseBody(confirmed),
    returns: { 202: null },
    fails: ['missing', 'conflict', 'invalid'],
    handle: (call) => act(call, apply, call.body.attributes),
  }),
  action({
    name: 'discard',
    right: 'can-apply',
    trigger: 'discard',
    summary: 'Discard a run that waits, or whose plan waits for confirmation.',
  }),
  action({
    name: 'cancel',
    right: 'can-cancel',
    trigger: 'cancel',
    summary: 'Cancel a run that waits, or ask the tool of one that is executed to end.',
  }),
  action({
    name: 'force-cancel',
    right: 'can-force-cancel',
    trigger: 'force-cancel',
    summary: 'End a run that was canceled and did not end; its state may be incomplete.',
  }),
  action({
    name: 'force-execute',
    right: 'can-apply',
    trigger: 'advance',
    summary: 'Let a run go first: the one that holds the workspace is discarded or canceled.',
  }),
])
