import { toIsoNano } from '../../../../kernel/clock.ts'
import { failure } from '../../../../kernel/failure.ts'
import { aclRequestOf, permissionDenied } from '../../../../kit/access.ts'
import { anyObject, fields } from '../../../../kit/bodies.ts'
import {
  acl,
  type Call,
  defineSystemEndpoints,
  type Endpoint,
  endpoint,
  model,
  open,
  optional,
  Type,
} from '../../../../kit/endpoint.ts'
import { WrapInfo } from '../../../../kit/envelope.ts'
import { field } from '../../../../kit/fields.ts'
import { bytes, data, type Reply } from '../../../../kit/reply.ts'
import { findLiving } from '../known-token-actions.ts'
import type { Token } from '../records/token.ts'
import { removeUsedUp } from '../revoking/revocation-actions.ts'
import { findWrapping, notAWrappingToken, openWrapped, rewrapAnswer, spendWrapping } from './wrapping-actions.ts'

type OpenCall = Pick<Call, 'deps' | 'caller' | 'request'> & { readonly body: { token?: string } }

/**
 * The wrapping token of a request, with its one use taken: either the caller itself, whose use was taken when it was
 * authenticated, or the token that a caller with access to this path names.
 */
async function takeWrapping(call: OpenCall): Promise<Token> {
  const { deps, caller, request, body } = call
  const named = body.token ?? ''
  if (caller.kind === 'token') {
    if (named === '' || named === request.presentedToken) return await ownWrapping(call)
    const { allowed } = await deps.policies.authorize(caller, aclRequestOf(request, 'update'))
    if (!allowed) throw permissionDenied()
  }
  const token = await findWrapping(deps, named)
  await spendWrapping(deps, token)
  return token
}

async function ownWrapping({ deps, caller, request }: OpenCall): Promise<Token> {
  const isWrapping = caller.kind === 'token' && caller.wrapping
  const token = isWrapping ? await findLiving(deps, request.presentedToken) : undefined
  if (!token) throw notAWrappingToken()
  return token
}

async function unwrap(call: OpenCall): Promise<Reply> {
  const { deps, request } = call
  const token = await takeWrapping(call)
  const { body } = await openWrapped(deps, token)
  // Callers who ask for the answer wrapped get it in a new wrapping.
  if (request.wrapTtl !== undefined) {
    const terms = { ttl: request.wrapTtl, creationPath: request.path }
    return { kind: 'data', wrapInfo: await rewrapAnswer(deps, token, { body, terms }) }
  }
  await removeUsedUp(deps, token.id)
  return bytes('application/json', body, { isEnvelope: true })
}

async function lookup(call: Pick<Call, 'deps'>, text: string): Promise<Reply> {
  const { creationTtl, createdAt, path } = await findWrapping(call.deps, text)
  return data({ creation_ttl: creationTtl, creation_time: toIsoNano(createdAt), creation_path: path })
}

const TokenField = Type.Object({ token: field.text("The wrapping token; by default the caller's own.") })
const whyOpen = 'Whoever holds the wrapping token may; its policies, or those of the caller who names it, are asked.'
const WrapInfoShape = Type.Object({ wrap_info: WrapInfo })
const LookupShape = model('WrappingInfo', {
  creation_ttl: Type.Integer({ description: 'Seconds that the response is kept.' }),
  creation_time: Type.String({ description: 'When it was wrapped.' }),
  creation_path: Type.String({ description: 'The path that produced the response.' }),
})
const lookupBase = {
  access: open('Whoever holds a wrapping token may look where it comes from; nothing is revealed without it.'),
  returns: { 200: LookupShape },
  fails: ['invalid'],
} as const

/** Answers behind a token of one use: a way to hand over secrets that shows if somebody else has read them. */
export const wrappingEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    id: 'wrapping.wrap',
    route: 'POST /wrapping/wrap',
    summary: 'Wrap an object.',
    description: 'Requires the wrap TTL header, which sets how long the object is kept.',
    access: acl(),
    body: anyObject('The object to wrap.'),
    returns: { 200: WrapInfoShape },
    fails: ['invalid', 'too-large'],
    example: { request: { secret: 'value' } },
    handle: ({ request, body }) => {
      if (request.wrapTtl !== undefined) return data(body)
      throw failure('invalid', 'wrapping.no-header', 'endpoint requires response wrapping to be used')
    },
  }),
  endpoint({
    id: 'wrapping.unwrap',
    route: 'POST /wrapping/unwrap',
    summary: 'Unwrap a wrapped response; works once.',
    access: optional(whyOpen),
    body: fields(TokenField),
    returns: { 200: Type.Unknown({ description: 'The response as it was wrapped.' }) },
    fails: ['invalid', 'forbidden'],
    example: { request: { token: 'hfs.…' } },
    handle: unwrap,
  }),
  endpoint({
    ...lookupBase,
    id: 'wrapping.lookup',
    route: 'POST /wrapping/lookup',
    summary: 'Look up the properties of a wrapping token.',
    body: fields(TokenField),
    example: { request: { token: 'hfs.…' } },
    handle: (call) => lookup(call, call.body.token || call.request.presentedToken),
  }),
  endpoint({
    ...lookupBase,
    id: 'wrapping.lookup-by-read',
    route: 'GET /wrapping/lookup',
    summary: 'Look up the properties of a wrapping token.',
    query: TokenField,
    handle: (call) => lookup(call, call.query.token || call.request.presentedToken),
  }),
  endpoint({
    id: 'wrapping.rewrap',
    route: 'POST /wrapping/rewrap',
    summary: 'Rewrap a wrapped response with a new token.',
    description: 'For responses that are kept long: the old token is revoked and the lifetime starts again.',
    access: optional(whyOpen),
    body: fields(TokenField),
    returns: { 200: WrapInfoShape },
    fails: ['invalid', 'forbidden'],
    example: { request: { token: 'hfs.…' } },
    handle: async (call) => {
      const token = await takeWrapping(call)
      return { kind: 'data', wrapInfo: await rewrapAnswer(call.deps, token, await openWrapped(call.deps, token)) }
    },
  }),
])
