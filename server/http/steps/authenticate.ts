import type { IncomingHttpHeaders } from 'node:http'
import { headerNames } from '../../compat/names.ts'
import { failure } from '../../kernel/failure.ts'
import type { Exchange, Step } from '../exchange.ts'

const firstHeader = (exchange: Exchange, names: readonly string[]): string => {
  for (const name of names) {
    const value = exchange.facts.headers[name]
    const text = (Array.isArray(value) ? value[0] : value)?.trim()
    if (text) return text
  }
  return ''
}

/** The token of a request: the service header, its alias, or a bearer token; blanks around it do not count. */
export function presentToken(exchange: Exchange): void {
  const bearer = /^bearer\s+(.*)$/i.exec(exchange.facts.headers.authorization ?? '')?.[1]?.trim() ?? ''
  const token = firstHeader(exchange, headerNames.token) || bearer
  if (token.length > exchange.limits.tokenHeaderBytes) {
    throw failure('header-too-large', 'token.too-large', 'The token header is too large.')
  }
  exchange.facts.presentedToken = token
  hideTokens(exchange.facts.headers)
}

/** From here on nobody who looks at the headers, to pass them on or write them down, comes upon a token. */
function hideTokens(headers: IncomingHttpHeaders): void {
  for (const name of tokenHeaders) if (headers[name] !== undefined) headers[name] = undefined
}

const tokenHeaders = [...headerNames.token, 'authorization'] as const

const permissionDenied = () => failure('forbidden', 'acl.denied', 'permission denied')

/** Step 2 under `/v1`: the token, unless every endpoint at this path is open. */
export const authenticateToken: Step = async (exchange) => {
  // A caller with an uncommonly large body was asked before it was read.
  if (exchange.caller.kind !== 'anonymous') return
  presentToken(exchange)
  const { match, facts, deps } = exchange
  const endpoint = exchange.endpoint ?? match?.siblings[0]
  if (endpoint?.access.kind === 'open') return
  // A browser that signed in with a token sends its session instead.
  if (facts.presentedToken === '' && facts.headers.cookie !== undefined) {
    facts.presentedToken = await deps.hooks.sessionServiceToken(facts)
  }
  if (facts.presentedToken === '') {
    if (endpoint?.access.kind === 'optional') return
    throw permissionDenied()
  }
  exchange.caller = await deps.hooks.authenticateToken(facts.presentedToken, facts)
}

/** Step 2 under `/api/v2`: 401 comes before everything else, even for addresses that do not exist. */
export const authenticateActor: Step = async (exchange) => {
  presentToken(exchange)
  if (exchange.endpoint?.access.kind === 'open') return
  exchange.caller = await exchange.deps.hooks.authenticateActor(exchange.facts)
}

/** Step 2 on the site: pages are open, what needs a token is asked like `/v1`. */
export const authenticateVisitor: Step = async (exchange) => {
  presentToken(exchange)
  const { endpoint, facts, deps } = exchange
  if (!endpoint || endpoint.access.kind === 'open' || endpoint.access.kind === 'rule') return
  if (facts.presentedToken === '') throw permissionDenied()
  exchange.caller = await deps.hooks.authenticateToken(facts.presentedToken, facts)
}
