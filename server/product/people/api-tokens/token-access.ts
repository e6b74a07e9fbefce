import { actorOf, canInOrganization, grantsInOrganization, hidden } from '../../../access/permissions/index.ts'
import { isId } from '../../../kernel/ids.ts'
import type { ActorPrincipal } from '../../../kernel/principal.ts'
import type { Access, RuleCall } from '../../../kit/endpoint.ts'
import type { Identifier } from '../../../kit/jsonapi/index.ts'
import { canManageTeamTokens, loadTeam } from '../teams/index.ts'
import { loadUser, type User } from '../users/index.ts'
import type { ApiToken } from './token-rules.ts'
import { loadToken, organizationOfPool } from './token-store.ts'

/** People manage their own tokens; site administrators anybody's. */
const canManageTokensOf = (actor: ActorPrincipal, userId: string): boolean =>
  actor.siteAdmin || (actor.kind === 'user' && actor.id === userId)

/** Access to the tokens of the person in the path. */
export const onUserTokens: Access<User> = {
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
export const onToken: Access<ManagedToken> = {
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
