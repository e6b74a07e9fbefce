import type { Deps } from '../../../kit/deps.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import type { LockHolder } from '../workspaces/index.ts'
import type { RunComment, RunEvent } from './record.ts'
import {
  insertChunk,
  insertComment,
  insertEvent,
  type LogChunk,
  listChunks,
  logLength,
  placeOfChunk,
} from './record-store.ts'
import type { Phase, Run } from './run.ts'
import { logPart } from './run-texts.ts'
import type { EventAction } from './run-words.ts'

/** What recording needs. */
type RecordDeps = Pick<Deps, 'clock' | 'ids' | 'keyring'>

/** What happened, who did it, and what was said about it. */
type Happened = {
  readonly action: EventAction
  readonly description: string
  readonly actor: LockHolder | null
  readonly comment?: string | undefined
}

/** Tells what happened to a run; a comment that came with it is told as an event of its own. */
export async function addEvent(
  deps: RecordDeps,
  tx: Tx,
  { id: runId }: Pick<Run, 'id'>,
  { action, description, actor, comment }: Happened,
): Promise<void> {
  const createdAt = deps.clock.now()
  await insertEvent(tx, { id: deps.ids.newId('re'), runId, action, description, commentId: null, actor, createdAt })
  if (comment && actor) await addComment(deps, tx, { runId, body: comment, author: actor })
}

/** Says something about a run. */
export async function addComment(
  deps: RecordDeps,
  tx: Tx,
  { runId, body, author }: Pick<RunComment, 'runId' | 'body' | 'author'>,
): Promise<RunComment> {
  const createdAt = deps.clock.now()
  const eventId = deps.ids.newId('re')
  const comment = { id: deps.ids.newId('wsc'), runId, eventId, body, author, createdAt }
  const event: RunEvent = {
    id: eventId,
    runId,
    action: 'commented',
    description: 'Somebody commented on the run.',
    commentId: comment.id,
    actor: author,
    createdAt,
  }
  await insertEvent(tx, event)
  await insertComment(tx, comment)
  return comment
}

/** A line for the log of a phase, whether it tells of the job that is at work, and whether the log ends with it. */
type LogLine = {
  readonly phase: Pick<Phase, 'id' | 'kind'>
  readonly line: string | undefined
  readonly isOfJob?: boolean
  readonly isOver?: boolean
}

/** Adds a line of the server to the log of a phase. */
export async function addToLog(
  deps: RecordDeps,
  tx: Tx,
  run: Pick<Run, 'id'>,
  { phase, line, isOfJob = false, isOver = false }: LogLine,
): Promise<void> {
  const position = await logLength(tx, phase.id)
  const text = logPart(phase.kind, line, { wasEmpty: position === 0, isOfJob, isOver })
  const place = { phaseId: phase.id, position, jobId: null, jobPosition: null }
  await addBytes(deps, tx, run, { ...place, bytes: Buffer.from(text) })
}

/** Where bytes go in the log of a phase, and in what the runner of a job has sent. */
type LogBytes = Omit<LogChunk, 'size' | 'content'> & { readonly bytes: Buffer }

/** Adds bytes to the log of a phase; they never change. */
export async function addBytes(
  { keyring }: Pick<Deps, 'keyring'>,
  tx: Tx,
  run: Pick<Run, 'id'>,
  { bytes, ...place }: LogBytes,
): Promise<void> {
  const content = keyring.seal(bytes, placeOfChunk(place.phaseId, place.position))
  await insertChunk(tx, run.id, { ...place, size: bytes.length, content })
}

/** The bytes of a log from `offset` on, at most so many; none if there are no more. */
export async function readLog(
  { keyring }: Pick<Deps, 'keyring'>,
  db: Queryable,
  phaseId: string,
  range: { readonly offset: number; readonly limit: number },
): Promise<Buffer> {
  const { offset, limit } = range
  const chunks = await listChunks(db, phaseId, range)
  const parts = chunks.map(({ position, content }) => {
    const bytes = Buffer.from(keyring.open(content, placeOfChunk(phaseId, position)))
    return bytes.subarray(Math.max(0, offset - position), Math.max(0, offset + limit - position))
  })
  return Buffer.concat(parts)
}
