import type { Instant } from '../../../kernel/clock.ts'
import type { Tx } from '../../../storage/open.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import { foldCase, type User } from './user.ts'

/** A person's place in an organization; without a user while the invitation waits for one with this e-mail. */
interface OrganizationMembershipRow {
  id: string
  organization_id: string
  user_id: string | null
  email: string
  email_key: string
  /** Repeats that of the user, so that searches among the members look at this table alone. */
  username_key: string | null
  status: string
  created_at: number
  /** The link that the invitation is accepted with; null once it is, or if there never was one. */
  link_hash: string | null
  link_expires_at: number | null
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    organization_memberships: OrganizationMembershipRow
  }
}

/** A membership to be stored. */
type NewMembership = {
  readonly id: string
  readonly organizationId: string
  /** Null for an invitation. */
  readonly userId: string | null
  readonly email: string
  readonly status: string
  readonly createdAt: Instant
}

/** The folded name of a user; null where there is none. */
const usernameKeyOf = (tx: Tx, userId: string | null) =>
  tx
    .selectFrom('users')
    .select('username_key')
    .where('id', '=', userId ?? '')
    .forKeyShare()

/** Stores a membership; that of somebody invited with the link to accept it. */
export async function insertMembership(
  tx: Tx,
  membership: NewMembership,
  link?: { readonly hash: string; readonly expiresAt: Instant },
): Promise<void> {
  await tx
    .insertInto('organization_memberships')
    .values({
      id: membership.id,
      organization_id: membership.organizationId,
      user_id: membership.userId,
      email: membership.email,
      email_key: foldCase(membership.email),
      username_key: usernameKeyOf(tx, membership.userId),
      status: membership.status,
      created_at: membership.createdAt,
      link_hash: link?.hash ?? null,
      link_expires_at: link?.expiresAt ?? null,
    })
    .execute()
  bumpVersion(tx, 'permissions')
}

/** Removes a membership from the organization and its teams. False when it was gone already. */
export async function deleteMembership(tx: Tx, id: string): Promise<boolean> {
  const result = await tx.deleteFrom('organization_memberships').where('id', '=', id).executeTakeFirst()
  bumpVersion(tx, 'permissions')
  bumpVersion(tx, 'teams')
  return result.numDeletedRows === 1n
}

/** Makes a person the member; false if the invitation was accepted or withdrawn meanwhile. */
export async function acceptInvitation(
  tx: Tx,
  membershipId: string,
  user: Pick<User, 'id' | 'email'>,
): Promise<boolean> {
  const result = await tx
    .updateTable('organization_memberships')
    .set({
      user_id: user.id,
      status: 'active',
      email: user.email,
      email_key: foldCase(user.email),
      username_key: usernameKeyOf(tx, user.id),
      link_hash: null,
      link_expires_at: null,
    })
    .where('id', '=', membershipId)
    .where('user_id', 'is', null)
    .executeTakeFirst()
  bumpVersion(tx, 'permissions')
  return result.numUpdatedRows === 1n
}

/** Writes the address and the name of a person into all memberships. */
export async function updateMembershipsOf(
  tx: Tx,
  { id, email, username }: Pick<User, 'id' | 'email' | 'username'>,
): Promise<void> {
  await tx
    .updateTable('organization_memberships')
    .set({ email, email_key: foldCase(email), username_key: foldCase(username) })
    .where('user_id', '=', id)
    .execute()
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
