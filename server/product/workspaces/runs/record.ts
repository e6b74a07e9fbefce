import type { Instant } from '../../../kernel/clock.ts'
import type { LockHolder } from '../workspaces/workspace.ts'
import type { EventAction } from './run-words.ts'

/** Something that happened to a run; without an actor, the server or a runner did it. */
export type RunEvent = {
  readonly id: string
  readonly runId: string
  readonly action: EventAction
  readonly description: string
  readonly commentId: string | null
  readonly actor: LockHolder | null
  readonly createdAt: Instant
}

/** Something that was said about a run. */
export type RunComment = {
  readonly id: string
  readonly runId: string
  readonly eventId: string
  readonly body: string
  readonly author: LockHolder
  readonly createdAt: Instant
}

/** The most characters of a comment. */
export const longestComment = 16_384
