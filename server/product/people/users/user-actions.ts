import { type Failure, type Fault, failure } from '../../../kernel/failure.ts'
import type { Secret } from '../../../kernel/secret.ts'
import { type Author, recordChange, recordUpdate, serverAuthor } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import { invalidAttribute, requireNoFaults } from '../../../kit/jsonapi/index.ts'
import { unlessTaken } from '../../../storage/database-errors.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { lockArea } from '../../../storage/versions.ts'
import { runDepartureSteps } from './departure-actions.ts'
import { acceptByAddress, membershipChange } from './invited/invitation-actions.ts'
import { loadInvited } from './invited/invitation-store.ts'
import { deleteLinksOf } from './links/account-link-store.ts'
import { deleteInvitations } from './organization-membership-store.ts'
import { loadInvitationsFor, loadMembershipsOf, type OwnMembership } from './own-membership-store.ts'
import { deleteSessionsOf } from './sessions/session-store.ts'
import {
  administratorEmail,
  administratorName,
  givesUpAddress,
  isAdministrator,
  lostAddress,
  type User,
  type UserId,
} from './user.ts'
import {
  deleteUser,
  insertUser,
  isInvitedByOwnOrganization,
  isLastOwner,
  loadUser,
  loadUserByEmail,
  loadUserByName,
  lockOwnedOrganizationsForUpdate,
  type NewUser,
  updateUser,
} from './user-store.ts'

type UserDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store' | 'passwords' | 'parts'>

/** A person to be created. */
export type UserWanted = {
  readonly username: string
  readonly email: string
  /** True if an administrator vouches for the address. */
  readonly emailVerified: boolean
  readonly siteAdmin: boolean
  readonly password: Secret<string> | undefined
}

const describeUser = (
  user: Pick<User, 'username' | 'email' | 'emailVerified' | 'siteAdmin' | 'allowCertificateLogin' | 'suspended'>,
) => ({
  username: user.username,
  email: user.email,
  'is-email-verified': user.emailVerified,
  'is-admin': user.siteAdmin,
  'allow-certificate-login': user.allowCertificateLogin,
  'is-suspended': user.suspended,
})

/** A person as the subject of a change. */
export const subjectOf = (user: Pick<User, 'id' | 'username'>): { type: string; id: string; name: string } => ({
  type: 'users',
  id: user.id,
  name: user.username,
})

/** Creates a person. Invitations for a verified address become memberships. */
export async function createUser(deps: UserDeps, author: Author, wanted: UserWanted): Promise<User> {
  const user = await newUser(deps, wanted)
  await unlessTaken(userTaken, () => inTransaction(deps.db, (tx) => storeUser(deps, tx, author, user)))
  return withoutHash(user)
}

/** A person as they will be stored. */
export async function newUser(deps: UserDeps, wanted: UserWanted): Promise<NewUser> {
  const at = deps.clock.now()
  const { username, email, emailVerified, siteAdmin, password } = wanted
  return {
    id: deps.ids.newId('user'),
    username,
    email,
    emailVerified,
    siteAdmin,
    allowCertificateLogin: false,
    suspended: false,
    passwordHash: password ? await deps.passwords.hash(password) : null,
    createdAt: at,
    updatedAt: at,
  }
}

/** Stores a new person and says so in the change log. */
export async function storeUser(deps: UserDeps, tx: Tx, author: Author, user: NewUser): Promise<void> {
  // Invitations for this address take the same lock, so that the later of the two sees the earlier one.
  await lockArea(tx, 'users')
  requireNoFaults(await takenFaults(tx, user))
  await takeAddress(deps, tx, author, user)
  await insertUser(tx, user)
  const change = { organizationId: '', subject: subjectOf(user), action: 'create', after: describeUser(user) }
  await recordChange(deps, tx, author, change)
  await acceptByAddress(deps, tx, author, user)
}

/** The person as others may know them. */
export const withoutHash = ({ passwordHash, ...user }: NewUser): User => ({
  ...user,
  hasPassword: passwordHash !== null,
})

/**
 * Faults for a name or address that somebody else has, and for an address that one of the person's organizations invited.
 * An address that is not verified is there for whom an administrator gives it to.
 */
async function takenFaults(
  db: Queryable,
  user: Pick<User, 'id' | 'username' | 'email' | 'emailVerified'>,
): Promise<Fault[]> {
  const byName = await loadUserByName(db, user.username)
  const byEmail = await loadUserByEmail(db, user.email)
  const faults: Fault[] = []
  if (byName && byName.id !== user.id) faults.push(takenFault('username', 'Username'))
  if (byEmail?.id === user.id) return faults
  const isHeld = byEmail !== undefined && !givesUpAddress(byEmail, user)
  if (isHeld || (await isInvitedByOwnOrganization(db, user.id, user.email))) faults.push(takenFault('email', 'Email'))
  return faults
}

/** Takes the address from whoever has set it without being verified, so that it is free for this person. */
async function takeAddress(
  deps: UserDeps,
  tx: Tx,
  author: Author,
  user: Pick<User, 'id' | 'email' | 'emailVerified'>,
): Promise<void> {
  const holder = await loadUserByEmail(tx, user.email)
  if (!holder || holder.id === user.id || !givesUpAddress(holder, user)) return
  const email = lostAddress(deps.ids.hex(16))
  await saveAccount(deps, tx, author, holder, { ...holder, email, updatedAt: deps.clock.now() })
}

const takenFault = (name: string, label: string): Fault => ({
  detail: `${label} has already been taken`,
  pointer: `/data/attributes/${name}`,
  code: `user.${name}-taken`,
})

/** The refusal of a name or address that somebody else got at the same moment. */
export const userTaken = (): Failure => invalidAttribute('username', 'Username or e-mail has already been taken')

/** The changes to an account. */
export type UserChanges = {
  readonly username?: string
  readonly email?: string
  readonly emailVerified?: boolean
  readonly siteAdmin?: boolean
  readonly allowCertificateLogin?: boolean
  readonly suspended?: boolean
}

/**
 * Changes an account; what is changed may depend on what it was. The administrator keeps name and role and cannot be
 * suspended, because the root token acts as this person. Suspending somebody ends their sessions; so does lifting it.
 */
export async function changeUser(
  deps: UserDeps,
  author: Author,
  id: UserId,
  changes: UserChanges | ((before: User) => UserChanges),
): Promise<User> {
  return unlessTaken(userTaken, () =>
    inTransaction(deps.db, async (tx) => {
      await lockArea(tx, 'users')
      const before = await loadUser(tx, id)
      if (!before) throw noSuchPerson()
      const requested = typeof changes === 'function' ? changes(before) : changes
      const after: User = { ...before, ...requested, updatedAt: deps.clock.now() }
      requireNoFaults([...administratorFaults(before, after), ...(await takenFaults(tx, after))])
      await takeAddress(deps, tx, author, after)
      await saveAccount(deps, tx, author, before, after)
      if (after.suspended !== before.suspended) await endSessionsAndLinks(tx, id)
      if (requested.email !== undefined) await acceptByAddress(deps, tx, author, after)
      return after
    }),
  )
}

/** Stores an account with the address in its memberships, and says in the change log what differs. */
async function saveAccount(deps: UserDeps, tx: Tx, author: Author, before: User, after: User): Promise<void> {
  await updateUser(tx, after)
  const change = { organizationId: '', subject: subjectOf(after) }
  await recordUpdate(deps, tx, author, { ...change, before: describeUser(before), after: describeUser(after) })
  for (const each of await loadMembershipsOf(tx, after.id)) {
    const addresses = { before: { email: before.email }, after: { email: after.email } }
    await recordUpdate(deps, tx, author, { ...membershipChange(each), ...addresses })
  }
}

/** Ends every session and open link: with a link from before, a suspended person could still set a password. */
export async function endSessionsAndLinks(tx: Tx, id: UserId): Promise<void> {
  await deleteSessionsOf(tx, id)
  await deleteLinksOf(tx, id)
}

function administratorFaults(before: User, after: User): Fault[] {
  if (!isAdministrator(before)) return []
  const faults: Fault[] = []
  const refuse = (name: string, detail: string) => faults.push({ detail, pointer: `/data/attributes/${name}` })
  if (!isAdministrator(after)) refuse('username', 'The name of the administrator cannot be changed')
  if (!after.siteAdmin) refuse('is-admin', 'The administrator cannot give up this role')
  if (after.suspended) refuse('is-suspended', 'The administrator cannot be suspended')
  return faults
}

/** The refusal of a request about a person who does not exist. */
export const noSuchPerson = (): Failure => failure('missing', 'user.missing', 'There is no such person.')

/** Removes a person. The administrator and the last owner of an organization stay. */
export async function removeUser(deps: UserDeps, author: Author, id: UserId): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const user = await loadUser(tx, id)
    if (!user) throw noSuchPerson()
    if (isAdministrator(user)) {
      throw failure('invalid', 'user.administrator', 'The administrator cannot be deleted.')
    }
    await lockOwnedOrganizationsForUpdate(tx, id)
    if (await isLastOwner(tx, id)) {
      throw failure(
        'invalid',
        'user.last-owner',
        `${user.username} is the last owner of an organization, suspended ones aside; add another owner first.`,
      )
    }
    const memberships = await loadMembershipsOf(tx, id)
    if (!(await deleteUser(tx, id))) throw noSuchPerson()
    await runDepartureSteps(deps, tx, author, { kind: 'user', id })
    const change = { organizationId: '', subject: subjectOf(user), action: 'delete', before: describeUser(user) }
    await recordChange(deps, tx, author, change)
    await recordEnd(deps, tx, author, memberships)
  })
}

/** Removes every invitation for the address of this invitation. */
export async function removeInvited(deps: UserDeps, author: Author, membershipId: string): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    // Making a person takes the same lock, so that none with this address appears at the same moment.
    await lockArea(tx, 'users')
    const invited = await loadInvited(tx, membershipId)
    if (!invited) throw noSuchPerson()
    const invitations = await loadInvitationsFor(tx, invited.email)
    await deleteInvitations(tx, invited.email)
    await recordEnd(deps, tx, author, invitations)
  })
}

async function recordEnd(deps: UserDeps, tx: Tx, author: Author, memberships: readonly OwnMembership[]): Promise<void> {
  for (const each of memberships) {
    const before = { email: each.email, status: each.status, teams: each.teamIds }
    await recordChange(deps, tx, author, { ...membershipChange(each), action: 'delete', before })
  }
}

/** Makes sure that the site administrator exists; without a password until somebody sets one. */
export async function ensureAdministrator(deps: UserDeps): Promise<void> {
  if (await loadUserByName(deps.db, administratorName)) return
  try {
    const account = { username: administratorName, email: administratorEmail, emailVerified: true, siteAdmin: true }
    await createUser(deps, serverAuthor, { ...account, password: undefined })
  } catch (error) {
    // Another node started at the same moment.
    if (!(await loadUserByName(deps.db, administratorName))) throw error
  }
}
