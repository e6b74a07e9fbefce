import type { Instant } from '../../../../kernel/clock.ts'
import { removedIds } from '../../../../kit/removals/index.ts'
import type { Queryable } from '../../../../storage/open.ts'
import { contains } from '../../../../storage/search.ts'
import { foldCase } from '../user.ts'
import type { InvitedPerson, OpenInvitation } from './invitation.ts'

const invitations = (db: Queryable) =>
  db
    .selectFrom('organization_memberships')
    .where('user_id', 'is', null)
    .where('organization_id', 'not in', removedIds(db, 'organization'))

/** Whom an invitation is for; undefined when there is none, or when it was accepted. */
export async function loadInvited(
  db: Queryable,
  membershipId: string,
): Promise<(InvitedPerson & { readonly organizationId: string }) | undefined> {
  const row = await invitations(db)
    .select(['email', 'organization_id'])
    .where('id', '=', membershipId)
    .executeTakeFirst()
  return row && { membershipId, email: row.email, organizationId: row.organization_id }
}

/** The invitation that a link accepts; undefined when it was accepted or withdrawn, or the link is too old. */
export async function findInvitationByLink(
  db: Queryable,
  linkHash: string,
  at: Instant,
): Promise<OpenInvitation | undefined> {
  const row = await db
    .selectFrom('organization_memberships as membership')
    .innerJoin('organizations', 'organizations.id', 'membership.organization_id')
    .where('membership.link_hash', '=', linkHash)
    .where('membership.link_expires_at', '>', at)
    .where('membership.user_id', 'is', null)
    .where('organizations.id', 'not in', removedIds(db, 'organization'))
    .select(['membership.id', 'membership.email', 'organizations.id as organization_id', 'organizations.name'])
    .executeTakeFirst()
  return (
    row && {
      membershipId: row.id,
      email: row.email,
      organizationId: row.organization_id,
      organizationName: row.name,
    }
  )
}

/** What already has a place in the organization: the person, or the address in another membership. */
export async function findPlaceTaken(
  db: Queryable,
  { organizationId, membershipId }: Pick<OpenInvitation, 'organizationId' | 'membershipId'>,
  user: { readonly id: string; readonly email: string },
): Promise<'person' | 'address' | undefined> {
  const rows = await db
    .selectFrom('organization_memberships')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('id', '<>', membershipId)
    .where(({ or, eb }) => or([eb('user_id', '=', user.id), eb('email_key', '=', foldCase(user.email))]))
    .execute()
  if (rows.some((row) => row.user_id === user.id)) return 'person'
  return rows.length > 0 ? 'address' : undefined
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
