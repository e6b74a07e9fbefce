import { type Kysely, sql } from 'kysely'

/** Indexes from which lists of workspaces start, and fewer entries in those that most workspaces do not need. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements.split(';\n')) await sql.raw(statement).execute(db)
}

const statements = `
create index workspaces_facts on workspaces (id, created_at, project_id, name_key, name);
create index workspaces_locked on workspaces (organization_id, created_at, id, lock_expires_at)
  where locked_at is not null;
create index tag_bindings_of_projects on tag_bindings (organization_id, key, value) where project_id is not null;
drop index workspaces_ssh_key;
drop index workspaces_agent_pool;
drop index workspaces_oauth_token;
drop index workspaces_auto_destroy;
create index workspaces_ssh_key on workspaces (ssh_key_id) where ssh_key_id is not null;
create index workspaces_agent_pool on workspaces (agent_pool_id) where agent_pool_id is not null;
create index workspaces_oauth_token on workspaces (vcs_oauth_token_id) where vcs_oauth_token_id is not null;
create index workspaces_auto_destroy on workspaces (auto_destroy_at) where auto_destroy_at is not null`
