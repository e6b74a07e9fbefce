import { type Failure, textOf } from '../kernel/failure.ts'
import type { Principal } from '../kernel/principal.ts'
import type { Deps } from '../kit/deps.ts'
import type { Series } from '../kit/histogram.ts'
import type { RequestSketch } from '../kit/services.ts'
import type { Exchange } from './exchange.ts'

/** A client that has left is not there to see its answer. */
const clientGone = 'client.gone'

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** One line and one measurement for each request. Queries and secret paths stay out of both. */
export function createObserver(deps: Deps): (exchange: Exchange, status: number) => void {
  const durations = deps.metrics.histogram(
    'holdfast_http_request_seconds',
    'Time from the end of the request headers to the start of the response, in seconds.',
    ['endpoint', 'status'],
    bounds,
  )
  const unavailableHelp = 'Requests that were answered 503, by the code of the reason.'
  const unavailable = deps.metrics.counter('holdfast_http_unavailable_total', unavailableHelp, ['code'])
  // Kept here, since finding a series by its labels costs more than counting.
  const known = new Map<string, Map<number, Series>>()
  const seriesOf = (endpoint: string, status: number): Series => {
    const byStatus = known.get(endpoint) ?? new Map<number, Series>()
    const series = byStatus.get(status)
    if (series) return series
    const made = durations.series(endpoint, String(status))
    known.set(endpoint, byStatus.set(status, made))
    return made
  }
  return (exchange, status) => {
    const { endpoint, facts, startedAt, caller, refusal } = exchange
    const ms = deps.clock.monotonic() - startedAt
    const name = endpoint?.id ?? 'none'
    seriesOf(name, status).observe(ms / 1000)
    if (status === 503 && refusal && refusal.code !== clientGone) unavailable.inc({ code: refusal.code })
    const line = {
      request: facts.id,
      verb: facts.verb,
      path: shownPath(exchange),
      endpoint: name,
      status,
      ms: Math.round(ms * 10) / 10,
      remote: facts.remoteAddress,
      forwarded_certificate: facts.forwardedCertificate === 'none' ? undefined : facts.forwardedCertificate,
      caller: callerName(caller),
      accessor: caller.kind === 'token' ? caller.accessor : refusal?.extras.accessor,
      reason: refusal && reasonOf(refusal, status),
    }
    if (endpoint?.probed && status < 400) deps.log.debug(line, 'request')
    else deps.log[levelOf(refusal, status)](line, 'request')
  }
}

/** The path of a request without its query; where it holds a secret, the route. */
function shownPath({ address, endpoint, secretEndpoint, facts }: Exchange): string {
  const secret = endpoint?.secretPath ? endpoint : secretEndpoint
  const prefix = address.api === 'site' ? '' : `${address.api}/`
  return secret ? secret.path : `/${prefix}${facts.path}`
}

/** What may be told of a request that is not answered yet. */
export function sketchOf(exchange: Exchange): RequestSketch {
  const { endpoint, facts, caller, incoming } = exchange
  return {
    id: facts.id,
    receivedAt: facts.receivedAt,
    address: `${facts.remoteAddress.includes(':') ? `[${facts.remoteAddress}]` : facts.remoteAddress}:${facts.remotePort}`,
    method: incoming.method ?? '',
    // Before its endpoint is found, nobody knows whether the path holds a secret.
    path: endpoint ? shownPath(exchange) : '',
    entityId: caller.kind === 'token' ? caller.entityId : '',
  }
}

/**
 * What the server could not do is an error. A probe that shows a sealed or stopping node and requests that may succeed
 * at the next try are not, unless the store is to blame; a client that has left is nobody's fault.
 */
function levelOf(refusal: Failure | undefined, status: number): 'info' | 'warn' | 'error' {
  if (status < 500 || refusal?.code === clientGone) return 'info'
  if (refusal === undefined) return 'warn'
  return status === 503 && !refusal.code.startsWith('storage.') ? 'warn' : 'error'
}

function reasonOf(refusal: Failure, status: number): string | undefined {
  if (status >= 500) return textOf(refusal.kind === 'internal' ? (refusal.cause ?? refusal) : refusal)
  return refusal.extras.accessor === undefined ? undefined : textOf(refusal.cause)
}

/** How the log names a caller; nobody is not named. */
export function callerName(caller: Principal): string | undefined {
  if (caller.kind === 'anonymous') return undefined
  return caller.kind === 'token' ? caller.displayName : `${caller.kind}:${caller.name}`
}
