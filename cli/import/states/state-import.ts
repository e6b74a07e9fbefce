import { CliFailure } from '../../io.ts'
import type { Copy } from '../copy.ts'
import { findOne, type Resource, textOf } from '../documents.ts'
import { announcedIdentity, downloadState, identityOf, type StateIdentity } from './state-content.ts'
import { releaseLeftoverLock, sendState } from './state-writing.ts'

/** Copies the current state of a workspace; one that is behind at the target is brought up to date. */
export async function copyState(copy: Copy, source: Resource, target: Resource | undefined): Promise<void> {
  const { from, to, dryRun, report } = copy
  const name = textOf(source, 'name')
  if (target && !dryRun && (await releaseLeftoverLock(to, target))) {
    report.note(`${name} was still locked by an earlier import; the lock is released.`)
  }
  if (source.attributes.locked === true)
    report.note(`${name} is locked at the source; its state may still change there. The lock is not copied.`)
  const current = await currentStateOf(copy, source)
  if (!current) return
  const existing = target && (await findOne(to, pathOf(target)))
  if (existing && !(await isBehind(copy, existing, current))) return report.existed('state')
  const { serial } = current.attributes
  if (target && !dryRun) await sendState(to, target.id, Number(serial), await downloadState(from, current))
  if (existing) report.updated('state', `${name}, from serial ${existing.attributes.serial} to ${serial}`)
  else report.copied('state', `${name}, serial ${serial}`)
}

const pathOf = ({ id }: Resource): string => `/api/v2/workspaces/${id}/current-state-version`

/** The current state at the source; undefined if there is none. Whoever may not read it gets the same answer. */
async function currentStateOf({ from }: Copy, source: Resource): Promise<Resource | undefined> {
  const current = await findOne(from, pathOf(source))
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
