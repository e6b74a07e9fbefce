import type { Keyring } from '../../../../crypto/keyring.ts'
import { parseVerbatim } from '../../../../kernel/exact-json.ts'
import type { ListPlace } from '../../../../kit/list.ts'
import { entriesIn, splitPath } from '../../../../storage/one-level.ts'
import type { Queryable } from '../../../../storage/open.ts'

/** A value only one token can read. */
interface CubbyholeRow {
  token_id: string
  path: string
  /** The path up to its last slash, with that, and what follows. */
  folder: string
  name: string
  sealed: Uint8Array
}

declare module '../../../../storage/tables.ts' {
  interface DescribedTables {
    cubbyholes: CubbyholeRow
  }
}

/** A value in the private store of a token. */
export type Value = Readonly<Record<string, unknown>>

/** The token that a value belongs to, and its path. */
export type Spot = { readonly tokenId: string; readonly path: string }

const placeOf = ({ tokenId, path }: Spot) => ({ table: 'cubbyholes', column: 'sealed', row: `${tokenId}/${path}` })

/** Stores a value, replacing the one before. */
export async function saveValue(db: Queryable, keyring: Keyring, spot: Spot, value: Value): Promise<void> {
  const sealed = keyring.seal(JSON.stringify(value), placeOf(spot))
  await db
    .insertInto('cubbyholes')
    .values({ token_id: spot.tokenId, path: spot.path, ...splitPath(spot.path), sealed })
    .onConflict((conflict) => conflict.columns(['token_id', 'path']).doUpdateSet({ sealed }))
    .execute()
}

/** A value; undefined when there is none. */
export async function findValue(db: Queryable, keyring: Keyring, spot: Spot): Promise<Value | undefined> {
  const row = await db
    .selectFrom('cubbyholes')
    .select('sealed')
    .where('token_id', '=', spot.tokenId)
    .where('path', '=', spot.path)
    .executeTakeFirst()
  return row && (parseVerbatim(keyring.openText(row.sealed, placeOf(spot))) as Value)
}

/** True if there is a value. */
export async function hasValue(db: Queryable, { tokenId, path }: Spot): Promise<boolean> {
  const rows = db.selectFrom('cubbyholes').select('path').where('token_id', '=', tokenId).where('path', '=', path)
  return (await rows.executeTakeFirst()) !== undefined
}

/** Removes a value. */
export async function deleteValue(db: Queryable, { tokenId, path }: Spot): Promise<void> {
  await db.deleteFrom('cubbyholes').where('token_id', '=', tokenId).where('path', '=', path).execute()
}

/** A page of the entries directly in a folder of a token's private store; the folder ends in a slash, or is empty. */
export const listEntries = (
  db: Queryable,
  { tokenId, folder }: { readonly tokenId: string; readonly folder: string },
  place: ListPlace,
): Promise<string[]> => entriesIn(db, { table: 'cubbyholes', owner: 'token_id', ownerId: tokenId, folder }, place)
