import { type Awaitable, andThen } from '../../kernel/awaitable.ts'
import { type Failure, failure } from '../../kernel/failure.ts'
import type { ActorPrincipal, Principal } from '../../kernel/principal.ts'
import type { Deps } from '../../kit/deps.ts'
import type { Access, RuleAccess, RuleCall } from '../../kit/endpoint.ts'
import { canInOrganization, type OrganizationGrants } from './grants.ts'
import { grantsOf } from './load-grants.ts'
import type { OrganizationRight } from './organization-rights.ts'

/** What is not there and what is not allowed look the same to callers: the same failure, rendered as the same 404. */
export const hidden = (): Failure =>
  failure('missing', 'hidden', 'The requested resource does not exist, or you are not allowed to see or do this.')

/** The caller of an endpoint of `/api/v2`; the pipeline has made sure that there is one. */
export function actorOf(caller: Principal): ActorPrincipal {
  if (caller.kind === 'anonymous' || caller.kind === 'token') {
    throw failure('unauthenticated', 'token.missing', 'A valid API token is needed.')
  }
  return caller
}

type Caller = { readonly deps: Pick<Deps, 'db' | 'reads' | 'store'>; readonly caller: Principal }

/** What the caller may do in the organization of this name; throws `hidden` where the caller does not belong. */
export const grantsInNamedOrganization = (call: Caller, name: string): Awaitable<OrganizationGrants> =>
  andThen(grantsOf(call.deps, actorOf(call.caller)), ({ byName }) =>
    requireGrants(call, byName.get(name.toLowerCase())),
  )

/** What the caller may do in the organization of this id; throws `hidden` where the caller does not belong. */
export const grantsInOrganization = (call: Caller, organizationId: string): Awaitable<OrganizationGrants> =>
  andThen(grantsOf(call.deps, actorOf(call.caller)), ({ byId }) => requireGrants(call, byId.get(organizationId)))

function requireGrants({ caller }: Caller, grants: OrganizationGrants | undefined): OrganizationGrants {
  if (!grants) throw hidden()
  // A session that began with a user token counts as that token.
  const byUserToken = caller.kind === 'user' && caller.tokenId !== ''
  if (grants.userTokensEnabled || !byUserToken) return grants
  const text = `The organization ${grants.organizationName} does not accept user tokens: they are unauthorized here; use a team token.`
  throw failure('refused', 'organization.user-tokens-disabled', text)
}

/** The parameter of routes below an organization. */
export const organizationInPath = { organization: { description: 'Name of the organization.', example: 'acme' } }

/**
 * Access to what belongs to an organization as a whole: `inOrganization('can-create-team')`. The organization is the
 * path parameter `organization`, by name. The handler finds the caller's grants in `subject`.
 */
export const inOrganization = (right: OrganizationRight): RuleAccess<OrganizationGrants> => ({
  kind: 'rule',
  name: `organization:${right}`,
  check: (call) =>
    andThen(grantsInNamedOrganization(call, call.params.organization ?? ''), (grants) => {
      if (!canInOrganization(grants, right)) throw hidden()
      return grants
    }),
})

/** What a rule about a single resource hands to the handler: the resource, and the caller's grants around it. */
export type PermittedResource<S> = {
  readonly resource: S
  readonly grants: OrganizationGrants
  readonly actor: ActorPrincipal
}

/** A rule about a single resource. */
type ResourceRule<S> = {
  readonly name: string
  /** Finds in memory what the path addresses; undefined when it is not there. */
  readonly peek?: (call: RuleCall) => S | undefined
  /** Finds it in the database; undefined when there is no such thing. */
  readonly load: (call: RuleCall) => Awaitable<S | undefined>
  readonly allows: (grants: OrganizationGrants, resource: S, actor: ActorPrincipal) => boolean
  /** A refusal said openly, to callers who may know that the resource exists. */
  readonly refusal?: (grants: OrganizationGrants, resource: S, actor: ActorPrincipal) => Failure | undefined
}

/**
 * Access to a resource of an organization. Loads it once, asks, and passes it on as `subject.resource`:
 * `onResource({ name: 'workspace:can-lock', load: loadAddressed, allows: (grants, ws) => canOnWorkspace(grants, 'can-lock', ws) })`.
 */
export const onResource = <S extends { readonly organizationId: string }>(
  rule: ResourceRule<S>,
): RuleAccess<PermittedResource<S>> => ({
  kind: 'rule',
  name: rule.name,
  check: async (call) => {
    const actor = actorOf(call.caller)
    const known = rule.peek?.(call)
    const resource = known ?? (await rule.load(call))
    if (!resource) throw hidden()
    const { byId } = await grantsOf(call.deps, actor)
    const within = byId.get(resource.organizationId)
    const grants = within && requireGrants(call, within)
    if (grants && rule.allows(grants, resource, actor)) return { resource, grants, actor }
    const refusal = grants && rule.refusal?.(grants, resource, actor)
    // The time an answer takes must not reveal that something is in memory.
    if (known && !refusal) await rule.load(call)
    throw refusal ?? hidden()
  },
})

/** Access for site administrators. */
export const siteAdministrator = (): RuleAccess<ActorPrincipal> => ({
  kind: 'rule',
  name: 'site:admin',
  check: (call) => {
    const actor = actorOf(call.caller)
    if (!actor.siteAdmin) throw hidden()
    return actor
  },
})

/** Access for every caller with a token or session of a person. */
export const anyPerson = (): Access<ActorPrincipal> => ({
  kind: 'rule',
  name: 'user',
  check: (call) => {
    const actor = actorOf(call.caller)
    if (actor.kind !== 'user') throw hidden()
    return actor
  },
})

/** Access for every caller of `/api/v2`, whoever it is. */
export const anyActor = (): Access<ActorPrincipal> => ({
  kind: 'rule',
  name: 'authenticated',
  check: (call) => actorOf(call.caller),
})
