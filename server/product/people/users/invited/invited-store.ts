import type { Queryable, Tx } from '../../../../storage/open.ts'
import { contains } from '../../../../storage/search.ts'
import { bumpVersion } from '../../../../storage/versions.ts'
import { foldCase } from '../user-rules.ts'
import type { InvitedPerson } from './invited-rules.ts'

const invitations = (db: Queryable) => db.selectFrom('organization_memberships').where('user_id', 'is', null)

/** Whom an invitation is for; undefined when there is none, or when it was accepted. */
export async function loadInvited(db: Queryable, membershipId: string): Promise<InvitedPerson | undefined> {
  const row = await invitations(db).select('email').where('id', '=', membershipId).executeTakeFirst()
  return row && { membershipId, email: row.email }
}

/** A page of the people who are invited, by e-mail address and each once, and how many there are. */
export async function listInvited(
  db: Queryable,
  wanted: { readonly search: string | undefined; readonly offset: number; readonly limit: number },
): Promise<{ invited: InvitedPerson[]; total: number }> {
  let query = invitations(db)
  if (wanted.search !== undefined) query = query.where(contains('email_key', foldCase(wanted.search)))
  const { total } = await query
    .select(({ fn }) => fn.count<number>('email_key').distinct().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .select(({ fn }) => [fn.min('id').as('id'), fn.min('email').as('email')])
    .groupBy('email_key')
    .orderBy('email_key')
    .limit(wanted.limit)
    .offset(wanted.offset)
    .execute()
  return { invited: rows.map(({ id, email }) => ({ membershipId: id, email })), total: Number(total) }
}

/** Removes every invitation for an address. */
export async function deleteInvitations(tx: Tx, email: string): Promise<void> {
  await tx
    .deleteFrom('organization_memberships')
    .where('email_key', '=', foldCase(email))
    .where('user_id', 'is', null)
    .execute()
  bumpVersion(tx, 'permissions')
  bumpVersion(tx, 'teams')
}
