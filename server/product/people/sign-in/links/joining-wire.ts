import { type Html, html } from '../../../../kit/html.ts'
import { page } from '../../../../kit/page.ts'
import type { Reply } from '../../../../kit/reply.ts'
import { type OpenInvitation, shortestPassword } from '../../users/index.ts'
import { type Problem, problemText, tiedToProblem, windowTitleOf } from '../problem.ts'
import { csrfField, signedInPage, type Viewer } from '../signed-in-page.ts'

/** What the pages of an invitation show: whom it is for, and where its forms go. */
type JoiningView = {
  readonly invitation: OpenInvitation
  readonly action: string
  readonly problem?: Problem | undefined
}

const titleOf = ({ invitation }: JoiningView): string => `Join ${invitation.organizationName}`

const extrasOf = (view: JoiningView): { status: number; windowTitle: string } => ({
  status: view.problem?.status ?? 200,
  windowTitle: windowTitleOf(titleOf(view), view.problem),
})

const invitationText = ({ invitation }: JoiningView): Html =>
  html`Somebody has invited <strong>${invitation.email}</strong> to the organization
<strong>${invitation.organizationName}</strong>.`

/** The page of an invitation for somebody who is signed in. */
export const joinPage = (viewer: Viewer, view: JoiningView): Reply =>
  signedInPage(
    viewer,
    titleOf(view),
    html`<p>${invitationText(view)} Nobody else can use the link after you have joined. To join with another account, sign
out and open the link again.</p>
${problemText(view.problem?.text)}
<form method="post" action="${view.action}">${csrfField(viewer)}
<button>Join as ${viewer.username}</button></form>`,
    extrasOf(view),
  )

/** What somebody has typed into the form of a new account, so that only the passwords are typed again. */
type Typed = { readonly username?: string | undefined; readonly email?: string | undefined }

/** The page of an invitation for somebody who is not signed in, and may have no account. */
export function newMemberPage(signInAddress: string, view: JoiningView, { username = '', email }: Typed = {}): Reply {
  const tied = tiedToProblem(view.problem !== undefined)
  return page(
    titleOf(view),
    html`<p>${invitationText(view)} If you have an account here, <a href="${signInAddress}">sign in to join</a>.
Otherwise, create one, with a password of at least ${shortestPassword} characters.</p>
${problemText(view.problem?.text)}
<form method="post" action="${view.action}">
<label>Username<input name="username" autocomplete="username" required autofocus value="${username}"${tied}></label>
<label>E-mail address
<input name="email" type="email" autocomplete="email" required value="${email ?? view.invitation.email}"${tied}></label>
<label>Password<input name="password" type="password" autocomplete="new-password" required${tied}></label>
<label>The same again
<input name="password_confirmation" type="password" autocomplete="new-password" required${tied}></label>
<button>Create account and join</button></form>`,
    extrasOf(view),
  )
}
