import { fields } from '../../../kit/bodies.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import { data, type Reply } from '../../../kit/reply.ts'
import { callerToken } from '../tokens/index.ts'
import { capabilitiesAt, findNamedToken } from './capability-actions.ts'

const paths = {
  paths: field.list('The paths to check.'),
  path: field.list('The old name of `paths`.'),
}

/** The limit is low because every path appears twice in the answer and twice in the audit record. */
const bodyOptions = { maxBytes: 1024 * 1024, aliases: { paths: ['path'] } }

type SentPaths = { readonly paths?: string[]; readonly path?: string[] }

const pathsOf = ({ paths: many, path: one }: SentPaths): string[] =>
  (many?.length ? many : (one ?? [])).filter((path) => path !== '')

/** With a single path the answer is also under the key of older clients. */
function answer(found: Record<string, string[]>): Reply {
  const [only, ...more] = Object.values(found)
  return data(more.length === 0 && only ? { ...found, capabilities: only } : found)
}

const common = {
  access: acl(),
  doubleRendered: true,
  returns: { 200: Type.Record(Type.String(), Type.Array(Type.String()), { description: 'Capabilities by path.' }) },
  fails: ['invalid'],
} as const

/** What tokens may do. */
export const capabilityEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    ...common,
    id: 'capabilities.self',
    route: 'POST /capabilities-self',
    summary: "Read the capabilities of the caller's token on the given paths.",
    body: fields(
      Type.Object({ ...paths, token: field.text("Ignored: the caller's own token is checked.") }),
      bodyOptions,
    ),
    example: { request: { paths: ['auth/cert/certs/web'] } },
    handle: async ({ deps, caller, body }) => answer(await capabilitiesAt(deps, callerToken(caller), pathsOf(body))),
  }),
  endpoint({
    ...common,
    id: 'capabilities.token',
    route: 'POST /capabilities',
    summary: 'Read the capabilities of a token on the given paths.',
    body: fields(Type.Object({ ...paths, token: field.text('The token to check.') }), bodyOptions),
    handle: async ({ deps, body }) =>
      answer(await capabilitiesAt(deps, await findNamedToken(deps, { text: body.token ?? '' }), pathsOf(body))),
  }),
  endpoint({
    ...common,
    id: 'capabilities.accessor',
    route: 'POST /capabilities-accessor',
    summary: 'Read the capabilities of a token, given by its accessor, on the given paths.',
    body: fields(Type.Object({ ...paths, accessor: field.text('The accessor of the token.') }), bodyOptions),
    handle: async ({ deps, body }) =>
      answer(await capabilitiesAt(deps, await findNamedToken(deps, { accessor: body.accessor ?? '' }), pathsOf(body))),
  }),
])
