import { sql } from 'kysely'
import type { Db } from '../../server/storage/open.ts'
import { inTransaction } from '../../server/storage/transaction.ts'
import { bumpVersion } from '../../server/storage/versions.ts'

const words = ['network', 'dns', 'cluster', 'queue', 'database', 'cache', 'identity', 'billing', 'search', 'mail']
const projects = 50
const tags = 60

/** Keys that every workspace binds, and how many values each has. */
const bindings = { environment: 4, owner: 40, cost: 25 } as const

const numbers = (total: number) =>
  sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(total)})`

/** An identifier that follows from a number; identifiers contain no zeros. */
const idOf = (prefix: string, digit: string, number = sql`n`) =>
  sql`${sql.lit(`${prefix}-`)} || replace(substr(cast(10000000000000000 + ${number} as text), 2), '0', ${sql.lit(digit)})`

const wordOf = sql.join(
  [
    sql`case n % ${sql.lit(words.length)}`,
    ...words.map((word, index) => sql`when ${sql.lit(index)} then ${sql.lit(word)}`),
    sql`end`,
  ],
  sql` `,
)

/**
 * Makes an organization as large ones are: copies of its one workspace over projects, each with a flat tag and three
 * tag bindings. `digit` keeps the identifiers of several organizations apart.
 */
export async function fillOrganization(db: Db, workspaceId: string, total: number, digit: string): Promise<void> {
  const template = await db.selectFrom('workspaces').selectAll().where('id', '=', workspaceId).executeTakeFirstOrThrow()
  const organization = sql.lit(template.organization_id)
  const name = sql`${wordOf} || case when n % 7 = 0 then '-prod-' else '-dev-' end || cast(n as text)`
  const made: Record<string, unknown> = {
    id: idOf('ws', digit),
    project_id: idOf('prj', digit, sql`(1 + n % ${sql.lit(projects)})`),
    name,
    name_key: name,
    tag_names: sql`'["tag' || cast(1 + n % ${sql.lit(tags)} as text) || '"]'`,
    created_at: sql`created_at + n`,
    updated_at: sql`created_at + n`,
    latest_change_at: sql`created_at + n`,
  }
  const columns = Object.keys(template)
  const values = columns.map((column) => (made[column] as ReturnType<typeof sql>) ?? sql.ref(column))
  await inTransaction(
    db,
    async (tx) => {
      await sql`insert into projects (id, organization_id, name, description, default_execution_mode, overwrites_execution_mode, overwrites_agent_pool, created_at, updated_at)
        ${numbers(projects)} select ${idOf('prj', digit)}, ${organization}, 'project ' || cast(n as text), '', 'remote', 0, 0, 0, 0 from numbers`.execute(
        tx,
      )
      await sql`insert into tags (id, organization_id, name, created_at)
        ${numbers(tags)} select ${idOf('tag', digit)}, ${organization}, 'tag' || cast(n as text), 0 from numbers`.execute(
        tx,
      )
      await sql`insert into workspaces (${sql.join(columns.map((column) => sql.ref(column)))})
        ${numbers(total - 1)} select ${sql.join(values)} from numbers, workspaces where id = ${sql.lit(workspaceId)}`.execute(
        tx,
      )
      await sql`insert into workspace_tags (workspace_id, tag_id, position)
        ${numbers(total - 1)} select ${idOf('ws', digit)}, ${idOf('tag', digit, sql`(1 + n % ${sql.lit(tags)})`)}, 1 from numbers`.execute(
        tx,
      )
      await sql`update tags set workspaces = (select count(*) from workspace_tags where tag_id = tags.id)
        where organization_id = ${organization}`.execute(tx)
      for (const [position, [key, count]] of Object.entries(bindings).entries()) {
        await sql`insert into tag_bindings (id, organization_id, workspace_id, key, value, position, created_at)
          ${numbers(total - 1)} select ${idOf('tb', digit)} || ${sql.lit(key)}, ${organization}, ${idOf('ws', digit)}, ${sql.lit(key)},
          ${sql.lit(key[0])} || cast(n % ${sql.lit(count)} as text), ${sql.lit(position)}, 0 from numbers`.execute(tx)
      }
      await sql`delete from workspace_counts where organization_id = ${organization}`.execute(tx)
      await sql`insert into workspace_counts select organization_id, project_id, count(*) from workspaces
        where organization_id = ${organization} group by organization_id, project_id`.execute(tx)
      for (const area of ['workspaces', 'projects'] as const) bumpVersion(tx, area)
    },
    { deadline: 600_000 },
  )
}
