import { type Call, TransientFailure } from '../../connection/client.ts'
import { CliFailure } from '../../io.ts'
import type { Copy } from '../copy.ts'
import { dataOf, findOne, isCaller, type Resource, send, textOf } from '../documents.ts'
import type { PatientClient } from '../patient-client.ts'
import { announcedIdentity, downloadState, identityOf, type StateIdentity } from './state-content.ts'

/** Copies the current state of a workspace; one that is behind at the target is brought up to date. */
export async function copyState(copy: Copy, source: Resource, target: Resource | undefined): Promise<void> {
  const { from, to, dryRun, report } = copy
  const name = textOf(source, 'name')
  if (!dryRun && (await releaseLeftoverLock(to, target)))
    report.note(`${name} was still locked by an earlier import; the lock is released.`)
  if (source.attributes.locked === true)
    report.note(`${name} is locked at the source; its state may still change there. The lock is not copied.`)
  const current = await currentStateOf(copy, source)
  if (!current) return
  const existing = target && (await findOne(to, currentState(target)))
  if (existing && !(await isBehind(copy, existing, current))) return report.existed('state')
  const { serial } = current.attributes
  if (target && !dryRun) await sendState(to, pathOf(target), Number(serial), await downloadState(from, current))
  if (existing) report.updated('state', `${name}, from serial ${existing.attributes.serial} to ${serial}`)
  else report.copied('state', `${name}, serial ${serial}`)
}

const pathOf = ({ id }: Resource): string => `/api/v2/workspaces/${id}`
const currentState = (workspace: Resource): string => `${pathOf(workspace)}/current-state-version`

/** The current state at the source; undefined if there is none. Whoever may not read it gets the same answer. */
async function currentStateOf({ from }: Copy, source: Resource): Promise<Resource | undefined> {
  const current = await findOne(from, currentState(source))
  if (current) return current
  const { permissions, 'resource-count': resources } = source.attributes
  const mayRead = (Object(permissions) as Record<string, unknown>)['can-read-state-versions']
  if (mayRead === false || source.relationships?.['current-state-version']?.data || Number(resources ?? 0) > 0)
    throw new CliFailure('This token may not read it.', 2)
  return undefined
}

/** Whether a state at the target is an earlier one of the same history. Any other than the same is a conflict. */
async function isBehind({ from }: Copy, existing: Resource, current: Resource): Promise<boolean> {
  const [ours, announced] = [announcedIdentity(existing), announcedIdentity(current)]
  const isKnown = announced.md5 !== '' && announced.lineage !== undefined
  const theirs = isKnown ? announced : identityOf(await downloadState(from, current))
  const conflict = conflictOf(ours, theirs)
  if (conflict) throw new CliFailure(`${conflict} It was not changed.`, 2)
  return ours.md5 !== theirs.md5
}

function conflictOf(ours: StateIdentity, theirs: StateIdentity): string | undefined {
  if (ours.md5 === theirs.md5) return undefined
  if (ours.lineage === undefined || ours.lineage !== theirs.lineage)
    return `The workspace has a state of its own here, serial ${ours.serial}, with another lineage.`
  if (ours.serial === theirs.serial) return `The workspace has another state here with the same serial, ${ours.serial}.`
  return Number(ours.serial) > Number(theirs.serial)
    ? `The workspace has a newer state here, serial ${ours.serial}; the source has ${theirs.serial}.`
    : undefined
}

/** The reason for the lock while a state is imported; with its holder, it identifies the lock of a failed import. */
const lockReason = 'Import of state'

/**
 * An import that failed or was killed during this state left its lock, and maybe a version that was never uploaded.
 * Returns whether there was such a lock.
 */
async function releaseLeftoverLock(to: PatientClient, workspace: Resource | undefined): Promise<boolean> {
  if (!workspace || !(await isLockedByImport(to, workspace))) return false
  await unlockWorkspace(to, pathOf(workspace), 'force-unlock')
  return true
}

/** Anybody can give the same reason, so the lock must be held by the caller, too. */
async function isLockedByImport(to: PatientClient, { attributes, relationships }: Resource): Promise<boolean> {
  if (attributes.locked !== true || attributes['locked-reason'] !== lockReason) return false
  return await isCaller(to, relationships?.['locked-by']?.data?.id)
}

/** Writes a state the way command lines do: lock, announce, upload, unlock. */
async function sendState(to: PatientClient, workspace: string, serial: number, state: Buffer): Promise<void> {
  const { md5, lineage = null } = identityOf(state)
  await lockWorkspace(to, workspace)
  try {
    await upload(to, await createStateVersion(to, workspace, { serial, md5, lineage }), state)
    await unlockWorkspace(to, workspace, 'unlock')
  } catch (thrown) {
    // A server that cannot be reached is not asked again; the next import finds the lock.
    if (thrown instanceof TransientFailure) throw thrown
    // A state that was announced but not uploaded must not keep the workspace locked. A lock that somebody else has
    // taken meanwhile stays.
    await releaseLeftoverLock(to, await findOne(to, workspace))
    throw thrown
  }
}

/**
 * Announces a state. If a lost attempt may have announced it too, the lock is dropped with it, and all starts again.
 */
async function createStateVersion(to: PatientClient, workspace: string, attributes: object): Promise<Resource> {
  const body = { data: { type: 'state-versions', attributes } }
  const call = { method: 'POST', path: `${workspace}/state-versions`, body }
  for (;;) {
    const answer = await to.ask(call)
    if (!answer.isRepeated) return dataOf(to.requireSuccess(call, answer))
    await releaseLeftoverLock(to, await findOne(to, workspace))
    await lockWorkspace(to, workspace)
  }
}

async function upload(to: PatientClient, version: Resource, state: Buffer): Promise<void> {
  const { pathname, search } = new URL(textOf(version, 'hosted-state-upload-url'))
  const headers = { 'content-type': 'application/octet-stream' }
  const call = { method: 'PUT', path: `${pathname}${search}`, body: state, headers }
  await sendUntil(
    to,
    call,
    `/api/v2/state-versions/${version.id}`,
    ({ attributes }) => attributes.status === 'finalized',
  )
}

async function lockWorkspace(to: PatientClient, workspace: string): Promise<void> {
  const call = { method: 'POST', path: `${workspace}/actions/lock`, body: { reason: lockReason } }
  await sendUntil(to, call, workspace, (found) => isLockedByImport(to, found))
}

async function unlockWorkspace(to: PatientClient, workspace: string, action: 'unlock' | 'force-unlock'): Promise<void> {
  const call = { method: 'POST', path: `${workspace}/actions/${action}` }
  await sendUntil(to, call, workspace, ({ attributes }) => attributes.locked === false)
}

/** Sends a call that is done once what is at the path fits. */
async function sendUntil(
  to: PatientClient,
  call: Call,
  path: string,
  fits: (found: Resource) => boolean | Promise<boolean>,
): Promise<void> {
  const find = async (): Promise<Resource | undefined> => {
    const found = await findOne(to, path)
    return found && (await fits(found)) ? found : undefined
  }
  await send(to, call, { find })
}
