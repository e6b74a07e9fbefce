import type { Static } from 'typebox'
import { toIso } from '../../../../../kernel/clock.ts'
import { failure } from '../../../../../kernel/failure.ts'
import { aclRequestOf, permissionDenied } from '../../../../../kit/access.ts'
import { fields } from '../../../../../kit/bodies.ts'
import { acl, endpoint, type MountEndpoint, model, Type } from '../../../../../kit/endpoint.ts'
import { field } from '../../../../../kit/fields.ts'
import { data } from '../../../../../kit/reply.ts'
import { mountOf } from '../../../../../kit/request.ts'
import { hasSudo } from '../../../../../kit/still-allowed.ts'
import { nameText } from '../../../../../pki/index.ts'
import { CertificateView, viewCertificates } from '../certificate-fields.ts'
import { type FoundLogin, loadRecorded } from '../record/login-record-actions.ts'
import { addressedRole } from '../roles/role-endpoints.ts'
import { type ExplainedRole, type ExplainRequest, readAddress, readChain } from './explain.ts'
import { explainLogin, explainRole } from './explain-actions.ts'

const ExplainBody = Type.Object({
  certificate: field.text('The client certificate in PEM, followed by its intermediates.'),
  login: field.text(
    'Identifier of a refused login of the record, whose certificates and address are used where others are not sent.',
  ),
  remote_address: field.text('Client address that the login would come from.'),
  ask_ocsp: field.flag('Whether to query the OCSP responders as a login would.'),
})

const maxBytes = 1024 * 1024
const LoginBody = Type.Object({
  ...ExplainBody.properties,
  name: field.text('The role that the login would ask for; if omitted, every role is tried.'),
})

async function toExplainRequest(call: Caller, sent: Static<typeof ExplainBody>): Promise<ExplainRequest> {
  const recorded = sent.login ? await recordedLogin(call, sent.login) : undefined
  return {
    chain: readChain(sent.certificate || recorded?.certificate || ''),
    remoteAddress: readAddress(sent.remote_address ?? recorded?.who.remoteAddress ?? ''),
    askOcsp: sent.ask_ocsp ?? false,
    maySeeCalls: await hasSudo(call, 'update'),
  }
}

/** A login of the record; refuses callers who may not read it there. */
async function recordedLogin(call: Caller, id: string): Promise<FoundLogin> {
  const { deps, caller, request } = call
  const mount = mountOf(request)
  const wanted = { ...aclRequestOf(request, 'read'), path: `${mount.path}logins/${id}`, fields: {} }
  if (caller.kind !== 'token' || !(await deps.policies.authorize(caller, wanted)).allowed) throw permissionDenied()
  const found = await loadRecorded(deps, mount.id, id)
  if (!found) throw failure('invalid', 'explain.no-login', 'There is no such login in the record.')
  if (found.certificate !== '') return found
  const text = "The record has no certificates of this login: send them as 'certificate'."
  throw failure('invalid', 'explain.not-kept', text)
}

/** A role as it is shown: its chain with what is known about each certificate. */
const roleView = (
  { certificates, reachesTrust, ...role }: ExplainedRole,
  { chain }: ExplainRequest,
): Record<string, unknown> => ({
  ...role,
  links: certificates.map((each, index) => ({
    subject: nameText(each.subject),
    fingerprint: each.fingerprint,
    not_after: toIso(each.notAfter),
    sent: chain.some(({ fingerprint }) => fingerprint === each.fingerprint),
    trusted: reachesTrust && index === certificates.length - 1,
  })),
})

type Caller = Parameters<typeof hasSudo>[0]

const verdict = (description: string) => Type.Union([Type.Boolean(), Type.Null()], { description })

const RoleSchema = model('CertRoleExplanation', {
  role: Type.String({ description: 'Name of the role.' }),
  pinned: Type.Boolean({ description: 'Whether the role pins one certificate; such roles are tried first.' }),
  accepted: verdict('Whether a login with this role would succeed; null if a check that decides it was not made.'),
  path: Type.Array(Type.String(), { description: 'Subjects of the chain, from the certificate upwards.' }),
  links: Type.Array(
    Type.Object({
      subject: Type.String({ description: 'Subject.' }),
      fingerprint: Type.String({ description: 'SHA-256 of the certificate.' }),
      not_after: Type.String({ description: 'When it expires.' }),
      sent: Type.Boolean({ description: 'Whether it is one of the certificates that were sent.' }),
      trusted: Type.Boolean({ description: 'Whether the role trusts it.' }),
    }),
    { description: 'The certificates of that chain.' },
  ),
  checks: Type.Array(
    Type.Object({
      check: Type.String({ description: 'What was checked.' }),
      ok: verdict('Result of the check; null if it was not made.'),
      detail: Type.String({ description: 'What was found.' }),
      fix: Type.String({ description: 'How to make it pass, or have it made.' }),
    }),
  ),
})

const chain = Type.Array(CertificateView, { description: 'The certificates as they were read.' })

/** What to tell about roles that were not fully checked. */
const undecidedText = (roles: readonly ExplainedRole[]): string => {
  const names = roles.map(({ role }) => `'${role}'`).join(', ')
  const fixes = new Set(roles.flatMap(({ checks }) => checks.flatMap(({ ok, fix }) => (ok === null ? [fix] : []))))
  return `It is undecided whether ${names} would accept the login: not all checks were made. ${[...fixes].join(' ')}`
}

/** "Why was I refused?", for those who may ask. No token is issued. */
export const explainEndpoints: readonly MountEndpoint[] = [
  endpoint({
    id: 'cert-login.explain',
    route: 'POST /explain',
    summary: 'Explain how every role would evaluate a certificate.',
    description:
      'Shows the result of each check and how to fix those that fail. With `name`, only that role is evaluated, as ' +
      'in a login. Nothing is stored and no token is issued.',
    access: acl(),
    body: fields(LoginBody, { maxBytes }),
    deadline: 90_000,
    returns: {
      200: Type.Object({
        chain,
        accepted: verdict('Whether the login would succeed; null if a check that decides it was not made.'),
        accepted_by: Type.String({ description: 'The role that would accept it; empty if none, or if undecided.' }),
        roles: Type.Array(RoleSchema),
        roles_total: Type.Integer({
          description: 'Number of roles evaluated; those closest to accepting are shown.',
        }),
      }),
    },
    fails: ['invalid'],
    handle: async (call) => {
      const { deps, request, body: sent, warn } = call
      const explainRequest = await toExplainRequest(call, sent)
      const { name = '' } = sent
      const explained = await explainLogin(deps, mountOf(request), name, explainRequest)
      const { accepted, acceptedBy, undecided, roles, total } = explained
      if (name !== '' && total === 0) warn(`There is no role '${name}', so a login that asks for it is refused.`)
      if (undecided.length > 0) warn(undecidedText(undecided))
      const chain = viewCertificates(explainRequest.chain)
      const shown = roles.map((role) => roleView(role, explainRequest))
      return data({ chain, accepted, accepted_by: acceptedBy, roles: shown, roles_total: total })
    },
  }),
  endpoint({
    id: 'cert-login.check',
    route: 'POST /certs/:name/check',
    summary: 'Explain how a role would evaluate a certificate.',
    access: acl(),
    params: { name: { description: 'Name of the role; case-insensitive.', example: 'web' } },
    body: fields(ExplainBody, { maxBytes }),
    returns: { 200: Type.Object({ chain, ...RoleSchema.properties }) },
    fails: ['invalid', 'missing'],
    handle: async (call) => {
      const { deps, request, params, body: sent, warn } = call
      await addressedRole(call, 'update')
      const explainRequest = await toExplainRequest(call, sent)
      const explained = await explainRole(deps, mountOf(request), params.name ?? '', explainRequest)
      if (explained.accepted === null) warn(undecidedText([explained]))
      return data({ chain: viewCertificates(explainRequest.chain), ...roleView(explained, explainRequest) })
    },
  }),
]
