import { type Instant, maybeIso, toIso } from '../../../kernel/clock.ts'
import type { Secret } from '../../../kernel/secret.ts'
import { attribute } from '../../../kit/jsonapi/attribute-kinds.ts'
import { parameter } from '../../../kit/jsonapi/parameters.ts'
import { listQuery, showQuery } from '../../../kit/jsonapi/queries.ts'
import { looseBody } from '../../../kit/jsonapi/resource-bodies.ts'
import { type Identifier, type Resource, resourceSchema, shown } from '../../../kit/jsonapi/schemas.ts'
import { serviceUserId } from '../users/index.ts'
import { type ApiToken, tokenOrders, tokenPurposes } from './api-token.ts'

/** The body that makes a token; clients send it as a document, with or without a type, or not at all. */
export const newTokenBody = looseBody({
  description: attribute.text('What the token is for.', { maxLength: 255, nullable: true, example: 'pipeline' }),
  expiredAt: attribute.time('When the token expires; in two years by default, never with null.', {
    nullable: true,
  }),
})

/** The query of a list of tokens. */
export const tokensQuery = listQuery()

/** The query of the list of team tokens of an organization. */
export const teamTokensQuery = listQuery({
  parameters: { search: parameter.text('q', 'Part of the name of a team.') },
  sort: tokenOrders,
})

/** The query of a read of one token. */
export const tokenQuery = showQuery()

/** The query of reading or revoking the token of an organization. */
export const organizationTokenQuery = showQuery({
  parameters: {
    purpose: parameter.text('token', `\`${tokenPurposes[0]}\` for a separate token, which gives no access yet.`),
  },
})

/** True for an end that lies in the past. */
export const isPast = (expiresAt: Instant | null | undefined, now: Instant): boolean =>
  typeof expiresAt === 'number' && expiresAt <= now

/** A token as answers show it. */
export const tokenSchema = resourceSchema('authentication-tokens', {
  attributes: {
    description: shown.maybeText('What the token is for.'),
    token: shown.maybeText('The token itself; only in the response that creates it.'),
    hint: shown.text('The first characters of the token.'),
    'created-at': shown.time('When it was created.'),
    'last-used-at': shown.maybeTime('When it was last used, to the minute.'),
    'expired-at': shown.maybeTime('When it expires; null for never.'),
  },
  relationships: {
    'created-by': 'Who created it.',
    user: 'The user it acts as.',
    team: 'The team it acts as.',
    organization: 'The organization it acts as.',
    'agent-pool': 'The agent pool whose executors it authenticates.',
  },
})

/** A token as a resource; its text only right after it was made. `owner` is how documents refer to the owner. */
export const toTokenResource = (token: ApiToken, owner: Identifier, text?: Secret<string>): Resource => ({
  type: 'authentication-tokens',
  id: token.id,
  attributes: {
    description: token.description || (token.single ? null : token.description),
    token: text ? text.reveal() : null,
    hint: token.hint,
    'created-at': toIso(token.createdAt),
    'last-used-at': maybeIso(token.lastUsedAt),
    'expired-at': maybeIso(token.expiresAt),
  },
  relationships: {
    'created-by': { data: token.createdBy.id ? createdBy(token) : null },
    [token.owner.kind]: { data: owner },
  },
  links: { self: `/api/v2/authentication-tokens/${token.id}` },
})

const createdBy = ({ createdBy: { kind, id } }: ApiToken): Identifier => ({
  type: 'users',
  id: kind === 'user' ? id : serviceUserId({ id }),
})
