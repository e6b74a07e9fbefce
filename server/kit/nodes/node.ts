import type { Instant } from '../../kernel/clock.ts'

/** Milliseconds between the signs of life of a node. */
export const signEvery = 10_000

/** Milliseconds without a sign after which a node counts as gone: two signs may be lost. */
const presentFor = 30_000

/** Milliseconds without a sign after which a node is forgotten. */
export const rememberedFor = 86_400_000

/** What a node says about itself. */
export type NodeSign = {
  /** The name under which the process holds work; a restarted node has another. */
  readonly holder: string
  /** Its host name. */
  readonly name: string
  /** Where this node alone listens; empty if nobody can know. */
  readonly address: string
  /** The address that callers are given; empty if none is set. */
  readonly baseUrl: string
  readonly version: string
  readonly compatVersion: string
  /** Milliseconds by which its clock is ahead of the database's. */
  readonly clockSkew: number
  readonly startedAt: Instant
}

/** A node, as those see it that share its store. */
export type Node = NodeSign & {
  readonly seenAt: Instant
  /** When it was stopped; null while it runs, and for ever if it ended without a word. */
  readonly stoppedAt: Instant | null
  readonly state: 'present' | 'gone'
  /** True for the node that hands out background work. */
  readonly isLeader: boolean
  readonly jobsHeld: number
}

/** Whether a node is there. A sign from the future was written before the clock of the database was set back. */
export const nodeState = (
  { seenAt, stoppedAt }: Pick<Node, 'seenAt' | 'stoppedAt'>,
  now: Instant,
): 'present' | 'gone' => (stoppedAt === null && Math.abs(now - seenAt) < presentFor ? 'present' : 'gone')
