import { headerNames } from '../../compat/names.ts'
import { parseSeconds } from '../../kernel/duration.ts'
import { failure } from '../../kernel/failure.ts'
import type { Exchange, Step } from '../exchange.ts'

const header = (exchange: Exchange, names: readonly string[]): string => {
  for (const name of names) {
    const value = exchange.incoming.headers[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return ''
}

/** A sealed server answers only its status routes. */
export const requireUnsealed: Step = ({ deps, endpoint }) => {
  if (deps.hooks.sealStatus() === 'unsealed' || endpoint?.whileSealed) return
  throw failure('sealed', 'seal.sealed', 'Holdfast is sealed')
}

/** There is one namespace, the root; any other is unknown to everybody, with or without a token. */
export const requireRootNamespace: Step = (exchange) => {
  const name = header(exchange, headerNames.namespace)
  if (/^\/?(root\/?)?$/.test(name)) return
  throw failure('missing', 'namespace.missing', 'namespace not found')
}

/** `GET ?list=true` is a list. Anything that is no boolean is refused. */
export const readListFlag: Step = (exchange) => {
  const { facts } = exchange
  const flag = facts.query.get('list')
  if (facts.verb !== 'GET' || flag === null || flag === '') return
  if (/^(1|t|T|TRUE|true|True)$/.test(flag)) exchange.facts.verb = 'LIST'
  else if (!/^(0|f|F|FALSE|false|False)$/.test(flag)) {
    throw failure('malformed', 'list.not-a-flag', 'The parameter list must be true or false.', { bare: true })
  }
}

/** The wrap header, in seconds or as a duration. */
export const readWrapTtl: Step = (exchange) => {
  const text = header(exchange, headerNames.wrapTtl)
  if (text === '') return
  const seconds = parseSeconds(text)
  if (seconds === undefined)
    throw failure('malformed', 'wrap.ttl', 'The wrap header must be a duration that is not negative.')
  exchange.wrapTtl = seconds > 0 ? seconds : undefined
}

/** Limits on paths, where some were set. */
export const enforceQuota: Step = ({ deps, facts }) => deps.hooks.enforceQuota(facts)
