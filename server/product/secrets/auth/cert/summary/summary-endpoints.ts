import { acl, endpoint, type MountEndpoint, model, Type } from '../../../../../kit/endpoint.ts'
import { field } from '../../../../../kit/fields.ts'
import { data } from '../../../../../kit/reply.ts'
import { mountOf } from '../../../../../kit/request.ts'
import { hasSudo } from '../../../../../kit/still-allowed.ts'
import { CertificateView } from '../certificate-fields.ts'
import { summaryOfLists, summaryOfRoles, summaryOfTrust } from './summary-actions.ts'

const maybeTime = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description })
const time = (description: string) => Type.String({ description })
const whole = (description: string) => Type.Integer({ description })

const RoleSummarySchema = model('CertRoleSummary', {
  name: Type.String({ description: 'Name of the role.' }),
  pinned: Type.Boolean({ description: 'Whether it pins one certificate.' }),
  certificates: whole('How many certificates it trusts.'),
  not_after: time('When the first of them expires.'),
  days_left: whole('Days until then; negative once it has expired.'),
  token_policies: Type.Array(Type.String(), { description: 'Policies of its tokens.' }),
  platform_team: Type.String({ description: '`organization/team` that its tokens act as; empty for none.' }),
  updated_at: time('When it was last written.'),
  accepted: whole('Logins that it accepted in the time asked about.'),
  refused: whole('Logins that it refused.'),
  clients: whole('Certificates that logged in by it.'),
  last_login: maybeTime('When it last accepted one.'),
  last_refusal: maybeTime('When it last refused one.'),
})

const ListSummarySchema = model('CertListSummary', {
  name: Type.String({ description: 'Name of the list.' }),
  url: Type.String({ description: 'Where it is fetched from, without credentials; empty for one that was uploaded.' }),
  issuer: Type.String({ description: 'Name of the CA that issued it.' }),
  number: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Its number.' }),
  entries: whole('How many certificates it revokes.'),
  size: whole('Its size in bytes.'),
  this_update: time('When it was issued.'),
  next_update: maybeTime('When the next one is due.'),
  stale: Type.Boolean({ description: 'Whether that time has passed.' }),
  updated_at: time('When it was stored.'),
  next_fetch: maybeTime('When it is fetched again; null for one that was uploaded.'),
  signature_verified: Type.Boolean({ description: 'Whether it is signed by a CA that some role trusts.' }),
  in_force: Type.Boolean({ description: 'Whether it revokes certificates of a CA that some role trusts.' }),
  last_error: Type.String({ description: 'Why it could not be fetched again; empty if it could.' }),
  last_error_at: maybeTime('When that was.'),
})

const TrustSchema = model('CertTrust', {
  ...CertificateView.properties,
  pinned: Type.Boolean({ description: 'Whether it is trusted as itself, and not as a CA.' }),
  days_left: whole('Days until it expires; negative once it has.'),
  roles: whole('How many roles trust it.'),
  role_names: Type.Array(Type.String(), { description: 'The first of them by name.' }),
  lists: Type.Array(Type.String(), { description: 'Revocation lists that it issued.' }),
  logins: whole('Logins that led to it in the time asked about.'),
  clients: whole('Certificates that logged in by it.'),
  last_login: maybeTime('When the last of those logins was.'),
})

const mostRows = 500
const usualRows = 100
const limitOf = (limit = usualRows): number => (limit < 1 ? mostRows : Math.min(limit, mostRows))
const limit = field.whole(`Maximum number of rows, up to ${mostRows}; ${usualRows} unless sent.`)

const day = 86_400

/** What people look at first: roles, lists and certificates with what became of them. */
export const summaryEndpoints: readonly MountEndpoint[] = [
  endpoint({
    id: 'cert-summary.roles',
    route: 'GET /summary/roles',
    summary: 'List roles with what they trust and the logins that they accepted and refused.',
    access: acl(),
    query: Type.Object({
      search: field.text('Only roles whose name contains this.'),
      after: field.text('Only roles after this one.'),
      limit,
      since: field.seconds('Time until now in which logins are counted; 24 hours unless sent.'),
    }),
    returns: {
      200: Type.Object({
        roles: Type.Array(RoleSummarySchema),
        total: whole('How many roles there are whose name contains the text.'),
      }),
    },
    handle: async ({ deps, request, query }) => {
      const { search = '', after = '', since = day } = query
      const wanted = { search, after, limit: limitOf(query.limit), seconds: since }
      return data(await summaryOfRoles(deps, mountOf(request).id, wanted))
    },
  }),
  endpoint({
    id: 'cert-summary.lists',
    route: 'GET /summary/crls',
    summary: 'List revocation lists with how fresh and how long they are.',
    access: acl(),
    returns: { 200: Type.Object({ lists: Type.Array(ListSummarySchema) }) },
    handle: async (call) => {
      const lists = await summaryOfLists(call.deps, mountOf(call.request).id, await hasSudo(call, 'read'))
      return data({ lists })
    },
  }),
  endpoint({
    id: 'cert-summary.trust',
    route: 'GET /summary/trust',
    summary: 'List the certificates that roles trust, the first to expire first, with roles, lists and clients.',
    access: acl(),
    query: Type.Object({
      limit,
      since: field.seconds('Time until now in which logins are counted; 30 days unless sent.'),
    }),
    returns: {
      200: Type.Object({
        certificates: Type.Array(TrustSchema),
        total: whole('How many certificates roles trust.'),
      }),
    },
    handle: async ({ deps, request, query }) => {
      const wanted = { limit: limitOf(query.limit), seconds: query.since ?? 30 * day }
      return data(await summaryOfTrust(deps, mountOf(request).id, wanted))
    },
  }),
]
