import type { ListPlace } from '../../../kit/list.ts'
import { hotQuery } from '../../../storage/hot.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { rowChunksOf } from '../../../storage/row-chunks.ts'
import { bumpVersion } from '../../../storage/versions.ts'

/** A policy as it was written. */
interface PolicyRow {
  name: string
  text: string
  updated_at: number
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    policies: PolicyRow
  }
}

const textByName = hotQuery('policies.text-by-name', (db, by: { name: string }) =>
  db.selectFrom('policies').select('text').where('name', '=', by.name),
)

/** The text of a policy; undefined when there is none of this name. */
export async function loadPolicyText(db: Queryable, name: string): Promise<string | undefined> {
  return (await textByName.first(db, { name }))?.text
}

/** The texts of those of these policies that exist, by name. */
export async function loadPolicyTexts(db: Queryable, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const batch of rowChunksOf(names)) {
    const rows = await db.selectFrom('policies').select(['name', 'text']).where('name', 'in', batch).execute()
    for (const { name, text } of rows) texts.set(name, text)
  }
  return texts
}

/** A page of policy names. */
export async function listPolicyNames(db: Queryable, { after, most }: ListPlace): Promise<string[]> {
  const names = db.selectFrom('policies').select('name').where('name', '>', after).orderBy('name').limit(most)
  return (await names.execute()).map((row) => row.name)
}

/** Writes a policy, new or existing. */
export async function savePolicy(tx: Tx, name: string, text: string, at: number): Promise<void> {
  await tx
    .insertInto('policies')
    .values({ name, text, updated_at: at })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ text, updated_at: at }))
    .execute()
  bumpVersion(tx, 'policies')
}

/** Writes a policy unless one of this name exists. */
export async function savePolicyIfAbsent(tx: Tx, name: string, text: string, at: number): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('policies')
    .values({ name, text, updated_at: at })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows) bumpVersion(tx, 'policies')
}

/** Removes a policy, if it exists. */
export async function removePolicy(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('policies').where('name', '=', name).execute()
  bumpVersion(tx, 'policies')
}
