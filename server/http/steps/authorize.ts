import { type Awaitable, andThen } from '../../kernel/awaitable.ts'
import { failure } from '../../kernel/failure.ts'
import type { TokenPrincipal } from '../../kernel/principal.ts'
import { aclRequestOf, permissionDenied } from '../../kit/access.ts'
import { type Access, isOpen } from '../../kit/endpoint.ts'
import { callOf } from '../call.ts'
import type { Exchange, Step } from '../exchange.ts'

/** Step 4 under `/v1`: the policies of the token decide, also about paths nobody serves. */
export const authorizeByPolicy: Step = (exchange) => {
  const { endpoint, match, caller, facts, deps } = exchange
  const access = (endpoint ?? match?.siblings[0])?.access
  if (access && access.kind !== 'acl') return checkRule(exchange)
  if (isOpen(access, deps.settings)) return
  if (caller.kind !== 'token') throw permissionDenied()
  if (!endpoint?.exists || exchange.operation !== 'update') return checkPolicies(exchange, caller, access)
  return endpoint.exists({ deps, caller, request: facts, params: match?.params ?? {} }).then((found) => {
    if (!found) exchange.operation = 'create'
    return checkPolicies(exchange, caller, access)
  })
}

function checkPolicies(exchange: Exchange, caller: TokenPrincipal, access: Access | undefined): Awaitable<void> {
  const { facts, deps } = exchange
  const sudo = access?.kind === 'acl' && access.sudo
  const verdict = deps.policies.authorize(caller, aclRequestOf(facts, exchange.operation, { sudo }))
  return andThen(verdict, (decided) => {
    exchange.verdict = decided
    if (!decided.allowed) throw permissionDenied()
  })
}

/** Step 4 elsewhere: the endpoint's own rule over caller and resource. */
export const checkRule: Step = (exchange) => {
  const access = exchange.endpoint?.access
  if (access?.kind !== 'rule') return
  return andThen(access.check(callOf(exchange)), (loaded) => {
    exchange.subject = loaded
  })
}

/** Runs call what names them, and for them nothing else exists: code of users holds their tokens. */
export const requireForRuns: Step = ({ caller, endpoint, address }) => {
  if (caller.kind !== 'run' || endpoint?.access.kind === 'open') return
  // What is included belongs to others, but for the outputs of a state.
  const asksForMore = !['', 'outputs'].includes(address.query.get('include') ?? '')
  const mayCall = endpoint?.forRuns === 'tool' || (endpoint?.forRuns === 'runner' && caller.run?.mayWriteState)
  if (asksForMore || !mayCall)
    throw failure('missing', 'hidden', 'The requested resource does not exist, or a run may not see it.')
}
