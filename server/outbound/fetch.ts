import type { Clock } from '../kernel/clock.ts'
import { createAddressGuard, type GuardLists } from './address-guard.ts'
import { type GuardedAgents, guardedAgents } from './agents.ts'
import { type Budget, type Deadline, startBudget } from './budget.ts'
import { exchange, type HeaderMap, type Hop, type HopResult, type Request } from './exchange.ts'
import { HostSlots } from './host-slots.ts'
import { problem, toFailure } from './problems.ts'
import { noProxies, type Proxies, proxyAgent } from './proxies.ts'
import { nextRequest, readUrl } from './redirects.ts'
import { type GuardedResolver, isAddress, type Resolver, resolveChecked, systemResolver } from './resolve.ts'
import { createSockets, type Sockets } from './sockets.ts'

/** The limits of a call, and what it sends. */
export type CallOptions = {
  /** For everything together: waiting in line, name resolution, connecting, redirects, the body to its last byte. */
  deadline: Deadline
  maxBytes: number
  headers?: Record<string, string>
  /** How many redirects to follow, at most 3. The default is 3 for GET and none for POST. */
  redirects?: number
  /** Return answers other than 2xx instead of failing with `outbound.status`. */
  anyStatus?: boolean
  /** PEM certificates to trust instead of the system's. */
  ca?: string
  /** Ends the call early. */
  signal?: AbortSignal
}

/** An answer with its whole body. */
export type Reply = { status: number; headers: HeaderMap; body: Buffer; tookMs: number }

/** The one way out of the server: every outgoing call states its budget and passes the address guard. */
export type Outbound = Sockets & {
  get(url: string, options: CallOptions): Promise<Reply>
  post(url: string, body: Uint8Array | string, options: CallOptions): Promise<Reply>
  /** New connections for a library that makes its requests itself. They pass the guard, and use no proxy. */
  agents(): GuardedAgents
}

/** How outgoing calls are made. */
export type OutboundSettings = GuardLists & {
  clock: Pick<Clock, 'monotonic'>
  resolver?: Resolver
  /** HTTP calls go through them, other connections do not. */
  proxies?: Proxies
  /** Calls to one host at the same time. */
  maxPerHost?: number
}

const maxRedirects = 3

/** Builds the outbound calls. Invalid allow or deny lists fail here, at start. */
export function createOutbound(settings: OutboundSettings): Outbound {
  const guard = createAddressGuard(settings)
  const names = { guard, resolver: settings.resolver ?? systemResolver }
  const proxies = settings.proxies ?? noProxies
  const slots = new HostSlots(settings.maxPerHost ?? 32)

  async function hop(request: Request, options: CallOptions, budget: Budget): Promise<HopResult> {
    const release = await slots.take(request.url.host, budget.signal)
    try {
      const route = await budget.within(routeTo(request.url, names, proxies))
      const { maxBytes, ca } = options
      return await exchange({ ...request, route, maxBytes, ca, signal: budget.signal })
    } catch (thrown) {
      throw toFailure(thrown, request.url.origin, budget.signal)
    } finally {
      release()
    }
  }

  async function send(first: Request, options: CallOptions, usualRedirects: number): Promise<Reply> {
    const began = settings.clock.monotonic()
    const budget = startBudget(options.deadline, first.url.origin, options.signal)
    try {
      let request = first
      for (let left = Math.min(options.redirects ?? usualRedirects, maxRedirects); ; left--) {
        const result = await hop(request, options, budget)
        if ('body' in result) return accept({ ...result, tookMs: settings.clock.monotonic() - began }, request, options)
        if (left <= 0) throw problem('too-many-redirects', `${first.url.origin} redirects too many times.`)
        request = nextRequest(request, result)
      }
    } finally {
      budget.end()
    }
  }

  return {
    ...createSockets(names),
    agents: () => guardedAgents(names),
    get: async (url, options) =>
      send({ ...readUrl(url, options.headers), method: 'GET', body: undefined }, options, maxRedirects),
    post: async (url, body, options) => send({ ...readUrl(url, options.headers), method: 'POST', body }, options, 0),
  }
}

/**
 * A proxy resolves names itself, and may know some that this machine does not; hosts given as addresses are checked
 * here.
 */
async function routeTo(url: URL, names: GuardedResolver, proxies: Proxies): Promise<Hop['route']> {
  const proxy = proxyAgent(proxies, url)
  if (proxy === undefined) return { addresses: await resolveChecked(names, url.hostname) }
  if (isAddress(url.hostname)) await resolveChecked(names, url.hostname)
  return { proxy }
}

function accept(reply: Reply, request: Request, options: CallOptions): Reply {
  const { status } = reply
  if (options.anyStatus || (status >= 200 && status < 300)) return reply
  throw problem('status', `${request.url.origin} answered with status ${status}.`, { data: { status } })
}
