import { type Instant, later } from '../../kernel/clock.ts'
import { Failure, failure } from '../../kernel/failure.ts'
import { type Secret, secret } from '../../kernel/secret.ts'
import type { Deps } from '../../kit/deps.ts'
import type { RequestFacts } from '../../kit/endpoint.ts'
import type { Tx } from '../../storage/open.ts'
import { inTransaction } from '../../storage/transaction.ts'
import { authenticateApiToken, isApiToken, loadToken } from '../api-tokens/index.ts'
import { roleOfCertificate } from '../cert-auth/index.ts'
import {
  administratorName,
  fold,
  isPassword,
  loadUserByEmail,
  loadUserByName,
  type SessionStart,
  startSession,
} from '../users/index.ts'
import {
  type Counted,
  countedFor,
  forgottenAfter,
  isBlocking,
  secondsUntil,
  waitAfter,
  waitText,
} from './throttle-rules.ts'
import {
  blockUntil,
  countFailure,
  type Failures,
  forgetFailures,
  loadFailures,
  uncountFailure,
} from './throttle-store.ts'

type SignInRequest = Pick<RequestFacts, 'remoteAddress' | 'headers'>

const wrong = () => failure('unauthenticated', 'sign-in.wrong', 'User name or password is not right.')

/**
 * Counts an attempt before it is judged, so that many at once count as many. Throws when too many went before. What was
 * counted is forgotten when the attempt succeeds.
 */
async function takeAttempt(deps: Deps, counted: readonly Counted[]): Promise<void> {
  const now = deps.clock.now()
  const blocked = await inTransaction(deps.db, async (tx) => {
    const known = await loadFailures(
      tx,
      counted.map(({ key }) => key),
    )
    const until = latest(known, now)
    return until > now ? until : latest(await countAll(tx, counted, now), now)
  })
  if (blocked <= now) return
  const seconds = secondsUntil(blocked, now)
  const text = `Too many failed attempts. Try again in ${waitText(seconds)}.`
  throw failure('rate-limited', 'sign-in.throttled', text, { retryAfter: seconds })
}

const latest = (known: readonly Failures[], now: Instant): Instant =>
  Math.max(0, ...known.map((each) => each.blockedUntil).filter((until) => isBlocking(until, now))) as Instant

/** What was blocked before this attempt counts for it; what this attempt blocks counts for the next. */
async function countAll(tx: Tx, counted: readonly Counted[], now: Instant): Promise<Failures[]> {
  const all: Failures[] = []
  for (const each of counted) {
    const { key } = each
    const found = await countFailure(tx, key, now, later(now, -forgottenAfter))
    all.push(found)
    const wait = waitAfter(found.failures, each)
    if (wait > 0 && !isBlocking(found.blockedUntil, now)) await blockUntil(tx, key, later(now, wait))
  }
  return all
}

/** Signs a person in with user name (or e-mail address) and password; the text of the session. */
export async function signInWithPassword(
  deps: Deps,
  request: SignInRequest,
  name: string,
  password: Secret<string>,
): Promise<string> {
  const counted = countedFor(fold(name), request.remoteAddress)
  await takeAttempt(deps, counted)
  const user = name.includes('@') ? await loadUserByEmail(deps.db, name) : await loadUserByName(deps.db, name)
  if (!(await isPassword(deps, user?.id, password)) || !user) throw wrong()
  await forget(deps, counted)
  return startFor(deps, request, { userId: user.id })
}

/** A good sign-in clears its name, but does not make up for bad ones under other names from the same address. */
async function forget(deps: Deps, counted: readonly Counted[]): Promise<void> {
  const keys = counted.map(({ key }) => key)
  const named = keys.filter((key) => !key.startsWith('address:'))
  if (named.length > 0) await forgetFailures(deps.db, named)
  for (const key of keys.filter((each) => each.startsWith('address:'))) await uncountFailure(deps.db, key)
}

const startFor = (deps: Deps, request: SignInRequest, holder: TokenHolder): Promise<string> =>
  startSession(deps, {
    ...holder,
    remoteAddress: request.remoteAddress,
    userAgent: request.headers['user-agent'] ?? '',
  })

/** Signs a person in with a user token, or as the administrator with a root token, which then also serves `/v1`. */
export async function signInWithToken(deps: Deps, request: RequestFacts, token: Secret<string>): Promise<string> {
  const counted = countedFor(undefined, request.remoteAddress)
  await takeAttempt(deps, counted)
  const holder = await ownerOfToken(deps, request, token.reveal())
  await forget(deps, counted)
  return startFor(deps, request, holder)
}

/** The mount whose roles decide about certificates of browsers. */
const certificatePath = 'auth/cert/login'

/**
 * Signs a person in by the certificate of the connection. Consent on both sides: the role names the person, and the
 * person lets certificates sign in.
 */
export async function signInWithCertificate(deps: Deps, request: RequestFacts, roleName: string): Promise<string> {
  const counted = countedFor(undefined, request.remoteAddress)
  await takeAttempt(deps, counted)
  const mount = await deps.hooks.findMount(certificatePath)
  const wanted = { name: roleName, among: ({ platformUser }: { platformUser: string }) => platformUser !== '' }
  const role = mount?.type === 'cert' ? await acceptingRole(deps, { mount, request }, wanted) : undefined
  const user = role?.platformUser ? await loadUserByName(deps.db, role.platformUser) : undefined
  if (!user?.allowCertificateLogin) throw noPerson()
  await forget(deps, counted)
  return startFor(deps, request, { userId: user.id })
}

const noPerson = () =>
  failure('unauthenticated', 'sign-in.certificate', 'No certificate that signs somebody in here was presented.')

/** Why a certificate is refused is for the log of logins; who signs in learns no more than that it is. */
async function acceptingRole(...asked: Parameters<typeof roleOfCertificate>) {
  try {
    return await roleOfCertificate(...asked)
  } catch (thrown) {
    if (thrown instanceof Failure && (thrown.kind === 'invalid' || thrown.kind === 'forbidden')) throw noPerson()
    throw thrown
  }
}

/** Somebody, and the token that proved it: when that goes, so does the session. */
type TokenHolder = Pick<SessionStart, 'userId' | 'serviceToken' | 'apiToken'>

async function ownerOfToken(deps: Deps, request: RequestFacts, text: string): Promise<TokenHolder> {
  const useless = () => failure('unauthenticated', 'sign-in.token', 'Only user tokens and root tokens sign in here.')
  if (isApiToken(text)) {
    const actor = await authenticateApiToken(deps, text)
    const apiToken = actor?.kind === 'user' ? await loadToken(deps.db, actor.tokenId) : undefined
    if (!actor || !apiToken) throw useless()
    return { userId: actor.id, apiToken }
  }
  const principal = await deps.hooks.authenticateToken(text, request)
  if (principal.limitedUses && principal.remainingUses <= 0) await deps.hooks.settleUse(principal)
  // A session is any number of uses, so a token whose uses are counted begins none.
  const administrator =
    principal.root && !principal.limitedUses ? await loadUserByName(deps.db, administratorName) : undefined
  if (!administrator) throw useless()
  return { userId: administrator.id, serviceToken: secret(text) }
}
