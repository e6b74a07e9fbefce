import { toIso } from '../../../../kernel/clock.ts'
import { Failure } from '../../../../kernel/failure.ts'
import { fields } from '../../../../kit/bodies.ts'
import type { Author } from '../../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, Type } from '../../../../kit/endpoint.ts'
import { field } from '../../../../kit/fields.ts'
import { type Html, html } from '../../../../kit/html.ts'
import { timeElement } from '../../../../kit/page.ts'
import type { Reply } from '../../../../kit/reply.ts'
import type { Tx } from '../../../../storage/open.ts'
import {
  type ApiToken,
  findTokenByText,
  issueToken,
  listTokens,
  loadToken,
  revokeToken,
} from '../../api-tokens/index.ts'
import { markFormSent, newFormId, type Session, textOfForm } from '../../users/index.ts'
import { leaveNotice } from '../session-cookie-endpoints.ts'
import {
  csrfField,
  leadToPage,
  type PagePrefix,
  type Problem,
  pagePrefixes,
  problemText,
  redirectTo,
  signedInPage,
  signInFirst,
  type Viewer,
  viewerOf,
  windowTitleOf,
  withSession,
} from '../signed-in-page-endpoints.ts'

/** What the page of tokens shows. */
type TokensView = {
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
const nameOf = ({ description, hint }: ApiToken): string => description || hint

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
const tokensPage = (view: TokensView): Reply =>
  signedInPage(
    view.viewer,
    'User tokens',
    html`<p>A token lets a command-line tool or script act as you. It is shown once. It expires after two years, or earlier if an organization of yours says so.</p>
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

type Sent = { csrf?: string; form?: string; description?: string }
type Page = Call<Record<string, string>, object, Sent>

const authorOf = (session: Session, call: Pick<Call, 'request'>): Author => ({
  kind: 'user',
  id: session.userId,
  name: session.username,
  tokenId: session.apiTokenId ?? '',
  requestId: call.request.id,
})

const path = '/settings/tokens'

type Outcome = { readonly made?: string; readonly problem?: Problem }

async function show(
  { deps, request }: Pick<Page, 'deps' | 'request'>,
  prefix: PagePrefix,
  session: Session,
  outcome: Outcome = {},
): Promise<Reply> {
  const owners = { kind: 'user', ids: [session.userId] } as const
  const { tokens, total } = await listTokens(deps.reads, owners, { offset: 0, limit: 100 })
  return tokensPage({
    viewer: viewerOf({ deps, request }, session, prefix),
    form: newFormId(deps),
    tokens,
    total,
    ...outcome,
  })
}

const formSentBefore: Problem = {
  text: 'This form was sent before, and its token was created then. If you did not see it, revoke it. To create another, submit the form below.',
  status: 409,
}

/** How long the same form shows its token again: an impatient second click must not hide it. */
const shownAgainMs = 60_000

/**
 * Makes a token. A second click sends the same form again, and the browser shows the answer to that alone: it has the same
 * token. Later, a reload is refused. Scripts send no id of a form, and always get a token.
 */
async function create(call: Page, prefix: PagePrefix, session: Session): Promise<Reply> {
  const { deps, body } = call
  const owner = { kind: 'user', id: session.userId } as const
  const wanted = {
    owner,
    organizationId: '',
    single: false,
    description: (body.description ?? '').slice(0, 255),
    characters: body.form ? textOfForm(deps, session, body.form) : undefined,
    claim: async (tx: Tx) => {
      if (body.form) await markFormSent(deps, tx, session, body.form)
    },
  }
  try {
    const { text } = await issueToken(deps, authorOf(session, call), wanted)
    return await show(call, prefix, session, { made: text.reveal() })
  } catch (thrown) {
    if (!(thrown instanceof Failure && thrown.code === 'form.sent' && wanted.characters)) throw thrown
    const { token, text } = await findTokenByText(deps, owner, wanted.characters)
    const isFresh = token && deps.clock.now() - token.createdAt < shownAgainMs
    return await show(call, prefix, session, isFresh ? { made: text.reveal() } : { problem: formSentBefore })
  }
}

async function revoke(call: Page, prefix: PagePrefix, session: Session): Promise<Reply> {
  const token = await loadToken(call.deps.db, call.params.tokenId ?? '')
  if (token?.owner.kind !== 'user' || token.owner.id !== session.userId) return redirectTo(`${prefix}${path}`)
  await revokeToken(call.deps, authorOf(session, call), token, '')
  const revoked = `The token “${nameOf(token)}” is revoked. What used it has no access any more.`
  if (token.id === session.apiTokenId) {
    const signIn = `${prefix}/sign-in`
    const text = `${revoked} You had signed in with it, so you are signed out.`
    return redirectTo(signIn, leaveNotice(call, { path: signIn, session: null }, { kind: 'done', text }))
  }
  const place = { path: `${prefix}${path}`, session }
  return redirectTo(place.path, leaveNotice(call, place, { kind: 'done', text: revoked }))
}

const csrf = field.text('CSRF token of the form.')
const form = field.text('Identifies the form, so that it creates only one token.')

const tokenInPath = { tokenId: { description: 'Identifier of the token.' } }

const pagesBelow = (prefix: PagePrefix) => [
  endpoint({
    id: `sign-in.tokens${prefix.replace('/', '.')}`,
    route: `GET ${prefix}${path}`,
    summary: 'Show the page for managing your user tokens.',
    access: signInFirst,
    returns: { 200: null, 303: null },
    handle: (call) => withSession(call, prefix, path, (session) => show(call, prefix, session)),
  }),
  endpoint({
    id: `sign-in.make-token${prefix.replace('/', '.')}`,
    route: `POST ${prefix}${path}`,
    summary: 'Create a user token and show it once.',
    access: signInFirst,
    body: fields(Type.Object({ csrf, form, description: field.text('What it is for.') })),
    returns: { 200: null, 303: null, 403: null, 409: null },
    handle: (call) =>
      withSession(call, prefix, path, (session) => create(call, prefix, session), { csrf: call.body.csrf }),
  }),
  endpoint({
    id: `sign-in.revoke-token${prefix.replace('/', '.')}`,
    route: `POST ${prefix}${path}/:tokenId/revoke`,
    summary: 'Revoke a user token.',
    access: signInFirst,
    params: tokenInPath,
    body: fields(Type.Object({ csrf })),
    returns: { 303: null, 403: null },
    handle: (call) =>
      withSession(call, prefix, path, (session) => revoke(call, prefix, session), { csrf: call.body.csrf }),
  }),
  leadToPage(`${prefix}/settings`, `${prefix}${path}`, {}),
  leadToPage(`${prefix}${path}/:tokenId/revoke`, `${prefix}${path}`, tokenInPath),
]

/** The page of user tokens, which command lines send people to. */
export const tokenPageEndpoints: readonly Endpoint[] = defineEndpoints('site', pagePrefixes.flatMap(pagesBelow))
