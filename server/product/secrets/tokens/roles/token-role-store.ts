import type { TokenRole } from '../../../../access/token-plan.ts'
import type { Instant } from '../../../../kernel/clock.ts'
import type { ListPlace } from '../../../../kit/list.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'

/** Terms under which tokens are made by role. */
interface TokenRoleRow {
  name: string
  terms: string
  updated_at: number
}

declare module '../../../../storage/tables.ts' {
  interface DescribedTables {
    token_roles: TokenRoleRow
  }
}

/** A token role by its name. */
export async function findRole(db: Queryable, name: string): Promise<TokenRole | undefined> {
  const row = await db.selectFrom('token_roles').select('terms').where('name', '=', name).executeTakeFirst()
  return row && ({ ...(JSON.parse(row.terms) as Omit<TokenRole, 'name'>), name } satisfies TokenRole)
}

/** A page of the names of token roles. */
export async function listRoleNames(db: Queryable, { after, most }: ListPlace): Promise<string[]> {
  const names = db.selectFrom('token_roles').select('name').where('name', '>', after).orderBy('name').limit(most)
  return (await names.execute()).map((row) => row.name)
}

/** Stores a role, new or existing. */
export async function saveRole(tx: Tx, { name, ...terms }: TokenRole, at: Instant): Promise<void> {
  const columns = { terms: JSON.stringify(terms), updated_at: at }
  await tx
    .insertInto('token_roles')
    .values({ name, ...columns })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(columns))
    .execute()
}

/** Removes a role; tokens made with it can no longer be renewed. */
export async function deleteRole(db: Queryable, name: string): Promise<void> {
  await db.deleteFrom('token_roles').where('name', '=', name).execute()
}

/** A page of token roles, by name. */
export async function pageOfRoles(db: Queryable, { after, most }: ListPlace): Promise<TokenRole[]> {
  const roles = db.selectFrom('token_roles').select(['name', 'terms']).where('name', '>', after)
  const rows = await roles.orderBy('name').limit(most).execute()
  return rows.map(({ name, terms }) => ({ ...(JSON.parse(terms) as Omit<TokenRole, 'name'>), name }))
}
