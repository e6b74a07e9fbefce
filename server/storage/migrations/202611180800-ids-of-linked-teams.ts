import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/**
 * Links of certificate roles and their tokens hold the id of the team or person beside the name, so that they do not
 * follow a name that somebody else takes. What a name does not lead to now gets no id.
 */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('tokens')
    .addColumn('platform_team_id', types.text, (column) => column.notNull().defaultTo(''))
    .execute()
  await linkRoles(db)
  await linkTokens(db)
}

async function linkRoles(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ mount_id: string; name_key: string; settings: string }>`
    select mount_id, name_key, settings from cert_roles`.execute(db)
  for (const { mount_id, name_key, settings } of rows) {
    const role = JSON.parse(settings) as { platformTeam?: string; platformUser?: string }
    const { platformTeam = '', platformUser = '' } = role
    if (platformTeam === '' && platformUser === '') continue
    const platformTeamId = (await findTeam(db, platformTeam))?.id ?? ''
    const platformUserId = await findUser(db, platformUser)
    const linked = JSON.stringify({ ...role, platformTeamId, platformUserId })
    await sql`update cert_roles set settings = ${linked} where mount_id = ${mount_id} and name_key = ${name_key}`.execute(
      db,
    )
  }
}

/** A team made after the token is another one of the same name; a minute is how far clocks may be apart. */
async function linkTokens(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ platform_team: string }>`
    select distinct platform_team from tokens where platform_team <> ''`.execute(db)
  for (const { platform_team: names } of rows) {
    const team = await findTeam(db, names)
    if (team)
      await sql`
        update tokens set platform_team_id = ${team.id}
        where platform_team = ${names} and created_at >= ${Number(team.created_at) - 60_000}`.execute(db)
  }
  await sql`update tokens set platform_team = '' where platform_team <> '' and platform_team_id = ''`.execute(db)
}

async function findTeam(db: Kysely<unknown>, names: string): Promise<{ id: string; created_at: number } | undefined> {
  const [organization = '', name = ''] = names.split('/')
  const { rows } = await sql<{ id: string; created_at: number }>`
    select teams.id, teams.created_at from teams
    join organizations on organizations.id = teams.organization_id
    where organizations.name_key = ${organization.toLowerCase()} and teams.name = ${name}`.execute(db)
  return rows[0]
}

async function findUser(db: Kysely<unknown>, username: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from users where username_key = ${username.toLowerCase()}`.execute(db)
  return rows[0]?.id ?? ''
}
