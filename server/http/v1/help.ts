import { authenticated, type Endpoint } from '../../kit/endpoint.ts'
import { bare } from '../../kit/reply.ts'
import type { Step } from '../exchange.ts'

const wanted = /^(1|t|T|TRUE|true|True)$/

/** `GET ?help=1` tells any valid token what can be done at a path, whatever its policies say. */
export const offerHelp: Step = (exchange) => {
  const { facts, match, caller } = exchange
  if (!match || facts.verb !== 'GET' || caller.kind !== 'token') return
  if (!wanted.test(facts.query.get('help') ?? '')) return
  const [first] = match.siblings
  if (!first) return
  const text = match.siblings.map(describe).join('\n\n')
  exchange.endpoint = helpEndpoint(first, text)
}

function describe({ verb, summary, description, body }: Endpoint): string {
  const fields = Object.entries(propertiesOf(body?.schema)).map(
    ([name, { description: about = '' }]) => `    ${name}\n        ${about}`,
  )
  const parts = [`${verb}: ${summary}`, description, fields.length > 0 ? `  Fields:\n${fields.join('\n')}` : undefined]
  return parts.filter((part) => part !== undefined).join('\n')
}

const propertiesOf = (schema: unknown): Record<string, { description?: string }> =>
  (schema as { properties?: Record<string, { description?: string }> } | undefined)?.properties ?? {}

const helpEndpoint = (at: Endpoint, help: string): Endpoint => ({
  api: 'v1',
  mountType: at.mountType,
  verb: 'GET',
  path: at.path,
  route: `GET ${at.path}` as Endpoint['route'],
  id: 'help',
  summary: 'Tell what can be done at a path.',
  access: authenticated(),
  handle: () => bare({ help, see_also: null, openapi: null }),
})
