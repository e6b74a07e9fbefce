import { readFileSync } from 'node:fs'
import { Failure, type FailureKind, failure } from '../../../kernel/failure.ts'
import { secret } from '../../../kernel/secret.ts'
import { fields } from '../../../kit/bodies.ts'
import {
  type Call,
  defineEndpoints,
  type Endpoint,
  endpoint,
  model,
  open,
  type RequestFacts,
  Type,
} from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import { type Html, html } from '../../../kit/html.ts'
import { failureShapes } from '../../../kit/jsonapi/index.ts'
import { page, styleAddress } from '../../../kit/page.ts'
import { bare, bytes, nothing, type Reply } from '../../../kit/reply.ts'
import { csrfTokenOf, endSession, endSessionsOf } from '../users/index.ts'
import {
  describedByNotice,
  isStaleForm,
  noticeFor,
  noticeHeaders,
  noticeText,
  requireCsrf,
  requireSameOrigin,
  type ShownNotice,
  sessionOf,
  setSessionCookie,
} from './session-cookie-endpoints.ts'
import { signInWithCertificate, signInWithPassword, signInWithToken } from './sign-in-actions.ts'
import {
  leadToPage,
  type PagePrefix,
  type Problem,
  pagePrefixes,
  problemText,
  redirectTo,
  tiedToProblem,
  windowTitleOf,
} from './signed-in-page-endpoints.ts'

/** What the sign-in page shows besides where it leads. */
type SignInView = {
  /** Why the page is shown, if it is not by choice. */
  readonly notice?: ShownNotice | undefined
  readonly problem?: Problem
  /** True if the browser has presented a certificate, so that it can be tried. */
  readonly certificate?: boolean
  /** The name of the attempt before, so that only the password is typed again. */
  readonly username?: string
  /** True if the attempt before was made with a token, which is then typed again. */
  readonly byToken?: boolean
  /** The role of the attempt before, if it was made with a certificate. */
  readonly role?: string | undefined
}

/** True if the attempt before was made this way, and failed. */
const isRefused = (view: SignInView, way: 'password' | 'token' | 'role'): boolean => {
  const { username, byToken = false, role } = view
  if (view.problem === undefined) return false
  if (way === 'role') return role !== undefined
  return way === 'token' ? byToken : username !== undefined
}

const certificateForm = (
  prefix: string,
  next: string,
  view: SignInView,
): Html => html`<form method="post" action="${prefix}/sign-in">
<input type="hidden" name="next" value="${next}"><input type="hidden" name="certificate" value="true">
<label>Certificate role, if several accept your certificate<input name="role" autocomplete="off" value="${view.role ?? ''}"${tiedToProblem(isRefused(view, 'role'))}${focusOf(view) === 'role' ? autofocus : undefined}></label>
<button class="quiet">Sign in with certificate</button></form>
`

const autofocus = html` autofocus`

/** The field where the next attempt begins. */
const focusOf = (view: SignInView): 'username' | 'password' | 'token' | 'role' => {
  const { username = '', byToken = false, role, certificate = false } = view
  if (role !== undefined && certificate) return 'role'
  if (byToken) return 'token'
  return username === '' ? 'username' : 'password'
}

const passwordForm = (prefix: string, next: string, view: SignInView): Html => html`
<form method="post" action="${prefix}/sign-in"><input type="hidden" name="next" value="${next}">
<label>Username or e-mail address
<input name="username" autocomplete="username" required value="${view.username ?? ''}"${view.notice && describedByNotice}${tiedToProblem(isRefused(view, 'password'))}${focusOf(view) === 'username' ? autofocus : undefined}></label>
<label>Password
<input name="password" type="password" autocomplete="current-password" required${tiedToProblem(isRefused(view, 'password'))}${focusOf(view) === 'password' ? autofocus : undefined}></label>
<button>Sign in</button></form>
`

/** Between two ways to sign in. */
const or = html`<div class="or">or</div>`

/** The page where people sign in. */
export const signInPage = (prefix: string, next: string, view: SignInView = {}): Reply =>
  page(
    'Sign in',
    html`${noticeText(view.notice, 'not focused')}${problemText(view.problem?.text)}${passwordForm(prefix, next, view)}
${or}${view.certificate ? html`${certificateForm(prefix, next, view)}${or}` : undefined}
<form method="post" action="${prefix}/sign-in"><input type="hidden" name="next" value="${next}">
<label>Or a user token, or the root token
<input name="token" type="password" autocomplete="off" required${tiedToProblem(isRefused(view, 'token'))}${focusOf(view) === 'token' ? autofocus : undefined}></label>
<button class="quiet">Sign in with token</button></form>
<p class="faint">No account? An owner of the organization can invite you. Forgot the password? An administrator can send
a link.</p>`,
    {
      ...view.problem,
      headers: { ...view.problem?.headers, ...noticeHeaders(view.notice) },
      windowTitle: windowTitleOf('Sign in', view.problem),
    },
  )

/** The page that leads from a link on another site to one of ours, with the cookie that came with neither. */
export const askAgainPage = (address: string): Reply =>
  page('One moment', html`<p><a href="${address}">Continue</a> if nothing happens.</p>`, {
    headers: { Refresh: `0; url=${address}` },
  })

/** Only pages of our own are allowed; anything else could lead people to a look-alike. */
const ownPageOr = (path: string | undefined, otherwise: string): string =>
  path !== undefined && (ownPagePattern.test(path) || commandLineLoginPattern.test(path)) ? path : otherwise

const ownPagePattern = /^\/(app|ui)(\/[\w~%-][\w.~%-]*)*\/?(\?[\w.~%&=+*-]*)?$/

/** The page where people allow a command line to have a token; its query says which one. */
const commandLineLoginPattern = /^\/oauth\/authorization\?[\w.~%&=+*-]*$/

/** What somebody who signs in can do something about. */
const solvableKinds: ReadonlySet<FailureKind> = new Set([
  'unauthenticated',
  'forbidden',
  'rate-limited',
  'invalid',
  'missing',
])

/** What a page says about a failure; anything unexpected is thrown again. */
export function problemOf(thrown: unknown): Problem {
  if (!(thrown instanceof Failure) || !solvableKinds.has(thrown.kind)) throw thrown
  // `/v1` calls a token that it does not know forbidden; here nobody is signed in yet.
  const isUnknown = thrown.kind === 'forbidden'
  const text = isUnknown ? 'This token is not valid.' : thrown.message
  const { status } = failureShapes[isUnknown ? 'unauthenticated' : thrown.kind]
  const { retryAfter } = thrown.extras
  return { text, status, headers: retryAfter ? { 'Retry-After': String(retryAfter) } : {} }
}

/** True if a script sent the request, not a form. */
const wantsJson = (request: RequestFacts): boolean => /json/i.test(request.headers['content-type'] ?? '')

const signInBody = fields(
  Type.Object({
    username: field.text('Username or e-mail address.'),
    password: field.text('Password.'),
    token: field.text('A user token or the root token, instead of username and password.'),
    certificate: field.flag('Sign in with the client certificate of the connection.'),
    role: field.text('The certificate role that names the user; by default any role that accepts the certificate.'),
    next: field.text('Page to redirect to.'),
  }),
  { maxBytes: 16 * 1024 },
)

type SignIn = Partial<Record<'username' | 'password' | 'token' | 'role' | 'next', string>> & { certificate?: boolean }

/**
 * Browsers send the session's cookie only if a page of ours leads to the next one. After a link on another site nobody
 * seems to be signed in, so the page loads itself once more, and this time the cookie is there if somebody is.
 */
async function showSignIn(
  { deps, request, query }: Call<Record<string, string>, { next?: string; again?: boolean }>,
  prefix: PagePrefix,
): Promise<Reply> {
  const { next = '', again = false } = query
  const home = ownPageOr(next, `${prefix}/workspaces`)
  if (!again && ownPagePattern.test(next) && request.headers['sec-fetch-site'] === 'cross-site')
    return askAgainPage(`${prefix}/sign-in?again=true&next=${encodeURIComponent(next)}`)
  if (await sessionOf(deps, request)) return redirectTo(home)
  return signInPage(prefix, home, {
    notice: noticeFor({ deps, request }, null),
    certificate: request.certificate !== undefined,
  })
}

async function signIn(call: Call<Record<string, string>, object, SignIn>, prefix: PagePrefix): Promise<Reply> {
  requireSameOrigin(call.request)
  const home = ownPageOr(call.body.next, `${prefix}/workspaces`)
  try {
    const text = await startSessionBy(call)
    const cookie = setSessionCookie(call.request, text)
    return wantsJson(call.request) ? bare({ next: home }, 200, { 'Set-Cookie': cookie }) : redirectTo(home, cookie)
  } catch (thrown) {
    const problem = problemOf(thrown)
    return wantsJson(call.request)
      ? bare({ errors: [problem.text] }, problem.status, problem.headers)
      : signInPage(prefix, home, {
          problem,
          certificate: call.request.certificate !== undefined,
          username: call.body.username,
          byToken: call.body.token !== undefined,
          role: call.body.certificate ? (call.body.role ?? '') : undefined,
        })
  }
}

function startSessionBy({ deps, request, body }: Call<Record<string, string>, object, SignIn>): Promise<string> {
  const { username = '', password = '', token = '', certificate = false, role = '' } = body
  if (certificate) return signInWithCertificate(deps, request, role)
  if (token) return signInWithToken(deps, request, secret(token.trim()))
  if (username === '' && body.token !== undefined) throw failure('invalid', 'sign-in.no-token', 'Enter the token.')
  return signInWithPassword(deps, request, username, secret(password))
}

async function signOut(
  call: Call<Record<string, string>, object, { csrf?: string; everywhere?: boolean }>,
  prefix: PagePrefix,
): Promise<Reply> {
  const session = await sessionOf(call.deps, call.request)
  if (session && isStaleForm(call.deps, call.request, session, call.body.csrf)) {
    return redirectTo(prefix)
  }
  if (session) {
    requireCsrf(call.deps, call.request, session, call.body.csrf)
    if (call.body.everywhere) await endSessionsOf(call.deps, session.userId)
    else await endSession(call.deps, session)
  }
  const cookie = setSessionCookie(call.request, '')
  return wantsJson(call.request) ? nothing(204, { 'Set-Cookie': cookie }) : redirectTo(`${prefix}/sign-in`, cookie)
}

const signOutBody = fields(
  Type.Object({ csrf: field.text('CSRF token of the form.'), everywhere: field.flag('End all sessions.') }),
)

const SessionAnswer = model('BrowserSession', {
  user_id: Type.String({ description: 'Identifier of the user.' }),
  username: Type.String({ description: 'Name of the user.' }),
  site_admin: Type.Boolean({ description: 'Whether the user is a site administrator.' }),
  csrf_token: Type.String({ description: 'The CSRF token that writes require.' }),
  service_token: Type.Boolean({ description: 'Whether the session began with a token of `/v1`, and can use it.' }),
  version: Type.String({ description: 'Version of the server.' }),
})

const NotSignedIn = model('NotSignedIn', { errors: Type.Array(Type.String(), { description: 'Nobody is signed in.' }) })

const pagesBelow = (prefix: PagePrefix) => [
  endpoint({
    id: `sign-in.page${prefix.replace('/', '.')}`,
    route: `GET ${prefix}/sign-in`,
    summary: 'Show the sign-in page.',
    access: open('People who sign in have no session yet.'),
    query: Type.Object({
      next: field.text('Page to redirect to.'),
      again: field.flag('Whether the page itself asks, after a link on another site led to it.'),
    }),
    returns: { 200: null, 303: null },
    handle: (call) => showSignIn(call, prefix),
  }),
  endpoint({
    id: `sign-in.submit${prefix.replace('/', '.')}`,
    route: `POST ${prefix}/sign-in`,
    summary: 'Sign in with a username and password, a token, or a certificate.',
    access: open('People who sign in have no session yet.'),
    body: signInBody,
    returns: { 200: null, 303: null, 401: null, 403: null, 422: null, 429: null },
    handle: (call) => signIn(call, prefix),
  }),
  endpoint({
    id: `sign-in.out${prefix.replace('/', '.')}`,
    route: `POST ${prefix}/sign-out`,
    summary: 'End this session, or all your sessions.',
    access: open('Without a session there is nothing to end.'),
    body: signOutBody,
    returns: { 204: null, 303: null, 403: null },
    handle: (call) => signOut(call, prefix),
  }),
  endpoint({
    id: `sign-in.session${prefix.replace('/', '.')}`,
    route: `GET ${prefix}/session`,
    summary: 'Read the signed-in user and the CSRF token that writes require.',
    access: open('Answers 401 without a session.'),
    returns: { 200: SessionAnswer, 401: NotSignedIn },
    handle: async (call) => {
      const session = await sessionOf(call.deps, call.request)
      if (!session) return bare({ errors: ['not signed in'] }, 401)
      const { userId, username, siteAdmin, serviceToken } = session
      const who = { user_id: userId, username, site_admin: siteAdmin, service_token: serviceToken !== null }
      const { version } = call.deps.settings
      return bare({ ...who, version, csrf_token: csrfTokenOf(call.deps, session) })
    },
  }),
]

const sheet = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

/** The colours of the web UI. Its scripts choose a theme; these pages have none, and follow the system. */
function colours(): string {
  const [light = '', dark = ''] = sheet('../../../../web/src/kit/tokens.css').split(
    ':root[data-mantine-color-scheme="dark"]',
  )
  return `${light}@media (prefers-color-scheme: dark) {\n:root${dark}}\n`
}

/** Where command lines, and people who know the older addresses, look for their tokens. */
const olderAddresses = (prefix: PagePrefix) =>
  ['/settings', '/settings/tokens'].map((path) => leadToPage(`${prefix}${path}`, `${prefix}/account/tokens`, {}))

/** The style of all pages. */
const styleSheet = colours() + sheet('./style-sheet.css')

/** Pages that are opened one after another share the sheet; after an upgrade the new one is there soon. */
const cachedBriefly = { 'Cache-Control': 'max-age=300' }

/** Signing in and out. */
export const signInEndpoints: readonly Endpoint[] = defineEndpoints('site', [
  ...pagePrefixes.flatMap(pagesBelow),
  ...pagePrefixes.flatMap(olderAddresses),
  endpoint({
    id: 'sign-in.style',
    route: `GET ${styleAddress}`,
    summary: 'Return the style sheet of the sign-in pages.',
    access: open('A style sheet.'),
    unaudited: true,
    whileSealed: true,
    handle: () => bytes('text/css; charset=utf-8', styleSheet, { headers: cachedBriefly }),
  }),
])
