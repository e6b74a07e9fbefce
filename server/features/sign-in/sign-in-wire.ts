import { toIso } from '../../kernel/clock.ts'
import { type Html, html } from '../../kit/html.ts'
import { page, timeElement } from '../../kit/page.ts'
import type { Reply } from '../../kit/reply.ts'
import type { ApiToken } from '../api-tokens/index.ts'
import { shortestPassword } from '../users/index.ts'
import { describedByNotice, noticeHeaders, noticeText, type ShownNotice } from './notice.ts'
import { csrfField, signedInPage, type Viewer } from './signed-in-page.ts'

/** What went wrong, above the form that it is about; nothing if all is well. */
export const problemText = (problem: string | undefined): Html =>
  problem === undefined ? html`` : html`<p class="problem" role="alert" id="problem">${problem}</p>`

/** Ties a field to the problem of its form, so that screen readers say it where the next attempt begins. */
const tied = (concerned: boolean): Html | undefined =>
  concerned ? html` aria-invalid="true" aria-describedby="problem"` : undefined

/** Screen readers say the title of a page first, so that it begins with the bad news. */
export const windowTitleOf = (title: string, problem: Problem | undefined): string =>
  problem ? `Error: ${title}` : title

/** What went wrong, and the status of the page that says so. */
export type Problem = { readonly text: string; readonly status: number; readonly headers?: Record<string, string> }

/** What the sign-in page shows besides where it leads. */
export type SignInView = {
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
<label>Certificate role, if several accept your certificate<input name="role" autocomplete="off" value="${view.role ?? ''}"${tied(isRefused(view, 'role'))}${focusOf(view) === 'role' ? autofocus : undefined}></label>
<button>Sign in with certificate</button></form>
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
<input name="username" autocomplete="username" required value="${view.username ?? ''}"${view.notice && describedByNotice}${tied(isRefused(view, 'password'))}${focusOf(view) === 'username' ? autofocus : undefined}></label>
<label>Password
<input name="password" type="password" autocomplete="current-password" required${tied(isRefused(view, 'password'))}${focusOf(view) === 'password' ? autofocus : undefined}></label>
<button>Sign in</button></form>
`

/** The page where people sign in. */
export const signInPage = (prefix: string, next: string, view: SignInView = {}): Reply =>
  page(
    'Sign in',
    html`${noticeText(view.notice, 'not focused')}${problemText(view.problem?.text)}${view.certificate ? certificateForm(prefix, next, view) : undefined}
${passwordForm(prefix, next, view)}
<form method="post" action="${prefix}/sign-in"><input type="hidden" name="next" value="${next}">
<label>Or a user token, or the root token
<input name="token" type="password" autocomplete="off" required${tied(isRefused(view, 'token'))}${focusOf(view) === 'token' ? autofocus : undefined}></label>
<button class="quiet">Sign in with token</button></form>`,
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

/** The page where a link lets somebody set a password. */
export const passwordPage = (title: string, action: string, username: string, problem?: Problem): Reply =>
  page(
    title,
    html`<p>You are <strong>${username}</strong>. Choose a password of at least ${shortestPassword} characters.</p>
${problemText(problem?.text)}
<form method="post" action="${action}">
<input name="username" value="${username}" autocomplete="username" readonly hidden>
<label>New password<input name="password" type="password" autocomplete="new-password" required autofocus${tied(problem !== undefined)}></label>
<label>The same again
<input name="password_confirmation" type="password" autocomplete="new-password" required${tied(problem !== undefined)}></label>
<button>Set password</button></form>`,
    { status: problem?.status ?? 200, windowTitle: windowTitleOf(title, problem) },
  )

/** The page for a link that no longer works. */
export const invalidLinkPage = (): Reply =>
  page(
    'This link does not work',
    html`<p>It is invalid, has been used or has expired. Ask an administrator for a new one.
If you have set your password already, <a href="/app/sign-in">sign in</a>.</p>`,
    { status: 404 },
  )

/** What the page of tokens shows. */
export type TokensView = {
  readonly viewer: Viewer
  /** Identifies this form, so that sending it twice can be told from sending the form of the next page. */
  readonly form: string
  readonly tokens: readonly ApiToken[]
  /** How many there are; only the newest are shown. */
  readonly total: number
  /** A token that was just made; it is shown only once. */
  readonly made?: string
  readonly problem?: Problem
}

const lastUse = ({ lastUsedAt }: ApiToken): Html => (lastUsedAt === null ? html`never` : timeElement(toIso(lastUsedAt)))

const tokenTable = (view: TokensView): Html =>
  view.tokens.length === 0
    ? html`<p>You have no tokens yet.</p>`
    : html`<table><caption>Your tokens, newest first. Days are those of UTC.</caption>
<thead><tr><th scope="col">Token</th><th scope="col">Created</th><th scope="col">Last used</th><th scope="col">Expires</th><td></td></tr></thead>
<tbody>${view.tokens.map((token) => tokenRow(view, token))}</tbody></table>${moreTokensNote(view)}`

const moreTokensNote = ({ tokens, total }: TokensView): Html | undefined =>
  total > tokens.length
    ? html`<p>These are the newest ${tokens.length} of ${total}; revoke some to see others, or list all with the API.</p>`
    : undefined

/** What people call a token. */
export const nameOf = ({ description, hint }: ApiToken): string => description || hint

const expiryOf = ({ expiresAt }: ApiToken): Html =>
  expiresAt === null ? html`never` : html`<time>${toIso(expiresAt).slice(0, 10)}</time>`

/** Revoking takes two steps, because whatever uses the token stops working at once, and it cannot be undone. */
const tokenRow = (view: TokensView, token: ApiToken): Html => html`<tr><th scope="row">${nameOf(token)}</th>
<td class="whole" data-label="Created"><time>${toIso(token.createdAt).slice(0, 10)}</time></td>
<td class="whole" data-label="Last used">${lastUse(token)}</td>
<td class="whole" data-label="Expires">${expiryOf(token)}</td>
<td class="act"><details><summary>Revoke<span class="unseen"> ${nameOf(token)}</span></summary>
<form class="row" method="post" action="${view.viewer.prefix}/settings/tokens/${token.id}/revoke">
${csrfField(view.viewer)}
<p>What uses it stops working at once.</p>
<button class="grave">Revoke permanently<span class="unseen">: ${nameOf(token)}</span></button></form></details></td></tr>`

/** The page where people make tokens for command lines. */
export const tokensPage = (view: TokensView): Reply =>
  signedInPage(
    view.viewer,
    'User tokens',
    html`<p>A token lets a command-line tool or script act as you. It is shown once and expires after two years.</p>
${problemText(view.problem?.text)}
${view.made === undefined ? undefined : html`<div role="status" tabindex="-1" autofocus><p>Your new token. Copy it now:</p><p><code class="token">${view.made}</code></p></div>`}
<form method="post" action="${view.viewer.prefix}/settings/tokens">${csrfField(view.viewer)}
<input type="hidden" name="form" value="${view.form}">
<label>Description<input name="description" maxlength="255" value=""></label><button>Create a token</button></form>
${tokenTable(view)}
<form method="post" action="${view.viewer.prefix}/sign-out">${csrfField(view.viewer)}
<p><button class="quiet" name="everywhere" value="true">Sign out everywhere</button></p>
<p class="faint">This ends your sessions in all browsers. Your tokens keep working.</p></form>`,
    {
      status: view.problem?.status ?? 200,
      section: 'Tokens',
      windowTitle: windowTitleOf('User tokens', view.problem),
    },
  )
