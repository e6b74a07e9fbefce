import { randomIds } from '../../server/kernel/ids.ts'
import { inTransaction } from '../../server/storage/transaction.ts'
import { bumpVersion } from '../../server/storage/versions.ts'
import type { Organization } from './platform.ts'
import type { TestApp } from './test-app.ts'

/** What a project of a test decides for its workspaces. */
type ProjectSettings = {
  readonly autoDestroyActivityDuration?: string | null
  readonly defaultExecutionMode?: string
  readonly defaultAgentPoolId?: string | null
}

/** Puts a project into an organization; a mode or pool makes it overwrite what the organization says. */
export async function storeProject(
  app: TestApp,
  of: Organization,
  name: string,
  settings: ProjectSettings = {},
): Promise<string> {
  const id = randomIds.newId('prj')
  const at = app.clock.now()
  await inTransaction(app.deps.db, async (tx) => {
    await tx
      .insertInto('projects')
      .values({
        id,
        organization_id: of.id,
        name,
        description: '',
        auto_destroy_activity_duration: settings.autoDestroyActivityDuration ?? null,
        default_execution_mode: settings.defaultExecutionMode ?? 'remote',
        default_agent_pool_id: settings.defaultAgentPoolId ?? null,
        overwrites_execution_mode: settings.defaultExecutionMode === undefined ? 0 : 1,
        overwrites_agent_pool: settings.defaultAgentPoolId === undefined ? 0 : 1,
        created_at: at,
        updated_at: at,
      })
      .execute()
    bumpVersion(tx, 'projects')
  })
  return id
}

/** Changes what a project decides. */
export async function changeProject(app: TestApp, id: string, settings: ProjectSettings): Promise<void> {
  await inTransaction(app.deps.db, async (tx) => {
    await tx
      .updateTable('projects')
      .set({
        ...(settings.defaultExecutionMode === undefined
          ? {}
          : { default_execution_mode: settings.defaultExecutionMode, overwrites_execution_mode: 1 }),
        ...(settings.defaultAgentPoolId === undefined
          ? {}
          : { default_agent_pool_id: settings.defaultAgentPoolId, overwrites_agent_pool: 1 }),
        ...(settings.autoDestroyActivityDuration === undefined
          ? {}
          : { auto_destroy_activity_duration: settings.autoDestroyActivityDuration }),
      })
      .where('id', '=', id)
      .execute()
    bumpVersion(tx, 'projects')
  })
}

/** Puts a pool of executors into an organization, open to all or to these projects and workspaces. */
export async function storePool(
  app: TestApp,
  of: Organization,
  name: string,
  scope: { readonly allowed?: readonly string[]; readonly excluded?: readonly string[] } = {},
): Promise<string> {
  const id = randomIds.newId('apool')
  await inTransaction(app.deps.db, async (tx) => {
    const organizationScoped = scope.allowed === undefined ? 1 : 0
    const pool = { id, organization_id: of.id, name, organization_scoped: organizationScoped, created_at: 0 }
    await tx.insertInto('agent_pools').values(pool).execute()
    const allowed = (scope.allowed ?? []).map((target) => [
      target.startsWith('prj-') ? 'allowed-project' : 'allowed-workspace',
      target,
    ])
    const excluded = (scope.excluded ?? []).map((target) => ['excluded-workspace', target])
    for (const [kind = '', target = ''] of [...allowed, ...excluded]) {
      await tx.insertInto('agent_pool_scopes').values({ pool_id: id, kind, target_id: target }).execute()
    }
  })
  return id
}

/** Puts a connection to a version control provider into an organization; answers the id of its token. */
export async function storeConnection(app: TestApp, of: Organization, name: string): Promise<string> {
  const clientId = randomIds.newId('oc')
  const id = randomIds.newId('ot')
  await inTransaction(app.deps.db, async (tx) => {
    await tx
      .insertInto('oauth_clients')
      .values({
        id: clientId,
        organization_id: of.id,
        name,
        service_provider: 'gitlab_hosted',
        http_url: 'https://git.example.com',
        api_url: 'https://git.example.com/api/v4',
        organization_scoped: 1,
        created_at: 0,
        updated_at: 0,
      })
      .execute()
    await tx
      .insertInto('oauth_tokens')
      .values({
        id,
        organization_id: of.id,
        oauth_client_id: clientId,
        token: null,
        service_provider_user: null,
        has_ssh_key: 0,
        created_at: 0,
      })
      .execute()
  })
  return id
}
