-- Every table, index and constraint, in the SQL of both engines: for `text`, `integer`, `bytes` and `real`, the migration
-- puts what the engine calls them. A line holds as many columns as fit on it; docs/sql/tables.ts lists them one by one.

-- Storage and background work

create table versions (
  area text primary key not null, version integer not null
);

create table operations (
  id text primary key not null, created_at integer not null
);
create index operations_by_age on operations (created_at);

create table blobs (
  upload text primary key not null, scope text not null, id text, size integer not null,
  chunks integer not null, created_at integer not null
);
create unique index blobs_by_content on blobs (scope, id);

create table blob_chunks (
  upload text not null references blobs (upload) on delete cascade,
  seq integer not null, bytes bytes not null,
  constraint blob_chunks_key primary key (upload, seq)
);

create table jobs (
  kind text not null, key text not null, next_run_at integer not null, every_ms integer,
  payload text not null, revision integer not null, owner text, lease_until integer not null,
  lease_ms integer not null, fence integer not null, attempts integer not null,
  last_started_at integer, last_finished_at integer, last_ok_at integer, last_error text,
  constraint jobs_key primary key (kind, key)
);
create index jobs_by_time on jobs (next_run_at);

-- The node that leads background work.
create table leases (
  name text primary key not null, owner text, node text not null, address text not null,
  lease_until integer not null, since integer not null, fence integer not null
);

-- What tells this installation apart from every other, whatever data is restored into it.
create table installation (
  id text primary key, uuid text not null, cluster_id text not null
);

-- The seal, tokens, and logins by certificate

-- The wrapped keys of the store.
create table seal (
  id text primary key, wrapped bytes not null, revision integer not null, type text not null,
  shares integer not null, threshold integer not null, recovery bytes, cluster_id text not null,
  cluster_name text not null, initialised_at integer not null
);

-- New key shares in the making.
create table rekey (
  id text primary key, keyring_id text not null, nonce text not null, shares integer not null,
  threshold integer not null, pgp_keys text not null, needs_verification integer not null,
  given bytes not null, given_count integer not null, next_root_key bytes,
  verification_nonce text not null, revision integer not null, started_at integer not null
);

-- The way of a new root key to the other processes.
create table root_key_handover (
  id text primary key, keyring_id text not null, wrapped bytes not null, created_at integer not null
);

-- `login_id` is what the tokens of logins carry, and changes when the mount is moved; empty stands for `id`.
create table mounts (
  id text primary key, path text not null unique, type text not null, accessor text not null unique,
  description text not null, config text not null, options text, local integer not null,
  seal_wrap integer not null, tainted integer not null, created_at integer not null,
  login_id text not null default ''
);

create table policies (
  name text primary key, text text not null, updated_at integer not null
);

create table entities (
  id text primary key, name text not null, name_key text not null unique, metadata text not null,
  policies text not null, disabled integer not null, merged_ids text not null,
  created_at integer not null, updated_at integer not null
);

create table entity_aliases (
  id text primary key,
  entity_id text not null references entities (id) on delete cascade,
  mount_accessor text not null, name text not null, name_key text not null, metadata text not null,
  custom_metadata text not null, merged_from_ids text not null, created_at integer not null,
  updated_at integer not null,
  constraint entity_aliases_name unique (mount_accessor, name_key),
  constraint entity_aliases_one_per_mount unique (entity_id, mount_accessor)
);

-- Where entities went that were merged into others: their tokens go on as the other's.
create table entity_merges (
  merged_id text primary key,
  entity_id text not null references entities (id) on delete cascade
);
create index entity_merges_by_entity on entity_merges (entity_id);

create table tokens (
  id text primary key, accessor text not null unique, expires_at integer, last_renewed_at integer,
  parent_id text not null, policies text not null, path text not null, display_name text not null,
  metadata text not null, entity_id text not null, role text not null, mount_id text not null,
  bound_cidrs text not null, certificate_fingerprint text not null, platform_team text not null,
  auth_data text not null, created_at integer not null, creation_ttl integer not null,
  explicit_max_ttl integer not null, period integer not null, renewable integer not null,
  num_uses integer not null, uses_left integer not null, orphan integer not null,
  wrapping integer not null, revoked integer not null, platform_team_id text not null default ''
);
-- Tokens are declared dead before they are removed, in batches. These indexes leave out or file elsewhere those that are
-- dead already: otherwise every batch would pass by all before it.
create index tokens_ending on tokens (expires_at) where revoked = 0;
create index tokens_leased on tokens (path, created_at) where revoked = 0 and expires_at is not null;
create index tokens_children on tokens (parent_id, revoked) where parent_id <> '';
create index tokens_dead on tokens (created_at) where revoked = 1;

create table token_roles (
  name text primary key, terms text not null, updated_at integer not null
);

-- What tokens keep for themselves.
create table cubbyholes (
  token_id text not null references tokens (id) on delete cascade,
  path text not null, sealed bytes not null,
  constraint cubbyholes_key primary key (token_id, path)
);

create table audit_devices (
  id text primary key, path text not null unique, type text not null, description text not null,
  options text not null, local integer not null, salt bytes not null, created_at integer not null
);

create table audit_headers (
  name text primary key, hmac integer not null
);

create table rate_quotas (
  name text primary key, path text not null unique, rate real not null,
  interval_seconds integer not null, block_seconds integer not null
);

-- Which pages of other origins may use `/v1`; no row while none may.
create table cross_origin (
  id text primary key, origins text not null, headers text not null
);

create table cert_config (
  mount_id text primary key, settings text not null
);

create table cert_roles (
  mount_id text not null, name_key text not null, name text not null, settings text not null,
  certificate text not null, certificate_digest text not null, version integer not null,
  updated_at integer not null,
  constraint cert_roles_key primary key (mount_id, name_key)
);

create table cert_role_anchors (
  mount_id text not null, name_key text not null, fingerprint text not null, subject_key text not null,
  key_id text not null, not_after integer not null,
  constraint cert_role_anchors_key primary key (mount_id, name_key, fingerprint),
  constraint cert_role_anchors_role foreign key (mount_id, name_key)
    references cert_roles (mount_id, name_key) on delete cascade
);
create index cert_role_anchors_by_subject on cert_role_anchors (mount_id, subject_key, key_id);
create index cert_role_anchors_by_fingerprint on cert_role_anchors (mount_id, fingerprint);

create table cert_crls (
  mount_id text not null, name_key text not null, next_update integer, number text, name text not null,
  url text not null, blob_id text not null, issuer text not null, signer_key text not null,
  last_error text not null, size integer not null, entries integer not null,
  this_update integer not null, updated_at integer not null, refresh_at integer not null,
  last_error_at integer not null,
  constraint cert_crls_key primary key (mount_id, name_key)
);
create index cert_crls_by_refresh on cert_crls (refresh_at);

-- People, organizations, and what teams may do

-- `email_verified`: an administrator stands behind the address.
create table users (
  id text primary key, username text not null, username_key text not null unique, email text not null,
  email_key text not null unique, password_hash text, site_admin integer not null,
  created_at integer not null, updated_at integer not null,
  allow_certificate_login integer not null default 0, suspended integer not null default 0,
  email_verified integer not null default 0
);

create table organizations (
  id text primary key, name text not null, name_key text not null unique, email text not null,
  default_project_id text not null, collaborator_auth_policy text not null,
  default_execution_mode text not null, default_agent_pool_id text, default_tool text not null,
  tier text not null, allow_force_delete_workspaces integer not null,
  assessments_enforced integer not null, default_global_remote_state integer not null,
  inherit_settings_by_default integer not null, user_tokens_enabled integer not null,
  cost_estimation_enabled integer not null, session_timeout integer, session_remember integer,
  created_at integer not null, updated_at integer not null,
  keep_encrypted_outputs integer not null default 1,
  speculative_plan_management_enabled integer not null default 1,
  aggregated_commit_status_enabled integer not null default 1,
  send_passing_statuses integer not null default 0
);

create table data_retention_policies (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  target_id text not null unique, kind text not null, days integer, created_at integer not null
);
create index data_retention_policies_organization on data_retention_policies (organization_id);

create table projects (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  name text not null, description text not null, auto_destroy_activity_duration text,
  default_execution_mode text not null, default_agent_pool_id text,
  overwrites_execution_mode integer not null, overwrites_agent_pool integer not null,
  created_at integer not null, updated_at integer not null,
  constraint projects_name unique (organization_id, name)
);

-- `link_hash` is the link that an invitation is accepted with; it goes when it was used.
create table organization_memberships (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  user_id text references users (id) on delete cascade,
  email text not null, email_key text not null, status text not null, created_at integer not null,
  link_hash text, link_expires_at integer,
  constraint organization_memberships_email unique (organization_id, email_key),
  constraint organization_memberships_user unique (organization_id, user_id)
);
create index organization_memberships_by_user on organization_memberships (user_id);
create index organization_memberships_by_email on organization_memberships (email_key);
create unique index organization_memberships_link on organization_memberships (link_hash);

create table teams (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  name text not null, owners integer not null, visibility text not null,
  organization_access text not null, allow_member_token_management integer not null,
  allow_certificate_login integer not null, created_at integer not null, sso_team_id text,
  constraint teams_name unique (organization_id, name)
);

create table team_members (
  team_id text not null references teams (id) on delete cascade,
  membership_id text not null references organization_memberships (id) on delete cascade,
  constraint team_members_key primary key (team_id, membership_id)
);
create index team_members_membership on team_members (membership_id);

create table team_workspace_access (
  id text primary key,
  team_id text not null references teams (id) on delete cascade,
  workspace_id text not null, access text not null, runs text not null, variables text not null,
  state_versions text not null, sentinel_mocks text not null, workspace_locking integer not null,
  run_tasks integer not null,
  constraint team_workspace_access_pair unique (team_id, workspace_id)
);
create index team_workspace_access_workspace on team_workspace_access (workspace_id);

create table team_project_access (
  id text primary key,
  team_id text not null references teams (id) on delete cascade,
  project_id text not null references projects (id) on delete cascade,
  access text not null, project_settings text not null, project_teams text not null,
  runs text not null, variables text not null, state_versions text not null,
  sentinel_mocks text not null, workspace_locking integer not null, run_tasks integer not null,
  workspace_create integer not null, workspace_delete integer not null,
  workspace_move integer not null, project_variable_sets text not null default 'none',
  constraint team_project_access_pair unique (team_id, project_id)
);
create index team_project_access_project on team_project_access (project_id);

create table agent_pools (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  name text not null, organization_scoped integer not null, created_at integer not null,
  constraint agent_pools_name unique (organization_id, name)
);

create table agent_pool_scopes (
  pool_id text not null references agent_pools (id) on delete cascade,
  kind text not null, target_id text not null,
  constraint agent_pool_scopes_key primary key (pool_id, kind, target_id)
);
create index agent_pool_scopes_target on agent_pool_scopes (target_id);

create table api_tokens (
  id text primary key, hash text not null unique, hint text not null, owner_kind text not null,
  user_id text references users (id) on delete cascade,
  team_id text references teams (id) on delete cascade,
  organization_id text references organizations (id) on delete cascade,
  slot text unique, description text not null, created_by_kind text not null,
  created_by_id text not null, created_at integer not null, last_used_at integer, expires_at integer,
  agent_pool_id text references agent_pools (id) on delete cascade
);
create index api_tokens_user_id on api_tokens (user_id);
create index api_tokens_team_id on api_tokens (team_id);
create index api_tokens_organization_id on api_tokens (organization_id);
create index api_tokens_agent_pool_id on api_tokens (agent_pool_id);

-- A session ends when the user token goes that it began with.
create table sessions (
  id text primary key, hash text not null unique,
  user_id text not null references users (id) on delete cascade,
  created_at integer not null, last_seen_at integer not null, expires_at integer not null,
  remote_address text not null, user_agent text not null, service_token bytes,
  api_token_id text references api_tokens (id) on delete cascade
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);
create index sessions_api_token_id on sessions (api_token_id);

create table one_time_links (
  hash text primary key, purpose text not null,
  user_id text not null references users (id) on delete cascade,
  created_at integer not null, expires_at integer not null
);
create index one_time_links_user on one_time_links (user_id);

create table sign_in_failures (
  key text primary key, failures integer not null, last_failure_at integer not null,
  blocked_until integer not null
);

-- Codes that browsers carry back to command lines. A code ends with the session it was made in.
create table oauth_codes (
  hash text primary key,
  user_id text not null references users (id) on delete cascade,
  username text not null, challenge text not null, redirect_uri text not null,
  expires_at integer not null,
  session_id text references sessions (id) on delete cascade
);
create index oauth_codes_expiry on oauth_codes (expires_at);
create index oauth_codes_session_id on oauth_codes (session_id);

-- Who changed what. It outlives what it tells about, so nothing is referenced.
create table change_log (
  id text primary key, position integer not null, organization_id text not null,
  workspace_id text not null, subject_type text not null, subject_id text not null,
  subject_name text not null, action text not null, actor_kind text not null, actor_id text not null,
  actor_name text not null, token_id text not null, request_id text not null,
  created_at integer not null, before text, after text
);
create index change_log_organization on change_log (organization_id, position, id);
create index change_log_workspace on change_log (workspace_id, position, id);
create index change_log_subject on change_log (organization_id, subject_id, position, id);

-- Workspaces, and what belongs to them

create table workspaces (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  project_id text not null references projects (id),
  name text not null, name_key text not null, execution_mode text not null,
  trigger_prefixes text not null, trigger_patterns text not null, tool_version text not null,
  source text not null, vcs_branch text not null, tag_names text not null, locked_reason text not null,
  description text, agent_pool_id text, auto_destroy_status text, auto_destroy_activity_duration text,
  working_directory text, source_name text, source_url text, vcs_identifier text,
  vcs_oauth_token_id text, vcs_installation_id text, vcs_tags_regex text, vcs_webhook_id text,
  ssh_key_id text, current_state_version_id text, locked_by_kind text, locked_by_id text,
  locked_by_name text, overwrites_execution_mode integer not null,
  overwrites_agent_pool integer not null, allow_destroy_plan integer not null,
  assessments_enabled integer not null, auto_apply integer not null,
  auto_apply_run_trigger integer not null, file_triggers_enabled integer not null,
  global_remote_state integer not null, project_remote_state integer not null,
  queue_all_runs integer not null, speculative_enabled integer not null,
  structured_run_output_enabled integer not null, vcs_ingress_submodules integer not null,
  resource_count integer not null, resource_count_known integer not null,
  lock_generation integer not null, revision integer not null, created_at integer not null,
  updated_at integer not null, latest_change_at integer not null, auto_destroy_at integer,
  inherits_project_auto_destroy integer, locked_at integer, lock_expires_at integer,
  constraint workspaces_name unique (organization_id, name)
);
-- One index for each order of the list; the first also answers searches by name without touching the table.
create index workspaces_created on workspaces (organization_id, created_at, id, name_key, project_id);
create index workspaces_changed on workspaces (organization_id, latest_change_at, created_at, id);
create index workspaces_project on workspaces (project_id, created_at, id);
create index workspaces_ssh_key on workspaces (ssh_key_id);
create index workspaces_agent_pool on workspaces (agent_pool_id);
create index workspaces_oauth_token on workspaces (vcs_oauth_token_id);
create index workspaces_auto_destroy on workspaces (auto_destroy_at);
-- The few locks that end by themselves.
create index workspaces_lock_expires on workspaces (lock_expires_at) where lock_expires_at is not null;
create index workspaces_tool_version on workspaces (organization_id, tool_version, created_at, id);
create index workspaces_updated on workspaces (organization_id, updated_at, created_at, id);

create table workspace_counts (
  organization_id text not null references organizations (id) on delete cascade,
  project_id text not null references projects (id) on delete cascade,
  workspaces integer not null,
  constraint workspace_counts_key primary key (organization_id, project_id)
);

create table former_workspace_names (
  organization_id text not null, name text not null,
  workspace_id text not null references workspaces (id) on delete cascade,
  renamed_at integer not null,
  constraint former_workspace_names_key primary key (organization_id, name)
);
create index former_workspace_names_workspace on former_workspace_names (workspace_id);

-- `archs`: for which platforms it can be downloaded; null where only `url` and `sha` tell.
create table tool_versions (
  id text primary key, tool text not null, version text not null, enabled integer not null,
  official integer not null, beta integer not null, deprecated integer not null,
  deprecated_reason text, url text, sha text, created_at integer not null, archs text,
  constraint tool_versions_version unique (tool, version)
);

create table tags (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  name text not null, created_at integer not null,
  constraint tags_name unique (organization_id, name)
);

create table workspace_tags (
  workspace_id text not null references workspaces (id) on delete cascade,
  tag_id text not null references tags (id) on delete cascade,
  position integer not null,
  constraint workspace_tags_key primary key (tag_id, workspace_id)
);
create index workspace_tags_workspace on workspace_tags (workspace_id, position);

create table tag_bindings (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  workspace_id text references workspaces (id) on delete cascade,
  project_id text references projects (id) on delete cascade,
  key text not null, value text not null, position integer not null, created_at integer not null,
  constraint tag_bindings_workspace unique (workspace_id, key),
  constraint tag_bindings_project unique (project_id, key)
);
create index tag_bindings_key on tag_bindings (organization_id, key, value, workspace_id, project_id);
create index tag_bindings_value on tag_bindings (organization_id, value);

create table remote_state_consumers (
  workspace_id text not null references workspaces (id) on delete cascade,
  consumer_id text not null references workspaces (id) on delete cascade,
  created_at integer not null,
  constraint remote_state_consumers_key primary key (workspace_id, consumer_id)
);
create index remote_state_consumers_consumer on remote_state_consumers (consumer_id);

create table variables (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  key text not null, value bytes not null, category text not null, hcl integer not null,
  sensitive integer not null, description text, version_id text not null, created_at integer not null,
  constraint variables_key unique (workspace_id, category, key)
);

create table ssh_keys (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  name text not null, value bytes not null, created_at integer not null
);
create index ssh_keys_organization on ssh_keys (organization_id, name);

create table oauth_clients (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  name text, service_provider text not null, http_url text not null, api_url text not null,
  organization_scoped integer not null, created_at integer not null, updated_at integer not null
);
create index oauth_clients_organization on oauth_clients (organization_id, created_at);

create table oauth_tokens (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  oauth_client_id text not null references oauth_clients (id) on delete cascade,
  token bytes, service_provider_user text, has_ssh_key integer not null, created_at integer not null
);
create index oauth_tokens_client on oauth_tokens (oauth_client_id);

create table oauth_ssh_keys (
  oauth_token_id text primary key references oauth_tokens (id) on delete cascade,
  value bytes not null
);

create table state_versions (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  organization_id text not null, md5 text not null, status text not null,
  created_by_kind text not null, created_by_id text not null, created_by_name text not null,
  lineage text, run_id text, blob_id text, json_blob_id text, tool_version text,
  ordinal integer not null, serial integer not null, intermediate integer not null,
  lock_generation integer not null, created_at integer not null, size integer not null,
  json_size integer not null, encrypted integer not null, resource_count integer not null,
  resource_count_known integer not null, format integer, soft_deleted_at integer, summary bytes,
  announced_outputs bytes, rolled_back_to text,
  constraint state_versions_ordinal unique (workspace_id, ordinal)
);
create index state_versions_status on state_versions (workspace_id, status, ordinal);
-- The few states that were put aside.
create index state_versions_put_aside on state_versions (soft_deleted_at) where soft_deleted_at is not null;
-- The versions that refer to a file: asked for every file that is deleted, and daily for every one there is.
create index state_versions_blob_id on state_versions (workspace_id, blob_id) where blob_id is not null;
create index state_versions_json_blob_id on state_versions (workspace_id, json_blob_id) where json_blob_id is not null;

create table state_version_outputs (
  id text primary key,
  state_version_id text not null references state_versions (id) on delete cascade,
  position integer not null, name text not null, sensitive integer not null, type text not null,
  detailed_type text, value bytes not null,
  constraint state_version_outputs_position unique (state_version_id, position)
);

-- Automated snapshots

create table snapshot_configurations (
  name text primary key, interval_s integer not null, retain integer not null,
  path_prefix text not null, file_prefix text not null, type text not null, dialect text not null,
  settings text not null, secrets bytes, verify text not null, paused integer not null,
  revision integer not null, created_at integer not null, updated_at integer not null
);

create table snapshot_status (
  name text primary key, anchor integer not null, consecutive_errors integer not null,
  last_number text not null, prune_error text not null, stored integer not null,
  used_bytes integer not null
);

-- `verify_failed`: it was proved not to restore; an error alone may mean that nobody could look.
create table snapshot_attempts (
  id text primary key, name text not null, sequence integer not null, trigger_kind text not null,
  started_at integer, ended_at integer, object text not null, url text not null, size integer,
  sha256 text, error text not null, pruned text not null, verified_at integer,
  verify_error text not null, node text not null, verify_failed integer not null default 0,
  constraint snapshot_attempts_order unique (name, sequence)
);

-- Which tokens came back through the last restore although they had been revoked or had ended.
create table restored_tokens (
  kind text not null, id text not null,
  constraint restored_tokens_key primary key (kind, id)
);
