import type { Deps } from '../kit/deps.ts'
import type { Exchange } from './exchange.ts'

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** One line and one measurement for each request. Queries and secret paths stay out of both. */
export function observe(deps: Deps): (exchange: Exchange, status: number) => void {
  const durations = deps.metrics.histogram(
    'holdfast_http_request_seconds',
    'Time from the first byte of a request to its finished answer.',
    ['endpoint', 'status'],
    buckets,
  )
  // Finding a series by its labels costs more than counting, so each is kept.
  const known = new Map<string, ReturnType<typeof durations.labels>>()
  const seriesOf = (endpoint: string, status: number) => {
    const key = `${status}${endpoint}`
    const series = known.get(key) ?? durations.labels(endpoint, String(status))
    known.set(key, series)
    return series
  }
  return (exchange, status) => {
    const { address, endpoint, facts, startedAt, caller } = exchange
    const seconds = (deps.clock.monotonic() - startedAt) / 1000
    const name = endpoint?.id ?? 'none'
    seriesOf(name, status).observe(seconds)
    const prefix = address.api === 'site' ? '' : `${address.api}/`
    const path = endpoint?.secretPath ? endpoint.path : `/${prefix}${facts.path}`
    const fields: Record<string, unknown> = { request: facts.id, verb: facts.verb, path, endpoint: name, status }
    fields.ms = Math.round(seconds * 1e4) / 10
    fields.remote = facts.remoteAddress
    if (facts.forwardedCertificate !== 'none') fields.forwarded_certificate = facts.forwardedCertificate
    if (caller.kind === 'token') {
      fields.caller = caller.displayName
      fields.accessor = caller.accessor
    } else if (caller.kind !== 'anonymous') fields.caller = `${caller.kind}:${caller.name}`
    deps.log.info(fields, 'request')
  }
}
