import { createHash } from 'node:crypto'
import { type Call, type Client, createClient, readWhole, TransientFailure } from '../client.ts'
import { CliFailure } from '../io.ts'
import type { Copy } from './copy.ts'
import { dataOf, findOne, type Resource, requireSuccessAfterRetry, resultOfLostAttempt, textOf } from './documents.ts'
import type { PatientClient } from './patient-client.ts'

/** The reason for the lock while a state is imported; with its holder, it identifies the lock of a failed import. */
const lockReason = 'Import of state'

/** Copies the current state of a workspace, unless the target has one. */
export async function copyState(copy: Copy, source: Resource, target: Resource | undefined): Promise<void> {
  const name = textOf(source, 'name')
  if (target && !copy.dryRun && (await releaseLeftoverLock(copy.to, target))) {
    copy.report.note(`${name} was still locked by an earlier import; the lock is released.`)
  }
  const current = await findOne(copy.from, `/api/v2/workspaces/${source.id}/current-state-version`)
  if (!current) return
  const existing = target && (await findOne(copy.to, `/api/v2/workspaces/${target.id}/current-state-version`))
  if (existing) {
    compareState(copy, name, current, existing)
    return
  }
  if (source.attributes.locked === true) {
    const serial = current.attributes.serial
    const text = `its state, serial ${serial}, may still change there. The lock is not copied.`
    copy.report.note(`${name} is locked at the source; ${text}`)
  }
  if (target && !copy.dryRun) {
    const url = textOf(current, 'hosted-state-download-url')
    if (url === '') throw new CliFailure(`The state of ${name} cannot be downloaded; its content does not exist.`)
    const state = await copy.from.persist(() => download(copy.from, url))
    await sendState(copy.to, target.id, Number(current.attributes.serial), state)
  }
  copy.report.copied('state', `${name}, serial ${current.attributes.serial}`)
}

/**
 * An import that failed or was killed during this state left its lock, and maybe a version that was never uploaded.
 * Returns whether there was such a lock.
 */
async function releaseLeftoverLock(to: PatientClient, workspace: Resource): Promise<boolean> {
  if (!(await isLockedByImport(to, workspace))) return false
  await unlockWorkspace(to, workspace.id, 'force-unlock')
  return true
}

/** Anybody can give the same reason, so the lock must be held by the caller, too. */
async function isLockedByImport(to: PatientClient, { attributes, relationships }: Resource): Promise<boolean> {
  if (attributes.locked !== true || attributes['locked-reason'] !== lockReason) return false
  const caller = await findOne(to, '/api/v2/account/details')
  return caller !== undefined && relationships?.['locked-by']?.data?.id === caller.id
}

function compareState({ report }: Copy, name: string, current: Resource, existing: Resource): void {
  const [ours, theirs] = [existing.attributes.serial, current.attributes.serial]
  if (ours === theirs) report.existed('state')
  else
    report.note(`${name} has a state of its own here, serial ${ours}; the source has ${theirs}. It is left as it is.`)
}

const mostRedirects = 5

/**
 * Addresses of content may be paths, or name another host, which needs the token as well. If that redirects to a third
 * host, the address alone grants access, and the token is not sent.
 */
async function download({ connection }: Client, url: string): Promise<Buffer> {
  let at = new URL(url, connection.address)
  const named = at.origin
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const token = at.origin === named ? connection.token : undefined
    const host = createClient({ ...connection, address: new URL(at.origin), token })
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
    const incoming = await host.open({ method: 'GET', path: `${at.pathname}${at.search}`, headers })
    const { location } = incoming.headers
    if ((incoming.statusCode ?? 0) < 300 || location === undefined) return await readWhole(incoming)
    incoming.resume()
    at = new URL(location, at)
  }
  throw new CliFailure(`The state cannot be downloaded: ${named} redirects again and again.`, 2)
}

/** Writes a state the way command lines do: lock, announce, upload, unlock. */
async function sendState(to: PatientClient, workspaceId: string, serial: number, state: Buffer): Promise<void> {
  const workspace = `/api/v2/workspaces/${workspaceId}`
  await lockWorkspace(to, workspace)
  try {
    const attributes = { serial, md5: createHash('md5').update(state).digest('hex'), lineage: lineageOf(state) }
    const { pathname, search } = new URL(
      textOf(await createStateVersion(to, workspace, attributes), 'hosted-state-upload-url'),
    )
    const headers = { 'content-type': 'application/octet-stream' }
    const upload = { method: 'PUT', path: `${pathname}${search}`, body: state, headers }
    // Nobody else can have written it: the workspace is locked by this import.
    await sendOnce(to, upload, () => findOne(to, `${workspace}/current-state-version`))
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
 * Sends a call; if it is refused after an attempt whose answer was lost, it counts as done if `find` finds its result.
 */
async function sendOnce(to: PatientClient, call: Call, find: () => Promise<unknown>): Promise<void> {
  const answer = await to.ask(call)
  if ((await resultOfLostAttempt(answer, find)) === undefined) requireSuccessAfterRetry(to, call, answer)
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

async function findIf(
  to: PatientClient,
  workspace: string,
  fits: (workspace: Resource) => boolean | Promise<boolean>,
): Promise<Resource | undefined> {
  const found = await findOne(to, workspace)
  return found && (await fits(found)) ? found : undefined
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

function lineageOf(state: Buffer): string | null {
  try {
    const { lineage } = Object(JSON.parse(state.toString('utf8'))) as { lineage?: unknown }
    return typeof lineage === 'string' ? lineage : null
  } catch (thrown) {
    if (thrown instanceof SyntaxError) throw new CliFailure('The state that was downloaded is not JSON.', 2)
    throw thrown
  }
}
