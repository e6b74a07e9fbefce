import { type Html, html } from '../../../kit/html.ts'
import { page } from '../../../kit/page.ts'
import type { Reply } from '../../../kit/reply.ts'
import { describedByNotice, noticeHeaders, noticeText, type ShownNotice } from './notice.ts'
import { type Problem, problemText, tiedToProblem, windowTitleOf } from './problem.ts'

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
<input name="username" autocomplete="username" required value="${view.username ?? ''}"${view.notice && describedByNotice}${tiedToProblem(isRefused(view, 'password'))}${focusOf(view) === 'username' ? autofocus : undefined}></label>
<label>Password
<input name="password" type="password" autocomplete="current-password" required${tiedToProblem(isRefused(view, 'password'))}${focusOf(view) === 'password' ? autofocus : undefined}></label>
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
<input name="token" type="password" autocomplete="off" required${tiedToProblem(isRefused(view, 'token'))}${focusOf(view) === 'token' ? autofocus : undefined}></label>
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
