import type { Sealed } from '../../../crypto/keyring.ts'
import { asSealed } from '../../../crypto/keyring.ts'
import type { Instant } from '../../../kernel/clock.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { rowChunksOf } from '../../../storage/row-chunks.ts'
import type { LockHolder } from '../workspaces/index.ts'
import type { RunComment, RunEvent } from './record.ts'
import type { EventAction } from './run-words.ts'

/** Something that happened to a run. */
interface RunEventRow {
  id: string
  run_id: string
  position: number
  action: string
  description: string
  comment_id: string | null
  actor_kind: string | null
  actor_id: string | null
  actor_name: string | null
  created_at: number
}

/** Something that was said about a run. */
interface RunCommentRow {
  id: string
  run_id: string
  event_id: string
  position: number
  body: string
  actor_kind: string
  actor_id: string
  actor_name: string
  created_at: number
}

/** A variable as it was when its run was created, or as the run was given it. */
interface RunVariableRow {
  run_id: string
  position: number
  origin: string
  category: string
  key: string
  value: Uint8Array
  hcl: number
  sensitive: number
  apply_only: number
}

/** Some bytes of the log of a phase; they never change. */
interface RunLogChunkRow {
  phase_id: string
  run_id: string
  position: number
  size: number
  content: Uint8Array
  /** The job whose runner has sent it, and where in what that has sent; null for lines of the server. */
  job_id: string | null
  job_position: number | null
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    run_events: RunEventRow
    run_comments: RunCommentRow
    run_variables: RunVariableRow
    run_log_chunks: RunLogChunkRow
  }
}

const toEvent = (row: RunEventRow): RunEvent => ({
  id: row.id,
  runId: row.run_id,
  action: row.action as EventAction,
  description: row.description,
  commentId: row.comment_id,
  actor:
    row.actor_kind === null
      ? null
      : { kind: row.actor_kind as LockHolder['kind'], id: row.actor_id ?? '', name: row.actor_name ?? '' },
  createdAt: row.created_at as Instant,
})

const toComment = (row: RunCommentRow): RunComment => ({
  id: row.id,
  runId: row.run_id,
  eventId: row.event_id,
  body: row.body,
  author: { kind: row.actor_kind as LockHolder['kind'], id: row.actor_id, name: row.actor_name },
  createdAt: row.created_at as Instant,
})

/** The events of these runs, the first ones first. */
export async function listEvents(db: Queryable, runIds: readonly string[]): Promise<RunEvent[]> {
  if (runIds.length === 0) return []
  const rows = await db.selectFrom('run_events').selectAll().where('run_id', 'in', runIds).orderBy('position').execute()
  return rows.map(toEvent)
}

/** The event with this id. */
export async function loadEvent(db: Queryable, id: string): Promise<RunEvent | undefined> {
  const row = await db.selectFrom('run_events').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toEvent(row)
}

/** The comments on these runs, the first ones first. */
export async function listComments(db: Queryable, runIds: readonly string[]): Promise<RunComment[]> {
  if (runIds.length === 0) return []
  const query = db.selectFrom('run_comments').selectAll().where('run_id', 'in', runIds)
  return (await query.orderBy('position').execute()).map(toComment)
}

/** The comment with this id. */
export async function loadComment(db: Queryable, id: string): Promise<RunComment | undefined> {
  const row = await db.selectFrom('run_comments').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toComment(row)
}

const nextPosition = async (tx: Tx, table: 'run_events' | 'run_comments' | 'run_variables', runId: string) => {
  const row = await tx
    .selectFrom(table)
    .select(({ fn }) => fn.max('position').as('last'))
    .where('run_id', '=', runId)
    .executeTakeFirst()
  return Number(row?.last ?? 0) + 1
}

/** Stores an event after those that its run has. */
export async function insertEvent(tx: Tx, event: RunEvent): Promise<void> {
  const { id, runId, action, description, commentId, actor, createdAt } = event
  await tx
    .insertInto('run_events')
    .values({
      id,
      run_id: runId,
      position: await nextPosition(tx, 'run_events', runId),
      action,
      description,
      comment_id: commentId,
      actor_kind: actor?.kind ?? null,
      actor_id: actor?.id ?? null,
      actor_name: actor?.name ?? null,
      created_at: createdAt,
    })
    .execute()
}

/** Stores a comment after those that its run has. */
export async function insertComment(
  tx: Tx,
  { id, runId, eventId, body, author, createdAt }: RunComment,
): Promise<void> {
  await tx
    .insertInto('run_comments')
    .values({
      id,
      run_id: runId,
      event_id: eventId,
      position: await nextPosition(tx, 'run_comments', runId),
      body,
      actor_kind: author.kind,
      actor_id: author.id,
      actor_name: author.name,
      created_at: createdAt,
    })
    .execute()
}

/** Where a variable of a run comes from; a set is named by its id. */
export type VariableOrigin = 'workspace' | 'run' | `set:${string}`

/** A variable of a run as it is stored. */
export type FrozenVariable = {
  readonly runId: string
  readonly position: number
  readonly origin: VariableOrigin
  readonly category: string
  readonly key: string
  readonly value: Sealed
  readonly hcl: boolean
  readonly sensitive: boolean
  readonly applyOnly: boolean
}

/** Stores the variables of a new run. */
export async function insertVariables(tx: Tx, variables: readonly FrozenVariable[]): Promise<void> {
  for (const lot of rowChunksOf(variables)) {
    await tx.insertInto('run_variables').values(lot.map(toVariableRow)).execute()
  }
}

const toVariableRow = ({ runId, hcl, sensitive, applyOnly, ...rest }: FrozenVariable): RunVariableRow => ({
  run_id: runId,
  ...rest,
  hcl: hcl ? 1 : 0,
  sensitive: sensitive ? 1 : 0,
  apply_only: applyOnly ? 1 : 0,
})

const toFrozen = (row: RunVariableRow): FrozenVariable => ({
  runId: row.run_id,
  position: row.position,
  origin: row.origin as VariableOrigin,
  category: row.category,
  key: row.key,
  value: asSealed(row.value),
  hcl: row.hcl === 1,
  sensitive: row.sensitive === 1,
  applyOnly: row.apply_only === 1,
})

/** The variables that these runs were given themselves, in the order in which they were sent. */
export async function listGivenVariables(db: Queryable, runIds: readonly string[]): Promise<FrozenVariable[]> {
  if (runIds.length === 0) return []
  const given = db.selectFrom('run_variables').selectAll().where('run_id', 'in', runIds).where('origin', '=', 'run')
  return (await given.orderBy('position').execute()).map(toFrozen)
}

/** All variables that a run keeps, the weakest first. */
export async function listFrozen(db: Queryable, runId: string): Promise<FrozenVariable[]> {
  const query = db.selectFrom('run_variables').selectAll().where('run_id', '=', runId)
  return (await query.orderBy('position').execute()).map(toFrozen)
}

/** Drops sensitive values of a run that has ended; which variables it had stays. */
export async function dropSensitive(tx: Tx, runId: string): Promise<void> {
  await tx
    .updateTable('run_variables')
    .set({ value: new Uint8Array() })
    .where('run_id', '=', runId)
    .where('sensitive', '=', 1)
    .execute()
}

/** How many bytes the log of a phase has. */
export async function logLength(db: Queryable, phaseId: string): Promise<number> {
  const row = await db
    .selectFrom('run_log_chunks')
    .select(['position', 'size'])
    .where('phase_id', '=', phaseId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? row.position + row.size : 0
}

/** Some bytes of a log, sealed. */
export type LogChunk = {
  readonly phaseId: string
  readonly position: number
  readonly size: number
  readonly content: Sealed
  readonly jobId: string | null
  readonly jobPosition: number | null
}

/** Where bytes of a log are stored, for their seal. */
export const placeOfChunk = (phaseId: string, position: number) => ({
  table: 'run_log_chunks',
  column: 'content',
  row: `${phaseId}:${position}`,
})

/** Adds bytes to the log of a phase. */
export async function insertChunk(
  tx: Tx,
  runId: string,
  { phaseId, jobId, jobPosition, ...chunk }: LogChunk,
): Promise<void> {
  await tx
    .insertInto('run_log_chunks')
    .values({ phase_id: phaseId, run_id: runId, job_id: jobId, job_position: jobPosition, ...chunk })
    .execute()
}

/** No part of a log is larger, so that a page of it is found without looking at all before. */
export const largestChunk = 256 * 1024

/** The parts of a log that have bytes from `offset` on, for so many bytes. */
export async function listChunks(
  db: Queryable,
  phaseId: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<LogChunk[]> {
  const rows = await db
    .selectFrom('run_log_chunks')
    .selectAll()
    .where('phase_id', '=', phaseId)
    .where('position', '<', offset + limit)
    .where('position', '>', offset - largestChunk)
    .where(({ eb, ref }) => eb(eb(ref('position'), '+', ref('size')), '>', offset))
    .orderBy('position')
    .execute()
  return rows.map(toChunk)
}

const toChunk = (row: RunLogChunkRow): LogChunk => ({
  phaseId: row.phase_id,
  position: row.position,
  size: row.size,
  content: asSealed(row.content),
  jobId: row.job_id,
  jobPosition: row.job_position,
})

/** The parts of a log that the runner of a job has sent, for so many bytes from `offset` of these on. */
export async function listJobChunks(
  db: Queryable,
  { phaseId, jobId }: { readonly phaseId: string; readonly jobId: string },
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<(LogChunk & { readonly jobPosition: number })[]> {
  const rows = await db
    .selectFrom('run_log_chunks')
    .selectAll()
    .where('phase_id', '=', phaseId)
    .where('job_id', '=', jobId)
    // Lines of the server stand between, so no byte is further to the front than in what the runner sent.
    .where('position', '>=', Math.max(0, offset - largestChunk))
    .where('job_position', '<', offset + limit)
    .where('job_position', '>', offset - largestChunk)
    .orderBy('job_position')
    .execute()
  return rows.map((row) => ({ ...toChunk(row), jobPosition: row.job_position ?? 0 }))
}
