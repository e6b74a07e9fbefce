import type { IncomingMessage } from 'node:http'
import { headerNames } from '../../compat/vendor-names.ts'
import { parseSeconds } from '../../kernel/duration.ts'
import { failure } from '../../kernel/failure.ts'
import { sealedFailure } from '../../kit/access.ts'
import { parseFlag } from '../../kit/fields.ts'
import { requireCleanAddress } from '../address.ts'
import { firstHeader, type Step } from '../exchange.ts'
import { isPreflight } from './cross-origin.ts'

const verbs: ReadonlySet<string> = new Set(['GET', 'HEAD', 'LIST', 'POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * Refuses all other verbs, with or without a token; `GET ?scan=true`, a list of everything below a path, is one of them.
 * Preflight requests of browsers pass: they come as OPTIONS.
 */
export const requireKnownVerb: Step = (exchange) => {
  const { verb, query } = exchange.facts
  const isScan = verb === 'GET' && query.size > 0 && parseFlag(query.get('scan') ?? '') === true
  if ((verbs.has(verb) && !isScan) || isPreflight(exchange)) return
  throw failure('unsupported-operation', 'route.unsupported-operation', 'unsupported operation')
}

/** Where a listener asks for it: a header that forged cross-site requests cannot carry. */
export const requireRequestHeader =
  (isNeeded: (incoming: IncomingMessage) => boolean): Step =>
  (exchange) => {
    if (!isNeeded(exchange.incoming) || firstHeader(exchange, headerNames.request) === 'true') return
    if (isPreflight(exchange)) return
    const [name] = headerNames.request
    throw failure('precondition', 'request.header', `This listener needs the header '${name}: true' on every request.`)
  }

/** A sealed server answers only its status routes. An unsealed one first waits for keys that another process has added. */
export const requireUnsealed: Step = ({ deps, endpoint }) => {
  if (endpoint?.whileSealed) return
  const seal = deps.seal.status()
  if (seal === 'unsealed') return deps.seal.pendingKeys()
  throw sealedFailure(seal)
}

/** There is one namespace, the root; any other is unknown to everybody, with or without a token. */
export const requireRootNamespace: Step = (exchange) => {
  const name = firstHeader(exchange, headerNames.namespace)
  if (name === '' || /^\/?(root\/?)?$/.test(name)) return
  throw failure('missing', 'namespace.missing', 'namespace not found')
}

/** `GET ?list=true` is a list. */
export const readListFlag: Step = ({ facts }) => {
  if (facts.verb === 'GET' && facts.query.size > 0 && parseFlag(facts.query.get('list') ?? '')) facts.verb = 'LIST'
}

/** Refuses addresses that cannot be taken as they are. */
export const requireReadableAddress: Step = ({ address, operation, facts }) => {
  requireCleanAddress(address, operation)
  const flag = facts.verb === 'GET' && facts.query.size > 0 ? facts.query.get('list') : null
  if (flag && parseFlag(flag) !== false) {
    throw failure('malformed', 'list.not-a-flag', 'The parameter list must be true or false.', { withoutErrors: true })
  }
}

/** The wrap header, in seconds or as a duration. */
export const readWrapTtl: Step = (exchange) => {
  const text = firstHeader(exchange, headerNames.wrapTtl)
  if (text === '') return
  const seconds = parseSeconds(text)
  if (seconds === undefined)
    throw failure('malformed', 'wrap.ttl', 'The wrap header must be a duration from 0 to 292 years.')
  // Whoever asks for part of a second asks for a wrapped answer all the same.
  if (seconds > 0 || /[1-9]/.test(text)) exchange.facts.wrapTtl = Math.max(seconds, 1)
}

/** Limits on paths, where some were set. */
export const enforceQuota: Step = ({ deps, facts }) => deps.quotas.enforce(facts)
