import { Failure, failure } from '../../../kernel/failure.ts'
import { type Secret, secret } from '../../../kernel/secret.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { RequestFacts } from '../../../kit/endpoint.ts'
import { countersFor, forgetAttempt, takeAttempt } from '../../../kit/throttling/index.ts'
import { roleOfCertificate } from '../../secrets/auth/cert/index.ts'
import { authenticateApiToken, isApiToken, loadToken } from '../api-tokens/index.ts'
import {
  administratorName,
  foldCase,
  hashOfPassword,
  loadUserByEmail,
  loadUserByName,
  passwordClaim,
  type SessionStart,
  startSession,
} from '../users/index.ts'

type SignInRequest = Pick<RequestFacts, 'remoteAddress' | 'headers'>

const wrongCredentials = () => failure('unauthenticated', 'sign-in.wrong', 'Wrong username or password.')
const accountSuspended = () => failure('unauthenticated', 'sign-in.suspended', 'This account is suspended.')

/** Signs a person in with user name (or e-mail address) and password; returns the text of the session. */
export async function signInWithPassword(
  deps: Deps,
  request: SignInRequest,
  name: string,
  password: Secret<string>,
): Promise<string> {
  const attempt = await takeAttempt(deps, countersFor(foldCase(name), request.remoteAddress))
  const user = name.includes('@') ? await loadUserByEmail(deps.db, name) : await loadUserByName(deps.db, name)
  const hash = await hashOfPassword(deps, user?.id, password)
  if (hash === undefined || !user) throw wrongCredentials()
  await forgetAttempt(deps, attempt)
  if (user.suspended) throw accountSuspended()
  const claim = passwordClaim(user.id, hash, wrongCredentials)
  return startSessionFor(deps, request, { userId: user.id, claim })
}

/** Starts the session of a person in the browser that sent a request; returns its text. */
export const startSessionFor = (deps: Deps, request: SignInRequest, holder: Holder): Promise<string> =>
  startSession(deps, {
    ...holder,
    remoteAddress: request.remoteAddress,
    userAgent: request.headers['user-agent'] ?? '',
  })

/** Signs in the owner of a user token, or the administrator with a root token, which then also serves `/v1`. */
export async function signInWithToken(deps: Deps, request: RequestFacts, token: Secret<string>): Promise<string> {
  const attempt = await takeAttempt(deps, countersFor(undefined, request.remoteAddress))
  const holder = await ownerOfToken(deps, request, token.reveal())
  await forgetAttempt(deps, attempt)
  return startSessionFor(deps, request, holder)
}

/** The login path of the mount whose roles decide about the certificates of browsers. */
const certificatePath = 'auth/cert/login'

/**
 * Signs a person in by the certificate of the connection. Both sides must agree: the role names the person, and the
 * person allows signing in by certificate.
 */
export async function signInWithCertificate(deps: Deps, request: RequestFacts, roleName: string): Promise<string> {
  const attempt = await takeAttempt(deps, countersFor(undefined, request.remoteAddress))
  const mount = await deps.mounts.find(certificatePath)
  const wanted = { name: roleName, among: ({ platformUser }: { platformUser: string }) => platformUser !== '' }
  if (!request.certificate) throw noCertificate()
  const accepted = mount?.type === 'cert' ? await acceptingRole(deps, { mount, request }, wanted) : undefined
  const role = accepted?.role
  const user = role?.platformUser ? await loadUserByName(deps.db, role.platformUser) : undefined
  if (role && user?.id !== role.platformUserId) throw lostPerson(deps, request, role)
  if (!accepted || !user?.allowCertificateLogin || user.suspended) throw noUsableCertificate()
  await forgetAttempt(deps, attempt)
  return startSessionFor(deps, request, { userId: user.id, endsAt: accepted.endsAt })
}

const noCertificate = () =>
  failure('unauthenticated', 'sign-in.no-certificate', 'Your browser did not present a certificate.')

const noUsableCertificate = () =>
  failure(
    'unauthenticated',
    'sign-in.certificate',
    'Your certificate was received, but it cannot be used to sign in, or not with this role.',
  )

/** Names can pass to somebody else; the role must still name the person it named when it was written. */
function lostPerson({ log }: Pick<Deps, 'log'>, { id }: RequestFacts, role: { name: string; platformUser: string }) {
  const reason = `The user '${role.platformUser}' has been renamed or replaced; write 'platform_user' again.`
  log.warn({ request: id, role: role.name, reason }, 'certificate sign-in refused')
  return noUsableCertificate()
}

/** The reason why a certificate is refused goes to the log of logins only; people only learn that it is refused. */
async function acceptingRole(...asked: Parameters<typeof roleOfCertificate>) {
  try {
    return await roleOfCertificate(...asked)
  } catch (thrown) {
    if (thrown instanceof Failure && (thrown.kind === 'invalid' || thrown.kind === 'forbidden'))
      throw noUsableCertificate()
    throw thrown
  }
}

/** A person, and what proved who it is: when a token or certificate did, the session ends with it. */
type Holder = Pick<SessionStart, 'userId' | 'serviceToken' | 'apiToken' | 'endsAt' | 'claim'>

async function ownerOfToken(deps: Deps, request: RequestFacts, text: string): Promise<Holder> {
  const useless = () =>
    failure('unauthenticated', 'sign-in.token', 'Only user tokens and root tokens can be used to sign in.')
  if (isApiToken(text)) {
    const actor = await authenticateApiToken(deps, text)
    const apiToken = actor?.kind === 'user' ? await loadToken(deps.db, actor.tokenId) : undefined
    if (!actor || !apiToken) throw useless()
    return { userId: actor.id, apiToken }
  }
  const principal = await deps.tokens.authenticate(text, request)
  // A session uses its token any number of times, so a token with counted uses cannot start one.
  const administrator =
    principal.root && !principal.limitedUses ? await loadUserByName(deps.db, administratorName) : undefined
  if (!administrator) throw useless()
  return { userId: administrator.id, serviceToken: secret(text) }
}
