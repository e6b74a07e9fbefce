import type { Instant } from '../../../../kernel/clock.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'

/** An invitation or a password reset that has not been used. */
interface OneTimeLinkRow {
  hash: string
  purpose: string
  user_id: string
  created_at: number
  expires_at: number
}

declare module '../../../../storage/tables.ts' {
  interface DescribedTables {
    one_time_links: OneTimeLinkRow
  }
}

/** What a link allows: setting the first password, or a new one. */
export type LinkPurpose = 'invitation' | 'reset'

/** A link that works once. */
type OneTimeLink = {
  readonly hash: string
  readonly purpose: LinkPurpose
  readonly userId: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** Stores a link, replacing earlier ones for the same purpose. */
export async function insertLink(tx: Tx, link: OneTimeLink): Promise<void> {
  await tx.deleteFrom('one_time_links').where('user_id', '=', link.userId).where('purpose', '=', link.purpose).execute()
  await tx
    .insertInto('one_time_links')
    .values({
      hash: link.hash,
      purpose: link.purpose,
      user_id: link.userId,
      created_at: link.createdAt,
      expires_at: link.expiresAt,
    })
    .execute()
}

/** The owner of a link, if it still works. */
export async function findLinkOwner(
  db: Queryable,
  link: Pick<OneTimeLink, 'hash' | 'purpose'>,
  at: Instant,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('one_time_links')
    .select('user_id')
    .where('hash', '=', link.hash)
    .where('purpose', '=', link.purpose)
    .where('expires_at', '>', at)
    .executeTakeFirst()
  return row?.user_id
}

/** Uses a link up; false if another request came first. */
export async function deleteLink(tx: Tx, hash: string): Promise<boolean> {
  const result = await tx.deleteFrom('one_time_links').where('hash', '=', hash).executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** Makes every open link of a person useless. */
export async function deleteLinksOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('one_time_links').where('user_id', '=', userId).execute()
}

/** Removes up to so many links that expired before this time; returns how many there were. */
export async function deleteExpiredLinks(tx: Tx, before: Instant, limit: number): Promise<number> {
  const expired = tx.selectFrom('one_time_links').select('hash').where('expires_at', '<', before).limit(limit)
  return Number((await tx.deleteFrom('one_time_links').where('hash', 'in', expired).executeTakeFirst()).numDeletedRows)
}
