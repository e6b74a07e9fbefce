import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { eachEngine, type TestStore, testStore } from '../../../test/support/databases.ts'
import { turnsDuring } from '../../../test/support/stalls.ts'
import type { ActorPrincipal } from '../../kernel/principal.ts'
import type { Db } from '../../storage/open.ts'
import { inTransaction } from '../../storage/transaction.ts'
import { bumpVersion } from '../../storage/versions.ts'
import { canOnWorkspace, canSeeWorkspace } from './grants.ts'
import { grantsOf } from './load-grants.ts'

const actor = (kind: ActorPrincipal['kind'], id: string): ActorPrincipal => ({
  kind,
  id,
  name: id,
  tokenId: '',
  via: 'api-token',
  organizationId: '',
  siteAdmin: false,
})

const ann = actor('user', 'user-ann')
const workspace = { id: 'ws-1', projectId: 'prj-1' }

/** The same database, with how many queries ran on it. */
function counting(db: Db): { db: Db; queries: () => number } {
  let count = 0
  const watched = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      count++
      return result
    },
  })
  return { db: watched, queries: () => count }
}

eachEngine((engine) => {
  let store: TestStore

  beforeEach(async () => {
    store = await testStore(engine)
    const { db } = store
    const at = { created_at: 0, updated_at: 0 }
    const user = {
      email_verified: 1,
      password_hash: null,
      site_admin: 0,
      allow_certificate_login: 0,
      suspended: 0,
      ...at,
    }
    await db
      .insertInto('users')
      .values([
        { id: 'user-ann', username: 'ann', username_key: 'ann', email: 'a@x', email_key: 'a@x', ...user },
        { id: 'user-bob', username: 'bob', username_key: 'bob', email: 'b@x', email_key: 'b@x', ...user },
      ])
      .execute()
    for (const name of ['acme', 'other']) {
      await db
        .insertInto('organizations')
        .values({
          id: `org-${name}`,
          name,
          name_key: name,
          email: 'a@b',
          default_project_id: 'prj-1',
          collaborator_auth_policy: 'password',
          default_execution_mode: 'remote',
          default_agent_pool_id: null,
          default_tool: 'x',
          tier: 'plus',
          allow_force_delete_workspaces: 0,
          assessments_enforced: 0,
          default_global_remote_state: 0,
          inherit_settings_by_default: 0,
          keep_encrypted_outputs: 1,
          user_tokens_enabled: 1,
          remote_execution_enabled: 0,
          run_concurrency: 10,
          cost_estimation_enabled: 0,
          speculative_plan_management_enabled: 1,
          aggregated_commit_status_enabled: 1,
          send_passing_statuses: 0,
          session_timeout: null,
          session_remember: null,
          owners_team_saml_role_id: null,
          max_ttl_enabled: 0,
          organization_token_ttl: 1,
          team_token_ttl: 1,
          user_token_ttl: 1,
          audit_trails_token_ttl: 1,
          ...at,
        })
        .execute()
    }
    await join('user-ann', 'active')
    await join('user-bob', 'invited')
  })

  const join = (userId: string, status: string) =>
    store.db
      .insertInto('organization_memberships')
      .values({
        id: `ou-${userId}`,
        organization_id: 'org-acme',
        user_id: userId,
        email: userId,
        email_key: userId,
        status,
        created_at: 0,
      })
      .execute()

  const addTeam = async (id: string, members: readonly string[], access: readonly string[] = []) => {
    const organization_access = JSON.stringify(access)
    const flags = {
      owners: 0,
      visibility: 'secret',
      allow_member_token_management: 1,
      allow_certificate_login: 0,
      allowed_login_methods: '[]',
      sso_team_id: null,
      created_at: 0,
    }
    await store.db
      .insertInto('teams')
      .values({ id, organization_id: 'org-acme', name: id, organization_access, ...flags })
      .execute()
    for (const member of members) {
      await store.db
        .insertInto('team_members')
        .values({ team_id: id, membership_id: `ou-${member}` })
        .execute()
    }
  }

  type Flag = 'workspace_locking' | 'run_tasks' | 'workspace_delete'

  const grant = (teamId: string, access: string, flags: Partial<Record<Exclude<Flag, 'workspace_delete'>, 1>> = {}) =>
    store.db
      .insertInto('team_workspace_access')
      .values({
        id: `tws-${teamId}`,
        team_id: teamId,
        workspace_id: 'ws-1',
        access,
        runs: 'read',
        variables: 'none',
        state_versions: 'none',
        sentinel_mocks: 'none',
        workspace_locking: 0,
        run_tasks: 0,
        policy_overrides: 0,
        ...flags,
      })
      .execute()

  const grantOnProject = async (teamId: string, flags: Partial<Record<Flag, 1>>) => {
    await store.db
      .insertInto('projects')
      .values({
        id: 'prj-1',
        organization_id: 'org-acme',
        name: 'one',
        description: '',
        auto_destroy_activity_duration: null,
        default_execution_mode: 'remote',
        default_agent_pool_id: null,
        overwrites_execution_mode: 0,
        overwrites_agent_pool: 0,
        created_at: 0,
        updated_at: 0,
      })
      .execute()
    await store.db
      .insertInto('team_project_access')
      .values({
        id: `tprj-${teamId}`,
        team_id: teamId,
        project_id: 'prj-1',
        access: 'custom',
        project_settings: 'read',
        project_teams: 'none',
        project_variable_sets: 'none',
        runs: 'read',
        variables: 'none',
        state_versions: 'none',
        sentinel_mocks: 'none',
        workspace_create: 0,
        workspace_move: 0,
        workspace_locking: 0,
        run_tasks: 0,
        policy_overrides: 0,
        workspace_delete: 0,
        ...flags,
      })
      .execute()
  }

  const deps = () => ({ ...store, reads: store.store.reads })
  const changed = () => inTransaction(store.db, (tx) => bumpVersion(tx, 'permissions'))
  const within = async (who: ActorPrincipal, organizationId = 'org-acme') =>
    (await grantsOf(deps(), who)).byId.get(organizationId)

  test('invited users, members of other organizations and unknown actors have no grants', async () => {
    await addTeam('team-1', ['user-ann', 'user-bob'], ['manage-workspaces'])
    expect(await within(ann, 'org-other')).toBeUndefined()
    expect(await within(actor('user', 'user-bob'))).toBeUndefined()
    expect(await within(actor('user', 'user-nobody'))).toBeUndefined()
    expect(await within(actor('team', 'team-nobody'))).toBeUndefined()
    expect(await within(actor('organization', 'org-nobody'))).toBeUndefined()
    expect((await grantsOf(deps(), ann)).byName.get('acme')?.organizationId).toBe('org-acme')
  })

  test('a user has the union of its teams, a team its own grants, an organization token its own', async () => {
    await addTeam('team-1', ['user-ann'])
    await addTeam('team-2', ['user-ann'])
    await addTeam('team-3', [])
    await grant('team-1', 'read')
    await grant('team-2', 'plan')
    await grant('team-3', 'admin')
    const mine = await within(ann)
    expect(mine && canOnWorkspace(mine, 'can-queue-run', workspace)).toBe(true)
    expect(mine && canOnWorkspace(mine, 'can-update', workspace)).toBe(false)
    const theirs = await within(actor('team', 'team-1'))
    expect(theirs && canOnWorkspace(theirs, 'can-queue-run', workspace)).toBe(false)
    const token = await within(actor('organization', 'org-acme'))
    expect(token && canOnWorkspace(token, 'can-update', workspace)).toBe(true)
    expect(token && canOnWorkspace(token, 'can-queue-run', workspace)).toBe(false)
  })

  test.each([
    ['workspace_locking', 'can-lock'],
    ['run_tasks', 'can-manage-run-tasks'],
    ['workspace_delete', 'can-destroy'],
  ] as const)('custom access with %s alone gives %s and nothing else of its kind', async (flag, right) => {
    await addTeam('team-1', [])
    await grantOnProject('team-1', { [flag]: 1 })
    await addTeam('team-2', [])
    if (flag !== 'workspace_delete') await grant('team-2', 'custom', { [flag]: 1 })
    const rights = ['can-lock', 'can-manage-run-tasks', 'can-destroy'] as const
    const given = async (team: string) => {
      const own = await within(actor('team', team))
      return rights.filter((each) => own && canOnWorkspace(own, each, workspace))
    }
    expect(await given('team-1')).toEqual([right])
    expect(await given('team-2')).toEqual(flag === 'workspace_delete' ? [] : [right])
  })

  test.each([
    [0, false],
    [1, true],
  ])('with allow_force_delete_workspaces %i, workspace admins may delete by force: %s', async (flag, can) => {
    await addTeam('team-1', [])
    await grant('team-1', 'admin')
    await store.db.updateTable('organizations').set({ allow_force_delete_workspaces: flag }).execute()
    const own = await within(actor('team', 'team-1'))
    expect(own && canOnWorkspace(own, 'can-force-delete', workspace)).toBe(can)
  })

  test('grants are cached until the permissions version changes', async () => {
    await addTeam('team-1', ['user-ann'])
    expect(canSeeWorkspace((await within(ann)) as never, workspace)).toBe(false)
    await grant('team-1', 'read')
    expect(canSeeWorkspace((await within(ann)) as never, workspace)).toBe(false)
    await changed()
    expect(canSeeWorkspace((await within(ann)) as never, workspace)).toBe(true)
  })

  test('loading grants takes four queries for one team or 200, and none if they are cached', async () => {
    const cost = async () => {
      await changed()
      const watched = counting(store.db)
      await grantsOf({ ...deps(), db: watched.db, store: store.store }, ann)
      return watched.queries()
    }
    await addTeam('team-0', ['user-ann'], ['read-projects'])
    const one = await cost()
    for (let index = 1; index < 200; index++) {
      await addTeam(`team-${index}`, ['user-ann'])
      await grant(`team-${index}`, 'read')
    }
    expect(one).toBe(4)
    expect(await cost()).toBe(4)
    const warm = counting(store.db)
    await grantsOf({ ...deps(), db: warm.db, store: store.store }, ann)
    expect(warm.queries()).toBe(0)
  })

  test('access to single workspaces is read in threads from a thousand on', async () => {
    const readInThreads = async () => {
      const watched = counting(store.store.reads)
      await changed()
      await grantsOf({ ...store, reads: watched.db }, ann)
      return watched.queries()
    }
    const add = async (from: number, to: number) => {
      for (let index = from; index < to; index++) {
        await addTeam(`team-${index}`, ['user-ann'])
        await grant(`team-${index}`, 'read')
      }
    }
    await add(0, 999)
    expect(await readInThreads()).toBe(0)
    await add(999, 1_000)
    expect(await readInThreads()).toBe(1)
    expect(canSeeWorkspace((await within(ann)) as never, workspace)).toBe(true)
  })

  test.runIf(engine === 'sqlite')(
    'access to thousands of workspaces is united in steps, and others get their turns',
    async () => {
      const perTeam = 10_000
      for (const team of ['team-1', 'team-2']) await addTeam(team, ['user-ann'])
      for (const team of ['team-1', 'team-2']) await grant(team, 'read')
      const columns =
        'access, runs, variables, state_versions, sentinel_mocks, workspace_locking, run_tasks, policy_overrides'
      await sql`insert into team_workspace_access (id, team_id, workspace_id, ${sql.raw(columns)})
      with recursive numbers (n) as (select 2 union all select n + 1 from numbers where n < ${sql.lit(perTeam)})
      select id || '-' || cast(n as text), team_id, 'ws-' || cast(n as text), ${sql.raw(columns)}
      from team_workspace_access cross join numbers`.execute(store.db)
      await store.db
        .updateTable('team_workspace_access')
        .set({ access: 'admin' })
        .where('id', '=', 'tws-team-2-1000')
        .execute()
      // Read here and not in a thread, which would give others their turns anyhow.
      const load = () => grantsOf({ ...store, reads: store.db }, ann)
      expect(await turnsDuring(async () => void (await load()))).toBeGreaterThan(15)
      const own = (await load()).byId.get('org-acme')
      expect(own?.workspaces.size).toBe(perTeam)
      const canUpdate = (id: string) => own && canOnWorkspace(own, 'can-update', { ...workspace, id })
      expect(['ws-999', 'ws-1000', `ws-${perTeam}`].map(canUpdate)).toEqual([false, true, false])
    },
  )
})
