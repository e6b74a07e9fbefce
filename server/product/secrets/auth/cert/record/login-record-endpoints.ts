import { instant, later, toIso } from '../../../../../kernel/clock.ts'
import { failure } from '../../../../../kernel/failure.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import { acl, endpoint, type MountEndpoint, model, Type } from '../../../../../kit/endpoint.ts'
import { field } from '../../../../../kit/fields.ts'
import { data } from '../../../../../kit/reply.ts'
import { mountOf } from '../../../../../kit/request.ts'
import { findRole } from '../roles/role-store.ts'
import type { LoginFacts, RecordedLogin } from './login-record.ts'
import { loadRecorded, openFacts, writeRecord } from './login-record-actions.ts'
import { listClients, loginsOf, pageOfLogins } from './login-record-store.ts'

const LoginSchema = model('CertLogin', {
  id: Type.String({ description: 'Identifier; later logins have greater ones.' }),
  time: Type.String({ description: 'When it was.' }),
  last_time: Type.String({ description: 'When the last equal one of the same minute was.' }),
  count: Type.Integer({ description: 'How many equal ones there were in that minute.' }),
  accepted: Type.Boolean({ description: 'Whether a token was issued.' }),
  role: Type.String({
    description: 'The role that accepted it. For a refusal, the one asked for or tried first; empty for none.',
  }),
  fingerprint: Type.String({ description: 'SHA-256 of the client certificate; empty if none was read.' }),
  trusted_by: Type.String({ description: 'SHA-256 of the certificate of the role that the chain led to.' }),
  reason: Type.String({ description: 'The check that failed, as an explanation names it; empty if none did.' }),
  detail: Type.String({ description: 'Why it was refused.' }),
  subject: Type.String({ description: 'Subject of the client certificate.' }),
  common_name: Type.String({ description: 'Its common name.' }),
  serial: Type.String({ description: 'Its serial number, decimal.' }),
  names: Type.Array(Type.String(), { description: 'Some of its alternative names.' }),
  remote_address: Type.String({ description: 'Where it came from.' }),
})

const loginView = (login: RecordedLogin, who: LoginFacts): Record<string, unknown> => ({
  id: login.id,
  time: toIso(login.at),
  last_time: toIso(login.lastAt),
  count: login.count,
  accepted: login.accepted,
  role: login.role,
  fingerprint: login.digest,
  trusted_by: login.anchor,
  reason: login.reason,
  detail: who.text,
  subject: who.subject,
  common_name: who.commonName,
  serial: who.serial,
  names: who.names,
  remote_address: who.remoteAddress,
})

const mostShown = 1_000
const usuallyShown = 100

const limitOf = (limit = usuallyShown): number => (limit < 1 ? mostShown : Math.min(limit, mostShown))

const limitField = field.whole(`Maximum number of rows, up to ${mostShown}; ${usuallyShown} unless sent.`)
const sinceField = field.seconds('Only those of this time until now: `24h`, or a number of seconds.')

const LoginQuery = Type.Object({
  verdict: field.text('`accepted` or `refused`; both if not sent.'),
  role: field.text('Only those of this role.'),
  fingerprint: field.text('Only those with the certificate that has this SHA-256.'),
  reason: field.text('Only those refused by this check.'),
  since: sinceField,
  after: field.text('Only those before the one with this id: the next page.'),
  limit: limitField,
})

function verdictOf(sent = ''): boolean | undefined {
  if (sent === '') return undefined
  if (sent === 'accepted' || sent === 'refused') return sent === 'accepted'
  throw failure('invalid', 'cert-logins.verdict', "'verdict' must be 'accepted' or 'refused'.")
}

const start = ({ clock }: Pick<Deps, 'clock'>, seconds: number | undefined) =>
  seconds === undefined ? undefined : later(clock.now(), -seconds * 1_000)

/** The record knows a role by its name as it was first written. */
const roleNameOf = async ({ db }: Pick<Deps, 'db'>, mountId: string, sent: string | undefined) =>
  sent && ((await findRole(db, mountId, sent))?.name ?? sent)

/** What a caller may look for in names or digests: nothing, if it is empty. */
const given = (text: string | undefined): string | undefined => text || undefined

/** "Who logged in, and who was refused?" */
export const recordEndpoints: readonly MountEndpoint[] = [
  endpoint({
    id: 'cert-logins.list',
    route: 'GET /logins',
    summary: 'List recorded logins, the newest first.',
    description:
      'Accepted and refused logins of the last days, as far as the record is kept. Equal logins of one minute are one ' +
      'row with a count.',
    access: acl(),
    query: LoginQuery,
    returns: {
      200: Type.Object({
        logins: Type.Array(LoginSchema),
        next: Type.String({ description: 'What to send as `after` for the next page; empty on the last one.' }),
      }),
    },
    fails: ['invalid'],
    handle: async ({ deps, request, query }) => {
      const { id } = mountOf(request)
      const limit = limitOf(query.limit)
      const filter = {
        accepted: verdictOf(query.verdict),
        role: given(await roleNameOf(deps, id, query.role)),
        digest: given(query.fingerprint?.toLowerCase()),
        reason: given(query.reason),
        since: start(deps, query.since),
        after: query.after ?? '',
        limit: limit + 1,
      }
      await writeRecord(deps)
      const found = await pageOfLogins(deps.reads, id, filter)
      const logins = found.slice(0, limit)
      const next = found.length > limit ? (logins.at(-1)?.id ?? '') : ''
      return data({ logins: logins.map((login) => loginView(login, openFacts(deps, login))), next })
    },
  }),
  endpoint({
    id: 'cert-logins.clients',
    route: 'GET /clients',
    summary: 'List the certificates that logged in, the last ones first.',
    access: acl(),
    query: Type.Object({
      role: field.text('Only those that this role accepted.'),
      trusted_by: field.text('Only those whose chain led to the certificate with this SHA-256.'),
      since: sinceField,
      limit: limitField,
    }),
    returns: {
      200: Type.Object({
        clients: Type.Array(
          model('CertClient', {
            ...LoginSchema.properties,
            logins: Type.Integer({ description: 'How often it logged in.' }),
          }),
        ),
      }),
    },
    handle: async ({ deps, request, query }) => {
      const { id } = mountOf(request)
      await writeRecord(deps)
      const filter = {
        role: given(await roleNameOf(deps, id, query.role)),
        anchor: given(query.trusted_by?.toLowerCase()),
        since: start(deps, query.since) ?? instant(0),
        limit: limitOf(query.limit),
      }
      const seen = await listClients(deps.reads, id, filter)
      const newest = await loginsOf(
        deps.reads,
        id,
        seen.map((each) => each.newest),
      )
      const byId = new Map(newest.map((login) => [login.id, login]))
      const clients = seen.flatMap((each) => {
        const login = byId.get(each.newest)
        return login ? [{ ...loginView(login, openFacts(deps, login)), logins: each.count }] : []
      })
      return data({ clients })
    },
  }),
  endpoint({
    id: 'cert-logins.read',
    route: 'GET /logins/:id',
    summary: 'Read a recorded login.',
    access: acl(),
    params: { id: { description: 'Identifier of the login.', example: '0mi6b0zk1x7Yq2Lr8' } },
    returns: {
      200: Type.Object({
        ...LoginSchema.properties,
        certificate: Type.String({
          description: 'The certificates of a refused login in PEM, as far as they were kept; else empty.',
        }),
      }),
    },
    fails: ['missing'],
    handle: async ({ deps, request, params }) => {
      const found = await loadRecorded(deps, mountOf(request).id, params.id ?? '')
      if (!found) throw failure('missing', 'cert-logins.missing', 'There is no such login in the record.')
      return data({ ...loginView(found, found.who), certificate: found.certificate })
    },
  }),
]
