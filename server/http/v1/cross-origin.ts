import { crossOriginHeaders } from '../../compat/vendor-names.ts'
import { andThen } from '../../kernel/awaitable.ts'
import { failure } from '../../kernel/failure.ts'
import { type Endpoint, open } from '../../kit/endpoint.ts'
import { nothing } from '../../kit/reply.ts'
import type { OriginVerdict } from '../../kit/services.ts'
import type { Exchange, Step } from '../exchange.ts'

/**
 * What browsers send for pages of another origin goes on if that was allowed (Fetch, "CORS protocol"). Nothing says that
 * they may send a session along, so pages elsewhere have only the tokens they were given.
 */
export const enforceOrigin: Step = (exchange) => {
  const { origin } = exchange.facts.headers
  if (origin === undefined || isOwnOrigin(exchange, origin.toLowerCase())) return
  return andThen(exchange.deps.origins.check(origin), (verdict) => verdict && applyVerdict(exchange, origin, verdict))
}

/** Behind a proxy the address people use may be known from the configuration alone. */
const isOwnOrigin = ({ facts }: Exchange, origin: string): boolean =>
  origin.endsWith(`://${facts.headers.host?.toLowerCase()}`) || origin === facts.origin.toLowerCase()

function applyVerdict(exchange: Exchange, origin: string, { allowed, headers }: OriginVerdict): void {
  if (!allowed) throw failure('refused', 'origin.refused', 'origin not allowed')
  exchange.outgoing.setHeader('Access-Control-Allow-Origin', origin)
  exchange.outgoing.setHeader('Vary', 'Origin')
  if (exchange.facts.verb === 'OPTIONS') exchange.endpoint = preflight([...crossOriginHeaders, ...headers])
}

/** True if a browser asks what a page may send. It asks about every path alike, and cannot send headers of its own. */
export const isPreflight = ({ endpoint }: Exchange): boolean => endpoint?.id === preflightId

const preflightId = 'preflight'

/** The answer to a browser that asks before it sends what a page wants to send. */
const preflight = (headers: readonly string[]): Endpoint => ({
  api: 'v1',
  mountType: undefined,
  verb: 'GET',
  path: '',
  route: 'GET /',
  id: preflightId,
  summary: 'Tell a browser what pages of other origins may send.',
  access: open('Browsers ask without a token.'),
  whileSealed: true,
  unaudited: true,
  handle: () =>
    nothing(204, {
      'Access-Control-Allow-Methods': 'DELETE, GET, HEAD, LIST, OPTIONS, PATCH, POST, PUT',
      'Access-Control-Allow-Headers': headers.join(', '),
      'Access-Control-Max-Age': '300',
    }),
})
