import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/**
 * Whether an administrator stands behind the e-mail address of an account. Of the present ones those count that the
 * change log shows: an administrator has made the account, or was the last to set the address.
 */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('email_verified', types.integer, (column) => column.notNull().defaultTo(0))
    .execute()
  for (const [userId, email] of await addressesByAdministrators(db))
    await sql`update users set email_verified = 1 where id = ${userId} and email = ${email}`.execute(db)
}

type Change = { subject_id: string; subject_name: string; actor_id: string; after: string | null }

/** The address that each account was given last, where that was not done by its owner. */
async function addressesByAdministrators(db: Kysely<unknown>): Promise<Map<string, string>> {
  const { rows } = await sql<Change>`
    select subject_id, subject_name, actor_id, after from change_log
    where organization_id = '' and subject_type = 'users' and action in ('create', 'update')
    order by position, id`.execute(db)
  const found = new Map<string, string>()
  for (const { subject_id: userId, subject_name: username, actor_id: actorId, after } of rows) {
    const { email } = JSON.parse(after ?? '{}') as { email?: string }
    if (email === undefined) continue
    // The person that the root token acts as is always an administrator.
    if (actorId === userId && username.toLowerCase() !== 'admin') found.delete(userId)
    else found.set(userId, email)
  }
  return found
}
