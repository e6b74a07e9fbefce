import type { Metrics } from '../kit/metrics.ts'
import type { Exchange } from './exchange.ts'
import type { BodyMemory } from './listener/index.ts'

/** What the figures of requests are read from, each time they are shown. */
type FigureSources = { readonly inFlight: ReadonlySet<Exchange>; readonly bodyMemory: BodyMemory }

/** Shows how much is under way in this process; what its processes have is added up. */
export function showRequests(metrics: Metrics, { inFlight, bodyMemory }: FigureSources): void {
  const gauge = (name: string, help: string) => metrics.gauge(name, help, [], { combined: 'sum' })
  const requests = gauge('holdfast_http_requests_in_flight', 'Requests that have come and are not answered yet.')
  const waiters = gauge('holdfast_lock_waiters', 'Requests that wait for the lock of a workspace.')
  const buffered = gauge('holdfast_http_buffered_bytes', 'Bytes of large request bodies that are in memory.')
  const limit = gauge('holdfast_http_buffered_bytes_limit', 'How many of them there may be; see limits.buffered_bytes.')
  metrics.onRender(async () => {
    requests.set(inFlight.size)
    waiters.set([...inFlight].filter(isWaiter).length)
    buffered.set(bodyMemory.used)
    limit.set(bodyMemory.limit)
  })
}

const isWaiter = ({ endpoint, address }: Exchange): boolean => Boolean(endpoint?.waits) && address.query.has('wait')
