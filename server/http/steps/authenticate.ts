import type { IncomingHttpHeaders } from 'node:http'
import { headerNames } from '../../compat/vendor-names.ts'
import { type Awaitable, andThen } from '../../kernel/awaitable.ts'
import { failure } from '../../kernel/failure.ts'
import type { Principal } from '../../kernel/principal.ts'
import { invalidActor, tokenMissing } from '../../kit/access.ts'
import { type Access, isOpen } from '../../kit/endpoint.ts'
import { type Exchange, firstHeader, type Step } from '../exchange.ts'
import { enforceRateLimit } from '../v2/document-reply.ts'

/** True if a request brings something that may make its sender known. */
export const presentsCredentials = (exchange: Exchange): boolean =>
  firstHeader(exchange, tokenHeaders) !== '' || exchange.facts.headers.cookie !== undefined

/** The token of a request: the service header, its alias, or a bearer token; blanks around it do not count. */
function readPresentedToken(exchange: Exchange): void {
  const { authorization } = exchange.facts.headers
  const token = firstHeader(exchange, headerNames.token) || (authorization ? bearerOf(authorization) : '')
  if (token.length > exchange.limits.tokenHeaderBytes) {
    throw failure('header-too-large', 'token.too-large', 'The token header is too large.')
  }
  exchange.facts.presentedToken = token
  hideTokens(exchange.facts.headers)
}

const bearerOf = (authorization: string): string => /^bearer\s+(.*)$/i.exec(authorization)?.[1]?.trim() ?? ''

/** From here on, nobody who passes headers on or writes them down can leak a token. */
function hideTokens(headers: IncomingHttpHeaders): void {
  for (const name of tokenHeaders) if (headers[name] !== undefined) headers[name] = undefined
}

const tokenHeaders = [...headerNames.token, 'authorization'] as const

/** Step 2 under `/v1`: the token, unless every endpoint at this path is open. */
export const authenticateToken: Step = (exchange) => {
  // Already done where the token had to be checked before the body was read: see `decodeFields`.
  if (exchange.caller.kind !== 'anonymous') return
  if (exchange.facts.presentedToken === '') readPresentedToken(exchange)
  const { match, facts, deps } = exchange
  const access = (exchange.endpoint ?? match?.siblings[0])?.access
  if (isOpen(access, deps.settings)) return
  if (facts.presentedToken !== '' || facts.headers.cookie === undefined) return recogniseToken(exchange, access?.kind)
  // A browser that signed in with a token sends its session instead.
  return deps.callers.serviceToken(facts).then((token) => {
    facts.presentedToken = token
    return recogniseToken(exchange, access?.kind)
  })
}

function recogniseToken(exchange: Exchange, access: Access['kind'] | undefined): Awaitable<void> {
  const { facts, deps } = exchange
  if (facts.presentedToken !== '') return setCaller(exchange, deps.tokens.authenticate(facts.presentedToken, facts))
  if (access !== 'optional') throw tokenMissing()
}

/** Asks again whether a token that was recognised is good. */
export const authenticateTokenAgain: Step = (exchange) => {
  const { caller, facts, deps } = exchange
  if (caller.kind !== 'token') return
  return setCaller(exchange, deps.tokens.authenticate(facts.presentedToken, facts))
}

/** Sets the caller: at once where it is known already. */
const setCaller = (exchange: Exchange, caller: Awaitable<Principal>): Awaitable<void> =>
  andThen(caller, (found) => {
    exchange.caller = found
  })

/** Step 2 under `/api/v2`: 401 comes before everything else, even for addresses that do not exist. */
export const authenticateActor: Step = (exchange) => {
  readPresentedToken(exchange)
  return recogniseActor(exchange)
}

/** Finds out who sent a request whose token was read already. */
export const recogniseActor: Step = (exchange) => {
  if (exchange.endpoint?.access.kind === 'open') return
  return andThen(exchange.deps.callers.authenticate(exchange.facts), (actor) => {
    if (!actor) return refuseAnonymous(exchange)
    exchange.caller = actor
  })
}

/** Guessing is counted by address, as requests without a token are. */
function refuseAnonymous(exchange: Exchange): never {
  enforceRateLimit(exchange)
  if (exchange.facts.presentedToken !== '') throw invalidActor()
  throw failure('unauthenticated', 'token.missing', 'Send a valid API token: Authorization: Bearer <token>.')
}

/** Step 2 for runners: what a token may do is a question of each endpoint's rule. */
export const readToken: Step = (exchange) => readPresentedToken(exchange)

/** Step 2 on the site: pages are open, what needs a token is asked like `/v1`. */
export const authenticateVisitor: Step = (exchange) => {
  readPresentedToken(exchange)
  const { endpoint, facts, deps } = exchange
  if (!endpoint || endpoint.access.kind === 'open' || endpoint.access.kind === 'rule') return setVisitor(exchange)
  if (facts.presentedToken === '') throw tokenMissing()
  return setCaller(exchange, deps.tokens.authenticate(facts.presentedToken, facts))
}

/** Audit records say who used a page; nothing else on the site depends on it. */
function setVisitor(exchange: Exchange): Awaitable<void> {
  const { endpoint, facts, deps } = exchange
  if (!endpoint || endpoint.unaudited || !deps.audit.active || facts.headers.cookie === undefined) return
  return deps.callers.findVisitor(facts).then((person) => {
    if (person) exchange.caller = person
  })
}
