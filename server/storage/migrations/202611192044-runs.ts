import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Runs with what they were created with, what happened to them, what was said about them, and what they wrote. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { text, integer, bytes } = types
  await sql`create table runs (
    id ${text} primary key not null,
    workspace_id ${text} not null references workspaces (id) on delete cascade,
    organization_id ${text} not null, ordinal ${integer} not null, status ${text} not null,
    configuration_version_id ${text} not null, message ${text} not null, is_destroy ${integer} not null,
    refresh ${integer} not null, refresh_only ${integer} not null, target_addrs ${text}, replace_addrs ${text},
    save_plan ${integer} not null, allow_empty_apply ${integer} not null, allow_config_generation ${integer} not null,
    debugging_mode ${integer} not null, policy_paths ${text}, invoke_action_addrs ${text},
    plan_only ${integer} not null, auto_apply ${integer} not null, tool_version ${text} not null,
    tool_name ${text} not null, source ${text} not null, trigger_reason ${text} not null, log_format ${text} not null,
    has_changes ${integer} not null, plan_digest ${text}, created_at ${integer} not null, updated_at ${integer} not null,
    canceled_at ${integer}, force_cancel_available_at ${integer}, deadline_at ${integer},
    working_directory ${text} not null, execution_mode ${text} not null, agent_pool_id ${text}, ssh_key_id ${text},
    queue_number ${integer}, generated_configuration ${integer} not null, input_state_version_id ${text},
    confirmed_at ${integer}, discarded_at ${integer}, discarded_by_id ${text}, force_canceled_at ${integer},
    timed_out ${integer} not null, fence ${integer} not null, attempt ${integer} not null, claimed_by ${text},
    is_started ${integer} not null, is_lost ${integer} not null, signal ${text}, lease_until ${integer},
    limit_at ${integer}, end_by ${integer}, told_reasons ${text} not null, look_at ${integer}, idempotency_key ${text},
    status_timestamps ${text} not null, error ${text},
    created_by_kind ${text} not null, created_by_id ${text} not null, created_by_name ${text} not null,
    confirmed_by_kind ${text}, confirmed_by_id ${text}, confirmed_by_name ${text},
    canceled_by_kind ${text}, canceled_by_id ${text}, canceled_by_name ${text},
    plan_id ${text} not null, plan_status ${text} not null, plan_times ${text} not null, plan_counts ${text} not null,
    apply_id ${text} not null, apply_status ${text} not null, apply_times ${text} not null,
    apply_counts ${text} not null,
    constraint runs_ordinal unique (workspace_id, ordinal)
  )`.execute(db)
  const indexes = [
    sql`create unique index runs_plan on runs (plan_id)`,
    sql`create unique index runs_apply on runs (apply_id)`,
    sql`create index runs_organization on runs (organization_id, created_at, id)`,
    sql`create index runs_configuration on runs (configuration_version_id)`,
    sql`create index runs_queue on runs (workspace_id, queue_number) where queue_number is not null`,
    sql`create index runs_open on runs (organization_id, status)
      where status not in ('planned_and_finished', 'applied', 'errored', 'canceled', 'discarded')`,
    sql`create index runs_deadline on runs (deadline_at) where deadline_at is not null`,
    sql`create index runs_look on runs (look_at) where look_at is not null`,
    sql`create index runs_idempotency on runs (workspace_id, idempotency_key) where idempotency_key is not null`,
  ]
  for (const index of indexes) await index.execute(db)
  await sql`create table run_variables (
    run_id ${text} not null references runs (id) on delete cascade, position ${integer} not null,
    origin ${text} not null, category ${text} not null, key ${text} not null, value ${bytes} not null,
    hcl ${integer} not null, sensitive ${integer} not null, primary key (run_id, position)
  )`.execute(db)
  await sql`create table run_events (
    id ${text} primary key not null, run_id ${text} not null references runs (id) on delete cascade,
    position ${integer} not null, action ${text} not null, description ${text} not null, comment_id ${text},
    actor_kind ${text}, actor_id ${text}, actor_name ${text}, created_at ${integer} not null,
    constraint run_events_position unique (run_id, position)
  )`.execute(db)
  await sql`create table run_comments (
    id ${text} primary key not null, run_id ${text} not null references runs (id) on delete cascade,
    event_id ${text} not null, position ${integer} not null, body ${text} not null,
    actor_kind ${text} not null, actor_id ${text} not null, actor_name ${text} not null, created_at ${integer} not null,
    constraint run_comments_position unique (run_id, position)
  )`.execute(db)
  await sql`create table run_log_chunks (
    phase_id ${text} not null, run_id ${text} not null references runs (id) on delete cascade,
    position ${integer} not null, size ${integer} not null, content ${bytes} not null, primary key (phase_id, position)
  )`.execute(db)
  await sql`create index run_log_chunks_run on run_log_chunks (run_id)`.execute(db)
  for (const column of ['current_run_id', 'current_run_status']) {
    await db.schema.alterTable('workspaces').addColumn(column, text).execute()
  }
  for (const [column, without] of [
    ['current_run_newest_first', 0],
    ['current_run_at_or_last', Number.MAX_SAFE_INTEGER],
  ] as const) {
    await db.schema
      .alterTable('workspaces')
      .addColumn(column, integer, (added) => added.notNull().defaultTo(without))
      .execute()
  }
  await sql`create index workspaces_run_status on workspaces (organization_id, current_run_status)
    where current_run_status is not null`.execute(db)
  await sql`create index workspaces_newest_run
    on workspaces (organization_id, current_run_newest_first, created_at, id)`.execute(db)
  await sql`create index workspaces_oldest_run on workspaces (organization_id, current_run_at_or_last, created_at, id)`.execute(
    db,
  )
}
