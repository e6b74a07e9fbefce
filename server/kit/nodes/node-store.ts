import { type Instant, instant } from '../../kernel/clock.ts'
import type { Db, Queryable } from '../../storage/open.ts'
import { type Node, type NodeSign, nodeState, rememberedFor } from './node.ts'

/** A process that shares the store, and its last sign of life. */
interface NodeRow {
  holder: string
  name: string
  address: string
  base_url: string
  version: string
  compat_version: string
  clock_skew_ms: number
  started_at: number
  seen_at: number
  stopped_at: number | null
}

declare module '../../storage/tables.ts' {
  interface DescribedTables {
    nodes: NodeRow
  }
}

/** Says that a node is there. */
export async function saveSign(db: Db, sign: NodeSign, now: Instant): Promise<void> {
  const columns = {
    name: sign.name,
    address: sign.address,
    base_url: sign.baseUrl,
    version: sign.version,
    compat_version: sign.compatVersion,
    clock_skew_ms: Math.round(sign.clockSkew),
    started_at: sign.startedAt,
    seen_at: now,
    stopped_at: null,
  }
  await db
    .insertInto('nodes')
    .values({ holder: sign.holder, ...columns })
    .onConflict((conflict) => conflict.column('holder').doUpdateSet(columns))
    .execute()
}

/** Says that a node was stopped, so that nobody waits for its next sign. */
export async function saveStop(db: Db, holder: string, now: Instant): Promise<void> {
  await db.updateTable('nodes').set({ seen_at: now, stopped_at: now }).where('holder', '=', holder).execute()
}

/** The processes of this name that have given a sign. */
export async function loadHoldersNamed(db: Queryable, name: string): Promise<string[]> {
  const rows = await db.selectFrom('nodes').select('holder').where('name', '=', name).execute()
  return rows.map(({ holder }) => holder)
}

/** Removes processes in whose place others have come. */
export async function forgetHolders(db: Db, holders: readonly string[]): Promise<void> {
  if (holders.length > 0) await db.deleteFrom('nodes').where('holder', 'in', holders).execute()
}

/** Removes nodes that have given no sign for a day. */
export async function forgetNodes(db: Db, now: Instant): Promise<void> {
  await db
    .deleteFrom('nodes')
    .where('seen_at', '<=', now - rememberedFor)
    .execute()
}

/** The nodes that gave a sign within the last day, by name. */
export async function loadNodes(db: Queryable, now: Instant): Promise<Node[]> {
  const rows = await db
    .selectFrom('nodes')
    .selectAll()
    .select((eb) => [
      eb
        .selectFrom('jobs')
        .select(({ fn }) => fn.countAll<number>().as('held'))
        .whereRef('jobs.owner', '=', 'nodes.holder')
        .where('jobs.lease_until', '>', now)
        .$asScalar()
        .as('jobs_held'),
      eb
        .selectFrom('leases')
        .select('leases.name')
        .where('leases.name', '=', 'leader')
        .whereRef('leases.owner', '=', 'nodes.holder')
        .where('leases.lease_until', '>', now)
        .as('lead'),
    ])
    .where('seen_at', '>', now - rememberedFor)
    .orderBy('name')
    .orderBy('address')
    .orderBy('started_at')
    .orderBy('holder')
    .execute()
  return rows.map((row) => toNode(row, now))
}

/** How many nodes there are in each state. */
export async function countNodes(db: Queryable, now: Instant): Promise<Record<Node['state'], number>> {
  const states = (await loadNodes(db, now)).map(({ state }) => state)
  const present = states.filter((state) => state === 'present').length
  return { present, gone: states.length - present }
}

type ReadRow = NodeRow & { jobs_held: number | null; lead: string | null }

function toNode(row: ReadRow, now: Instant): Node {
  const seenAt = instant(row.seen_at)
  const stoppedAt = row.stopped_at === null ? null : instant(row.stopped_at)
  return {
    holder: row.holder,
    name: row.name,
    address: row.address,
    baseUrl: row.base_url,
    version: row.version,
    compatVersion: row.compat_version,
    clockSkew: row.clock_skew_ms,
    startedAt: instant(row.started_at),
    seenAt,
    stoppedAt,
    state: nodeState({ seenAt, stoppedAt }, now),
    isLeader: row.lead !== null,
    jobsHeld: row.jobs_held ?? 0,
  }
}
