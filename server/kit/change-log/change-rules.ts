import type { Instant } from '../../kernel/clock.ts'
import type { Principal } from '../../kernel/principal.ts'

/** Who makes a change, and by which request. */
export type Author = {
  readonly kind: 'user' | 'team' | 'organization' | 'system'
  readonly id: string
  readonly name: string
  readonly tokenId: string
  readonly requestId: string
}

/** Members of a resource that may be recorded; never secrets. */
export type Members = Readonly<Record<string, unknown>>

/** A change to be recorded. */
export type Change = {
  /** Empty for changes that concern no organization. */
  readonly organizationId: string
  /** Set for changes of a workspace or of something inside it. */
  readonly workspaceId?: string
  readonly subject: { readonly type: string; readonly id: string; readonly name: string }
  /** A verb: `create`, `update`, `delete`, `lock`, … */
  readonly action: string
  readonly before?: Members
  readonly after?: Members
}

/** Where a change is in the log. */
export type ChangePlace = { readonly id: string; readonly position: number }

/** A change as it was recorded. */
export type RecordedChange = Change &
  ChangePlace & {
    readonly author: Author
    readonly at: Instant
  }

/** The server itself, for changes that nobody asked for. */
export const serverAuthor: Author = { kind: 'system', id: '', name: 'holdfast', tokenId: '', requestId: '' }

/** The author of the changes that a call makes. */
export function authorOf(call: { readonly caller: Principal; readonly request: { readonly id: string } }): Author {
  const { caller, request } = call
  // What a run writes, its runner does for the server.
  if (caller.kind === 'anonymous' || caller.kind === 'token' || caller.kind === 'run')
    return { ...serverAuthor, requestId: request.id }
  return { kind: caller.kind, id: caller.id, name: caller.name, tokenId: caller.tokenId, requestId: request.id }
}

/** The members that differ, as they were and as they are; undefined when nothing differs. */
export function differences(before: Members, after: Members): { before: Members; after: Members } | undefined {
  const names = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  if (names.length === 0) return undefined
  const pick = (members: Members): Members => Object.fromEntries(names.map((name) => [name, members[name] ?? null]))
  return { before: pick(before), after: pick(after) }
}
