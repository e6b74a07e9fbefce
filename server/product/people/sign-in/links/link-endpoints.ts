import { secret } from '../../../../kernel/secret.ts'
import { fields } from '../../../../kit/bodies.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, open, Type } from '../../../../kit/endpoint.ts'
import { field } from '../../../../kit/fields.ts'
import { html } from '../../../../kit/html.ts'
import { page } from '../../../../kit/page.ts'
import type { Reply } from '../../../../kit/reply.ts'
import { type LinkPurpose, ownerOfLink, redeemLink, shortestPassword } from '../../users/index.ts'
import { requireSameOrigin, setSessionCookie } from '../session-cookie-endpoints.ts'
import { startSessionFor } from '../sign-in-actions.ts'
import { problemOf } from '../sign-in-endpoints.ts'
import {
  type PagePrefix,
  type Problem,
  pagePrefixes,
  problemText,
  redirectTo,
  tiedToProblem,
  windowTitleOf,
} from '../signed-in-page-endpoints.ts'

/** The page where a link lets somebody set a password. */
const passwordPage = (title: string, action: string, username: string, problem?: Problem): Reply =>
  page(
    title,
    html`<p>You are <strong>${username}</strong>. Choose a password of at least ${shortestPassword} characters.</p>
${problemText(problem?.text)}
<form method="post" action="${action}">
<input name="username" value="${username}" autocomplete="username" readonly hidden>
<label>New password<input name="password" type="password" autocomplete="new-password" required autofocus${tiedToProblem(problem !== undefined)}></label>
<label>The same again
<input name="password_confirmation" type="password" autocomplete="new-password" required${tiedToProblem(problem !== undefined)}></label>
<button>Set password</button></form>`,
    { status: problem?.status ?? 200, windowTitle: windowTitleOf(title, problem) },
  )

/** The page for a link that no longer works. */
export const invalidLinkPage = (
  advice = 'Ask an administrator for a new one. If you have set your password already,',
): Reply =>
  page(
    'This link does not work',
    html`<p>It is invalid, has been used or has expired. ${advice} <a href="/app/sign-in">sign in</a>.</p>`,
    { status: 404 },
  )

type Kind = { readonly purpose: LinkPurpose; readonly folder: string; readonly title: string }

const kinds: readonly Kind[] = [
  { purpose: 'invitation', folder: 'invitations', title: 'Welcome to Holdfast' },
  { purpose: 'reset', folder: 'resets', title: 'Set a new password' },
]

const body = fields(
  Type.Object({
    password: field.text('The new password.'),
    password_confirmation: field.text('The new password, repeated.'),
  }),
  { maxBytes: 16 * 1024 },
)

type Sent = { password?: string; password_confirmation?: string }

async function show(call: Pick<Call, 'deps' | 'params'>, kind: Kind, prefix: PagePrefix): Promise<Reply> {
  const token = call.params.token ?? ''
  const user = await ownerOfLink(call.deps, kind.purpose, token)
  return user ? passwordPage(kind.title, `${prefix}/${kind.folder}/${token}`, user.username) : invalidLinkPage()
}

async function redeem(
  call: Call<Record<string, string>, object, Sent>,
  kind: Kind,
  prefix: PagePrefix,
): Promise<Reply> {
  requireSameOrigin(call.request)
  const token = call.params.token ?? ''
  const { password = '', password_confirmation: confirmation = '' } = call.body
  const owner = await ownerOfLink(call.deps, kind.purpose, token)
  if (!owner) return invalidLinkPage()
  const action = `${prefix}/${kind.folder}/${token}`
  if (password !== confirmation) {
    return passwordPage(kind.title, action, owner.username, { text: 'The two passwords differ.', status: 422 })
  }
  try {
    const { user, claim } = await redeemLink(call.deps, kind.purpose, token, secret(password))
    const text = await startSessionFor(call.deps, call.request, { userId: user.id, claim })
    return redirectTo(`${prefix}/account`, setSessionCookie(call.request, text))
  } catch (thrown) {
    const problem = problemOf(thrown)
    return problem.status === 404 ? invalidLinkPage() : passwordPage(kind.title, action, owner.username, problem)
  }
}

/**
 * The text of a link, as any that people paste: even that of a damaged link may be a secret that still works. Only `workspaces` is left
 * out, the page of an organization with the name of this folder.
 */
export const linkTextPattern = /^(?!workspaces$)/

const pagesFor = (kind: Kind, prefix: PagePrefix) => {
  const common = {
    access: open('The link itself is the proof.'),
    params: { token: { description: 'The secret part of the link.', pattern: linkTextPattern } },
    secretPath: true,
  } as const
  return [
    endpoint({
      ...common,
      id: `sign-in.${kind.purpose}${prefix.replace('/', '.')}`,
      route: `GET ${prefix}/${kind.folder}/:token`,
      summary: `Show the page of a link (${kind.purpose}).`,
      returns: { 200: null, 404: null },
      handle: (call) => show(call, kind, prefix),
    }),
    endpoint({
      ...common,
      id: `sign-in.redeem-${kind.purpose}${prefix.replace('/', '.')}`,
      route: `POST ${prefix}/${kind.folder}/:token`,
      summary: 'Set a password through a single-use link.',
      body,
      returns: { 303: null, 404: null, 422: null },
      handle: (call) => redeem(call, kind, prefix),
    }),
  ]
}

/** Invitation and reset links. */
export const linkEndpoints: readonly Endpoint[] = defineEndpoints(
  'site',
  kinds.flatMap((kind) => pagePrefixes.flatMap((prefix) => pagesFor(kind, prefix))),
)
