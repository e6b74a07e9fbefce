import { Failure } from '../../../../kernel/failure.ts'
import { secret } from '../../../../kernel/secret.ts'
import { fields } from '../../../../kit/bodies.ts'
import { authorOf } from '../../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, open, Type } from '../../../../kit/endpoint.ts'
import { field } from '../../../../kit/fields.ts'
import { type Html, html } from '../../../../kit/html.ts'
import { page } from '../../../../kit/page.ts'
import type { Reply } from '../../../../kit/reply.ts'
import {
  createMember,
  invitationOfLink,
  joinByLink,
  type OpenInvitation,
  type Session,
  shortestPassword,
} from '../../users/index.ts'
import { personOf, requireSameOrigin, sessionOf, setSessionCookie } from '../session-cookie-endpoints.ts'
import { startSessionFor } from '../sign-in-actions.ts'
import { askAgainPage, problemOf } from '../sign-in-endpoints.ts'
import {
  csrfField,
  type PagePrefix,
  type Problem,
  pagePrefixes,
  problemText,
  redirectTo,
  signedInPage,
  tiedToProblem,
  type Viewer,
  viewerOf,
  windowTitleOf,
  withSession,
} from '../signed-in-page-endpoints.ts'
import { invalidLinkPage, linkTextPattern } from './link-endpoints.ts'

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
const joinPage = (viewer: Viewer, view: JoiningView): Reply =>
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
function newMemberPage(signInAddress: string, view: JoiningView, { username = '', email }: Typed = {}): Reply {
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

type Sent = Partial<Record<'csrf' | 'username' | 'email' | 'password' | 'password_confirmation', string>>
type Opened = Call<Record<string, string>, { again?: boolean }>
type Submitted = Call<Record<string, string>, object, Sent>

/** An invitation, and the page of its link. */
type Place = { readonly prefix: PagePrefix; readonly text: string; readonly invitation: OpenInvitation }

const pathIn = ({ text }: Place): string => `/memberships/${text}`
const actionIn = (place: Place): string => `${place.prefix}${pathIn(place)}`
const signInFor = (place: Place): string => `${place.prefix}/sign-in?next=${encodeURIComponent(actionIn(place))}`
const goalIn = ({ prefix, invitation }: Place): string =>
  `${prefix}/${encodeURIComponent(invitation.organizationName)}/workspaces`

const uselessLinkPage = (): Reply =>
  invalidLinkPage('Ask whoever gave it to you for a new one. If you have joined already,')

/** Runs if the link works; so the page of no other text is led to. */
async function withInvitation(
  { deps, params }: Pick<Call, 'deps' | 'params'>,
  prefix: PagePrefix,
  run: (place: Place) => Promise<Reply>,
): Promise<Reply> {
  const text = params.token ?? ''
  const invitation = await invitationOfLink(deps, text)
  return invitation ? await run({ prefix, text, invitation }) : uselessLinkPage()
}

/** After a link on another site the browser sends the cookie of a session only when the page loads itself once more. */
async function show(call: Opened, place: Place): Promise<Reply> {
  const { deps, request, query } = call
  const view = { invitation: place.invitation, action: actionIn(place) }
  const session = await sessionOf(deps, request)
  if (session) return joinPage(viewerOf(call, session, place.prefix), view)
  if (!query.again && request.headers['sec-fetch-site'] === 'cross-site')
    return askAgainPage(`${actionIn(place)}?again=true`)
  return newMemberPage(signInFor(place), view)
}

async function join(call: Submitted, place: Place, session: Session): Promise<Reply> {
  const { deps, request } = call
  try {
    const author = authorOf({ caller: personOf(session), request })
    await joinByLink(deps, author, place.text, session.userId)
    return redirectTo(goalIn(place))
  } catch (thrown) {
    const problem = problemOf(thrown)
    if (problem.status === 404) return uselessLinkPage()
    const view = { invitation: place.invitation, action: actionIn(place), problem }
    return joinPage(viewerOf(call, session, place.prefix), view)
  }
}

/** Others may have set the address of the person whom the invitation means. */
const withAdvice = (problem: Problem, thrown: unknown): Problem =>
  thrown instanceof Failure && thrown.extras.faults?.some(({ code }) => code === 'user.email-taken')
    ? { ...problem, text: `${problem.text}. Use another one for now: a site administrator can give you this one.` }
    : problem

async function createAccount(call: Submitted, place: Place): Promise<Reply> {
  const { deps, request, body } = call
  requireSameOrigin(request)
  const { username = '', email = '', password = '', password_confirmation: confirmation = '' } = body
  const view = { invitation: place.invitation, action: actionIn(place) }
  const typed = { username, email }
  if (password !== confirmation) {
    const problem = { text: 'The two passwords differ.', status: 422 }
    return newMemberPage(signInFor(place), { ...view, problem }, typed)
  }
  try {
    const wanted = { username, email, password: secret(password) }
    const holder = await createMember(deps, request.id, place.text, wanted)
    return redirectTo(goalIn(place), setSessionCookie(request, await startSessionFor(deps, request, holder)))
  } catch (thrown) {
    const problem = withAdvice(problemOf(thrown), thrown)
    return problem.status === 404 ? uselessLinkPage() : newMemberPage(signInFor(place), { ...view, problem }, typed)
  }
}

/** A form with a user name makes an account; the other one has only the proof that it is ours. */
const submit = (call: Submitted, place: Place): Promise<Reply> =>
  call.body.username === undefined
    ? withSession(call, place.prefix, pathIn(place), (session) => join(call, place, session), { csrf: call.body.csrf })
    : createAccount(call, place)

const body = fields(
  Type.Object({
    csrf: field.text('CSRF token of the form.'),
    username: field.text('Username of the account to create; without one, the user who is signed in joins.'),
    email: field.text('E-mail address of the account.'),
    password: field.text('Password of the account.'),
    password_confirmation: field.text('The password, repeated.'),
  }),
  { maxBytes: 16 * 1024 },
)

const pagesBelow = (prefix: PagePrefix) => {
  const common = {
    access: open('The link itself is the proof.'),
    params: { token: { description: 'The secret part of the link.', pattern: linkTextPattern } },
    secretPath: true,
  } as const
  return [
    endpoint({
      ...common,
      id: `sign-in.membership${prefix.replace('/', '.')}`,
      route: `GET ${prefix}/memberships/:token`,
      summary: 'Show the page of a link (membership).',
      query: Type.Object({
        again: field.flag('Whether the page itself asks, after a link on another site led to it.'),
      }),
      returns: { 200: null, 404: null },
      handle: (call) => withInvitation(call, prefix, (place) => show(call, place)),
    }),
    endpoint({
      ...common,
      id: `sign-in.join${prefix.replace('/', '.')}`,
      route: `POST ${prefix}/memberships/:token`,
      summary: 'Join an organization through a single-use link, as the signed-in user or with a new account.',
      body,
      returns: { 303: null, 403: null, 404: null, 422: null },
      handle: (call) => withInvitation(call, prefix, (place) => submit(call, place)),
    }),
  ]
}

/** Links with which people join organizations. */
export const joiningEndpoints: readonly Endpoint[] = defineEndpoints('site', pagePrefixes.flatMap(pagesBelow))
