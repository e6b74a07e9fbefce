import { bit } from '../../../storage/bits.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { bumpVersion } from '../../../storage/versions.ts'

/** A request header that is written into records. */
interface AuditHeaderRow {
  name: string
  hmac: number
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    audit_headers: AuditHeaderRow
  }
}

/** The request headers that are written into records, and whether their values are hashed. */
export async function loadHeaders(db: Queryable): Promise<Map<string, { hmac: boolean }>> {
  const rows = await db.selectFrom('audit_headers').selectAll().orderBy('name').execute()
  return new Map(rows.map(({ name, hmac }) => [name, { hmac: hmac === 1 }]))
}

/** Adds a header, or changes how it is written. */
export async function saveHeader(tx: Tx, name: string, hmac: boolean): Promise<void> {
  const columns = { hmac: bit(hmac) }
  await tx
    .insertInto('audit_headers')
    .values({ name, ...columns })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(columns))
    .execute()
  bumpVersion(tx, 'audit')
}

/** Removes a header, if it exists. */
export async function deleteHeader(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('audit_headers').where('name', '=', name).execute()
  bumpVersion(tx, 'audit')
}
