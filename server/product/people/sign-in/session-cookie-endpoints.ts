import { signForUrl, verifySignedUrl } from '../../../crypto/signed-urls.ts'
import { Failure, failure } from '../../../kernel/failure.ts'
import type { ActorPrincipal } from '../../../kernel/principal.ts'
import { equalInConstantTime, secret } from '../../../kernel/secret.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Call, RequestFacts } from '../../../kit/endpoint.ts'
import { type Html, html } from '../../../kit/html.ts'
import { csrfHeaderName } from '../../../kit/secret-headers.ts'
import { csrfTokenOf, resumeSession, type Session, serviceTokenOf, sessionLifetimeMs } from '../users/index.ts'

/**
 * Sets a cookie; with an empty text it is removed. Only our own pages send it (SameSite), scripts cannot read it, and it
 * stays on TLS if people use TLS.
 */
export function cookieFor(
  request: Pick<RequestFacts, 'tls' | 'origin'>,
  name: string,
  text: string,
  seconds: number,
): string {
  const secure = isOverTls(request) ? '; Secure' : ''
  return `${name}=${text}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}

/** A proxy in front of us may terminate TLS; then the configured address decides. */
const isOverTls = ({ tls, origin }: Pick<RequestFacts, 'tls' | 'origin'>): boolean => tls || origin.startsWith('https:')

/** The text of a cookie of a request; empty if there is none. */
export function readCookie(request: Pick<RequestFacts, 'headers'>, name: string): string {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const mark = pair.indexOf('=')
    if (mark > 0 && pair.slice(0, mark).trim() === name) return pair.slice(mark + 1).trim()
  }
  return ''
}

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

/** What a page says once: what a form has done, or why it has done nothing. */
export type Notice = { readonly kind: 'done' | 'problem'; readonly text: string }

/** A notice that a page shows, and the cookie that makes it the only time. */
export type ShownNotice = Notice & { readonly removal: string }

/** Where a notice is shown: on one page, and in one session; null for a page that needs none. */
type Place = { readonly path: string; readonly session: Pick<Session, 'id'> | null }

type NoticeCall = Pick<Call, 'deps' | 'request'>

const noticeCookie = 'holdfast_notice'
const purpose = 'notice'

/** A redirect is followed at once; what waits longer belongs to a page that was never shown. */
const lifetimeMs = 60_000

/** The cookie that goes with a redirect, and lets the page at its end say something once. */
export function leaveNotice({ deps, request }: NoticeCall, { path, session }: Place, { kind, text }: Notice): string {
  const subject = JSON.stringify([path, session?.id ?? '', kind, text])
  return cookieFor(
    request,
    noticeCookie,
    signForUrl(deps, { purpose, subject, lifetimeMs }).reveal(),
    lifetimeMs / 1000,
  )
}

/** The notice that was left for the page which is asked for; undefined if there is none. */
export function noticeFor({ deps, request }: NoticeCall, session: Place['session']): ShownNotice | undefined {
  const token = readCookie(request, noticeCookie)
  const verdict = token === '' ? undefined : verifySignedUrl(deps, purpose, secret(token))
  if (!verdict?.ok) return undefined
  const [path, sessionId, kind, text] = JSON.parse(verdict.claim.subject) as [string, string, Notice['kind'], string]
  if (path !== `/${request.path}` || sessionId !== (session?.id ?? '')) return undefined
  return { kind, text, removal: cookieFor(request, noticeCookie, '', 0) }
}

/**
 * A notice as pages show it. It has the focus, so that screen readers begin with it and the next key goes on from it,
 * unless the page has a field to begin with.
 */
export function noticeText(notice: Notice | undefined, focus: 'focused' | 'not focused' = 'focused'): Html | undefined {
  if (!notice) return undefined
  const role = notice.kind === 'done' ? 'status' : 'alert'
  const focused = focus === 'focused' ? html` tabindex="-1" autofocus` : undefined
  return html`<p class="notice ${notice.kind}" id="notice" role="${role}"${focused}>${notice.text}</p>
`
}

/** Ties a field to the notice of its page. */
export const describedByNotice: Html = html` aria-describedby="notice"`

/** The header with which a page takes its notice away. */
export const noticeHeaders = (notice: ShownNotice | undefined): Record<string, string> =>
  notice ? { 'Set-Cookie': notice.removal } : {}
