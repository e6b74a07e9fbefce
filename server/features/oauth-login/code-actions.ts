import { later } from '../../kernel/clock.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { Deps } from '../../kit/deps.ts'
import { inTransaction } from '../../storage/transaction.ts'
import { issueToken, standardExpiry } from '../api-tokens/index.ts'
import { loadUser, type Session } from '../users/index.ts'
import { type AuthorizationRequest, isVerifierOf } from './authorization-rules.ts'
import { insertCode, takeCode } from './code-store.ts'

type CodeDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'keyring' | 'store'>

/** RFC 6749 §4.1.2 asks for a short lifetime; the command line waits for the code and uses it at once. */
const lifetimeMs = 60_000

const hashOf = (deps: Pick<Deps, 'keyring'>, code: string): string => deps.keyring.keyedHash('oauth-code', code)

/** Makes a code for which the command line that asked gets a token of this person. */
export async function makeCode(
  deps: CodeDeps,
  session: Pick<Session, 'userId' | 'username'>,
  { challenge, redirectUri }: AuthorizationRequest,
): Promise<string> {
  const code = deps.ids.text(40)
  await insertCode(deps.db, {
    hash: hashOf(deps, code),
    user_id: session.userId,
    username: session.username,
    challenge,
    redirect_uri: redirectUri,
    expires_at: later(deps.clock.now(), lifetimeMs),
  })
  return code
}

/** What a command line sends to get its token. */
export type Redemption = {
  readonly code: string
  readonly verifier: string
  readonly redirectUri: string
  readonly requestId: string
}

/**
 * Exchanges a code for a token; undefined when the code is unknown, used, expired or another client's, or its person is
 * suspended. A wrong try uses it up.
 */
export async function redeemCode(deps: CodeDeps, redemption: Redemption): Promise<Secret<string> | undefined> {
  const { code, verifier, redirectUri, requestId } = redemption
  const found = await inTransaction(deps.db, (tx) => takeCode(tx, hashOf(deps, code)))
  if (!found || found.expires_at <= deps.clock.now()) return undefined
  if (found.redirect_uri !== redirectUri || !isVerifierOf(verifier, found.challenge)) return undefined
  const user = await loadUser(deps.db, found.user_id)
  if (!user || user.suspended) return undefined
  const author = { kind: 'user', id: user.id, name: found.username, tokenId: '', requestId } as const
  const owner = { kind: 'user', id: user.id } as const
  const { text } = await issueToken(deps, author, {
    owner,
    organizationId: '',
    single: false,
    description: 'Command line login',
    expiresAt: standardExpiry(owner, deps.clock.now()),
  })
  return text
}
