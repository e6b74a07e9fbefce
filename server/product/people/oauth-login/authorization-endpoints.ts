import { loginService } from '../../../compat/vendor-names.ts'
import { fields } from '../../../kit/bodies.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, open, Type } from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import { html } from '../../../kit/html.ts'
import { page, pagePolicy } from '../../../kit/page.ts'
import { bare, type Reply } from '../../../kit/reply.ts'
import {
  isStaleForm,
  leaveNotice,
  redirectTo,
  requireCsrf,
  sessionOf,
  shownBeforeSigningIn,
  signedInPage,
  signInFirst,
  type Viewer,
  viewerOf,
} from '../sign-in/index.ts'
import type { Session } from '../users/index.ts'
import { type AuthorizationRequest, readAuthorization, redirectTarget } from './authorization.ts'
import { makeCode, redeemCode } from './code-actions.ts'

/** Asks the person whether the command line may have a token. */
const consentPage = (viewer: Viewer, view: { query: string; waitsAt: string }): Reply =>
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
const allowedPage = (target: string): Reply => redirectPage('You are logged in', target)

/** Carries a refusal back to the command line. */
const deniedPage = (target: string): Reply => redirectPage('Access denied', target)

/** Shows what is wrong with a request; this is not sent back, because the client is unknown. */
const refusalPage = (why: string): Reply =>
  page('This login cannot continue', html`<p>${why}</p><p>Start it again from the command line.</p>`, { status: 400 })

type Page = Pick<Call, 'deps' | 'request'>

/** Runs for a valid request of a person who is signed in; others sign in first and come back. */
async function withValidRequest(
  { deps, request }: Page,
  run: (session: Session, requested: AuthorizationRequest) => Reply | Promise<Reply>,
): Promise<Reply> {
  const read = readAuthorization(request.query, loginService)
  if (read.kind === 'stranger') return refusalPage(read.why)
  if (read.kind === 'faulty') return deniedPage(redirectTarget(read.asker, read.fault))
  const session = await sessionOf(deps, request)
  return session ? run(session, read.request) : toSignIn(request)
}

function toSignIn({ query }: Page['request']): Reply {
  const here = `${loginService.authorizationPath}?${query}`
  return redirectTo(`/app/sign-in?next=${encodeURIComponent(here)}`)
}

const show = (call: Page): Promise<Reply> =>
  withValidRequest(call, (session, { redirectUri }) =>
    consentPage(viewerOf(call, session, '/app'), {
      query: call.request.query.toString(),
      waitsAt: new URL(redirectUri).host,
    }),
  )

const decide = (call: Page & { readonly body: { csrf?: string; decision?: string } }): Promise<Reply> =>
  withValidRequest(call, async (session, requested) => {
    const { deps, request, body } = call
    if (isStaleForm(deps, request, session, body.csrf)) {
      const path = loginService.authorizationPath
      return redirectTo(`${path}?${request.query}`, leaveNotice(call, { path, session }, shownBeforeSigningIn))
    }
    requireCsrf(deps, request, session, body.csrf)
    if (body.decision !== 'allow') return deniedPage(redirectTarget(requested, { error: 'access_denied' }))
    const code = await makeCode(deps, session, requested)
    return code === undefined ? toSignIn(request) : allowedPage(redirectTarget(requested, { code }))
  })

/** RFC 6749 §5.2. */
const refusal = (error: string, text: string): Reply => bare({ error, error_description: text }, 400)

const redeemFields = ['grant_type', 'code', 'code_verifier', 'redirect_uri'] as const

const noCache = { Pragma: 'no-cache' }

/** Logins of command lines through a browser: authorization code with PKCE. */
export const authorizationEndpoints: readonly Endpoint[] = defineEndpoints('site', [
  endpoint({
    id: 'oauth-login.ask',
    route: `GET ${loginService.authorizationPath}`,
    summary: 'Show the page that asks whether a command-line client may have a token.',
    access: signInFirst,
    returns: { 200: null, 303: null, 400: null },
    handle: show,
  }),
  endpoint({
    id: 'oauth-login.decide',
    route: `POST ${loginService.authorizationPath}`,
    summary: 'Grant or deny a token to a command-line client.',
    access: signInFirst,
    body: fields(
      Type.Object({ csrf: field.text('CSRF token of the form.'), decision: field.text('`allow` or `deny`.') }),
    ),
    returns: { 303: null, 400: null, 403: null },
    handle: (call) => decide(call),
  }),
  endpoint({
    id: 'oauth-login.token',
    route: `POST ${loginService.tokenPath}`,
    summary: 'Exchange an authorization code for a user token; works once.',
    access: open('The code and its verifier prove who asks.'),
    body: fields(
      Type.Object({
        grant_type: field.text('`authorization_code`.'),
        client_id: field.text('Identifier of the client.'),
        code: field.text('The authorization code that the browser was given.'),
        code_verifier: field.text('The PKCE code verifier.'),
        redirect_uri: field.text('The redirect URI that the code was sent to.'),
      }),
    ),
    returns: {
      200: Type.Object({
        access_token: Type.String({ description: 'A user token.' }),
        token_type: Type.String({ description: '`bearer`.' }),
      }),
      400: Type.Object({
        error: Type.String({ description: 'A code of RFC 6749 §5.2, such as `invalid_grant`.' }),
        error_description: Type.String({ description: 'The reason in words.' }),
      }),
    },
    handle: async ({ deps, body, request }) => {
      const missing = redeemFields.find((name) => !body[name])
      if (missing) return refusal('invalid_request', `${missing} is missing.`)
      if (body.grant_type !== 'authorization_code')
        return refusal('unsupported_grant_type', 'Send an authorization_code.')
      if (body.client_id !== loginService.client)
        return refusal('invalid_client', 'client_id does not name a known client.')
      const { code = '', code_verifier: verifier = '', redirect_uri: redirectUri = '' } = body
      const token = await redeemCode(deps, { code, verifier, redirectUri, requestId: request.id })
      if (!token)
        return refusal(
          'invalid_grant',
          'The code is unknown, used or expired, its session has ended, or the verifier does not match.',
        )
      return bare({ access_token: token.reveal(), token_type: 'bearer' }, 200, noCache)
    },
  }),
])
