import type { Instant } from '../../../../kernel/clock.ts'
import type { StoredContent } from '../../../../kit/stored-bytes/index.ts'
import { bit } from '../../../../storage/bits.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'
import type { PhaseKind, Run } from '../run.ts'
import type { Artifact, ArtifactName, Job } from './job.ts'

/** A phase of a run in the hands of a runner. Its tokens are stored as keyed hashes. */
interface RunJobRow {
  id: string
  run_id: string
  workspace_id: string
  phase: string
  fence: number
  runner_id: string
  runner_name: string
  pool_id: string | null
  pool_name: string | null
  layer: string
  not_in_force: string
  os: string
  arch: string
  work_root: string | null
  token_hash: string
  tool_hash: string
  created_at: number
  ended_at: number | null
  log_length: number
  is_log_cut: number
  outcome: string | null
  answer: string | null
  /** JSON: the newest state version that the runner has told of. */
  progress: string | null
}

/** Something that a runner has stored for a run. */
interface RunArtifactRow {
  run_id: string
  phase: string
  name: string
  job_id: string
  workspace_id: string
  sha256: string
  size: number
  blob_id: string
  created_at: number
}

/** Claims of one organization happen one after the other, so that its limits hold. */
interface RunTurnRow {
  organization_id: string
  turns: number
}

declare module '../../../../storage/tables.ts' {
  interface DescribedTables {
    run_jobs: RunJobRow
    run_artifacts: RunArtifactRow
    run_turns: RunTurnRow
  }
}

const toJob = (row: RunJobRow): Job => ({
  id: row.id,
  runId: row.run_id,
  workspaceId: row.workspace_id,
  phase: row.phase as PhaseKind,
  fence: row.fence,
  runnerId: row.runner_id,
  runnerName: row.runner_name,
  poolId: row.pool_id,
  poolName: row.pool_name,
  layer: row.layer,
  notInForce: JSON.parse(row.not_in_force) as string[],
  os: row.os,
  arch: row.arch,
  workRoot: row.work_root,
  createdAt: row.created_at as Instant,
  endedAt: row.ended_at as Instant | null,
  logLength: row.log_length,
  isLogCut: row.is_log_cut === 1,
  outcome: row.outcome as Job['outcome'],
  answer: row.answer,
})

/** The hashes of the two tokens of a job. */
export type TokenHashes = { readonly token: string; readonly tool: string }

/** Stores a job that a runner was given. */
export async function insertJob(tx: Tx, job: Job, hashes: TokenHashes): Promise<void> {
  await tx
    .insertInto('run_jobs')
    .values({
      id: job.id,
      run_id: job.runId,
      workspace_id: job.workspaceId,
      phase: job.phase,
      fence: job.fence,
      runner_id: job.runnerId,
      runner_name: job.runnerName,
      pool_id: job.poolId,
      pool_name: job.poolName,
      layer: job.layer,
      not_in_force: JSON.stringify(job.notInForce),
      os: job.os,
      arch: job.arch,
      work_root: job.workRoot,
      token_hash: hashes.token,
      tool_hash: hashes.tool,
      created_at: job.createdAt,
      ended_at: job.endedAt,
      log_length: job.logLength,
      is_log_cut: bit(job.isLogCut),
      outcome: job.outcome,
      answer: job.answer,
      progress: null,
    })
    .execute()
}

/** The job whose runner, or whose tool, holds the token with this hash. */
export async function loadJobByToken(db: Queryable, holder: 'runner' | 'tool', hash: string): Promise<Job | undefined> {
  const column = holder === 'runner' ? 'token_hash' : 'tool_hash'
  const row = await db.selectFrom('run_jobs').selectAll().where(column, '=', hash).executeTakeFirst()
  return row && toJob(row)
}

/** The job with this id. */
export async function loadJob(db: Queryable, id: string): Promise<Job | undefined> {
  const row = await db.selectFrom('run_jobs').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toJob(row)
}

/** The jobs of these runs, the last ones last. */
export async function listJobsOf(db: Queryable, runIds: readonly string[]): Promise<Job[]> {
  if (runIds.length === 0) return []
  const rows = await db.selectFrom('run_jobs').selectAll().where('run_id', 'in', runIds).orderBy('fence').execute()
  return rows.map(toJob)
}

/** The jobs that runners have in hand, by the oldest first. */
export async function listOpenJobs(db: Queryable, runnerIds: readonly string[]): Promise<Job[]> {
  if (runnerIds.length === 0) return []
  const open = db.selectFrom('run_jobs').selectAll().where('ended_at', 'is', null)
  return (await open.where('runner_id', 'in', runnerIds).orderBy('created_at').execute()).map(toJob)
}

/** Gives a job other tokens; those before work no more. */
export async function replaceTokens(tx: Tx, id: string, { token, tool }: TokenHashes): Promise<void> {
  await tx.updateTable('run_jobs').set({ token_hash: token, tool_hash: tool }).where('id', '=', id).execute()
}

/** Says that the jobs of a run have ended: their tools' tokens work no more, those of their runners hardly. */
export async function endJobs(tx: Tx, runId: string, at: Instant): Promise<void> {
  await tx
    .updateTable('run_jobs')
    .set({ ended_at: at })
    .where('run_id', '=', runId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Notes how a job ended, and what its runner was answered. */
export async function saveOutcome(
  tx: Tx,
  id: string,
  { outcome, answer }: Pick<Job, 'outcome' | 'answer'>,
): Promise<void> {
  await tx.updateTable('run_jobs').set({ outcome, answer }).where('id', '=', id).execute()
}

/** Notes how much log a job has. */
export async function saveLogLength(
  tx: Tx,
  id: string,
  { logLength, isLogCut }: Pick<Job, 'logLength' | 'isLogCut'>,
): Promise<void> {
  await tx
    .updateTable('run_jobs')
    .set({ log_length: logLength, is_log_cut: bit(isLogCut) })
    .where('id', '=', id)
    .execute()
}

/** Notes what a runner says about the state that it uploads. */
export async function saveProgress(db: Queryable, id: string, progress: string): Promise<void> {
  await db.updateTable('run_jobs').set({ progress }).where('id', '=', id).execute()
}

/** Removes jobs of runs that are gone, once their runners were told. */
export async function deleteOrphans(tx: Tx, before: Instant): Promise<number> {
  const result = await tx
    .deleteFrom('run_jobs')
    .where('created_at', '<', before)
    .where('run_id', 'not in', tx.selectFrom('runs').select('runs.id'))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** The job waits here until no other claim of the organization is under way. */
export async function takeTurn(tx: Tx, organizationId: string): Promise<void> {
  await tx
    .insertInto('run_turns')
    .values({ organization_id: organizationId, turns: 1 })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet(({ eb, ref }) => ({ turns: eb(ref('run_turns.turns'), '+', 1) })),
    )
    .execute()
}

/** Keeps a run as it is until the transaction ends; false if it is gone. */
export async function lockRun(tx: Tx, id: string): Promise<boolean> {
  const row = await tx.selectFrom('runs').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return row !== undefined
}

/** The scope of stored bytes that holds what runners store for the runs of a workspace. */
export const artifactScope = (workspaceId: string): string => `runs:${workspaceId}`

const toArtifact = (row: RunArtifactRow): Artifact => ({
  runId: row.run_id,
  phase: row.phase as PhaseKind,
  name: row.name as ArtifactName,
  jobId: row.job_id,
  workspaceId: row.workspace_id,
  sha256: row.sha256,
  size: Number(row.size),
  blobId: row.blob_id,
  createdAt: row.created_at as Instant,
})

/** What was stored for these runs. */
export async function listArtifacts(db: Queryable, runIds: readonly string[]): Promise<Artifact[]> {
  if (runIds.length === 0) return []
  const rows = await db.selectFrom('run_artifacts').selectAll().where('run_id', 'in', runIds).execute()
  return rows.map(toArtifact)
}

/** Something that was stored for a phase of a run. */
export async function loadArtifact(
  db: Queryable,
  runId: string,
  phase: PhaseKind,
  name: ArtifactName,
): Promise<Artifact | undefined> {
  const row = await db
    .selectFrom('run_artifacts')
    .selectAll()
    .where('run_id', '=', runId)
    .where('phase', '=', phase)
    .where('name', '=', name)
    .executeTakeFirst()
  return row && toArtifact(row)
}

/** Notes what was stored; what an attempt before has stored under the name is replaced. */
export async function putArtifactRow(tx: Tx, artifact: Artifact): Promise<void> {
  const { runId, phase, name, jobId, workspaceId, sha256, size, blobId, createdAt } = artifact
  const values = { job_id: jobId, sha256, size, blob_id: blobId, created_at: createdAt }
  await tx
    .insertInto('run_artifacts')
    .values({ run_id: runId, phase, name, workspace_id: workspaceId, ...values })
    .onConflict((conflict) => conflict.columns(['run_id', 'phase', 'name']).doUpdateSet(values))
    .execute()
}

/** Forgets what was stored for a run under these names; returns what there was. */
export async function deleteArtifactRows(
  tx: Tx,
  runId: string,
  names: readonly ArtifactName[],
): Promise<Pick<Artifact, 'workspaceId' | 'blobId'>[]> {
  const rows = await tx
    .deleteFrom('run_artifacts')
    .where('run_id', '=', runId)
    .where('name', 'in', names)
    .returning(['workspace_id', 'blob_id'])
    .execute()
  return rows.map((row) => ({ workspaceId: row.workspace_id, blobId: row.blob_id }))
}

/** Where something that was stored is. */
export async function findStored(
  db: Queryable,
  { workspaceId, blobId, size }: Pick<Artifact, 'workspaceId' | 'blobId' | 'size'>,
): Promise<StoredContent | undefined> {
  const row = await db
    .selectFrom('blobs')
    .select(['upload', 'chunks'])
    .where('scope', '=', artifactScope(workspaceId))
    .where('id', '=', blobId)
    .executeTakeFirst()
  return row && { ...row, size }
}

/** True if anything that was stored for a run of the workspace has this content. */
export async function isStoredUsed(tx: Tx, workspaceId: string, blobId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('run_artifacts')
    .select('run_id')
    .where('workspace_id', '=', workspaceId)
    .where('blob_id', '=', blobId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the runner of an apply has announced a state whose content is not there. */
export async function hasPendingState(db: Queryable, { id, workspaceId }: Pick<Run, 'id' | 'workspaceId'>) {
  const row = await db
    .selectFrom('state_versions')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('run_id', '=', id)
    .where('status', '=', 'pending')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The ids of the state versions that these runs have written, by run; the first ones first. */
export async function listStateIds(
  db: Queryable,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (runIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('state_versions')
    .select(['id', 'run_id'])
    .where('run_id', 'in', runIds)
    .where('status', '<>', 'discarded')
    .orderBy('ordinal')
    .execute()
  const byRun = Map.groupBy(rows, ({ run_id: runId }) => runId ?? '')
  return new Map([...byRun].map(([id, all]) => [id, all.map((row) => row.id)]))
}
