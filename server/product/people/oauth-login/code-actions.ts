import { later } from '../../../kernel/clock.ts'
import { Failure, failure } from '../../../kernel/failure.ts'
import type { Secret } from '../../../kernel/secret.ts'
import type { Deps } from '../../../kit/deps.ts'
import { defineJob, type Job } from '../../../kit/job.ts'
import { inBatches } from '../../../storage/batches.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { findTokenPrincipal } from '../../secrets/tokens/index.ts'
import { issueToken } from '../api-tokens/index.ts'
import { loadSession, lockSessionForUpdate, type Session, serviceTokenOf } from '../users/index.ts'
import { type AuthorizationRequest, isVerifierOf } from './authorization.ts'
import { deleteExpiredCodes, insertCode, takeCode } from './code-store.ts'

/** Removes codes that nobody redeemed. */
export const codeSweep: Job = defineJob({
  name: 'oauth-codes.sweep',
  every: '1h',
  jitter: '10m',
  run: async (deps) => {
    const now = deps.clock.now()
    await inBatches(deps.db, (tx, limit) => deleteExpiredCodes(tx, now, limit))
  },
})

type CodeDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'keyring' | 'store' | 'mounts'>

/** RFC 6749 §4.1.2 asks for a short lifetime; the command line waits for the code and uses it at once. */
const lifetimeMs = 60_000

const hashOf = (deps: Pick<Deps, 'keyring'>, code: string): string => deps.keyring.keyedHash('oauth-code', code)

/** Makes a code for which the command line that asked gets a token; undefined if the session has ended. */
export async function makeCode(
  deps: CodeDeps,
  session: Pick<Session, 'id' | 'userId' | 'username'>,
  { challenge, redirectUri }: AuthorizationRequest,
): Promise<string | undefined> {
  const code = deps.ids.text(40)
  const at = deps.clock.now()
  const row = {
    hash: hashOf(deps, code),
    user_id: session.userId,
    username: session.username,
    challenge,
    redirect_uri: redirectUri,
    expires_at: later(at, lifetimeMs),
    session_id: session.id,
  }
  return inTransaction(deps.db, async (tx) => {
    if (!(await lockSessionForUpdate(tx, session.id, at))) return undefined
    await insertCode(tx, row)
    return code
  })
}

/** What a command line sends to get its token. */
type Redemption = {
  readonly code: string
  readonly verifier: string
  readonly redirectUri: string
  readonly requestId: string
}

/**
 * Exchanges a code for a token; undefined when the code is unknown, used, expired or another client's, or its session
 * has ended. A wrong try uses it up.
 */
export async function redeemCode(deps: CodeDeps, redemption: Redemption): Promise<Secret<string> | undefined> {
  const { code, verifier, redirectUri, requestId } = redemption
  const found = await inTransaction(deps.db, (tx) => takeCode(tx, hashOf(deps, code)))
  if (!found || found.expires_at <= deps.clock.now()) return undefined
  if (found.redirect_uri !== redirectUri || !isVerifierOf(verifier, found.challenge)) return undefined
  const session = found.session_id === null ? undefined : await loadSession(deps.db, found.session_id)
  if (!session || !(await isServiceTokenAlive(deps, session))) return undefined
  const author = { kind: 'user', id: session.userId, name: found.username, tokenId: '', requestId } as const
  const owner = { kind: 'user', id: session.userId } as const
  const claim = async (tx: Tx): Promise<void> => {
    if (!(await lockSessionForUpdate(tx, session.id, deps.clock.now()))) throw sessionEnded()
  }
  try {
    const { text } = await issueToken(deps, author, {
      owner,
      organizationId: '',
      single: false,
      description: 'Command line login',
      claim,
    })
    return text
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === sessionEndedCode) return undefined
    throw thrown
  }
}

const sessionEndedCode = 'oauth.session-ended'
const sessionEnded = () => failure('conflict', sessionEndedCode, 'The session has ended.')

/** A session that began with a `/v1` token ends with it; the command line need not call from the browser's address. */
const isServiceTokenAlive = async (deps: CodeDeps, session: Session): Promise<boolean> =>
  session.serviceToken === null ||
  (await findTokenPrincipal(deps, { text: serviceTokenOf(deps, session) })) !== undefined
