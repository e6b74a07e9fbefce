import { authenticated, type Endpoint } from '../../kit/endpoint.ts'
import { parseFlag } from '../../kit/fields.ts'
import { bare } from '../../kit/reply.ts'
import type { Exchange, Step } from '../exchange.ts'
import { openApiOfMount } from '../openapi.ts'
import type { Routers } from '../steps/find.ts'

/**
 * `GET ?help=1` tells any valid token what can be done at a path or a mount, whatever its policies say, and everybody what
 * can be written where no token is asked for.
 */
export const offerHelp =
  (routers: Routers): Step =>
  (exchange) => {
    const { facts, caller } = exchange
    if (facts.verb !== 'GET' || parseFlag(facts.query.get('help') ?? '') !== true) return
    const found = exchange.match?.siblings ?? []
    const [first] = found
    // Login endpoints are open: their callers have no token yet.
    const isForAll = exchange.endpoint === undefined && first?.access.kind === 'open'
    if (caller.kind !== 'token' && !isForAll) return
    if (first) {
      exchange.endpoint = helpEndpoint(first, found, found.map(describe).join('\n\n'))
      return
    }
    const inMount = (facts.mount && isMountItself(exchange) && routers.ofMount(facts.mount)?.endpoints) || []
    const [any] = inMount
    if (any) exchange.endpoint = helpEndpoint({ ...any, path: '' }, inMount, inMount.map(summaryLine).join('\n'))
  }

const isMountItself = ({ address, facts: { mount } }: Exchange): boolean =>
  mount !== undefined && address.fault === undefined && mount.path === `${address.path}/`

const summaryLine = ({ verb, path, summary }: Endpoint): string => `${verb} ${path}\n    ${summary}`

function describe({ verb, summary, description, body }: Endpoint): string {
  const fields = Object.entries(propertiesOf(body?.schema)).map(
    ([name, { description: about = '' }]) => `    ${name}\n        ${about}`,
  )
  const parts = [`${verb}: ${summary}`, description, fields.length > 0 ? `  Fields:\n${fields.join('\n')}` : undefined]
  return parts.filter((part) => part !== undefined).join('\n')
}

const propertiesOf = (schema: unknown): Record<string, { description?: string }> =>
  (schema as { properties?: Record<string, { description?: string }> } | undefined)?.properties ?? {}

const helpEndpoint = (at: Endpoint, about: readonly Endpoint[], help: string): Endpoint => ({
  api: 'v1',
  mountType: at.mountType,
  usualMount: at.usualMount,
  verb: 'GET',
  path: at.path,
  route: `GET ${at.path}` as Endpoint['route'],
  id: 'help',
  summary: 'Describe what can be done at a path.',
  access: authenticated(),
  handle: ({ deps }) => bare({ help, see_also: null, openapi: openApiOfMount(about, deps.settings.version) }),
})
