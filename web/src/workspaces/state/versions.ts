import type { Schemas } from '../../api/client.ts'
import type { Shape } from '../../kit/Status.tsx'
import { targetOf } from '../names.ts'

/** A version of a state as answers show it. */
export type Version = Schemas['StateVersion']

/** The current version of a state: which, and when it was written. */
export type Current = { readonly id: string; readonly at: string }

/** What a version is, in a word; undefined for an old one that needs none. */
export function standingOf(version: Version, current: Current | undefined): { shape: Shape; word: string } | undefined {
  if (version.id === current?.id) return { shape: 'done', word: 'current' }
  const { status, intermediate } = version.attributes
  if (status === 'pending') return { shape: 'waiting', word: 'not uploaded yet' }
  if (status === 'discarded') return { shape: 'ended', word: 'discarded' }
  if (status === 'backing_data_soft_deleted') return { shape: 'ended', word: 'content deleted, can be restored' }
  if (status !== 'finalized') return { shape: 'ended', word: 'content deleted' }
  const isNewer = current === undefined || (version.attributes['created-at'] ?? '') > current.at
  return intermediate && isNewer ? { shape: 'waiting', word: 'current when unlocked' } : undefined
}

/** True if the content of a version is there. */
export const isStored = ({ attributes }: Version): boolean => attributes.status === 'finalized'

/** The version whose content a rollback copied into this one. */
export const copiedFrom = ({ relationships }: Version): string | undefined =>
  targetOf(relationships?.['rollback-state-version'])?.id

/** The name under which a version is saved: what it is of, and which. */
export const fileName = (workspace: string, { attributes }: Version): string =>
  `${workspace}-${attributes.serial}.tfstate`

/**
 * The version to roll back to: the older of the two that are compared while the newest is in view, else the one that is
 * looked at.
 */
export const rollbackTarget = (
  before: Version | undefined,
  shown: Version,
  newestId: string | undefined,
): Version | undefined => {
  const target = shown.id === newestId ? before : shown
  return target && isStored(target) && target.id !== newestId ? target : undefined
}
