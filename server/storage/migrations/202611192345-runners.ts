import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Runners with their sessions, the jobs that they were given, and what these left behind. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { text, integer } = types
  await sql`create table runners (
    id ${text} primary key not null, pool_id ${text} references agent_pools (id) on delete cascade,
    name ${text} not null, version ${text} not null, os ${text} not null, arch ${text} not null, layer ${text} not null,
    isolation ${text} not null, tools ${text} not null, capabilities ${text} not null, labels ${text} not null,
    work_root ${text}, max_jobs ${integer} not null, ip_address ${text} not null, signed_in_by ${text} not null,
    token_id ${text}, status ${text} not null, faults ${integer} not null,
    created_at ${integer} not null, last_seen_at ${integer} not null
  )`.execute(db)
  await sql`create index runners_pool on runners (pool_id, last_seen_at)`.execute(db)
  await sql`create index runners_seen on runners (last_seen_at)`.execute(db)
  await sql`create table runner_sessions (
    hash ${text} primary key not null, runner_id ${text} not null references runners (id) on delete cascade,
    created_at ${integer} not null, expires_at ${integer} not null, ended_at ${integer}
  )`.execute(db)
  await sql`create index runner_sessions_runner on runner_sessions (runner_id)`.execute(db)
  // Without a reference to its run: a runner whose workspace is gone is told so.
  await sql`create table run_jobs (
    id ${text} primary key not null, run_id ${text} not null, workspace_id ${text} not null, phase ${text} not null,
    fence ${integer} not null, runner_id ${text} not null, runner_name ${text} not null, pool_id ${text},
    pool_name ${text}, layer ${text} not null, not_in_force ${text} not null, os ${text} not null, arch ${text} not null,
    work_root ${text}, token_hash ${text} not null, tool_hash ${text} not null, created_at ${integer} not null,
    ended_at ${integer}, log_length ${integer} not null, is_log_cut ${integer} not null, outcome ${text}, answer ${text},
    progress ${text}
  )`.execute(db)
  await sql`create unique index run_jobs_token on run_jobs (token_hash)`.execute(db)
  await sql`create unique index run_jobs_tool on run_jobs (tool_hash)`.execute(db)
  await sql`create index run_jobs_run on run_jobs (run_id, fence)`.execute(db)
  await sql`create index run_jobs_runner on run_jobs (runner_id) where ended_at is null`.execute(db)
  await sql`create table run_artifacts (
    run_id ${text} not null references runs (id) on delete cascade, phase ${text} not null, name ${text} not null,
    job_id ${text} not null, workspace_id ${text} not null, sha256 ${text} not null, size ${integer} not null,
    blob_id ${text} not null, created_at ${integer} not null, primary key (run_id, phase, name)
  )`.execute(db)
  await sql`create index run_artifacts_blob on run_artifacts (workspace_id, blob_id)`.execute(db)
  await sql`create table run_turns (organization_id ${text} primary key not null, turns ${integer} not null)`.execute(
    db,
  )
  await sql`create table run_pauses (
    site ${text} primary key not null, reason ${text} not null, paused_by ${text} not null, since ${integer} not null
  )`.execute(db)
  await sql`alter table run_log_chunks add column job_id ${text}`.execute(db)
  await sql`alter table run_log_chunks add column job_position ${integer}`.execute(db)
  await sql`create index runs_jobs on runs (execution_mode, agent_pool_id, organization_id)
    where status in ('plan_queued', 'apply_queued')`.execute(db)
}
