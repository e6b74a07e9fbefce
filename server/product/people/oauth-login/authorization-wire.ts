import { loginService } from '../../../compat/state-names.ts'
import { html } from '../../../kit/html.ts'
import { page, pagePolicy } from '../../../kit/page.ts'
import type { Reply } from '../../../kit/reply.ts'
import { signedInPage, type Viewer } from '../sign-in/index.ts'

/** Asks the person whether the command line may have a token. */
export const consentPage = (viewer: Viewer, view: { query: string; waitsAt: string }): Reply =>
  signedInPage(
    viewer,
    'Log in from the command line',
    html`<p>A command-line tool on this machine, waiting at <code>${view.waitsAt}</code>, asks for a token to act as
<strong>${viewer.username}</strong>. Allow this only if you started the login yourself.</p>
<form method="post" action="${loginService.authorizationPath}?${view.query}">
<input type="hidden" name="csrf" value="${viewer.csrf}">
<button name="decision" value="allow">Allow</button> <button class="quiet" name="decision" value="deny">Deny</button></form>`,
    { headers: { 'Content-Security-Policy': pagePolicy(`'self' ${commandLines}`) } },
  )

/**
 * The target of the form's redirect: browsers follow it only to addresses that the policy names, which cannot name
 * [::1].
 */
const commandLines = 'http:'

/** Carries the answer back (RFC 6749 §4.1.2): the page is seen only by those whose browser does not follow. */
const redirectPage = (title: string, target: string): Reply =>
  page(title, html`<p><a href="${target}">Continue</a> if nothing happens.</p>`, {
    status: 303,
    headers: { Location: target },
  })

/** Carries a code back to the command line. */
export const allowedPage = (target: string): Reply => redirectPage('You are logged in', target)

/** Carries a refusal back to the command line. */
export const deniedPage = (target: string): Reply => redirectPage('Access denied', target)

/** Shows what is wrong with a request; this is not sent back, because the client is unknown. */
export const refusalPage = (why: string): Reply =>
  page('This login cannot continue', html`<p>${why}</p><p>Start it again from the command line.</p>`, { status: 400 })
