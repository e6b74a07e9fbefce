import { toIso } from '../../../../kernel/clock.ts'
import { type Html, html } from '../../../../kit/html.ts'
import { timeElement } from '../../../../kit/page.ts'
import type { Reply } from '../../../../kit/reply.ts'
import type { ApiToken } from '../../api-tokens/index.ts'
import { type Problem, problemText, windowTitleOf } from '../problem.ts'
import { csrfField, signedInPage, type Viewer } from '../signed-in-page.ts'

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
