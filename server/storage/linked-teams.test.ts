import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { eachEngine, emptyDatabase } from '../../test/support/databases.ts'
import { loadMigrations, migrate } from './migrate.ts'
import { openStore, type Store } from './open.ts'

/** Inserts a row, with some value in each column that needs one. */
async function insert({ db }: Store, table: string, row: Record<string, string | number>): Promise<void> {
  const tables = await db.introspection.getTables()
  const columns = tables.find(({ name }) => name === table)?.columns ?? []
  const needed = columns.filter(({ isNullable, hasDefaultValue }) => !isNullable && !hasDefaultValue)
  const isNumber = (type: string) => /int|double|numeric/i.test(type)
  const blank = needed.map(({ name, dataType }) => [name, isNumber(dataType) ? 0 : `${row.id ?? ''}${name}`] as const)
  const full = { ...Object.fromEntries(blank), ...row }
  const names = Object.keys(full).map((name) => sql.ref(name))
  const values = Object.values(full).map((value) => sql`${value}`)
  await sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(values)})`.execute(db)
}

eachEngine((engine) => {
  test('links of roles and tokens written by an earlier version get the ids that their names have now', async () => {
    const database = await emptyDatabase(engine)
    const store = await openStore(database.options)
    onTestFinished(async () => {
      await store.close()
      await database.remove()
    })
    const all = await loadMigrations()
    const at = all.findIndex(({ name }) => name.endsWith('ids-of-linked-teams'))
    await migrate(store, all.slice(0, at))
    await insert(store, 'users', { id: 'user-1', username: 'Ann', username_key: 'ann' })
    await insert(store, 'organizations', { id: 'org-1', name: 'Acme', name_key: 'acme' })
    const team = { id: 'team-1', organization_id: 'org-1', name: 'deploy', created_at: 1_000_000 }
    await insert(store, 'teams', team)
    await insert(store, 'mounts', { id: 'm' })
    const role = (name: string, settings: object) =>
      insert(store, 'cert_roles', { mount_id: 'm', name, name_key: name, settings: JSON.stringify(settings) })
    await role('linked', { displayName: 'x', platformTeam: 'Acme/deploy', platformUser: 'ANN' })
    await role('lost', { platformTeam: 'acme/gone', platformUser: 'gone' })
    await role('plain', { platformTeam: '', platformUser: '' })
    const token = (id: string, platform_team: string, created_at: number) =>
      insert(store, 'tokens', { id, platform_team, created_at, policies: '[]' })
    await token('old', 'acme/deploy', 900_000)
    await token('linked', 'acme/deploy', 1_000_001)
    await token('lost', 'acme/gone', 1_000_001)
    await token('plain', '', 1_000_001)
    await migrate(store, all)

    const roles = await store.db.selectFrom('cert_roles').select('settings').orderBy('name_key').execute()
    expect(roles.map(({ settings }) => JSON.parse(settings))).toEqual([
      {
        displayName: 'x',
        platformTeam: 'Acme/deploy',
        platformTeamId: 'team-1',
        platformUser: 'ANN',
        platformUserId: 'user-1',
      },
      { platformTeam: 'acme/gone', platformTeamId: '', platformUser: 'gone', platformUserId: '' },
      { platformTeam: '', platformUser: '' },
    ])
    const columns = ['id', 'platform_team', 'platform_team_id'] as const
    expect(await store.db.selectFrom('tokens').select(columns).orderBy('id').execute()).toEqual([
      { id: 'linked', platform_team: 'acme/deploy', platform_team_id: 'team-1' },
      { id: 'lost', platform_team: '', platform_team_id: '' },
      { id: 'old', platform_team: '', platform_team_id: '' },
      { id: 'plain', platform_team: '', platform_team_id: '' },
    ])
  })
})
