import { Failure, failure } from '../../../kernel/failure.ts'
import type { ActorPrincipal } from '../../../kernel/principal.ts'
import { equalInConstantTime } from '../../../kernel/secret.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { RequestFacts } from '../../../kit/endpoint.ts'
import { csrfHeaderName } from '../../../kit/secret-headers.ts'
import { csrfTokenOf, resumeSession, type Session, serviceTokenOf, sessionLifetimeMs } from '../users/index.ts'
import { cookieFor, readCookie } from './cookies.ts'

/** The cookie that holds a browser's session. */
const sessionCookie = 'holdfast_session'

/** Sets the cookie, or removes it with an empty text. */
export const setSessionCookie = (request: Pick<RequestFacts, 'tls' | 'origin'>, text: string): string =>
  cookieFor(request, sessionCookie, text, text === '' ? 0 : sessionLifetimeMs / 1000)

/** The session that a browser presents; undefined if there is none, or none that is valid now. */
export async function sessionOf(deps: Deps, request: RequestFacts): Promise<Session | undefined> {
  const text = readCookie(request, sessionCookie)
  const session = /^[0-9A-Za-z]{40}$/.test(text) ? await resumeSession(deps, text) : undefined
  return session && (await isTokenStillValid(deps, request, session)) ? session : undefined
}

/** A session that began with a `/v1` token ends with it, and is bound to the same addresses and certificate. */
async function isTokenStillValid(deps: Deps, request: RequestFacts, session: Session): Promise<boolean> {
  if (!session.serviceToken) return true
  try {
    await deps.tokens.authenticate(serviceTokenOf(deps, session), request)
    return true
  } catch (thrown) {
    if (thrown instanceof Failure && (thrown.kind === 'forbidden' || thrown.kind === 'unauthenticated')) return false
    throw thrown
  }
}

/** The person of a session, as a caller. */
export const personOf = ({ userId, username, siteAdmin, apiTokenId }: Session): ActorPrincipal => ({
  kind: 'user',
  id: userId,
  name: username,
  tokenId: apiTokenId ?? '',
  via: 'session',
  organizationId: '',
  siteAdmin,
})

const safeMethods = new Set(['GET', 'HEAD', 'LIST', 'OPTIONS'])

/** True for a request that changes something. */
export const isWrite = ({ verb }: Pick<RequestFacts, 'verb'>): boolean => !safeMethods.has(verb)

/** Refuses a write that comes with a session but without proof that it comes from one of our pages. */
export function requireCsrf(
  deps: Pick<Deps, 'keyring'>,
  request: Pick<RequestFacts, 'verb' | 'headers'>,
  session: Session,
  inForm = '',
): void {
  if (!isWrite(request)) return
  const header = request.headers[csrfHeaderName]
  const proof = typeof header === 'string' ? header : inForm
  if (equalInConstantTime(proof, csrfTokenOf(deps, session))) return
  throw failure(
    'refused',
    'csrf.missing',
    'Nothing was changed: this comes from another site, or from a page that was shown before you signed in. Open the page again.',
  )
}

/**
 * True for a form of ours that was shown in another session of the same browser: it has a proof, which does not count now,
 * and the browser says that it comes from a page of this server.
 */
export function isStaleForm(
  deps: Pick<Deps, 'keyring'>,
  request: Pick<RequestFacts, 'verb' | 'headers' | 'origin'>,
  session: Session,
  inForm = '',
): boolean {
  const isForm = isWrite(request) && request.headers[csrfHeaderName] === undefined && inForm !== ''
  return isForm && isFromOwnPage(request) && !equalInConstantTime(inForm, csrfTokenOf(deps, session))
}

function isFromOwnPage({ headers, origin }: Pick<RequestFacts, 'headers' | 'origin'>): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin !== undefined && hostOf(headers.origin) === hostOf(origin)
}

/** Refuses a form that another site sent; browsers send the origin of a form. */
export function requireSameOrigin(request: Pick<RequestFacts, 'headers' | 'origin'>): void {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  const foreign = origin !== undefined && origin !== 'null' && hostOf(origin) !== hostOf(request.origin)
  if (!foreign && (site === undefined || site === 'same-origin' || site === 'none')) return
  throw failure('refused', 'form.foreign', 'This form was sent by another site.')
}

/** Behind a proxy the scheme may differ, the host does not. */
const hostOf = (origin: string): string => origin.replace(/^https?:\/\//, '')
