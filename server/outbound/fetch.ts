import { createSocket, type Socket as DatagramSocket } from 'node:dgram'
import { once } from 'node:events'
import { createConnection, type NetConnectOpts, type Socket } from 'node:net'
import { unescape as percentDecoded } from 'node:querystring'
import type { Clock } from '../kernel/clock.ts'
import { parseDuration } from '../kernel/duration.ts'
import { Failure } from '../kernel/failure.ts'
import { createAddressGuard, type GuardLists } from './address-guard.ts'
import { type GuardedAgents, guardedAgents } from './agents.ts'
import { exchange, type HeaderMap, type Hop, type HopResult, type Request } from './http-exchange.ts'
import { deniedAddress, problem, toFailure } from './problems.ts'
import { noProxies, type Proxies, proxyAgent } from './proxies.ts'
import {
  type GuardedResolver,
  isAddress,
  pinnedLookup,
  type Resolver,
  resolveChecked,
  systemResolver,
} from './resolve.ts'

/** Time a call may take, as milliseconds or as text: `10s`. */
type Deadline = number | string

/** One span of time for everything a call does: waiting, names, connections, redirects, body. */
type Budget = {
  signal: AbortSignal
  /** Waits for the promise, but no longer than the budget lasts. */
  within<T>(promise: Promise<T>): Promise<T>
  end(): void
}

/** Starts the time of a call to `where`; an outer signal ends it early. */
function startBudget(deadline: Deadline, where: string, outer?: AbortSignal): Budget {
  const milliseconds = toMilliseconds(deadline)
  const controller = new AbortController()
  const { signal } = controller
  const timer = setTimeout(() => {
    controller.abort(problem('deadline', `The call to ${where} took longer than ${milliseconds} ms.`))
  }, milliseconds)
  const cancel = () => controller.abort(problem('cancelled', `The call to ${where} was cancelled.`))
  if (outer?.aborted) cancel()
  outer?.addEventListener('abort', cancel, { once: true })
  const { promise: ended, reject } = Promise.withResolvers<never>()
  // If nobody waits any more, its rejection must not end the process.
  ended.catch(() => undefined)
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  if (signal.aborted) reject(signal.reason)
  return {
    signal,
    within: (promise) => Promise.race([promise, ended]),
    end: () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', cancel)
    },
  }
}

function toMilliseconds(deadline: Deadline): number {
  const milliseconds = typeof deadline === 'number' ? deadline : parseDuration(deadline)
  if (milliseconds === undefined || !(milliseconds >= 0)) throw new TypeError(`'${deadline}' is not a deadline`)
  return Math.min(milliseconds, 2 ** 31 - 1)
}

/** Plain sockets, for protocols other than HTTP. */
type Sockets = {
  /** A TCP connection to a host that passed the guard. */
  connect(host: string, port: number, deadline: Deadline): Promise<Socket>
  /** A connection to a socket in the file system. */
  connectUnix(path: string, deadline: Deadline): Promise<Socket>
  /** A UDP socket tied to a host that passed the guard. */
  datagram(host: string, port: number, deadline: Deadline): Promise<DatagramSocket>
}

/** Builds the openers of plain sockets. */
function createSockets(names: GuardedResolver): Sockets {
  return {
    connect: (host, port, deadline) =>
      underDeadline(deadline, `${host}:${port}`, async (signal) => {
        const lookup = pinnedLookup(await resolveChecked(names, host))
        return openSocket({ host, port, lookup }, signal)
      }),
    connectUnix: (path, deadline) => underDeadline(deadline, path, (signal) => openSocket({ path }, signal)),
    datagram: (host, port, deadline) =>
      underDeadline(deadline, `${host}:${port}`, async (signal) => {
        const [target] = await resolveChecked(names, host)
        signal.throwIfAborted()
        if (!target) throw problem('unresolved', `The host ${host} has no address.`)
        return connectDatagram(createSocket(target.family === 6 ? 'udp6' : 'udp4'), port, target.address)
      }),
  }
}

async function underDeadline<T>(
  deadline: Deadline,
  where: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const budget = startBudget(deadline, where)
  try {
    return await budget.within(work(budget.signal))
  } catch (thrown) {
    throw toFailure(thrown, where, budget.signal)
  } finally {
    budget.end()
  }
}

async function openSocket(options: NetConnectOpts, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted()
  const socket = createConnection(options)
  const giveUp = () => socket.destroy()
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    await once(socket, 'connect', { signal })
    return socket
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

async function connectDatagram(socket: DatagramSocket, port: number, address: string): Promise<DatagramSocket> {
  try {
    // A callback of `connect` would receive the error as well, so the event is awaited instead.
    const connected = once(socket, 'connect')
    socket.connect(port, address)
    await connected
    return socket
  } catch (thrown) {
    socket.close()
    throw thrown
  }
}

/** Headers that may follow a redirect to another origin; all others could be credentials. */
const safeHeaders: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type', 'user-agent'])

/** Reads a URL and removes the credentials from it: they become a header, and appear in no text. */
function readUrl(text: string, given: Readonly<Record<string, string>> = {}): { url: URL; headers: HeaderMap } {
  const url = parse(text)
  const headers: Record<string, string> = { 'user-agent': 'holdfast' }
  for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = value
  if (url.username !== '' || url.password !== '') {
    const pair = `${percentDecoded(url.username)}:${percentDecoded(url.password)}`
    headers.authorization ??= `Basic ${Buffer.from(pair).toString('base64')}`
  }
  return { url: withoutCredentials(url), headers }
}

/** The next request of a redirect (RFC 9110 §15.4). The address of its host is checked like that of the first. */
function nextRequest(from: Request, { status, location }: { status: number; location: string }): Request {
  const url = withoutCredentials(parse(location, from.url))
  if (from.url.protocol === 'https:' && url.protocol === 'http:') {
    throw problem('downgrade', `${from.url.origin} redirects from https to http, which is not followed.`)
  }
  const keeps = status === 307 || status === 308 || from.method === 'GET'
  const sameOrigin = url.origin === from.url.origin
  const headers = Object.entries(from.headers).filter(([name]) => sameOrigin || safeHeaders.has(name))
  return {
    url,
    method: keeps ? from.method : 'GET',
    body: keeps ? from.body : undefined,
    headers: Object.fromEntries(headers.filter(([name]) => keeps || name !== 'content-type')),
  }
}

/** The thrown TypeError would carry the whole text, so it is not kept as the cause. */
function parse(text: string, base?: URL): URL {
  if (!URL.canParse(text, base)) {
    const text = 'This is not a URL. Write the whole address, such as https://example.com/list.crl.'
    throw problem('bad-url', base ? `${base.origin} redirects to something that is not a URL.` : text)
  }
  const url = new URL(text, base)
  if (url.protocol === 'http:' || url.protocol === 'https:') return url
  throw problem('scheme', `Only http and https are called, not '${url.protocol.slice(0, -1).slice(0, 20)}'.`)
}

function withoutCredentials(url: URL): URL {
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  return bare
}

/** The calls to a host that are under way, and how to let those in that wait. */
type Slots = { taken: number; queue: (() => void)[] }

/** Keeps the number of calls to one host at once below a limit; the others wait in line. */
class HostSlots {
  readonly #limit: number
  readonly #hosts = new Map<string, Slots>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Waits for a place at the host and returns the function that frees it. Rejects when the signal is aborted first. */
  async take(host: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    const slots = this.#hosts.get(host) ?? { taken: 0, queue: [] }
    this.#hosts.set(host, slots)
    if (slots.taken < this.#limit) slots.taken += 1
    else await this.#wait(slots, signal)
    let isFreed = false
    return () => {
      if (!isFreed) this.#giveBack(host, slots)
      isFreed = true
    }
  }

  #wait(slots: Slots, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        slots.queue.splice(slots.queue.indexOf(enter), 1)
        reject(signal.reason)
      }
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      slots.queue.push(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  #giveBack(host: string, slots: Slots): void {
    const enterNext = slots.queue.shift()
    // The place is handed to the next in line, so the count stays.
    if (enterNext) enterNext()
    else slots.taken -= 1
    if (slots.taken === 0) this.#hosts.delete(host)
  }
}

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

/** Outgoing calls that state their budget and pass the address guard. */
type Calls = Sockets & {
  get(url: string, options: CallOptions): Promise<Reply>
  post(url: string, body: Uint8Array | string, options: CallOptions): Promise<Reply>
  /** New connections for a library that makes its requests itself. They pass the guard, and use no proxy. */
  agents(): GuardedAgents
  /**
   * Why the guard refuses to call a URL or a host; undefined if it does not, or if the name cannot be resolved now.
   * Nothing is called.
   */
  denial(target: { readonly url: string } | { readonly host: string }): Promise<string | undefined>
}

/** The one way out of the server. */
export type Outbound = Calls & {
  /** The same calls where this machine is a proper target, whatever the mode. */
  readonly withLoopback: Calls
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
export const createOutbound = (settings: OutboundSettings): Outbound => ({
  ...createCalls(settings),
  withLoopback: createCalls({ ...settings, denyLoopback: false }),
})

/** How long the check of a target waits for its name. */
const denialDeadline = 2_000

function createCalls(settings: OutboundSettings): Calls {
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
    denial: async (target) => {
      const judged = underDeadline(denialDeadline, 'a target', async () =>
        'url' in target ? routeTo(new URL(target.url), names, proxies) : resolveChecked(names, target.host),
      )
      const outcome: unknown = await judged.catch((thrown: unknown) => thrown)
      return outcome instanceof Failure && outcome.code === deniedAddress ? outcome.message : undefined
    },
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
