import {
  actorOf,
  canInOrganization,
  grantsInOrganization,
  hidden,
  inOrganization,
  organizationInPath,
  type PermittedResource,
} from '../../../access/permissions/index.ts'
import type { Instant } from '../../../kernel/clock.ts'
import { isId } from '../../../kernel/ids.ts'
import type { ActorPrincipal } from '../../../kernel/principal.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import {
  type Access,
  type Call,
  defineEndpoints,
  type Endpoint,
  endpoint,
  type RuleCall,
} from '../../../kit/endpoint.ts'
import {
  answerCreated,
  answerOne,
  answerPage,
  documentSchema,
  type Identifier,
  invalidDocument,
  type PageRequest,
  pageSchema,
  rangeOf,
} from '../../../kit/jsonapi/index.ts'
import { nothing, type Reply } from '../../../kit/reply.ts'
import { canManageTeamTokens, loadTeam, loadTeams, onTeam, requireCanGrantTeam, type Team } from '../teams/index.ts'
import { loadUser, type User } from '../users/index.ts'
import { type ApiToken, type TokenOwner, type TokenPurpose, tokenPurposes } from './api-token.ts'
import { issueToken, revokeToken, type TokenWanted } from './api-token-actions.ts'
import {
  isPast,
  newTokenBody,
  organizationTokenQuery,
  teamTokensQuery,
  tokenQuery,
  tokenSchema,
  tokensQuery,
  toTokenResource,
} from './api-token-fields.ts'
import { listTeamIds, listTokens, loadSingleToken, loadToken, organizationOfPool } from './api-token-store.ts'

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
  fails: ['missing', 'invalid', 'malformed'],
  notRehearsed: 'it shows a token that works',
} as const
/** Endpoints that show one token. */
const showTokenBase = { query: tokenQuery, returns: { 200: document }, fails: ['missing'] } as const
/** Endpoints that revoke a token. */
const revokeTokenBase = { returns: { 204: null }, fails: ['missing'] } as const
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
  const at = `${pointer}/expired-at`
  if (isPast(expiredAt, call.deps.clock.now())) {
    throw invalidDocument([{ detail: 'Expired at must be in the future', pointer: at }])
  }
  const expiry = expiredAt === undefined ? undefined : { at: expiredAt, pointer: at }
  const all = { ...wanted, description: description ?? '', expiry }
  const { token, text } = await issueToken(call.deps, authorOf(call), all)
  return answerCreated(call, toTokenResource(token, owner, text))
}

/** A page of the tokens of one owner, newest first. */
export async function answerTokens(
  call: Call<Record<string, string>, { page: PageRequest }, unknown, unknown>,
  kind: TokenOwner['kind'],
  owner: Identifier,
): Promise<Reply> {
  const { tokens, total } = await listTokens(call.deps.reads, { kind, ids: [owner.id] }, rangeOf(call.query.page))
  return answerPage(call, { resources: tokens.map((token) => toTokenResource(token, owner)), total })
}

/** People manage their own tokens; site administrators anybody's. */
const canManageTokensOf = (actor: ActorPrincipal, userId: string): boolean =>
  actor.siteAdmin || (actor.kind === 'user' && actor.id === userId)

/** Access to the tokens of the person in the path. */
const onUserTokens: Access<User> = {
  kind: 'rule',
  name: 'user:manage-tokens',
  check: async (call: RuleCall): Promise<User> => {
    const actor = actorOf(call.caller)
    const id = call.params.userId ?? ''
    const user = isId('user', id) ? await loadUser(call.deps.db, id) : undefined
    if (!user || !canManageTokensOf(actor, id)) throw hidden()
    return user
  },
}

/** A token that the caller may see and revoke, and how documents refer to its owner. */
type ManagedToken = { readonly token: ApiToken; readonly owner: Identifier; readonly organizationId: string }

/** Callers who may make a token may read about it and revoke it. */
const onToken: Access<ManagedToken> = {
  kind: 'rule',
  name: 'token:manage',
  check: async (call: RuleCall): Promise<ManagedToken> => {
    const actor = actorOf(call.caller)
    const id = call.params.tokenId ?? ''
    const token = isId('at', id) ? await loadToken(call.deps.db, id) : undefined
    const managed = token && (await manage(call, actor, token))
    if (!managed) throw hidden()
    return managed
  },
}

async function manage(call: RuleCall, actor: ActorPrincipal, token: ApiToken): Promise<ManagedToken | undefined> {
  const { owner } = token
  switch (owner.kind) {
    case 'user':
      return canManageTokensOf(actor, owner.id)
        ? { token, owner: { type: 'users', id: owner.id }, organizationId: '' }
        : undefined
    case 'team': {
      const team = await loadTeam(call.deps.db, owner.id)
      const grants = team && (await grantsInOrganization(call, team.organizationId))
      const allowed = team && grants && canManageTeamTokens(grants, team, actor)
      return allowed ? { token, owner: { type: 'teams', id: team.id }, organizationId: team.organizationId } : undefined
    }
    case 'organization': {
      const grants = await grantsInOrganization(call, owner.id)
      return canInOrganization(grants, 'can-update-api-token')
        ? { token, owner: { type: 'organizations', id: grants.organizationName }, organizationId: owner.id }
        : undefined
    }
    case 'agent-pool': {
      const organizationId = await organizationOfPool(call.deps.db, owner.id)
      const grants = await grantsInOrganization(call, organizationId)
      return canInOrganization(grants, 'can-update-agent-pools')
        ? { token, owner: { type: 'agent-pools', id: owner.id }, organizationId }
        : undefined
    }
  }
}

const userInPath = { userId: { description: 'Identifier of the user.' } }
const teamInPath = { teamId: { description: 'Identifier of the team.' } }

async function answerSingle(call: Call, ownerId: string, owner: Identifier, purpose?: TokenPurpose): Promise<Reply> {
  const token = await loadSingleToken(call.deps.db, ownerId, purpose)
  if (!token) throw hidden()
  return answerOne(call, toTokenResource(token, owner))
}

async function removeSingle(
  call: Call,
  ownerId: string,
  organizationId: string,
  purpose?: TokenPurpose,
): Promise<Reply> {
  const token = await loadSingleToken(call.deps.db, ownerId, purpose)
  if (!token || !(await revokeToken(call.deps, authorOf(call), token, organizationId))) throw hidden()
  return nothing()
}

const userTokenEndpoints = [
  endpoint({
    ...listTokensBase,
    id: 'user-tokens.list',
    route: 'GET /users/:userId/authentication-tokens',
    summary: 'List the tokens of a user.',
    access: onUserTokens,
    params: userInPath,
    handle: (call) => answerTokens(call, 'user', { type: 'users', id: call.subject.id }),
  }),
  endpoint({
    ...createTokenBase,
    id: 'user-tokens.create',
    route: 'POST /users/:userId/authentication-tokens',
    summary: 'Create a user token. It is shown only once.',
    access: onUserTokens,
    params: userInPath,
    handle: (call) => {
      const { id } = call.subject
      const wanted = { owner: { kind: 'user', id }, organizationId: '', single: false } as const
      return answerNewToken(call, { type: 'users', id }, wanted)
    },
  }),
  endpoint({
    ...showTokenBase,
    id: 'tokens.show',
    route: 'GET /authentication-tokens/:tokenId',
    summary: 'Read the details of a token, without its value.',
    access: onToken,
    params: { tokenId: { description: 'Identifier of the token.' } },
    handle: (call) => answerOne(call, toTokenResource(call.subject.token, call.subject.owner)),
  }),
  endpoint({
    ...revokeTokenBase,
    id: 'tokens.delete',
    route: 'DELETE /authentication-tokens/:tokenId',
    summary: 'Revoke a token.',
    access: onToken,
    params: { tokenId: { description: 'Identifier of the token.' } },
    handle: async (call) => {
      const { token, organizationId } = call.subject
      if (!(await revokeToken(call.deps, authorOf(call), token, organizationId))) throw hidden()
      return nothing()
    },
  }),
]

const onTeamTokens = onTeam('manage-tokens', canManageTeamTokens)
const createTeamTokenBase = {
  ...createTokenBase,
  fails: [...createTokenBase.fails, 'refused'],
  access: onTeamTokens,
  params: teamInPath,
} as const

type TeamTokenCall = Parameters<typeof answerNewToken>[0] & { readonly subject: PermittedResource<Team> }

/** A caller with the token of a team can do what its members can. */
function answerNewTeamToken(call: TeamTokenCall, single: boolean): Promise<Reply> {
  const { grants, resource: team } = call.subject
  requireCanGrantTeam(grants, team)
  const { id, organizationId } = team
  return answerNewToken(call, { type: 'teams', id }, { owner: { kind: 'team', id }, organizationId, single })
}

const teamTokenEndpoints = [
  endpoint({
    ...showTokenBase,
    id: 'team-token.show',
    route: 'GET /teams/:teamId/authentication-token',
    summary: 'Read the details of the team token, without its value.',
    access: onTeamTokens,
    params: teamInPath,
    handle: (call) => answerSingle(call, call.subject.resource.id, { type: 'teams', id: call.subject.resource.id }),
  }),
  endpoint({
    ...createTeamTokenBase,
    id: 'team-token.create',
    route: 'POST /teams/:teamId/authentication-token',
    summary: 'Create the team token, replacing any previous one. It is shown only once.',
    handle: (call) => answerNewTeamToken(call, true),
  }),
  endpoint({
    ...revokeTokenBase,
    id: 'team-token.delete',
    route: 'DELETE /teams/:teamId/authentication-token',
    summary: 'Revoke the token of a team.',
    access: onTeamTokens,
    params: teamInPath,
    handle: (call) => removeSingle(call, call.subject.resource.id, call.subject.resource.organizationId),
  }),
  endpoint({
    ...listTokensBase,
    id: 'team-tokens.list',
    route: 'GET /teams/:teamId/authentication-tokens',
    summary: 'List the tokens of a team.',
    access: onTeamTokens,
    params: teamInPath,
    handle: (call) => answerTokens(call, 'team', { type: 'teams', id: call.subject.resource.id }),
  }),
  endpoint({
    ...createTeamTokenBase,
    id: 'team-tokens.create',
    route: 'POST /teams/:teamId/authentication-tokens',
    summary: 'Create an additional team token, told apart by its description. It is shown only once.',
    handle: (call) => answerNewTeamToken(call, false),
  }),
]

/** The purpose in a query. An unknown one is refused: without a purpose, another token would be replaced or revoked. */
function readPurpose({ purpose }: { readonly purpose: string | undefined }): TokenPurpose | undefined {
  const known = tokenPurposes.find((each) => each === purpose)
  if (known !== purpose) throw hidden()
  return known
}

const organizationTokenBase = {
  access: inOrganization('can-update-api-token'),
  params: organizationInPath,
  query: organizationTokenQuery,
} as const

const organizationTokenEndpoints = [
  endpoint({
    id: 'organization-team-tokens.list',
    route: 'GET /organizations/:organization/team-tokens',
    summary: 'List the tokens of the teams whose tokens you can manage.',
    access: inOrganization('can-traverse'),
    params: organizationInPath,
    query: teamTokensQuery,
    returns: { 200: pageSchema(tokenSchema) },
    fails: ['missing', 'malformed'],
    handle: async (call) => {
      const { subject: grants } = call
      const { page, search, sort } = call.query
      const actor = actorOf(call.caller)
      const teams = await loadTeams(call.deps.reads, await listTeamIds(call.deps.reads, grants.organizationId, search))
      const ids = teams.filter((team) => canManageTeamTokens(grants, team, actor)).map(({ id }) => id)
      const found = await listTokens(call.deps.reads, { kind: 'team', ids }, { ...rangeOf(page), sort })
      const resources = found.tokens.map((token) => toTokenResource(token, { type: 'teams', id: token.owner.id }))
      return answerPage(call, { resources, total: found.total })
    },
  }),
  endpoint({
    ...showTokenBase,
    ...organizationTokenBase,
    id: 'organization-token.show',
    route: 'GET /organizations/:organization/authentication-token',
    summary: 'Read the details of the organization token, without its value.',
    handle: (call) => {
      const { organizationId, organizationName } = call.subject
      const owner = { type: 'organizations', id: organizationName }
      return answerSingle(call, organizationId, owner, readPurpose(call.query))
    },
  }),
  endpoint({
    ...createTokenBase,
    ...organizationTokenBase,
    id: 'organization-token.create',
    route: 'POST /organizations/:organization/authentication-token',
    summary: 'Create the organization token, replacing any previous one. It is shown only once.',
    handle: (call) => {
      const { organizationId: id, organizationName } = call.subject
      const purpose = readPurpose(call.query)
      const wanted = { owner: { kind: 'organization', id }, organizationId: id, single: true, purpose } as const
      return answerNewToken(call, { type: 'organizations', id: organizationName }, wanted)
    },
  }),
  endpoint({
    ...revokeTokenBase,
    ...organizationTokenBase,
    id: 'organization-token.delete',
    route: 'DELETE /organizations/:organization/authentication-token',
    summary: 'Revoke the token of an organization.',
    handle: (call) => {
      const { organizationId } = call.subject
      return removeSingle(call, organizationId, organizationId, readPurpose(call.query))
    },
  }),
]

/** Tokens of people, teams and organizations. */
export const tokenEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  ...userTokenEndpoints,
  ...teamTokenEndpoints,
  ...organizationTokenEndpoints,
])
