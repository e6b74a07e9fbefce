import type { Failure } from '../../../kernel/failure.ts'
import type { Secret } from '../../../kernel/secret.ts'
import { type Author, recordChange } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import { invalidAttribute } from '../../../kit/jsonapi/index.ts'
import { forgetAttempt, passwordCounter, takeAttempt } from '../../../kit/throttling/index.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { passwordProblem, type User, type UserId } from './user.ts'
import { endSessionsAndLinks, subjectOf } from './user-actions.ts'
import { loadPasswordHash, lockPasswordHashForUpdate, updatePasswordHash } from './user-store.ts'

/** Runs first in a transaction, and throws when the caller has lost the right to what the transaction does. */
export type Claim = (tx: Tx) => Promise<void>

/** A new password for a person. */
type NewPassword = { readonly user: User; readonly password: Secret<string>; readonly claim: Claim }

/** Sets a person's password, and ends all sessions and open links; returns the stored hash. */
export async function setPassword(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'store' | 'passwords'>,
  author: Author,
  { user, password, claim }: NewPassword,
): Promise<string> {
  const problem = passwordProblem(password.reveal(), user.username)
  if (problem) throw invalidAttribute('password', `Password ${problem}`)
  const hash = await deps.passwords.hash(password)
  await inTransaction(deps.db, async (tx) => {
    await claim(tx)
    await updatePasswordHash(tx, user.id, hash, deps.clock.now())
    await endSessionsAndLinks(tx, user.id)
    await recordChange(deps, tx, author, { organizationId: '', subject: subjectOf(user), action: 'set-password' })
  })
  return hash
}

/**
 * The stored hash if this is the person's password, else undefined. The check takes as long for people without one: long
 * enough for the password to be replaced meanwhile, so what follows from it claims that it was not.
 */
export async function hashOfPassword(
  deps: Pick<Deps, 'db' | 'passwords'>,
  userId: string | undefined,
  password: Secret<string>,
): Promise<string | undefined> {
  const hash = userId === undefined ? undefined : await loadPasswordHash(deps.db, userId)
  return (await deps.passwords.matches(password, hash)) ? hash : undefined
}

/** Claims that a person's password is still the one with this hash, or that there is still none (null). */
export const passwordClaim =
  (userId: string, hash: string | null, lost: () => Failure): Claim =>
  async (tx) => {
    if (!(await lockPasswordHashForUpdate(tx, userId, hash))) throw lost()
  }

/** The refusal of callers who do not know their password. */
export const wrongPassword = (): Failure => invalidAttribute('current-password', 'Current password is wrong')

/** Refuses callers who do not know a person's password, or who have guessed too often; returns the stored hash. */
export async function requirePassword(
  deps: Pick<Deps, 'db' | 'clock' | 'passwords'>,
  userId: UserId,
  password: Secret<string>,
): Promise<string> {
  const attempt = await takeAttempt(deps, [passwordCounter(userId)])
  const hash = await hashOfPassword(deps, userId, password)
  if (hash === undefined) throw wrongPassword()
  await forgetAttempt(deps, attempt)
  return hash
}
