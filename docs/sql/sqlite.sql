-- Made from the code by `npm run gen`. A changed query shows up here, so that a reviewer sees it.

-- api-tokens.by-hash (:hash)
select "token"."id", "token"."owner_kind", "token"."user_id", "token"."team_id", "token"."organization_id", "token"."expires_at", "token"."last_used_at", "users"."username", "users"."site_admin", "users"."suspended", "teams"."name" as "team_name", "teams"."organization_id" as "team_organization_id", "organizations"."name" as "organization_name" from "api_tokens" as "token" left join "users" on "users"."id" = "token"."user_id" left join "teams" on "teams"."id" = "token"."team_id" left join "organizations" on "organizations"."id" = "token"."organization_id" where "token"."hash" = ? and coalesce("teams"."organization_id", "token"."organization_id", '') not in (select "subject_id" from "removals" where "kind" = 'organization');

-- approle-secret-ids.any-custom (:roleId, 1, 1)
select "role_id" from "approle_secret_ids" where "role_id" = ? and "custom" = ? limit ? + 0;

-- approle-secret-ids.by-hash (:hash)
select * from "approle_secret_ids" where "hash" = ?;

-- blobs.by-name (:scope, :id)
select "upload", "size", "chunks" from "blobs" where "scope" = ? and "id" = ?;

-- blobs.chunks (:upload)
select "bytes" from "blob_chunks" where "upload" = ? order by "seq";

-- blobs.claim (:now, :now, :scope, :id)
update "blobs" set "created_at" = case when "created_at" >= ? then "created_at" + 1 else ? end where "scope" = ? and "id" = ?;

-- blobs.insert (:upload, :scope, :id, :size, :chunks, :created_at)
insert into "blobs" ("upload", "scope", "id", "size", "chunks", "created_at") values (?, ?, ?, ?, ?, ?);

-- blobs.insert-chunk (:upload, :seq, :bytes)
insert into "blob_chunks" ("upload", "seq", "bytes") values (?, ?, ?);

-- blobs.insert-new (:upload, :scope, :id, :size, :chunks, :created_at)
insert into "blobs" ("upload", "scope", "id", "size", "chunks", "created_at") values (?, ?, ?, ?, ?, ?) on conflict ("scope", "id") do nothing;

-- blobs.next-chunks (:upload, :from, 4)
select "bytes" from "blob_chunks" where "upload" = ? and "seq" >= ? order by "seq" limit ? + 0;

-- cert-logins.put (:mount_id, :id, :at, :last_at, :count, :accepted, :role, :digest, :anchor, :reason, :facts, :chain)
insert into "cert_logins" ("mount_id", "id", "at", "last_at", "count", "accepted", "role", "digest", "anchor", "reason", "facts", "chain") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict ("mount_id", "id") do update set "count" = "excluded"."count", "last_at" = "excluded"."last_at";

-- cert-roles.by-name (:mountId, :nameKey)
select * from "cert_roles" where "mount_id" = ? and "name_key" = ?;

-- cert-roles.key-identifiers-of-name (:mountId, :subjectKey)
select distinct "key_id" from "cert_role_anchors" where "mount_id" = ? and "subject_key" = ?;

-- cert-roles.trusting-certificate (:mountId, :fingerprint)
select "name_key" from "cert_role_anchors" where "mount_id" = ? and "fingerprint" = ?;

-- cert-roles.trusting-name (:mountId, :subjectKey)
select "name_key", "key_id" from "cert_role_anchors" where "mount_id" = ? and "subject_key" = ?;

-- change-log.append (:id, :position, :organization_id, :workspace_id, :subject_type, :subject_id, :subject_name, :action, :actor_kind, :actor_id, :actor_name, :token_id, :request_id, :created_at, :before, :after)
insert into "change_log" ("id", "position", "organization_id", "workspace_id", "subject_type", "subject_id", "subject_name", "action", "actor_kind", "actor_id", "actor_name", "token_id", "request_id", "created_at", "before", "after") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- change-log.append-to-workspace (:id, :organization_id, :position, :position, :organization_id, :workspace_id, :subject_type, :subject_id, :subject_name, :action, :actor_kind, :actor_id, :actor_name, :token_id, :request_id, :created_at, :before, :after)
insert into "change_log" ("id", "position", "organization_id", "workspace_id", "subject_type", "subject_id", "subject_name", "action", "actor_kind", "actor_id", "actor_name", "token_id", "request_id", "created_at", "before", "after") values (?, coalesce((
      select position + 1 from change_log
      where organization_id = ? and position >= ?
      order by position desc limit 1
    ), ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- identity.alias-by-name (:mountAccessor, :nameKey)
select * from "entity_aliases" where "mount_accessor" = ? and "name_key" = ?;

-- identity.alias-held (:mountAccessor, :nameKey)
select * from "entity_aliases" where "mount_accessor" = ? and "name_key" = ? ;

-- kv-totals.add (:mount_id, :slot, :secrets, :versions, :bytes, :secrets, :versions, :bytes)
insert into "kv_totals" ("mount_id", "slot", "secrets", "versions", "bytes") values (?, ?, ?, ?, ?) on conflict ("mount_id", "slot") do update set "secrets" = kv_totals.secrets + ?, "versions" = kv_totals.versions + ?, "bytes" = kv_totals.bytes + ?;

-- kv-totals.subtract-below (:mount_id, :secret_id, :number, :mount_id, :secret_id, :number, :mount_id, :slot)
update "kv_totals" set "versions" = kv_totals.versions - (select coalesce(count(*), 0) from kv_versions where mount_id = ? and secret_id = ? and number < ?), "bytes" = kv_totals.bytes - (select coalesce(sum(size), 0) from kv_versions where mount_id = ? and secret_id = ? and number < ?) where "kv_totals"."mount_id" = ? and "slot" = ?;

-- kv-uses.put (:entity_id, :operation, :display_name, :version, :first_at, :last_at, :count, :secret_id)
insert into "kv_uses" ("mount_id", "secret_id", "entity_id", "operation", "display_name", "version", "first_at", "last_at", "count") select "kv_secrets"."mount_id", "kv_secrets"."id", cast(? as text) as "entity_id", cast(? as text) as "operation", cast(? as text) as "display_name", cast(? as bigint) as "version", cast(? as bigint) as "first_at", cast(? as bigint) as "last_at", cast(? as bigint) as "count" from "kv_secrets" where "kv_secrets"."id" = ?  on conflict ("mount_id", "secret_id", "entity_id", "operation") do update set "display_name" = "excluded"."display_name", "version" = "excluded"."version", "last_at" = "excluded"."last_at", "count" = kv_uses.count + excluded.count;

-- kv.advance (:id, :mount_id, :folder, :name, 1, :oldest, 0, 0, 0, 0, 0, :now, :now, :step, :step, :kept, :kept, :kept, :step, :kept, :kept, :kept, :now, :most, :free, :cas)
insert into "kv_secrets" ("id", "mount_id", "folder", "name", "current_version", "oldest_version", "max_versions", "cas_required", "delete_version_after", "metadata_version", "metadata_cas_required", "created_at", "updated_at") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict ("mount_id", "folder", "name") do update set "current_version" = kv_secrets.current_version + ?, "oldest_version" = case when kv_secrets.current_version + ? - kv_secrets.oldest_version >= case when kv_secrets.max_versions > ? then kv_secrets.max_versions when ? > 0 then ? else 10 end then kv_secrets.current_version + ? - (case when kv_secrets.max_versions > ? then kv_secrets.max_versions when ? > 0 then ? else 10 end) + 1 else kv_secrets.oldest_version end, "updated_at" = ? where "kv_secrets"."current_version" <= ? and ((? = 1 and kv_secrets.cas_required = 0) or kv_secrets.current_version = ?) returning "id", "current_version", "oldest_version", "delete_version_after", "custom_metadata";

-- kv.delete-versions-below (:mount_id, :secret_id, :number)
delete from "kv_versions" where "mount_id" = ? and "secret_id" = ? and "number" < ?;

-- kv.id (:mount_id, :folder, :name)
select "id" from "kv_secrets" where "mount_id" = ? and "folder" = ? and "name" = ?;

-- kv.insert-version (:mount_id, :secret_id, :number, :created_at, :deletion_at, 0, :created_by, null, :size, :value)
insert into "kv_versions" ("mount_id", "secret_id", "number", "created_at", "deletion_at", "destroyed", "created_by", "deleted_by", "size", "value") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- kv.latest (:mount_id, :folder, :name)
select "kv_secrets"."id", "kv_secrets"."custom_metadata", "kv_versions"."number", "kv_versions"."created_at", "kv_versions"."deletion_at", "kv_versions"."destroyed", "kv_versions"."value" from "kv_secrets" inner join "kv_versions" on "kv_versions"."mount_id" = "kv_secrets"."mount_id" and "kv_versions"."secret_id" = "kv_secrets"."id" and "kv_versions"."number" = "kv_secrets"."current_version" where "kv_secrets"."mount_id" = ? and "folder" = ? and "name" = ?;

-- kv.numbered (:mount_id, :folder, :name, :number)
select "kv_secrets"."id", "kv_secrets"."custom_metadata", "kv_versions"."number", "kv_versions"."created_at", "kv_versions"."deletion_at", "kv_versions"."destroyed", "kv_versions"."value" from "kv_secrets" inner join "kv_versions" on "kv_versions"."mount_id" = "kv_secrets"."mount_id" and "kv_versions"."secret_id" = "kv_secrets"."id" where "kv_secrets"."mount_id" = ? and "folder" = ? and "name" = ? and "number" = ?;

-- login-roles.by-lookup (:mountId, :lookup)
select * from "login_roles" where "mount_id" = ? and "lookup" = ?;

-- login-roles.by-name (:mountId, :name)
select * from "login_roles" where "mount_id" = ? and "name" = ?;

-- mounts.present (:id)
select "id" from "mounts" where "id" = ? ;

-- policies.text-by-name (:name)
select "text" from "policies" where "name" = ?;

-- sessions.by-hash (:hash, 0)
select "sessions"."id", "sessions"."user_id", "users"."username", "users"."site_admin", "sessions"."created_at", "sessions"."last_seen_at", "sessions"."expires_at", "sessions"."service_token", "sessions"."api_token_id" from "sessions" inner join "users" on "users"."id" = "sessions"."user_id" where "sessions"."hash" = ? and "users"."suspended" = ?;

-- state-content.json (0, :id, "finalized")
select "blobs"."upload", "blobs"."chunks", "chunk"."bytes" as "first", "version"."json_size" as "size" from "state_versions" as "version" inner join "blobs" on "blobs"."scope" = "version"."workspace_id" and "blobs"."id" = "version"."json_blob_id" inner join "blob_chunks" as "chunk" on "chunk"."upload" = "blobs"."upload" and "chunk"."seq" = ? where "version"."id" = ? and "version"."status" = ? and "version"."organization_id" not in (select "subject_id" from "removals" where "kind" = 'organization');

-- state-content.state (0, :id, "finalized")
select "blobs"."upload", "blobs"."chunks", "chunk"."bytes" as "first", "version"."size" from "state_versions" as "version" inner join "blobs" on "blobs"."scope" = "version"."workspace_id" and "blobs"."id" = "version"."blob_id" inner join "blob_chunks" as "chunk" on "chunk"."upload" = "blobs"."upload" and "chunk"."seq" = ? where "version"."id" = ? and "version"."status" = ? and "version"."organization_id" not in (select "subject_id" from "removals" where "kind" = 'organization');

-- state-version-outputs.by-id (:id)
select * from "state_version_outputs" where "id" = ?;

-- state-version-outputs.ids-of-version (:version)
select "id" from "state_version_outputs" where "state_version_id" = ? order by "position";

-- state-version-outputs.insert (:id, :state_version_id, :position, :name, :sensitive, :type, :detailed_type, :value)
insert into "state_version_outputs" ("id", "state_version_id", "position", "name", "sensitive", "type", "detailed_type", "value") values (?, ?, ?, ?, ?, ?, ?, ?);

-- state-version-outputs.of-version (:version)
select * from "state_version_outputs" where "state_version_id" = ? order by "position";

-- state-versions.by-id (:id)
select * from "state_versions" where "id" = ? and "organization_id" not in (select "subject_id" from "removals" where "kind" = 'organization');

-- state-versions.discard-pending ("discarded", 0, null, :workspaceId, "pending", :below)
update "state_versions" set "status" = ?, "intermediate" = ?, "announced_outputs" = ? where "workspace_id" = ? and "status" = ? and "ordinal" < ?;

-- state-versions.for-release (:workspaceId, "finalized", "backing_data_soft_deleted", "backing_data_permanently_deleted", 1, :workspaceId, "pending", 1)
select * from (select "status", "lock_generation", "id", "serial", "md5", "lineage", "run_id", "resource_count", "resource_count_known" from "state_versions" where "workspace_id" = ? and "status" in (?, ?, ?) order by "ordinal" desc limit ? + 0) as "newest" union all select * from (select "status", "lock_generation", "id", "serial", "md5", "lineage", "run_id", "resource_count", "resource_count_known" from "state_versions" where "workspace_id" = ? and "status" in (?) order by "ordinal" desc limit ? + 0) as "newest";

-- state-versions.insert (:id, :workspace_id, :organization_id, :ordinal, :serial, :md5, :lineage, :intermediate, :lock_generation, :created_by_kind, :created_by_id, :created_by_name, :run_id, :rolled_back_to, :created_at, :json_size, :json_blob_id, :soft_deleted_at, :status, :size, :blob_id, :format, :tool_version, :encrypted, :resource_count, :resource_count_known, :summary, :announced_outputs)
insert into "state_versions" ("id", "workspace_id", "organization_id", "ordinal", "serial", "md5", "lineage", "intermediate", "lock_generation", "created_by_kind", "created_by_id", "created_by_name", "run_id", "rolled_back_to", "created_at", "json_size", "json_blob_id", "soft_deleted_at", "status", "size", "blob_id", "format", "tool_version", "encrypted", "resource_count", "resource_count_known", "summary", "announced_outputs") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- state-versions.last-ordinal (:workspaceId, 1)
select "ordinal" from "state_versions" where "workspace_id" = ? order by "ordinal" desc limit ? + 0;

-- state-versions.newest-arrived (:workspaceId, "finalized", "backing_data_soft_deleted", "backing_data_permanently_deleted", 1)
select * from "state_versions" where "workspace_id" = ? and "status" in (?, ?, ?) order by "ordinal" desc limit ? + 0;

-- state-versions.newest-compared (:workspaceId, "finalized", "backing_data_soft_deleted", "backing_data_permanently_deleted", 1)
select "id", "serial", "md5", "lineage", "run_id", "resource_count", "resource_count_known" from "state_versions" where "workspace_id" = ? and "status" in (?, ?, ?) order by "ordinal" desc limit ? + 0;

-- state-versions.nothing-to-release (:workspaceId, "pending", 1, :workspaceId, "finalized", "backing_data_soft_deleted", "backing_data_permanently_deleted", 1, "", :current)
select 1 as "found" where (not exists (select "id" from "state_versions" where "workspace_id" = ? and "status" in (?) order by "ordinal" desc limit ? + 0) and coalesce((select "id" from "state_versions" where "workspace_id" = ? and "status" in (?, ?, ?) order by "ordinal" desc limit ? + 0), ?) = ?);

-- state-versions.update-arrived (:status, :size, :blob_id, :format, :tool_version, :encrypted, :resource_count, :resource_count_known, :summary, :announced_outputs, :id, "pending")
update "state_versions" set "status" = ?, "size" = ?, "blob_id" = ?, "format" = ?, "tool_version" = ?, "encrypted" = ?, "resource_count" = ?, "resource_count_known" = ?, "summary" = ?, "announced_outputs" = ? where "id" = ? and "status" = ?;

-- tokens.accessors (:now, :after, :most)
select case when case when "tokens"."revoked" = 1 then 1
    when "tokens"."expires_at" is not null and exists (
      select 1 from revoked_paths as gone where gone.until >= "tokens"."created_at" and ("tokens"."path" = gone.path
        or ("tokens"."path" > gone.path || '/' and "tokens"."path" < gone.path || '0'))
    ) then 1
    when "tokens"."mount_id" <> '' and not exists (
      select 1 from mounts where mounts.login_id = "tokens"."mount_id" or (mounts.login_id = '' and mounts.id = "tokens"."mount_id")
    ) then 1
    else 0 end = 1 or expires_at <= ?
      or (num_uses > 0 and uses_left <= 0) then null else parent_id end as "hangs_on", "accessor" from "tokens" where "accessor" > ? order by "accessor" limit ? + 0;

-- tokens.by-id (:id)
select *, case when "tokens"."revoked" = 1 then 1
    when "tokens"."expires_at" is not null and exists (
      select 1 from revoked_paths as gone where gone.until >= "tokens"."created_at" and ("tokens"."path" = gone.path
        or ("tokens"."path" > gone.path || '/' and "tokens"."path" < gone.path || '0'))
    ) then 1
    when "tokens"."mount_id" <> '' and not exists (
      select 1 from mounts where mounts.login_id = "tokens"."mount_id" or (mounts.login_id = '' and mounts.id = "tokens"."mount_id")
    ) then 1
    else 0 end as "is_dead" from "tokens" where "id" = ?;

-- tokens.children (:parent, :most)
select "id" from "tokens" where "parent_id" = ? and "parent_id" <> '' limit ? + 0;

-- tokens.insert (:id, :accessor, :parent_id, :policies, :path, :display_name, :metadata, :entity_id, :role, :mount_id, :created_at, :expires_at, :creation_ttl, :explicit_max_ttl, :period, :renewable, :last_renewed_at, :num_uses, :uses_left, :bound_cidrs, :orphan, :wrapping, :certificate_fingerprint, :platform_team, :platform_team_id, :auth_data, :revoked)
insert into "tokens" ("id", "accessor", "parent_id", "policies", "path", "display_name", "metadata", "entity_id", "role", "mount_id", "created_at", "expires_at", "creation_ttl", "explicit_max_ttl", "period", "renewable", "last_renewed_at", "num_uses", "uses_left", "bound_cidrs", "orphan", "wrapping", "certificate_fingerprint", "platform_team", "platform_team_id", "auth_data", "revoked") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- tokens.last-filed (:after, :before)
select "path", "created_at" from "tokens" where "tokens"."revoked" = 0 and "expires_at" is not null and "path" >= ? and "path" < ? order by "path" desc, "created_at" desc limit 1 + 0;

-- tokens.leases (:now, :path, :after, :most)
select case when case when "tokens"."revoked" = 1 then 1
    when "tokens"."expires_at" is not null and exists (
      select 1 from revoked_paths as gone where gone.until >= "tokens"."created_at" and ("tokens"."path" = gone.path
        or ("tokens"."path" > gone.path || '/' and "tokens"."path" < gone.path || '0'))
    ) then 1
    when "tokens"."mount_id" <> '' and not exists (
      select 1 from mounts where mounts.login_id = "tokens"."mount_id" or (mounts.login_id = '' and mounts.id = "tokens"."mount_id")
    ) then 1
    else 0 end = 1 or expires_at <= ?
      or (num_uses > 0 and uses_left <= 0) then null else parent_id end as "hangs_on", "tokens"."id" from "tokens" where "tokens"."revoked" = 0 and "tokens"."expires_at" is not null and "path" = ? and "tokens"."id" > ? order by "tokens"."id" limit ? + 0;

-- tokens.line (:id)
with recursive "line" as (select "id", "parent_id", case when "tokens"."revoked" = 1 then 1
    when "tokens"."expires_at" is not null and exists (
      select 1 from revoked_paths as gone where gone.until >= "tokens"."created_at" and ("tokens"."path" = gone.path
        or ("tokens"."path" > gone.path || '/' and "tokens"."path" < gone.path || '0'))
    ) then 1
    when "tokens"."mount_id" <> '' and not exists (
      select 1 from mounts where mounts.login_id = "tokens"."mount_id" or (mounts.login_id = '' and mounts.id = "tokens"."mount_id")
    ) then 1
    else 0 end as "is_dead", "expires_at" from "tokens" where "id" = ? union all select "tokens"."id", "tokens"."parent_id", case when "tokens"."revoked" = 1 then 1
    when "tokens"."expires_at" is not null and exists (
      select 1 from revoked_paths as gone where gone.until >= "tokens"."created_at" and ("tokens"."path" = gone.path
        or ("tokens"."path" > gone.path || '/' and "tokens"."path" < gone.path || '0'))
    ) then 1
    when "tokens"."mount_id" <> '' and not exists (
      select 1 from mounts where mounts.login_id = "tokens"."mount_id" or (mounts.login_id = '' and mounts.id = "tokens"."mount_id")
    ) then 1
    else 0 end as "is_dead", "tokens"."expires_at" from "tokens" inner join "line" on "line"."parent_id" = "tokens"."id") select count(*) as "generations", min("line"."parent_id") as "top", max("line"."is_dead") as "dead", min("line"."expires_at") as "expires_at" from "line";

-- tokens.line-kept (:id, :id)
with recursive "line" as (select "id", "parent_id", case when "tokens"."revoked" = 1 then 1
    when "tokens"."expires_at" is not null and exists (
      select 1 from revoked_paths as gone where gone.until >= "tokens"."created_at" and ("tokens"."path" = gone.path
        or ("tokens"."path" > gone.path || '/' and "tokens"."path" < gone.path || '0'))
    ) then 1
    when "tokens"."mount_id" <> '' and not exists (
      select 1 from mounts where mounts.login_id = "tokens"."mount_id" or (mounts.login_id = '' and mounts.id = "tokens"."mount_id")
    ) then 1
    else 0 end as "is_dead", "expires_at" from "tokens" where "id" = ? union all select "tokens"."id", "tokens"."parent_id", case when "tokens"."revoked" = 1 then 1
    when "tokens"."expires_at" is not null and exists (
      select 1 from revoked_paths as gone where gone.until >= "tokens"."created_at" and ("tokens"."path" = gone.path
        or ("tokens"."path" > gone.path || '/' and "tokens"."path" < gone.path || '0'))
    ) then 1
    when "tokens"."mount_id" <> '' and not exists (
      select 1 from mounts where mounts.login_id = "tokens"."mount_id" or (mounts.login_id = '' and mounts.id = "tokens"."mount_id")
    ) then 1
    else 0 end as "is_dead", "tokens"."expires_at" from "tokens" inner join "line" on "line"."parent_id" = "tokens"."id") select count(*) as "generations", min("line"."parent_id") as "top", max("line"."is_dead") as "dead", min("line"."expires_at") as "expires_at" from "line" inner join (select "id" as "kept_id" from "tokens" where "id" = ? ) as "kept" on true;

-- tokens.remove-used-up (:id, 0)
delete from "tokens" where "id" = ? and "num_uses" > ?;

-- tokens.take-use (1, :id, 0, 0)
update "tokens" set "uses_left" = "uses_left" - ? where "id" = ? and "uses_left" > ? and case when "tokens"."revoked" = 1 then 1
    when "tokens"."expires_at" is not null and exists (
      select 1 from revoked_paths as gone where gone.until >= "tokens"."created_at" and ("tokens"."path" = gone.path
        or ("tokens"."path" > gone.path || '/' and "tokens"."path" < gone.path || '0'))
    ) then 1
    when "tokens"."mount_id" <> '' and not exists (
      select 1 from mounts where mounts.login_id = "tokens"."mount_id" or (mounts.login_id = '' and mounts.id = "tokens"."mount_id")
    ) then 1
    else 0 end = ? returning "uses_left";

-- variables.links (:workspaceId)
select "id", "workspace_id" from "variables" where "workspace_id" = ? order by "key", "category";

-- workspaces.by-id (:id)
select * from "workspaces" where "id" = ?;

-- workspaces.by-id-for-update (:id)
select * from "workspaces" where "id" = ? ;

-- workspaces.first-page (:organizationId, :limit)
select "id", "revision", "lock_generation", "updated_at" from "workspaces" where "organization_id" = ? order by "created_at", "id" limit ? + 0;

-- workspaces.lock-held (:id, :generation, :now)
select "id" from "workspaces" where "id" = ? and "lock_generation" = ? and "locked_at" is not null and ("lock_expires_at" is null or "lock_expires_at" > ?) ;

-- workspaces.project-by-id (:id)
select * from "projects" where "id" = ?;

-- workspaces.stamp-by-id (:id)
select "id", "revision", "lock_generation", "updated_at" from "workspaces" where "id" = ?;

-- workspaces.stamp-by-name (:organizationId, :name)
select "id", "revision", "lock_generation", "updated_at" from "workspaces" where "organization_id" = ? and "name" = ?;

-- workspaces.swap (lock, lockGeneration) (:locked_by_kind, :locked_by_id, :locked_by_name, :locked_reason, :locked_at, :lock_expires_at, :lock_generation, :revision, :id, :seenRevision, :seenGeneration)
update "workspaces" set "locked_by_kind" = ?, "locked_by_id" = ?, "locked_by_name" = ?, "locked_reason" = ?, "locked_at" = ?, "lock_expires_at" = ?, "lock_generation" = ?, "revision" = ? where "id" = ? and "revision" = ? and "lock_generation" = ?;
