import { failure } from '../../../kernel/failure.ts'
import type { TokenPrincipal } from '../../../kernel/principal.ts'
import { aclRequestOf, permissionDenied } from '../../../kit/access.ts'
import { fields } from '../../../kit/bodies.ts'
import { acl, type Call, defineSystemEndpoints, type Endpoint, endpoint, model, Type } from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import { data, type Reply } from '../../../kit/reply.ts'
import { callerToken } from '../tokens/index.ts'
import { capabilitiesAt, findNamedToken } from './capability-actions.ts'
import { explainedOperations } from './explanation.ts'
import { explain } from './explanation-actions.ts'
import { whoCan } from './who-can-actions.ts'

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

const texts = (description: string) => Type.Array(Type.String(), { description })
const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const askedCapabilities = [...explainedOperations, 'sudo'] as const

type ExplainCall = Pick<
  Call<unknown, unknown, { token?: string; accessor?: string }>,
  'deps' | 'caller' | 'request' | 'body'
>

/** The caller's own token; that of others, with `sudo` only. */
async function explainedToken({ deps, caller, request, body }: ExplainCall): Promise<TokenPrincipal> {
  const own = callerToken(caller)
  const { token = '', accessor = '' } = body
  if (token === '' && accessor === '') return own
  const aclRequest = aclRequestOf(request, 'update', { sudo: true })
  if (!(await deps.policies.authorize(own, aclRequest)).allowed) throw permissionDenied()
  return await findNamedToken(deps, token === '' ? { accessor } : { text: token })
}

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
  endpoint({
    id: 'capabilities.explain',
    route: 'POST /capabilities-explain',
    summary: 'Explain why a token may do what it may at a path, and not the rest.',
    description: "About the caller's own token; to ask about another one needs the `sudo` capability.",
    access: acl(),
    body: fields(
      Type.Object({
        path: field.text('The path.'),
        token: field.text('Another token.'),
        accessor: field.text('The accessor of another token.'),
      }),
    ),
    returns: {
      200: model('CapabilityExplanation', {
        path: Type.String({ description: 'The path.' }),
        capabilities: texts('What the token may do there.'),
        rule: orNull('The path of the rule that decides; null if none matches.'),
        policies: texts('The policies of the token that have this rule.'),
        missing: texts('What the token may not do there.'),
        did_you_mean: orNull('The path that was probably meant.'),
      }),
    },
    fails: ['invalid'],
    example: { request: { path: 'secret/app' } },
    handle: async (call) => data({ ...(await explain(call.deps, await explainedToken(call), call.body.path ?? '')) }),
  }),
  endpoint({
    id: 'policies.who-can',
    route: 'POST /policies/who-can',
    summary: 'List the policies that grant a capability at a path, and who carries them.',
    description: 'An answer has at most `limit` holders; send `next` as `after` for those that follow.',
    access: acl({ sudo: true }),
    body: fields(
      Type.Object({
        path: field.text('The path.'),
        capability: field.text(`One of ${askedCapabilities.join(', ')}.`),
        after: field.text('Where the list goes on: `next` of the answer before.'),
        limit: field.whole('How many holders to return; 100 unless it is sent.', { minimum: 1, maximum: 1_000 }),
      }),
    ),
    returns: {
      200: model('WhoCan', {
        path: Type.String({ description: 'The path.' }),
        capability: Type.String({ description: 'The capability.' }),
        policies: Type.Array(
          Type.Object({
            name: Type.String({ description: 'Name of the policy.' }),
            rule: orNull('The path of the deciding rule as it is written; null for `root`.'),
            capabilities: texts('What the policy allows there.'),
            living_tokens: Type.Integer({ description: 'How many living service tokens carry it.' }),
          }),
        ),
        holders: Type.Array(
          Type.Object({
            kind: Type.String({ description: '`entity`, `role` or `token_role`.' }),
            id: Type.String({ description: 'Id of the holder.' }),
            name: Type.String({ description: 'Name of the holder.' }),
            mount: Type.String({ description: 'The mount of a role; empty for others.' }),
            policies: texts('Those of the policies that it carries.'),
            via: texts('Always empty: there are no groups yet.'),
          }),
        ),
        next: orNull('What to send as `after`; null at the end.'),
      }),
    },
    fails: ['invalid'],
    example: { request: { path: 'secret/data/app', capability: 'read' } },
    handle: async ({ deps, body }) => {
      const path = (body.path ?? '').replace(/^\/+/, '')
      const capability = body.capability ?? ''
      if (path === '') throw failure('invalid', 'who-can.path', "'path' must name the path.")
      if (!askedCapabilities.some((each) => each === capability))
        throw failure('invalid', 'who-can.capability', `'capability' must be one of: ${askedCapabilities.join(', ')}.`)
      const { after = '', limit = 100 } = body
      return data({ path, capability, ...(await whoCan(deps, { path, capability, after, limit })) })
    },
  }),
])
