import type { Instant } from '../../../../kernel/clock.ts'

/** What an entity has done to a secret, and how often. */
export type Use = {
  readonly mountId: string
  readonly secretId: string
  readonly entityId: string
  readonly operation: 'read' | 'write' | 'delete'
  readonly displayName: string
  readonly version: number
  readonly firstAt: Instant
  readonly lastAt: Instant
  readonly count: number
}
