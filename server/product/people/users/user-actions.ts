import { type Failure, type Fault, failure } from '../../../kernel/failure.ts'
import type { Secret } from '../../../kernel/secret.ts'
import { type Author, recordChange, recordUpdate, serverAuthor } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import { invalidAttribute, requireNoFaults } from '../../../kit/jsonapi/index.ts'
import { unlessTaken } from '../../../storage/errors.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { lockArea } from '../../../storage/versions.ts'
import { runDepartureSteps } from './departure-actions.ts'
import { deleteInvitations, loadInvited } from './invited/invited-store.ts'
import { deleteLinksOf } from './links/link-store.ts'
import { loadInvitationsFor, loadMembershipsOf, type OwnMembership } from './own-membership-store.ts'
import { deleteSessionsOf } from './sessions/session-store.ts'
import { administratorEmail, administratorName, isAdministrator, type User, type UserId } from './user-rules.ts'
import {
  deleteUser,
  holdOwnedOrganizations,
  insertUser,
  isInvitedByOwnOrganization,
  isLastOwner,
  loadUser,
  loadUserByEmail,
  loadUserByName,
  type NewUser,
  updateUser,
} from './user-store.ts'

type UserDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store' | 'passwords'>

/** A person to be created. */
export type UserWanted = {
  readonly username: string
  readonly email: string
  readonly siteAdmin: boolean
  readonly password: Secret<string> | undefined
}

const describeUser = (
  user: Pick<User, 'username' | 'email' | 'siteAdmin' | 'allowCertificateLogin' | 'suspended'>,
) => ({
  username: user.username,
  email: user.email,
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

const membershipChange = ({ id, organizationId, email }: OwnMembership) => ({
  organizationId,
  subject: { type: 'organization-memberships', id, name: email },
})

/** Creates a person. Invitations for the e-mail address become memberships. */
export async function createUser(deps: UserDeps, author: Author, wanted: UserWanted): Promise<User> {
  const at = deps.clock.now()
  const passwordHash = wanted.password ? await deps.passwords.hash(wanted.password) : null
  const { username, email, siteAdmin } = wanted
  const user: NewUser = {
    id: deps.ids.newId('user'),
    username,
    email,
    siteAdmin,
    allowCertificateLogin: false,
    suspended: false,
    passwordHash,
    createdAt: at,
    updatedAt: at,
  }
  await unlessTaken(userTaken, () =>
    inTransaction(deps.db, async (tx) => {
      // Invitations for this address take the same lock, so that the later of the two sees the earlier one.
      await lockArea(tx, 'users')
      requireNoFaults(await takenFaults(tx, user))
      await insertUser(tx, user)
      const change = { organizationId: '', subject: subjectOf(user), action: 'create', after: describeUser(user) }
      await recordChange(deps, tx, author, change)
      for (const each of await loadMembershipsOf(tx, user.id)) {
        const statuses = { before: { status: 'invited' }, after: { status: each.status } }
        await recordUpdate(deps, tx, author, { ...membershipChange(each), ...statuses })
      }
    }),
  )
  const { passwordHash: _hash, ...rest } = user
  return { ...rest, hasPassword: passwordHash !== null }
}

/** Faults for a name or address that somebody else has, and for an address that one of the person's organizations invited. */
async function takenFaults(db: Queryable, user: Pick<User, 'id' | 'username' | 'email'>): Promise<Fault[]> {
  const byName = await loadUserByName(db, user.username)
  const byEmail = await loadUserByEmail(db, user.email)
  const faults: Fault[] = []
  if (byName && byName.id !== user.id) faults.push(takenFault('username', 'Username'))
  const emailTaken = byEmail ? byEmail.id !== user.id : await isInvitedByOwnOrganization(db, user.id, user.email)
  if (emailTaken) faults.push(takenFault('email', 'Email'))
  return faults
}

const takenFault = (name: string, label: string): Fault => ({
  detail: `${label} has already been taken`,
  pointer: `/data/attributes/${name}`,
  code: `user.${name}-taken`,
})

const userTaken = () => invalidAttribute('username', 'Username or e-mail has already been taken')

/** The changes to an account. */
export type UserChanges = {
  readonly username?: string
  readonly email?: string
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
      const asked = typeof changes === 'function' ? changes(before) : changes
      const after: User = { ...before, ...asked, updatedAt: deps.clock.now() }
      requireNoFaults([...administratorFaults(before, after), ...(await takenFaults(tx, after))])
      await updateUser(tx, after)
      if (after.suspended !== before.suspended) await endSessionsAndLinks(tx, id)
      const change = {
        organizationId: '',
        subject: subjectOf(after),
        before: describeUser(before),
        after: describeUser(after),
      }
      await recordUpdate(deps, tx, author, change)
      for (const each of await loadMembershipsOf(tx, id)) {
        const addresses = { before: { email: before.email }, after: { email: after.email } }
        await recordUpdate(deps, tx, author, { ...membershipChange(each), ...addresses })
      }
      return after
    }),
  )
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
    await holdOwnedOrganizations(tx, id)
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
    const wanted = { username: administratorName, email: administratorEmail, siteAdmin: true, password: undefined }
    await createUser(deps, serverAuthor, wanted)
  } catch (error) {
    // Another process of this server started at the same moment.
    if (!(await loadUserByName(deps.db, administratorName))) throw error
  }
}
