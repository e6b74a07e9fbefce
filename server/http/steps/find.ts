import { andThen } from '../../kernel/awaitable.ts'
import { failure } from '../../kernel/failure.ts'
import type { Operation } from '../../kit/access.ts'
import type { Endpoint, Verb } from '../../kit/endpoint.ts'
import type { Mount } from '../../kit/mount.ts'
import type { MountKind, MountKinds } from '../../kit/mount-kind.ts'
import { nowhere, requireCleanAddress } from '../address.ts'
import type { Exchange, Step } from '../exchange.ts'
import { type Match, Router } from '../router.ts'
import { isPreflight } from '../v1/cross-origin.ts'

/** The routers of a server: one for each type of mount under `/v1` and variant of it, one for each other API. */
export type Routers = {
  readonly ofMount: (mount: Mount) => Router | undefined
  readonly v2: Router
  readonly runner: Router
  readonly site: Router
}

/** Sorts endpoints into routers; two endpoints with one route stop the start. */
export function buildRouters(endpoints: readonly Endpoint[], kinds: MountKinds): Routers {
  const byType = Map.groupBy(endpoints, ({ mountType }) => mountType)
  const finders = new Map([...kinds.values()].map((kind) => [kind.type, routerFor(kind, byType.get(kind.type) ?? [])]))
  return {
    ofMount: (mount) => finders.get(mount.type)?.(mount),
    v2: new Router(endpoints.filter((endpoint) => endpoint.api === 'api/v2')),
    runner: new Router(endpoints.filter((endpoint) => endpoint.api === 'api/runner/v1')),
    site: new Router(endpoints.filter((endpoint) => endpoint.api === 'site')),
  }
}

/** A mount has all endpoints of its type, or those of the variant that its options choose. */
function routerFor({ variantOf, catchAll }: MountKind, all: readonly Endpoint[]): (mount: Mount) => Router | undefined {
  if (!variantOf) {
    const router = new Router(all, catchAll)
    return () => router
  }
  const byVariant = Map.groupBy(all, ({ variant = '' }) => variant)
  const routers = new Map([...byVariant].map(([variant, group]) => [variant, new Router(group, catchAll)]))
  return ({ options }) => routers.get(variantOf(options ?? {}))
}

const operations: Readonly<Record<string, Operation>> = {
  GET: 'read',
  HEAD: 'read',
  LIST: 'list',
  POST: 'update',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

/** The verb a route is looked up by: HEAD reads, PUT writes like POST under `/v1`. */
function routeVerb(exchange: Exchange): Verb | undefined {
  const { verb } = exchange.facts
  if (verb === 'HEAD') return 'GET'
  if (verb === 'PUT' && exchange.address.api === 'v1') return 'POST'
  return verb === 'OPTIONS' ? undefined : verb
}

/** Step 1 under `/v1`: the mount and the endpoint. What is missing is said later, to those who may know. */
export const findInMount =
  (routers: Routers): Step =>
  (exchange) => {
    const { address, facts, deps } = exchange
    exchange.operation = operations[facts.verb] ?? 'read'
    if (address.fault !== undefined || isPreflight(exchange)) return
    return andThen(deps.mounts.find(`${address.path}/`), (mount) => enterMount(exchange, routers, mount))
  }

function enterMount(exchange: Exchange, routers: Routers, mount: Mount | undefined): void {
  const { address, facts } = exchange
  const listing = facts.verb === 'LIST'
  exchange.match = undefined
  exchange.endpoint = undefined
  facts.mount = mount
  facts.path = listing ? `${address.path}/` : address.path
  if (!mount || (address.trailingSlash && !listing)) return
  const verb = routeVerb(exchange)
  const depth = mount.path.split('/').length - 1
  exchange.match = verb && routers.ofMount(mount)?.find(verb, address.segments, depth)
  exchange.endpoint = exchange.match?.endpoint
  facts.fieldNotes = exchange.endpoint?.fieldNotes
}

/** Step 1 elsewhere: one router, no mounts. */
export const findRoute =
  (router: Router): Step =>
  (exchange) => {
    const { address, facts } = exchange
    exchange.operation = operations[facts.verb] ?? 'read'
    const match = matchOf(router, exchange)
    // People type addresses of pages with a slash at the end, and clients those of documents; writes have to be exact.
    if (!address.trailingSlash || match?.endpoint?.verb === 'GET') {
      exchange.match = match
      exchange.endpoint = match?.endpoint
    }
    if (!exchange.endpoint) exchange.secretEndpoint = router.findSecretEndpoint(address.segments)
  }

function matchOf(router: Router, exchange: Exchange): Match | undefined {
  const verb = routeVerb(exchange)
  return verb && exchange.address.fault === undefined ? router.find(verb, exchange.address.segments) : undefined
}

/** Refuses what no endpoint answers: 405 when another verb exists, else 404. */
export const requireEndpoint: Step = ({ endpoint, match, facts, address, operation }) => {
  requireCleanAddress(address, operation)
  if (endpoint) return
  if (match) throw failure('unsupported-operation', 'route.unsupported-operation', 'unsupported operation')
  if (address.api === 'v1') {
    if (facts.mount) throw failure('missing', 'route.unsupported-path', 'unsupported path')
    throw failure('missing', 'route.no-handler', `no handler for route "${address.path}"`)
  }
  throw failure('missing', nowhere.code, nowhere.detail)
}
