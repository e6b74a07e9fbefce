import { type Instant, later } from '../../../../kernel/clock.ts'
import { type Failure, failure } from '../../../../kernel/failure.ts'
import type { Secret } from '../../../../kernel/secret.ts'
import { serverAuthor } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { lockArea } from '../../../../storage/versions.ts'
import { type Claim, passwordClaim, setPassword } from '../password-actions.ts'
import type { User } from '../user.ts'
import { loadUser } from '../user-store.ts'
import { deleteLink, findLinkOwner, insertLink, type LinkPurpose } from './account-link-store.ts'

/** What links are handed out for: those of people are stored in a table of their own, those to join with the invitation. */
type Handed = LinkPurpose | 'membership'

type LinkDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'keyring' | 'store' | 'passwords'>

const day = 86_400_000

/** Where links lead, and how long they work. */
const kinds: Readonly<Record<Handed, { readonly folder: string; readonly lifetime: number }>> = {
  invitation: { folder: 'invitations', lifetime: 7 * day },
  reset: { folder: 'resets', lifetime: day },
  membership: { folder: 'memberships', lifetime: 7 * day },
}

/** What is stored of the text of a link. */
export const hashOfLink = (deps: Pick<Deps, 'keyring'>, text: string): string =>
  deps.keyring.keyedHash('one-time-link', text)

/** A link that works once: its path below the server's address, and what is stored of it. */
export type NewLink = {
  readonly path: string
  readonly hash: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** Makes up a link. */
export function newLink(deps: Pick<Deps, 'clock' | 'ids' | 'keyring'>, kind: Handed): NewLink {
  const { folder, lifetime } = kinds[kind]
  const text = deps.ids.text(32)
  const at = deps.clock.now()
  return { path: `/app/${folder}/${text}`, hash: hashOfLink(deps, text), createdAt: at, expiresAt: later(at, lifetime) }
}

/** Makes a link with which a person sets a password; returns its path below the server's address. */
export async function issueLink(deps: LinkDeps, user: Pick<User, 'id'>, purpose: LinkPurpose): Promise<string> {
  const { path, ...link } = newLink(deps, purpose)
  await inTransaction(deps.db, async (tx) => {
    await lockArea(tx, 'users')
    await insertLink(tx, { ...link, purpose, userId: user.id })
  })
  return path
}

/** The person a link belongs to; undefined when it is unknown, used or too old, or the person is suspended. */
export async function ownerOfLink(deps: LinkDeps, purpose: LinkPurpose, text: string): Promise<User | undefined> {
  const userId = await findLinkOwner(deps.db, { hash: hashOfLink(deps, text), purpose }, deps.clock.now())
  const user = userId === undefined ? undefined : await loadUser(deps.db, userId)
  return user?.suspended ? undefined : user
}

/** The refusal of a link that does not work, or not any more. */
export const invalidLink = (): Failure =>
  failure('missing', 'link.unknown', 'This link is unknown, used or too old. Ask for a new one.')

/**
 * Uses a link up and sets the password; if two requests do so at the same moment, one succeeds. The claim is that the
 * password has not been replaced since.
 */
export async function redeemLink(
  deps: LinkDeps,
  purpose: LinkPurpose,
  text: string,
  password: Secret<string>,
): Promise<{ user: User; claim: Claim }> {
  const user = await ownerOfLink(deps, purpose, text)
  if (!user) throw invalidLink()
  const author = { ...serverAuthor, kind: 'user', id: user.id, name: user.username } as const
  const claim: Claim = async (tx) => {
    if (!(await deleteLink(tx, hashOfLink(deps, text)))) throw invalidLink()
  }
  const hash = await setPassword(deps, author, { user, password, claim })
  return { user, claim: passwordClaim(user.id, hash, invalidLink) }
}
