import type { Fault } from '../../../../kernel/failure.ts'
import type { Secret } from '../../../../kernel/secret.ts'
import { type Author, serverAuthor } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { requireNoFaults } from '../../../../kit/jsonapi/index.ts'
import { unlessTaken } from '../../../../storage/database-errors.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { lockArea } from '../../../../storage/versions.ts'
import { hashOfLink, invalidLink } from '../links/account-link-actions.ts'
import { type Claim, passwordClaim } from '../password-actions.ts'
import { emailProblem, passwordProblem, type User, usernameProblem } from '../user.ts'
import { newUser, storeUser, userTaken } from '../user-actions.ts'
import { loadUser } from '../user-store.ts'
import type { OpenInvitation } from './invitation.ts'
import { acceptByLink } from './invitation-actions.ts'
import { findInvitationByLink } from './invitation-store.ts'

type JoiningDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'keyring' | 'store' | 'passwords' | 'parts'>

/** The invitation that a link accepts; undefined when the link is unknown, used or too old, or the invitation is gone. */
export const invitationOfLink = (
  deps: Pick<Deps, 'db' | 'clock' | 'keyring'>,
  text: string,
): Promise<OpenInvitation | undefined> => findInvitationByLink(deps.db, hashOfLink(deps, text), deps.clock.now())

/** Makes a person the member for whom a link was made; of several at the same moment, one. */
export async function joinByLink(deps: JoiningDeps, author: Author, text: string, userId: string): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await lockArea(tx, 'users')
    const user = await loadUser(tx, userId)
    if (!user || user.suspended) throw invalidLink()
    await useLink(deps, tx, author, text, user)
  })
}

async function useLink(
  deps: JoiningDeps,
  tx: Tx,
  author: Author,
  text: string,
  user: Pick<User, 'id' | 'email' | 'emailVerified'>,
): Promise<void> {
  const invitation = await findInvitationByLink(tx, hashOfLink(deps, text), deps.clock.now())
  if (!invitation || !(await acceptByLink(deps, tx, author, invitation, user))) throw invalidLink()
}

/** The account that somebody makes to join. */
type OwnAccount = { readonly username: string; readonly email: string; readonly password: Secret<string> }

/** Makes an account for whoever has a link, and the account the member. Its address is not verified. */
export async function createMember(
  deps: JoiningDeps,
  requestId: string,
  text: string,
  wanted: OwnAccount,
): Promise<{ userId: string; claim: Claim }> {
  requireNoFaults(accountFaults(wanted))
  const user = await newUser(deps, { ...wanted, emailVerified: false, siteAdmin: false })
  const author = { ...serverAuthor, kind: 'user', id: user.id, name: user.username, requestId } as const
  await unlessTaken(userTaken, () =>
    inTransaction(deps.db, async (tx) => {
      await storeUser(deps, tx, author, user)
      await useLink(deps, tx, author, text, user)
    }),
  )
  return { userId: user.id, claim: passwordClaim(user.id, user.passwordHash, invalidLink) }
}

function accountFaults({ username, email, password }: OwnAccount): Fault[] {
  const problems = [
    ['username', 'Username', usernameProblem(username)],
    ['email', 'E-mail address', emailProblem(email)],
    ['password', 'Password', passwordProblem(password.reveal(), username)],
  ] as const
  return problems.flatMap(([name, label, problem]) =>
    problem ? [{ detail: `${label} ${problem}`, pointer: `/data/attributes/${name}` }] : [],
  )
}
