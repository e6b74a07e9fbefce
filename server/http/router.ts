import type { Endpoint, Verb } from '../kit/endpoint.ts'

type Target = { readonly endpoint: Endpoint; readonly names: readonly string[] }

type Node = {
  readonly fixed: Map<string, Node>
  single: Node | undefined
  /** A parameter that takes several segments, by the fixed segments that must follow it; the longest come first. */
  several: ReadonlyMap<string, Node>
  readonly targets: Map<Verb, Target>
  /** All endpoints here. */
  readonly siblings: Endpoint[]
}

/** A path that was found: the endpoint for the verb, or only the fact that other verbs exist. */
export type Match = {
  readonly endpoint: Endpoint | undefined
  readonly params: Record<string, string>
  /** All endpoints at this path, by verb. */
  readonly siblings: readonly Endpoint[]
}

const emptyNode = (): Node => ({
  fixed: new Map(),
  single: undefined,
  several: new Map(),
  targets: new Map(),
  siblings: [],
})

/** Finds endpoints by path. Fixed segments win over parameters, single parameters over those with several segments. */
export class Router {
  readonly #root = emptyNode()
  readonly #secretRoutes: readonly SecretRoute[]
  readonly endpoints: readonly Endpoint[]

  readonly #catchAll: Endpoint | undefined

  /** `catchAll` answers under every verb where no other endpoint has the path. */
  constructor(endpoints: readonly Endpoint[], catchAll?: Endpoint) {
    this.endpoints = endpoints
    this.#catchAll = catchAll
    this.#secretRoutes = endpoints.filter(({ secretPath }) => secretPath).map(secretRoute)
    for (const endpoint of endpoints) this.#add(endpoint)
  }

  #add(endpoint: Endpoint): void {
    const names: string[] = []
    const segments = endpoint.path.split('/').filter((segment) => segment !== '')
    let node = this.#root
    for (let index = 0; index < segments.length; index++) {
      const segment = segments[index] as string
      if (segment.startsWith('*')) {
        names.push(segment.slice(1))
        node = childEndingIn(node, segments.slice(index + 1).join('/'))
        break
      }
      if (segment.startsWith(':')) {
        names.push(segment.slice(1))
        node.single ??= emptyNode()
        node = node.single
      } else {
        node = child(node.fixed, segment)
      }
    }
    const taken = node.targets.get(endpoint.verb)
    if (taken)
      throw new Error(`Endpoints ${taken.endpoint.id} and ${endpoint.id} have the same route ${endpoint.route}`)
    node.targets.set(endpoint.verb, { endpoint, names })
    node.siblings.push(endpoint)
  }

  /** Looks up what follows the first `from` segments of a path; undefined when no endpoint has it under any verb. */
  find(verb: Verb, segments: readonly string[], from = 0): Match | undefined {
    const values: string[] = []
    const node = walk(this.#root, segments, from, values)
    if (node && this.#holdsSecret(node, segments, from)) return undefined
    if (node) return pick(node, verb, values)
    const endpoint = this.#catchAll
    return endpoint && { endpoint, params: { path: segments.slice(from).join('/') }, siblings: [] }
  }

  /** What begins like an address with a secret is no address for everything else, whose paths are logged. */
  #holdsSecret({ siblings: [endpoint] }: Node, segments: readonly string[], from: number): boolean {
    return from === 0 && endpoint?.path.includes('*') === true && this.findSecretEndpoint(segments) !== undefined
  }

  /** The endpoint whose secret a path may hold: it begins like that of the endpoint, whether anything answers it or not. */
  findSecretEndpoint(segments: readonly string[]): Endpoint | undefined {
    const isBegun = ({ before }: SecretRoute): boolean =>
      segments.length > before.length && before.every((segment, index) => segment === segments[index])
    return this.#secretRoutes.find(isBegun)?.endpoint
  }
}

/** An endpoint whose path holds a secret, and the fixed segments before it. */
type SecretRoute = { readonly endpoint: Endpoint; readonly before: readonly string[] }

function secretRoute(endpoint: Endpoint): SecretRoute {
  const segments = endpoint.path.slice(1).split('/')
  return {
    endpoint,
    before: segments.slice(
      0,
      segments.findIndex((segment) => /^[:*]/.test(segment)),
    ),
  }
}

function child(children: Map<string, Node>, key: string): Node {
  const existing = children.get(key)
  if (existing) return existing
  const made = emptyNode()
  children.set(key, made)
  return made
}

function childEndingIn(node: Node, ending: string): Node {
  const existing = node.several.get(ending)
  if (existing) return existing
  const made = emptyNode()
  node.several = new Map([...node.several, [ending, made] as const].sort(([a], [b]) => b.length - a.length))
  return made
}

function walk(node: Node, segments: readonly string[], index: number, values: string[]): Node | undefined {
  if (index === segments.length) return node.targets.size > 0 ? node : undefined
  const segment = segments[index] as string
  const fixed = node.fixed.get(segment)
  const viaFixed = fixed && walk(fixed, segments, index + 1, values)
  if (viaFixed) return viaFixed
  const depth = values.length
  if (node.single) {
    values.push(segment)
    const viaSingle = walk(node.single, segments, index + 1, values)
    if (viaSingle && acceptsValues(viaSingle, values)) return viaSingle
    values.length = depth
  }
  return walkSeveral(node, segments.slice(index), values)
}

/** The longest fixed ending wins, so that `auth/a/b/tune` is the tuning of `a/b`. */
function walkSeveral(node: Node, rest: readonly string[], values: string[]): Node | undefined {
  const text = rest.join('/')
  for (const [ending, found] of node.several) {
    const suffix = ending === '' ? '' : `/${ending}`
    if (!text.endsWith(suffix)) continue
    values.push(text.slice(0, text.length - suffix.length))
    return found
  }
  return undefined
}

/** True if the values fit the patterns of at least one endpoint at this path. */
function acceptsValues(node: Node, values: readonly string[]): boolean {
  for (const { endpoint, names } of node.targets.values()) {
    const fits = names.every((name, index) => endpoint.params?.[name]?.pattern?.test(values[index] ?? '') ?? true)
    if (fits) return true
  }
  return false
}

function pick(node: Node, verb: Verb, values: readonly string[]): Match {
  const target = node.targets.get(verb)
  const names = target?.names ?? node.targets.values().next().value?.names ?? []
  const params: Record<string, string> = {}
  for (let index = 0; index < names.length; index++) params[names[index] as string] = values[index] ?? ''
  return { endpoint: target?.endpoint, params, siblings: node.siblings }
}
