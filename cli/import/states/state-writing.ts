import { type Call, TransientFailure } from '../../connection/client.ts'
import { isCaller } from '../caller.ts'
import { dataOf, findOne, type Resource, requireSuccessAfterRetry, resultOfLostAttempt, textOf } from '../documents.ts'
import type { PatientClient } from '../patient-client.ts'
import { identityOf } from './state-content.ts'

/** The reason for the lock while a state is imported; with its holder, it identifies the lock of a failed import. */
const lockReason = 'Import of state'

/**
 * An import that failed or was killed during this state left its lock, and maybe a version that was never uploaded.
 * Returns whether there was such a lock.
 */
export async function releaseLeftoverLock(to: PatientClient, workspace: Resource): Promise<boolean> {
  if (!(await isLockedByImport(to, workspace))) return false
  await unlockWorkspace(to, workspace.id, 'force-unlock')
  return true
}

/** Anybody can give the same reason, so the lock must be held by the caller, too. */
async function isLockedByImport(to: PatientClient, { attributes, relationships }: Resource): Promise<boolean> {
  if (attributes.locked !== true || attributes['locked-reason'] !== lockReason) return false
  return await isCaller(to, relationships?.['locked-by']?.data?.id)
}

/** Writes a state the way command lines do: lock, announce, upload, unlock. */
export async function sendState(to: PatientClient, workspaceId: string, serial: number, state: Buffer): Promise<void> {
  const workspace = `/api/v2/workspaces/${workspaceId}`
  const { md5, lineage = null } = identityOf(state)
  await lockWorkspace(to, workspace)
  try {
    await upload(to, await createStateVersion(to, workspace, { serial, md5, lineage }), state)
    await unlockWorkspace(to, workspaceId, 'unlock')
  } catch (thrown) {
    // A server that cannot be reached is not asked again; the next import finds the lock.
    if (thrown instanceof TransientFailure) throw thrown
    // A state that was announced but not uploaded must not keep the workspace locked. A lock that somebody else has
    // taken meanwhile stays.
    const left = await findOne(to, workspace)
    if (left) await releaseLeftoverLock(to, left)
    throw thrown
  }
}

/**
 * Announces a state. If a lost attempt may have announced it too, the lock is dropped with it, and all starts again.
 */
async function createStateVersion(to: PatientClient, workspace: string, attributes: object): Promise<Resource> {
  const call = {
    method: 'POST',
    path: `${workspace}/state-versions`,
    body: { data: { type: 'state-versions', attributes } },
  }
  for (;;) {
    const answer = await to.ask(call)
    if (!answer.isRepeated) return dataOf(to.requireSuccess(call, answer))
    const left = await findOne(to, workspace)
    if (left) await releaseLeftoverLock(to, left)
    await lockWorkspace(to, workspace)
  }
}

async function upload(to: PatientClient, version: Resource, state: Buffer): Promise<void> {
  const { pathname, search } = new URL(textOf(version, 'hosted-state-upload-url'))
  const headers = { 'content-type': 'application/octet-stream' }
  const call = { method: 'PUT', path: `${pathname}${search}`, body: state, headers }
  const isUploaded = ({ attributes }: Resource): boolean => attributes.status === 'finalized'
  await sendOnce(to, call, () => findIf(to, `/api/v2/state-versions/${version.id}`, isUploaded))
}

async function lockWorkspace(to: PatientClient, workspace: string): Promise<void> {
  const call = { method: 'POST', path: `${workspace}/actions/lock`, body: { reason: lockReason } }
  await sendOnce(to, call, () => findIf(to, workspace, (found) => isLockedByImport(to, found)))
}

async function unlockWorkspace(
  to: PatientClient,
  workspaceId: string,
  action: 'unlock' | 'force-unlock',
): Promise<void> {
  const workspace = `/api/v2/workspaces/${workspaceId}`
  const isFree = ({ attributes }: Resource): boolean => attributes.locked === false
  const call = { method: 'POST', path: `${workspace}/actions/${action}` }
  await sendOnce(to, call, () => findIf(to, workspace, isFree))
}

/**
 * Sends a call; if it is refused after an attempt whose answer was lost, it counts as done if `find` finds its result.
 */
async function sendOnce(to: PatientClient, call: Call, find: () => Promise<unknown>): Promise<void> {
  const answer = await to.ask(call)
  if ((await resultOfLostAttempt(answer, find)) === undefined) requireSuccessAfterRetry(to, call, answer)
}

async function findIf(
  to: PatientClient,
  path: string,
  fits: (found: Resource) => boolean | Promise<boolean>,
): Promise<Resource | undefined> {
  const found = await findOne(to, path)
  return found && (await fits(found)) ? found : undefined
}
