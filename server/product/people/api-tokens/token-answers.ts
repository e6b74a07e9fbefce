import type { Instant } from '../../../kernel/clock.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import type { Call } from '../../../kit/endpoint.ts'
import {
  answerCreated,
  answerPage,
  documentSchema,
  type Identifier,
  invalidDocument,
  type PageRequest,
  pageSchema,
  rangeOf,
} from '../../../kit/jsonapi/index.ts'
import type { Reply } from '../../../kit/reply.ts'
import { issueToken, type TokenWanted } from './token-actions.ts'
import { standardExpiry, type TokenOwner } from './token-rules.ts'
import { listTokens } from './token-store.ts'
import { isPast, newTokenBody, tokenQuery, tokenSchema, tokensQuery, toTokenResource } from './token-wire.ts'

type Sent = {
  readonly attributes: { readonly description?: string | null; readonly expiredAt?: Instant | null }
  readonly pointer: string
}
type IssueCall = Call<Record<string, string>, object, Sent, unknown>

const document = documentSchema(tokenSchema)
/** Endpoints that make a token. */
export const createTokenBase = {
  query: tokenQuery,
  body: newTokenBody,
  returns: { 201: document },
  fails: ['missing', 'invalid'],
} as const
/** Endpoints that show one token. */
export const showTokenBase = { query: tokenQuery, returns: { 200: document }, fails: ['missing'] } as const
/** Endpoints that revoke a token. */
export const revokeTokenBase = { returns: { 204: null }, fails: ['missing'] } as const
/** Endpoints that list tokens. */
export const listTokensBase = {
  query: tokensQuery,
  returns: { 200: pageSchema(tokenSchema) },
  fails: ['missing'],
} as const

/** Makes a token and shows its text, which is never shown again. */
export async function answerNewToken(
  call: IssueCall,
  owner: Identifier,
  wanted: Pick<TokenWanted, 'owner' | 'organizationId' | 'single' | 'purpose'>,
): Promise<Reply> {
  const { attributes, pointer } = call.body
  const { description, expiredAt } = attributes
  if (isPast(expiredAt, call.deps.clock.now())) {
    throw invalidDocument([{ detail: 'Expired at must be in the future', pointer: `${pointer}/expired-at` }])
  }
  const expiresAt = expiredAt === undefined ? standardExpiry(wanted.owner, call.deps.clock.now()) : expiredAt
  const all = { ...wanted, description: description ?? '', expiresAt }
  const { token, text } = await issueToken(call.deps, authorOf(call), all)
  return answerCreated(call, toTokenResource(token, owner, text))
}

/** A page of the tokens of one owner, newest first. */
export async function answerTokens(
  call: Call<Record<string, string>, { page: PageRequest }, unknown, unknown>,
  kind: TokenOwner['kind'],
  owner: Identifier,
): Promise<Reply> {
  const { tokens, total } = await listTokens(call.deps.db, { kind, ids: [owner.id] }, rangeOf(call.query.page))
  return answerPage(call, { resources: tokens.map((token) => toTokenResource(token, owner)), total })
}
