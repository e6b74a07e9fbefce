-- Made from the code by `npm run gen`. A changed query shows up here, so that a reviewer sees it.

-- api-tokens.by-hash (:hash)
select "token"."id", "token"."owner_kind", "token"."user_id", "token"."team_id", "token"."organization_id", "token"."expires_at", "token"."last_used_at", "users"."username", "users"."site_admin", "users"."suspended", "teams"."name" as "team_name", "teams"."organization_id" as "team_organization_id", "organizations"."name" as "organization_name" from "api_tokens" as "token" left join "users" on "users"."id" = "token"."user_id" left join "teams" on "teams"."id" = "token"."team_id" left join "organizations" on "organizations"."id" = "token"."organization_id" where "token"."hash" = $1 and coalesce("teams"."organization_id", "token"."organization_id", '') not in (select "subject_id" from "removals" where "kind" = 'organization');

-- approle-secret-ids.any-custom (:roleId, 1, 1)
select "role_id" from "approle_secret_ids" where "role_id" = $1 and "custom" = $2 limit $3;

-- approle-secret-ids.by-hash (:hash)
select * from "approle_secret_ids" where "hash" = $1;

-- blobs.by-name (:scope, :id)
select "upload", "size", "chunks" from "blobs" where "scope" = $1 and "id" = $2;

-- blobs.chunks (:upload)
select "bytes" from "blob_chunks" where "upload" = $1 order by "seq";

-- blobs.claim (:now, :now, :scope, :id)
update "blobs" set "created_at" = case when "created_at" >= $1 then "created_at" + 1 else $2 end where "scope" = $3 and "id" = $4;

-- blobs.insert (:upload, :scope, :id, :size, :chunks, :created_at)
insert into "blobs" ("upload", "scope", "id", "size", "chunks", "created_at") values ($1, $2, $3, $4, $5, $6);

-- blobs.insert-chunk (:upload, :seq, :bytes)
insert into "blob_chunks" ("upload", "seq", "bytes") values ($1, $2, $3);

-- blobs.insert-new (:upload, :scope, :id, :size, :chunks, :created_at)
insert into "blobs" ("upload", "scope", "id", "size", "chunks", "created_at") values ($1, $2, $3, $4, $5, $6) on conflict ("scope", "id") do nothing;

-- blobs.next-chunks (:upload, :from, 4)
select "bytes" from "blob_chunks" where "upload" = $1 and "seq" >= $2 order by "seq" limit $3;

-- cert-logins.put (:mount_id, :id, :at, :last_at, :count, :accepted, :role, :digest, :anchor, :reason, :facts, :chain)
insert into "cert_logins" ("mount_id", "id", "at", "last_at", "count", "accepted", "role", "digest", "anchor", "reason", "facts", "chain") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict ("mount_id", "id") do update set "count" = "excluded"."count", "last_at" = "excluded"."last_at";

-- cert-roles.by-name (:mountId, :nameKey)
select * from "cert_roles" where "mount_id" = $1 and "name_key" = $2;

-- cert-roles.key-identifiers-of-name (:mountId, :subjectKey)
select distinct "key_id" from "cert_role_anchors" where "mount_id" = $1 and "subject_key" = $2;

-- cert-roles.trusting-certificate (:mountId, :fingerprint)
select "name_key" from "cert_role_anchors" where "mount_id" = $1 and "fingerprint" = $2;

-- cert-roles.trusting-name (:mountId, :subjectKey)
select "name_key", "key_id" from "cert_role_anchors" where "mount_id" = $1 and "subject_key" = $2;

-- change-log.append (:id, :position, :organization_id, :workspace_id, :subject_type, :subject_id, :subject_name, :action, :actor_kind, :actor_id, :actor_name, :token_id, :request_id, :created_at, :before, :after)
insert into "change_log" ("id", "position", "organization_id", "workspace_id", "subject_type", "subject_id", "subject_name", "action", "actor_kind", "actor_id", "actor_name", "token_id", "request_id", "created_at", "before", "after") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16);

-- change-log.append-to-workspace (:id, :organization_id, :position, :position, :organization_id, :workspace_id, :subject_type, :subject_id, :subject_name, :action, :actor_kind, :actor_id, :actor_name, :token_id, :request_id, :created_at, :before, :after)
insert into "change_log" ("id", "position", "organization_id", "workspace_id", "subject_type", "subject_id", "subject_name", "action", "actor_kind", "actor_id", "actor_name", "token_id", "request_id", "created_at", "before", "after") values ($1, coalesce((
      select position + 1 from change_log
      where organization_id = $2 and position >= $3
      order by position desc limit 1
    ), $4), $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18);

-- identity.alias-by-name (:mountAccessor, :nameKey)
select * from "entity_aliases" where "mount_accessor" = $1 and "name_key" = $2;

-- identity.alias-held (:mountAccessor, :nameKey)
select * from "entity_aliases" where "mount_accessor" = $1 and "name_key" = $2 for update;

-- kv-totals.add (:mount_id, :slot, :secrets, :versions, :bytes, :secrets, :versions, :bytes)
insert into "kv_totals" ("mount_id", "slot", "secrets", "versions", "bytes") values ($1, $2, $3, $4, $5) on conflict ("mount_id", "slot") do update set "secrets" = kv_totals.secrets + $6, "versions" = kv_totals.versions + $7, "bytes" = kv_totals.bytes + $8;

-- kv-totals.subtract-below (:mount_id, :secret_id, :number, :mount_id, :secret_id, :number, :mount_id, :slot)
update "kv_totals" set "versions" = kv_totals.versions - (select coalesce(count(*), 0) from kv_versions where mount_id = $1 and secret_id = $2 and number < $3), "bytes" = kv_totals.bytes - (select coalesce(sum(size), 0) from kv_versions where mount_id = $4 and secret_id = $5 and number < $6) where "kv_totals"."mount_id" = $7 and "slot" = $8;

-- kv-uses.put (:entity_id, :operation, :display_name, :version, :first_at, :last_at, :count, :secret_id)
insert into "kv_uses" ("mount_id", "secret_id", "entity_id", "operation", "display_name", "version", "first_at", "last_at", "count") select "kv_secrets"."mount_id", "kv_secrets"."id", cast($1 as text) as "entity_id", cast($2 as text) as "operation", cast($3 as text) as "display_name", cast($4 as bigint) as "version", cast($5 as bigint) as "first_at", cast($6 as bigint) as "last_at", cast($7 as bigint) as "count" from "kv_secrets" where "kv_secrets"."id" = $8 for share on conflict ("mount_id", "secret_id", "entity_id", "operation") do update set "display_name" = "excluded"."display_name", "version" = "excluded"."version", "last_at" = "excluded"."last_at", "count" = kv_uses.count + excluded.count;

-- kv.advance (:id, :mount_id, :folder, :name, 1, :oldest, 0, 0, 0, 0, 0, :now, :now, :step, :step, :kept, :kept, :kept, :step, :kept, :kept, :kept, :now, :most, :free, :cas)
insert into "kv_secrets" ("id", "mount_id", "folder", "name", "current_version", "oldest_version", "max_versions", "cas_required", "delete_version_after", "metadata_version", "metadata_cas_required", "created_at", "updated_at") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict ("mount_id", "folder", "name") do update set "current_version" = kv_secrets.current_version + $14, "oldest_version" = case when kv_secrets.current_version + $15 - kv_secrets.oldest_version >= case when kv_secrets.max_versions > $16 then kv_secrets.max_versions when $17 > 0 then $18 else 10 end then kv_secrets.current_version + $19 - (case when kv_secrets.max_versions > $20 then kv_secrets.max_versions when $21 > 0 then $22 else 10 end) + 1 else kv_secrets.oldest_version end, "updated_at" = $23 where "kv_secrets"."current_version" <= $24 and (($25 = 1 and kv_secrets.cas_required = 0) or kv_secrets.current_version = $26) returning "id", "current_version", "oldest_version", "delete_version_after", "custom_metadata";

-- kv.delete-versions-below (:mount_id, :secret_id, :number)
delete from "kv_versions" where "mount_id" = $1 and "secret_id" = $2 and "number" < $3;

-- kv.id (:mount_id, :folder, :name)
select "id" from "kv_secrets" where "mount_id" = $1 and "folder" = $2 and "name" = $3;

-- kv.insert-version (:mount_id, :secret_id, :number, :created_at, :deletion_at, 0, :created_by, null, :size, :value)
insert into "kv_versions" ("mount_id", "secret_id", "number", "created_at", "deletion_at", "destroyed", "created_by", "deleted_by", "size", "value") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- kv.latest (:mount_id, :folder, :name)
select "kv_secrets"."id", "kv_secrets"."custom_metadata", "kv_versions"."number", "kv_versions"."created_at", "kv_versions"."deletion_at", "kv_versions"."destroyed", "kv_versions"."value" from "kv_secrets" inner join "kv_versions" on "kv_versions"."mount_id" = "kv_secrets"."mount_id" and "kv_versions"."secret_id" = "kv_secrets"."id" and "kv_versions"."number" = "kv_secrets"."current_version" where "kv_secrets"."mount_id" = $1 and "folder" = $2 and "name" = $3;

-- kv.numbered (:mount_id, :folder, :name, :number)
select "kv_secrets"."id", "kv_secrets"."custom_metadata", "kv_versions"."number", "kv_versions"."created_at", "kv_versions"."deletion_at", "kv_versions"."destroyed", "kv_versions"."value" from "kv_secrets" inner join "kv_versions" on "kv_versions"."mount_id" = "kv_secrets"."mount_id" and "kv_versions"."secret_id" = "kv_secrets"."id" where "kv_secrets"."mount_id" = $1 and "folder" = $2 and "name" = $3 and "number" = $4;

-- login-roles.by-lookup (:mountId, :lookup)
select * from "login_roles" where "mount_id" = $1 and "lookup" = $2;

-- login-roles.by-name (:mountId, :name)
select * from "login_roles" where "mount_id" = $1 and "name" = $2;

-- mounts.present (:id)
select "id" from "mounts" where "id" = $1 for share;

-- policies.text-by-name (:name)
select "text" from "policies" where "name" = $1;

-- sessions.by-hash (:hash, 0)
select "sessions"."id", "sessions"."user_id", "users"."username", "users"."site_admin", "sessions"."created_at", "sessions"."last_seen_at", "sessions"."expires_at", "sessions"."service_token", "sessions"."api_token_id" from "sessions" inner join "users" on "users"."id" = "sessions"."user_id" where "sessions"."hash" = $1 and "users"."suspended" = $2;

-- state-content.json (0, :id, "finalized")
select "blobs"."upload", "blobs"."chunks", "chunk"."bytes" as "first", "version"."json_size" as "size" from "state_versions" as "version" inner join "blobs" on "blobs"."scope" = "version"."workspace_id" and "blobs"."id" = "version"."json_blob_id" inner join "blob_chunks" as "chunk" on "chunk"."upload" = "blobs"."upload" and "chunk"."seq" = $1 where "version"."id" = $2 and "version"."status" = $3 and "version"."organization_id" not in (select "subject_id" from "removals" where "kind" = 'organization');

-- state-content.state (0, :id, "finalized")
select "blobs"."upload", "blobs"."chunks", "chunk"."bytes" as "first", "version"."size" from "state_versions" as "version" inner join "blobs" on "blobs"."scope" = "version"."workspace_id" and "blobs"."id" = "version"."blob_id" inner join "blob_chunks" as "chunk" on "chunk"."upload" = "blobs"."upload" and "chunk"."seq" = $1 where "version"."id" = $2 and "version"."status" = $3 and "version"."organization_id" not in (select "subject_id" from "removals" where "kind" = 'organization');

-- state-version-outputs.by-id (:id)
select * from "state_version_outputs" where "id" = $1;

-- state-version-outputs.ids-of-version (:version)
select "id" from "state_version_outputs" where "state_version_id" = $1 order by "position";

-- state-version-outputs.insert (:id, :state_version_id, :position, :name, :sensitive, :type, :detailed_type, :value)
insert into "state_version_outputs" ("id", "state_version_id", "position", "name", "sensitive", "type", "detailed_type", "value") values ($1, $2, $3, $4, $5, $6, $7, $8);

-- state-version-outputs.of-version (:version)
select * from "state_version_outputs" where "state_version_id" = $1 order by "position";

-- state-versions.by-id (:id)
select * from "state_versions" where "id" = $1 and "organization_id" not in (select "subject_id" from "removals" where "kind" = 'organization');

-- state-versions.discard-pending ("discarded", 0, null, :workspaceId, "pending", :below)
update "state_versions" set "status" = $1, "intermediate" = $2, "announced_outputs" = $3 where "workspace_id" = $4 and "status" = $5 and "ordinal" < $6;

-- state-versions.for-release (:workspaceId, "finalized", "backing_data_soft_deleted", "backing_data_permanently_deleted", 1, :workspaceId, "pending", 1)
select * from (select "status", "lock_generation", "id", "serial", "md5", "lineage", "run_id", "resource_count", "resource_count_known" from "state_versions" where "workspace_id" = $1 and "status" in ($2, $3, $4) order by "ordinal" desc limit $5) as "newest" union all select * from (select "status", "lock_generation", "id", "serial", "md5", "lineage", "run_id", "resource_count", "resource_count_known" from "state_versions" where "workspace_id" = $6 and "status" in ($7) order by "ordinal" desc limit $8) as "newest";

-- state-versions.insert (:id, :workspace_id, :organization_id, :ordinal, :serial, :md5, :lineage, :intermediate, :lock_generation, :created_by_kind, :created_by_id, :created_by_name, :run_id, :rolled_back_to, :created_at, :json_size, :json_blob_id, :soft_deleted_at, :status, :size, :blob_id, :format, :tool_version, :encrypted, :resource_count, :resource_count_known, :summary, :announced_outputs)
insert into "state_versions" ("id", "workspace_id", "organization_id", "ordinal", "serial", "md5", "lineage", "intermediate", "lock_generation", "created_by_kind", "created_by_id", "created_by_name", "run_id", "rolled_back_to", "created_at", "json_size", "json_blob_id", "soft_deleted_at", "status", "size", "blob_id", "format", "tool_version", "encrypted", "resource_count", "resource_count_known", "summary", "announced_outputs") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28);

-- state-versions.last-ordinal (:workspaceId, 1)
select "ordinal" from "state_versions" where "workspace_id" = $1 order by "ordinal" desc limit $2;

-- state-versions.newest-arrived (:workspaceId, "finalized", "backing_data_soft_deleted", "backing_data_permanently_deleted", 1)
select * from "state_versions" where "workspace_id" = $1 and "status" in ($2, $3, $4) order by "ordinal" desc limit $5;

-- state-versions.newest-compared (:workspaceId, "finalized", "backing_data_soft_deleted", "backing_data_permanently_deleted", 1)
select "id", "serial", "md5", "lineage", "run_id", "resource_count", "resource_count_known" from "state_versions" where "workspace_id" = $1 and "status" in ($2, $3, $4) order by "ordinal" desc limit $5;

-- state-versions.nothing-to-release (:workspaceId, "pending", 1, :workspaceId, "finalized", "backing_data_soft_deleted", "backing_data_permanently_deleted", 1, "", :current)
select 1 as "found" where (not exists (select "id" from "state_versions" where "workspace_id" = $1 and "status" in ($2) order by "ordinal" desc limit $3) and coalesce((select "id" from "state_versions" where "workspace_id" = $4 and "status" in ($5, $6, $7) order by "ordinal" desc limit $8), $9) = $10);

-- state-versions.update-arrived (:status, :size, :blob_id, :format, :tool_version, :encrypted, :resource_count, :resource_count_known, :summary, :announced_outputs, :id, "pending")
update "state_versions" set "status" = $1, "size" = $2, "blob_id" = $3, "format" = $4, "tool_version" = $5, "encrypted" = $6, "resource_count" = $7, "resource_count_known" = $8, "summary" = $9, "announced_outputs" = $10 where "id" = $11 and "status" = $12;

-- tokens.accessors (:now, :after, :most)
select case when case when "tokens"."revoked" = 1 then 1
    when "tokens"."expires_at" is not null and exists (
      select 1 from revoked_paths as gone where gone.until >= "tokens"."created_at" and ("tokens"."path" = gone.path
        or ("tokens"."path" > gone.path || '/' and "tokens"."path" < gone.path || '0'))
    ) then 1
    when "tokens"."mount_id" <> '' and not exists (
      select 1 from mounts where mounts.login_id = "tokens"."mount_id" or (mounts.login_id = '' and mounts.id = "tokens"."mount_id")
    ) then 1
    else 0 end = 1 or expires_at <= $1
      or (num_uses > 0 and uses_left <= 0) then null else parent_id end as "hangs_on", "accessor" from "tokens" where "accessor" > $2 order by "accessor" limit $3;

-- tokens.by-id (:id)
select *, case when "tokens"."revoked" = 1 then 1
    when "tokens"."expires_at" is not null and exists (
      select 1 from revoked_paths as gone where gone.until >= "tokens"."created_at" and ("tokens"."path" = gone.path
        or ("tokens"."path" > gone.path || '/' and "tokens"."path" < gone.path || '0'))
    ) then 1
    when "tokens"."mount_id" <> '' and not exists (
      select 1 from mounts where mounts.login_id = "tokens"."mount_id" or (mounts.login_id = '' and mounts.id = "tokens"."mount_id")
    ) then 1
    else 0 end as "is_dead" from "tokens" where "id" = $1;

-- tokens.children (:parent, :most)
select "id" from "tokens" where "parent_id" = $1 and "parent_id" <> '' limit $2;

-- tokens.insert (:id, :accessor, :parent_id, :policies, :path, :display_name, :metadata, :entity_id, :role, :mount_id, :created_at, :expires_at, :creation_ttl, :explicit_max_ttl, :period, :renewable, :last_renewed_at, :num_uses, :uses_left, :bound_cidrs, :orphan, :wrapping, :certificate_fingerprint, :platform_team, :platform_team_id, :auth_data, :revoked)
insert into "tokens" ("id", "accessor", "parent_id", "policies", "path", "display_name", "metadata", "entity_id", "role", "mount_id", "created_at", "expires_at", "creation_ttl", "explicit_max_ttl", "period", "renewable", "last_renewed_at", "num_uses", "uses_left", "bound_cidrs", "orphan", "wrapping", "certificate_fingerprint", "platform_team", "platform_team_id", "auth_data", "revoked") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27);

-- tokens.last-filed (:after, :before)
select "path", "created_at" from "tokens" where "tokens"."revoked" = 0 and "expires_at" is not null and "path" >= $1 and "path" < $2 order by "path" desc, "created_at" desc limit 1;

-- tokens.leases (:now, :path, :after, :most)
select case when case when "tokens"."revoked" = 1 then 1
    when "tokens"."expires_at" is not null and exists (
      select 1 from revoked_paths as gone where gone.until >= "tokens"."created_at" and ("tokens"."path" = gone.path
        or ("tokens"."path" > gone.path || '/' and "tokens"."path" < gone.path || '0'))
    ) then 1
    when "tokens"."mount_id" <> '' and not exists (
      select 1 from mounts where mounts.login_id = "tokens"."mount_id" or (mounts.login_id = '' and mounts.id = "tokens"."mount_id")
    ) then 1
    else 0 end = 1 or expires_at <= $1
      or (num_uses > 0 and uses_left <= 0) then null else parent_id end as "hangs_on", "tokens"."id" from "tokens" where "tokens"."revoked" = 0 and "tokens"."expires_at" is not null and "path" = $2 and "tokens"."id" > $3 order by "tokens"."id" limit $4;

-- tokens.line (:id)
with recursive "line" as (select "id", "parent_id", case when "tokens"."revoked" = 1 then 1
    when "tokens"."expires_at" is not null and exists (
      select 1 from revoked_paths as gone where gone.until >= "tokens"."created_at" and ("tokens"."path" = gone.path
        or ("tokens"."path" > gone.path || '/' and "tokens"."path" < gone.path || '0'))
    ) then 1
    when "tokens"."mount_id" <> '' and not exists (
      select 1 from mounts where mounts.login_id = "tokens"."mount_id" or (mounts.login_id = '' and mounts.id = "tokens"."mount_id")
    ) then 1
    else 0 end as "is_dead", "expires_at" from "tokens" where "id" = $1 union all select "tokens"."id", "tokens"."parent_id", case when "tokens"."revoked" = 1 then 1
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
    else 0 end as "is_dead", "expires_at" from "tokens" where "id" = $1 union all select "tokens"."id", "tokens"."parent_id", case when "tokens"."revoked" = 1 then 1
    when "tokens"."expires_at" is not null and exists (
      select 1 from revoked_paths as gone where gone.until >= "tokens"."created_at" and ("tokens"."path" = gone.path
        or ("tokens"."path" > gone.path || '/' and "tokens"."path" < gone.path || '0'))
    ) then 1
    when "tokens"."mount_id" <> '' and not exists (
      select 1 from mounts where mounts.login_id = "tokens"."mount_id" or (mounts.login_id = '' and mounts.id = "tokens"."mount_id")
    ) then 1
    else 0 end as "is_dead", "tokens"."expires_at" from "tokens" inner join "line" on "line"."parent_id" = "tokens"."id") select count(*) as "generations", min("line"."parent_id") as "top", max("line"."is_dead") as "dead", min("line"."expires_at") as "expires_at" from "line" inner join (select "id" as "kept_id" from "tokens" where "id" = $2 for key share) as "kept" on true;

-- tokens.remove-used-up (:id, 0)
delete from "tokens" where "id" = $1 and "num_uses" > $2;

-- tokens.take-use (1, :id, 0, 0)
update "tokens" set "uses_left" = "uses_left" - $1 where "id" = $2 and "uses_left" > $3 and case when "tokens"."revoked" = 1 then 1
    when "tokens"."expires_at" is not null and exists (
      select 1 from revoked_paths as gone where gone.until >= "tokens"."created_at" and ("tokens"."path" = gone.path
        or ("tokens"."path" > gone.path || '/' and "tokens"."path" < gone.path || '0'))
    ) then 1
    when "tokens"."mount_id" <> '' and not exists (
      select 1 from mounts where mounts.login_id = "tokens"."mount_id" or (mounts.login_id = '' and mounts.id = "tokens"."mount_id")
    ) then 1
    else 0 end = $4 returning "uses_left";

-- variables.links (:workspaceId)
select "id", "workspace_id" from "variables" where "workspace_id" = $1 order by "key", "category";

-- workspaces.by-id (:id)
select * from "workspaces" where "id" = $1;

-- workspaces.by-id-for-update (:id)
select * from "workspaces" where "id" = $1 for no key update;

-- workspaces.first-page (:organizationId, :limit)
select "id", "revision", "lock_generation", "updated_at" from "workspaces" where "organization_id" = $1 order by "created_at", "id" limit $2;

-- workspaces.lock-held (:id, :generation, :now)
select "id" from "workspaces" where "id" = $1 and "lock_generation" = $2 and "locked_at" is not null and ("lock_expires_at" is null or "lock_expires_at" > $3) for no key update;

-- workspaces.project-by-id (:id)
select * from "projects" where "id" = $1;

-- workspaces.stamp-by-id (:id)
select "id", "revision", "lock_generation", "updated_at" from "workspaces" where "id" = $1;

-- workspaces.stamp-by-name (:organizationId, :name)
select "id", "revision", "lock_generation", "updated_at" from "workspaces" where "organization_id" = $1 and "name" = $2;

-- workspaces.swap (lock, lockGeneration) (:locked_by_kind, :locked_by_id, :locked_by_name, :locked_reason, :locked_at, :lock_expires_at, :lock_generation, :revision, :id, :seenRevision, :seenGeneration)
update "workspaces" set "locked_by_kind" = $1, "locked_by_id" = $2, "locked_by_name" = $3, "locked_reason" = $4, "locked_at" = $5, "lock_expires_at" = $6, "lock_generation" = $7, "revision" = $8 where "id" = $9 and "revision" = $10 and "lock_generation" = $11;
