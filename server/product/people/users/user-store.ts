import type { Instant } from '../../../kernel/clock.ts'
import { removedIds } from '../../../kit/removals/index.ts'
import { bit } from '../../../storage/bits.ts'
import { removeAllDependents } from '../../../storage/cascade.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { contains } from '../../../storage/search.ts'
import { totalOf } from '../../../storage/totals.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import { updateMembershipsOf } from './organization-membership-store.ts'
import { foldCase, type User, type UserId } from './user.ts'

/** A person. Keys are folded forms that may occur once. */
interface UserRow {
  id: string
  username: string
  username_key: string
  email: string
  email_key: string
  /** 1 if an administrator has set the address, not the person. */
  email_verified: number
  /** Null until the person has set one. */
  password_hash: string | null
  site_admin: number
  allow_certificate_login: number
  /** 1 for a person who is suspended. */
  suspended: number
  created_at: number
  updated_at: number
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    users: UserRow
  }
}

const toUser = (row: UserRow): User => ({
  id: row.id as UserId,
  username: row.username,
  email: row.email,
  emailVerified: row.email_verified === 1,
  siteAdmin: row.site_admin === 1,
  hasPassword: row.password_hash !== null,
  allowCertificateLogin: row.allow_certificate_login === 1,
  suspended: row.suspended === 1,
  createdAt: row.created_at as Instant,
  updatedAt: row.updated_at as Instant,
})

/** The person with this id. */
export async function loadUser(db: Queryable, id: string): Promise<User | undefined> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toUser(row)
}

/** The people with these ids, in no particular order. */
export async function loadUsers(db: Queryable, ids: readonly string[]): Promise<User[]> {
  const rows = await db.selectFrom('users').selectAll().where('id', 'in', ids).execute()
  return rows.map(toUser)
}

/** The person with this user name, compared without case. */
export async function loadUserByName(db: Queryable, username: string): Promise<User | undefined> {
  const row = await db.selectFrom('users').selectAll().where('username_key', '=', foldCase(username)).executeTakeFirst()
  return row && toUser(row)
}

/** The person with this e-mail address, compared without case. */
export async function loadUserByEmail(db: Queryable, email: string): Promise<User | undefined> {
  const row = await db.selectFrom('users').selectAll().where('email_key', '=', foldCase(email)).executeTakeFirst()
  return row && toUser(row)
}

/** The stored hash of a person's password. */
export async function loadPasswordHash(db: Queryable, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirst()
  return row?.password_hash ?? undefined
}

/** A page of people by user name, and how many there are. */
export async function listUsers(
  db: Queryable,
  wanted: {
    readonly search: string | undefined
    readonly siteAdmin: boolean | undefined
    readonly suspended: boolean | undefined
    readonly offset: number
    readonly limit: number
  },
): Promise<{ users: User[]; total: number }> {
  const search = wanted.search === undefined ? undefined : foldCase(wanted.search)
  let query = db.selectFrom('users')
  if (search !== undefined) {
    query = query.where(({ or }) => or([contains('username_key', search), contains('email_key', search)]))
  }
  if (wanted.siteAdmin !== undefined) query = query.where('site_admin', '=', bit(wanted.siteAdmin))
  if (wanted.suspended !== undefined) query = query.where('suspended', '=', bit(wanted.suspended))
  // Found by the index alone, which holds all that is searched: rows are read of the page only.
  const page = query.select('id').orderBy('username_key').limit(wanted.limit).offset(wanted.offset)
  const rows = await db
    .selectFrom(page.as('page'))
    .innerJoin('users', 'users.id', 'page.id')
    .selectAll('users')
    .orderBy('users.username_key')
    .execute()
  const count = query.select(({ fn }) => fn.countAll<number>().as('total'))
  return { users: rows.map(toUser), total: await totalOf(wanted, rows.length, count) }
}

/** A person to be stored. */
export type NewUser = Omit<User, 'hasPassword'> & { readonly passwordHash: string | null }

/** Stores a person. */
export async function insertUser(tx: Tx, user: NewUser): Promise<void> {
  await tx
    .insertInto('users')
    .values({
      id: user.id,
      username: user.username,
      username_key: foldCase(user.username),
      email: user.email,
      email_key: foldCase(user.email),
      email_verified: bit(user.emailVerified),
      password_hash: user.passwordHash,
      site_admin: bit(user.siteAdmin),
      allow_certificate_login: bit(user.allowCertificateLogin),
      suspended: bit(user.suspended),
      created_at: user.createdAt,
      updated_at: user.updatedAt,
    })
    .execute()
  bumpVersion(tx, 'users')
}

/** Changes an account, and the address and name in its memberships. */
export async function updateUser(tx: Tx, user: User): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      username: user.username,
      username_key: foldCase(user.username),
      email: user.email,
      email_key: foldCase(user.email),
      email_verified: bit(user.emailVerified),
      site_admin: bit(user.siteAdmin),
      allow_certificate_login: bit(user.allowCertificateLogin),
      suspended: bit(user.suspended),
      updated_at: user.updatedAt,
    })
    .where('id', '=', user.id)
    .execute()
  await updateMembershipsOf(tx, user)
  await bumpPerson(tx)
}

/** Sets the hash of a person's password. */
export async function updatePasswordHash(tx: Tx, id: string, hash: string, at: Instant): Promise<void> {
  await tx.updateTable('users').set({ password_hash: hash, updated_at: at }).where('id', '=', id).execute()
  await bumpPerson(tx)
}

/** True if the hash of a person's password is still this one (null: none); it stays so until the transaction ends. */
export async function lockPasswordHashForUpdate(tx: Tx, id: string, hash: string | null): Promise<boolean> {
  const result = await tx
    .updateTable('users')
    .set(({ ref }) => ({ updated_at: ref('updated_at') }))
    .where('id', '=', id)
    .where('password_hash', hash === null ? 'is' : '=', hash)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Removes a person with memberships, tokens and sessions; false when the person was gone already. */
export async function deleteUser(tx: Tx, id: string): Promise<boolean> {
  await removeAllDependents(tx, 'users', [id])
  const result = await tx.deleteFrom('users').where('id', '=', id).executeTakeFirst()
  bumpVersion(tx, 'permissions')
  await bumpPerson(tx)
  return result.numDeletedRows === 1n
}

/** Lets one transaction at a time decide about the owners of the organizations that a person owns. */
export async function lockOwnedOrganizationsForUpdate(tx: Tx, userId: string): Promise<void> {
  await tx
    .selectFrom('organizations')
    .select('id')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('team_members')
        .innerJoin('organization_memberships as membership', 'membership.id', 'team_members.membership_id')
        .innerJoin('teams', 'teams.id', 'team_members.team_id')
        .where('membership.user_id', '=', userId)
        .where('teams.owners', '=', 1)
        .select('teams.organization_id'),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** True if the person is the only owner of an organization, or the only one who is not suspended. */
export async function isLastOwner(db: Queryable, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('team_members as mine')
    .innerJoin('organization_memberships as membership', 'membership.id', 'mine.membership_id')
    .innerJoin('teams', 'teams.id', 'mine.team_id')
    .innerJoin('users as me', 'me.id', 'membership.user_id')
    .where('me.id', '=', userId)
    .where('teams.owners', '=', 1)
    .where('teams.organization_id', 'not in', removedIds(db, 'organization'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('team_members as other')
            .innerJoin('organization_memberships as theirs', 'theirs.id', 'other.membership_id')
            .innerJoin('users as they', 'they.id', 'theirs.user_id')
            .whereRef('other.team_id', '=', 'teams.id')
            .where('theirs.status', '=', 'active')
            .where('they.id', '<>', userId)
            .whereRef('they.suspended', '<=', 'me.suspended')
            .select('other.team_id'),
        ),
      ),
    )
    .select('teams.id')
    .executeTakeFirst()
  return row !== undefined
}

/** True if the person is an active member of one of these organizations. */
export const belongsToOneOf = async (
  db: Queryable,
  userId: string,
  organizationIds: readonly string[],
): Promise<boolean> => (await membersAmong(db, [userId], organizationIds)).has(userId)

/** Those of the people who are active members of one of these organizations. */
export async function membersAmong(
  db: Queryable,
  userIds: readonly string[],
  organizationIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (userIds.length === 0 || organizationIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('organization_memberships')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .where('status', '=', 'active')
    .where('organization_id', 'in', organizationIds)
    .execute()
  return new Set(rows.flatMap((row) => row.user_id ?? []))
}

/** True if an organization of the person has an open invitation for this address. */
export async function isInvitedByOwnOrganization(db: Queryable, userId: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('organization_memberships as invitation')
    .innerJoin('organization_memberships as own', 'own.organization_id', 'invitation.organization_id')
    .select('invitation.id')
    .where('own.user_id', '=', userId)
    .where('own.organization_id', 'not in', removedIds(db, 'organization'))
    .where('invitation.email_key', '=', foldCase(email))
    .where('invitation.user_id', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

async function bumpPerson(tx: Tx): Promise<void> {
  bumpVersion(tx, 'users')
  bumpVersion(tx, 'api-tokens')
}
