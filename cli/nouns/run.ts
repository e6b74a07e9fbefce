import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { callOperation, pageOf, type Resource, resourceOf } from '../connection/operations.ts'
import { confirm } from '../input/confirmation.ts'
import { CliFailure, fileFailure } from '../io.ts'
import { findNamed, inOrganization } from './lookup.ts'
import type { Noun, Result, Session, Verb, VerbArgument, VerbFlag } from './noun.ts'
import {
  documentOf,
  type Filter,
  flat,
  listVerb,
  located,
  organizationFlag,
  reference,
  target,
} from './resource-verbs.ts'
import { followRun, isOver, type Phase, printLog, summaryOf } from './run-log.ts'

const columns = ['id', 'status', 'workspace', 'message', 'plan-only', 'has-changes', 'created-at']
const shown = [
  ...['id', 'workspace', 'status', 'message', 'source', 'created-at', 'plan-only', 'is-destroy', 'auto-apply'],
  ...[
    'tool-name',
    'tool-version',
    'has-changes',
    'changes',
    'plan-digest',
    'waits-for',
    'error-message',
    'deadline-at',
  ],
]

/** A run is named by its id; a workspace stands for its newest one. */
const runArgument: VerbArgument = {
  term: '<run>',
  text: 'id of the run, or the workspace whose newest run is meant',
  names: 'workspace',
}

const workspaceFlag: VerbFlag = {
  term: '--workspace <workspace>',
  text: 'those of this workspace',
  names: 'workspace',
}

const followFlag: VerbFlag = { term: '--follow', text: 'print the log as it grows, until the run ends or asks' }
const commentFlag: VerbFlag = { term: '--comment <text>', text: 'said about it, for those who read it later' }

const filters: readonly Filter[] = [
  {
    term: '--status <status>',
    text: 'those with this status; may be repeated',
    many: true,
    query: (given) => ({ 'filter[status]': String(given) }),
  },
  {
    ...workspaceFlag,
    query: async (given, session) => ({
      'filter[workspace-names]': (await findNamed(session, 'workspace', String(given))).attributes.name,
    }),
  },
  {
    term: '--search <text>',
    text: 'the user, the id, or a part of the message',
    query: (given) => ({ 'search[basic]': given }),
  },
]

/** Plan-only runs are left out of lists unless they are asked for. */
const everyOperation = 'plan_and_apply,plan_only,refresh_only,destroy,empty_apply,save_plan,action_only'

/** The run that the first word names. */
async function runOf(session: Session): Promise<Resource> {
  const { client } = session
  const word = session.word(0)
  if (/^run-[A-Za-z0-9]{16}$/.test(word))
    return resourceOf(await callOperation(client, 'runs.show', { path: { runId: word } }))
  const { path } = await located(session, 'workspace')
  const query = { 'page[size]': 1, 'filter[operation]': everyOperation }
  const [newest] = pageOf(await callOperation(client, 'runs.of-workspace', { path, query })).resources
  if (newest) return newest
  throw new CliFailure(`The workspace '${word}' has no runs. 'holdfast run start ${word}' begins one.`, 2)
}

/** A run as people read it: with what its plan changes, and why it waits or failed. */
async function viewOf({ client }: Session, run: Resource): Promise<Result> {
  const plan = resourceOf(await callOperation(client, 'plans.of-run', { path: { runId: run.id } }))
  const [wait, error] = [run.attributes['wait-reason'], run.attributes.error].map((each) => Object(each).message)
  const row = { ...flat(run), changes: summaryOf(plan), 'waits-for': wait ?? null, 'error-message': error ?? null }
  return { row, columns: shown }
}

const list = listVerb({
  operation: 'runs.of-organization',
  description: 'list runs, newest first',
  columns,
  include: 'workspace',
  filters,
  flags: [organizationFlag],
  place: inOrganization,
  example: 'run list --workspace app-prod --status planned',
})

/** Sends an archive of a configuration; returns the id of the version. */
async function uploadConfiguration(session: Session, path: Record<string, string>, given: string): Promise<string> {
  const { client, io } = session
  const file = resolve(io.directory, given)
  const { size } = await stat(file).catch((thrown: unknown) => {
    throw fileFailure(given, 'read', thrown)
  })
  const body = documentOf('configuration-versions', {
    'auto-queue-runs': false,
    speculative: session.flags.planOnly === true,
  })
  const version = resourceOf(await callOperation(client, 'configuration-versions.create', { path, body }))
  const { pathname } = new URL(String(version.attributes['upload-url']))
  const headers = { 'content-type': 'application/octet-stream', 'content-length': String(size) }
  await client.call({ method: 'PUT', path: pathname, headers, body: createReadStream(file) })
  return version.id
}

const startFlags = {
  message: { term: '--message <text>', text: 'what it is for' },
  planOnly: { term: '--plan-only', text: 'plan, and never apply' },
  destroy: { term: '--destroy', text: 'destroy everything that the workspace manages' },
  refreshOnly: { term: '--refresh-only', text: 'only bring the state up to date' },
  target: { term: '--target <address>', text: 'plan this resource only; may be repeated', many: true },
  replace: { term: '--replace <address>', text: 'replace this resource; may be repeated', many: true },
  savePlan: { term: '--save-plan', text: 'keep the plan, without holding the workspace, until it is approved' },
  autoApply: { term: '--auto-apply', text: 'apply changes without asking' },
} as const satisfies Record<string, VerbFlag>

/** The attribute of a run that each of these flags gives. */
const attributeNames: Readonly<Record<keyof typeof startFlags, string>> = {
  message: 'message',
  planOnly: 'plan-only',
  destroy: 'is-destroy',
  refreshOnly: 'refresh-only',
  target: 'target-addrs',
  replace: 'replace-addrs',
  savePlan: 'save-plan',
  autoApply: 'auto-apply',
}

const start: Verb = {
  name: 'start',
  description: 'start a run of a workspace with its newest configuration, or with an archive',
  arguments: [target('workspace')],
  flags: [
    ...Object.values(startFlags),
    { term: '--configuration <file>', text: 'upload this .tar.gz first, and plan it' },
    followFlag,
    organizationFlag,
  ],
  example: 'run start app-prod --message "larger disks" --follow',
  waits: true,
  run: async (session) => {
    const { client, flags } = session
    const { resource, path } = await located(session, 'workspace')
    const { configuration } = flags
    const version =
      configuration === undefined ? undefined : await uploadConfiguration(session, path, String(configuration))
    const names = Object.entries(attributeNames).filter(([flag]) => flags[flag] !== undefined)
    const attributes = Object.fromEntries(names.map(([flag, name]) => [name, flags[flag]]))
    const body = documentOf('runs', attributes, {
      workspace: reference('workspaces', resource.id),
      ...(version !== undefined && { 'configuration-version': reference('configuration-versions', version) }),
    })
    const run = resourceOf(await callOperation(client, 'runs.create', { body }))
    if (!flags.follow) return await viewOf(session, run)
    session.io.err(`${run.id}\n`)
    return await followed(session, run)
  },
}

/** Prints what a run does until it ends or asks; a run that failed is a failure of the command. */
async function followed(session: Session, run: Resource): Promise<Result> {
  const last = await followRun(session, run)
  const { attributes, id } = last
  const asks = Object(attributes.actions)['is-confirmable'] === true
  const failed = ['errored', 'canceled'].includes(String(attributes.status))
  const done = asks ? `${id} waits for approval: holdfast run approve ${id}` : `${id}: ${String(attributes.status)}`
  const message = Object(attributes.error).message
  return { done, row: flat(last), ...(failed && { problem: message ? `${id}: ${message}` : `${id} was canceled.` }) }
}

const show: Verb = {
  name: 'show',
  description: 'show a run: what it plans, why it waits, what went wrong',
  arguments: [runArgument],
  flags: [organizationFlag],
  example: 'run show app-prod',
  run: async (session) => await viewOf(session, await runOf(session)),
}

const phases = ['plan', 'apply'] as const

const logs: Verb = {
  name: 'logs',
  description: 'print the log of a run: that of its plan, and of its apply if it began',
  arguments: [runArgument],
  flags: [{ term: '--phase <phase>', text: 'only this log', values: phases }, followFlag, organizationFlag],
  example: 'run logs app-prod --follow',
  waits: true,
  run: async (session) => {
    const run = await runOf(session)
    const { phase, follow } = session.flags
    if (phase !== undefined && !phases.includes(phase as Phase))
      throw new CliFailure(`--phase takes plan or apply, not '${String(phase)}'.`)
    if (follow && phase === undefined) return await followed(session, run)
    const wanted = phase === undefined ? phases : [phase as Phase]
    for (const each of wanted) await printLog(session, run, each, { follow: follow === true })
    return { text: '' }
  },
}

/** An action of a run that needs nothing but its id. */
async function act(session: Session, operation: 'runs.discard' | 'runs.cancel' | 'runs.force-cancel', done: string) {
  const run = await runOf(session)
  const { comment } = session.flags
  const body = { ...(comment !== undefined && { comment }) }
  await callOperation(session.client, operation, { path: { runId: run.id }, body })
  const now = resourceOf(await callOperation(session.client, 'runs.show', { path: { runId: run.id } }))
  return { done: `${done}: ${run.id}`, row: flat(now) }
}

const approve: Verb = {
  name: 'approve',
  description: 'apply a plan that was shown, and no other',
  arguments: [runArgument],
  flags: [commentFlag, followFlag, organizationFlag],
  example: 'run approve app-prod --comment "after the backup" --follow',
  asks: true,
  waits: true,
  run: async (session) => {
    const { client, flags, io } = session
    const run = await runOf(session)
    const path = { runId: run.id }
    const plan = resourceOf(await callOperation(client, 'plans.of-run', { path }))
    const digest = run.attributes['plan-digest']
    const status = String(run.attributes.status)
    if (isOver(status)) throw new CliFailure(`${run.id} is ${status}; there is nothing to approve.`, 2)
    await confirm(io, flags.yes === true, async () => `This applies the plan of ${run.id}: ${summaryOf(plan)}.`)
    const body = {
      ...(typeof digest === 'string' && { plan_digest: digest }),
      ...(flags.comment !== undefined && { comment: flags.comment }),
    }
    await callOperation(client, 'runs.apply', { path, body })
    const now = resourceOf(await callOperation(client, 'runs.show', { path }))
    if (flags.follow) return await followed(session, now)
    return { done: `Approved: ${run.id}`, row: flat(now) }
  },
}

const discard: Verb = {
  name: 'discard',
  description: 'throw a plan away, so that the next run can begin',
  arguments: [runArgument],
  flags: [commentFlag, organizationFlag],
  example: 'run discard app-prod',
  run: async (session) => await act(session, 'runs.discard', 'Discarded'),
}

const cancel: Verb = {
  name: 'cancel',
  description: 'stop a run; the tool is asked to end, and writes the state that it has',
  arguments: [runArgument],
  flags: [
    { term: '--force', text: 'kill a tool that was asked and does not end; its last changes may be lost' },
    commentFlag,
    organizationFlag,
  ],
  example: 'run cancel app-prod',
  asks: true,
  run: async (session) => {
    if (!session.flags.force) return await act(session, 'runs.cancel', 'Canceled')
    await confirm(
      session.io,
      session.flags.yes === true,
      async () => 'This kills the tool. What it changed last may be missing in the state.',
    )
    return await act(session, 'runs.force-cancel', 'Canceled by force')
  },
}

/** `holdfast run`. */
export const run: Noun = {
  name: 'run',
  description: 'runs: start, follow, approve, discard, cancel',
  verbs: [list, start, show, logs, approve, discard, cancel],
}
