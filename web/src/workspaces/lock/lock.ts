import { targetOf } from '../names.ts'
import type { OpenWorkspace } from '../workspace.tsx'

/** A lock as its workspace shows it. */
export type ShownLock = {
  readonly holder: string
  readonly isMine: boolean
  readonly reason: string
  readonly since: string
  readonly until: string | undefined
}

const kinds: Readonly<Record<string, string>> = { teams: 'team ', runs: 'run ' }

/** The lock of a workspace; undefined if nobody holds it. */
export function lockOf({ attributes, relationships, names }: OpenWorkspace, userId: string): ShownLock | undefined {
  if (!attributes.locked) return undefined
  const holder = targetOf(relationships['locked-by'])
  const name = holder && names.get(`${holder.type}/${holder.id}`)
  return {
    holder: holder ? `${kinds[holder.type] ?? ''}${name ?? holder.id}` : 'somebody you may not see',
    isMine: holder?.id === userId,
    reason: attributes['locked-reason'] ?? '',
    since: attributes['locked-at'] ?? '',
    until: attributes['lock-expires-at'] ?? undefined,
  }
}

/** What is wrong with a duration such as 90m or 2h; undefined if it is right, or empty. */
export function durationProblem(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '' || /^(?:\d+(?:\.\d+)?(?:s|m|h))+$/.test(trimmed)) return undefined
  return 'Write a number and a unit, such as 30m, 2h or 1h30m.'
}
