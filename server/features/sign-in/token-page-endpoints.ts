import { Failure } from '../../kernel/failure.ts'
import { fields } from '../../kit/bodies.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, Type } from '../../kit/endpoint.ts'
import { field } from '../../kit/fields.ts'
import type { Reply } from '../../kit/reply.ts'
import type { Tx } from '../../storage/open.ts'
import { issueToken, listTokens, loadToken, revokeToken, standardExpiry } from '../api-tokens/index.ts'
import type { Author } from '../change-log/index.ts'
import { markFormSent, newFormId, type Session } from '../users/index.ts'
import { type PagePrefix, pagePrefixes, redirectTo } from './sign-in-endpoints.ts'
import { type Problem, tokensPage } from './sign-in-wire.ts'
import { viewerOf } from './signed-in-page.ts'
import { signInFirst, withSession } from './with-session.ts'

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

type Outcome = { readonly made?: string; readonly isRevoked?: boolean; readonly problem?: Problem }

async function show(
  { deps }: Pick<Page, 'deps'>,
  prefix: PagePrefix,
  session: Session,
  outcome: Outcome = {},
): Promise<Reply> {
  const owners = { kind: 'user', ids: [session.userId] } as const
  const { tokens, total } = await listTokens(deps.db, owners, { offset: 0, limit: 100 })
  return tokensPage({ viewer: viewerOf(deps, session, prefix), form: newFormId(deps), tokens, total, ...outcome })
}

const formSentBefore: Problem = {
  text: 'This form was sent before, and its token was created then. To create another, submit the form below.',
  status: 409,
}

/**
 * Makes a token. A reload or a second click would send the same form again and is refused; scripts send no id of a form,
 * and always get a token.
 */
async function create(call: Page, prefix: PagePrefix, session: Session): Promise<Reply> {
  const { deps, body } = call
  const owner = { kind: 'user', id: session.userId } as const
  const wanted = {
    owner,
    organizationId: '',
    single: false,
    description: (body.description ?? '').slice(0, 255),
    expiresAt: standardExpiry(owner, deps.clock.now()),
    claim: async (tx: Tx) => {
      if (body.form) await markFormSent(deps, tx, session, body.form)
    },
  }
  try {
    const { text } = await issueToken(deps, authorOf(session, call), wanted)
    return await show(call, prefix, session, { made: text.reveal() })
  } catch (thrown) {
    if (!(thrown instanceof Failure && thrown.code === 'form.sent')) throw thrown
    return await show(call, prefix, session, { problem: formSentBefore })
  }
}

async function revoke(call: Page, prefix: PagePrefix, session: Session): Promise<Reply> {
  const token = await loadToken(call.deps.db, call.params.tokenId ?? '')
  if (token?.owner.kind !== 'user' || token.owner.id !== session.userId) return redirectTo(`${prefix}${path}`)
  await revokeToken(call.deps, authorOf(session, call), token, '')
  return redirectTo(`${prefix}${path}?revoked=true`)
}

const csrf = field.text('CSRF token of the form.')
const form = field.text('Identifies the form, so that it creates only one token.')

const pagesBelow = (prefix: PagePrefix) => [
  endpoint({
    id: `sign-in.tokens${prefix.replace('/', '.')}`,
    route: `GET ${prefix}${path}`,
    summary: 'Show the page for managing your user tokens.',
    access: signInFirst,
    query: Type.Object({ revoked: field.flag('Whether a token was just revoked, so that the page says so.') }),
    returns: { 200: null, 303: null },
    handle: ({ deps, request, query }) =>
      withSession({ deps, request }, prefix, path, (session) =>
        show({ deps }, prefix, session, { isRevoked: query.revoked ?? false }),
      ),
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
    params: { tokenId: { description: 'Identifier of the token.' } },
    body: fields(Type.Object({ csrf })),
    returns: { 303: null, 403: null },
    handle: (call) =>
      withSession(call, prefix, path, (session) => revoke(call, prefix, session), { csrf: call.body.csrf }),
  }),
]

/** The page of user tokens, which command lines send people to. */
export const tokenPageEndpoints: readonly Endpoint[] = defineEndpoints('site', pagePrefixes.flatMap(pagesBelow))
