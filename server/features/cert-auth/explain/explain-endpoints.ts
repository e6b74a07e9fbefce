import type { Static } from 'typebox'
import { fields } from '../../../kit/bodies.ts'
import { acl, defineMountEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import { data } from '../../../kit/reply.ts'
import { mountOf } from '../request-mount.ts'
import { addressedRole } from '../roles/role-endpoints.ts'
import type { ExplainRequest } from './chain-judge.ts'
import { describeChain, explainAll, explainRole, readAddress, readChain } from './explain-actions.ts'

const ExplainBody = Type.Object({
  certificate: field.text('The client certificate in PEM, followed by its intermediates.'),
  remote_address: field.text('Client address that the login would come from.'),
  ask_ocsp: field.flag('Whether to query the OCSP responders as a login would.'),
})

const body = fields(ExplainBody, { maxBytes: 1024 * 1024 })

const toExplainRequest = (sent: Static<typeof ExplainBody>): ExplainRequest => ({
  chain: readChain(sent.certificate ?? ''),
  remoteAddress: readAddress(sent.remote_address ?? ''),
  askOcsp: sent.ask_ocsp ?? false,
})

const ExplainedRole = Type.Object({
  role: Type.String({ description: 'Name of the role.' }),
  pinned: Type.Boolean({ description: 'Whether the role pins one certificate; such roles are tried first.' }),
  accepted: Type.Boolean({ description: 'Whether a login with this role would succeed.' }),
  path: Type.Array(Type.String(), { description: 'Subjects of the chain, from the certificate upwards.' }),
  checks: Type.Array(
    Type.Object({
      check: Type.String({ description: 'What was checked.' }),
      ok: Type.Boolean({ description: 'Result of the check.' }),
      detail: Type.String({ description: 'What was found.' }),
      fix: Type.String({ description: 'How to make it pass.' }),
    }),
  ),
})

const texts = (description: string) => Type.Array(Type.String(), { description })

const ReadCertificate = Type.Object({
  subject: Type.String({ description: 'Subject.' }),
  issuer: Type.String({ description: 'Issuer.' }),
  serial: Type.String({ description: 'Serial number, decimal.' }),
  not_before: Type.String({ description: 'Start of its validity.' }),
  not_after: Type.String({ description: 'When it expires.' }),
  is_ca: Type.Boolean({ description: 'Whether it is marked as a CA.' }),
  fingerprint: Type.String({ description: 'SHA-256 of the certificate.' }),
  names: Type.Object(
    {
      dns: texts('DNS names.'),
      emails: texts('E-mail addresses.'),
      uris: texts('URIs.'),
      ips: texts('IP addresses.'),
      directory_names: texts('Directory names as text.'),
      others: texts('Types of other names.'),
    },
    { description: 'Alternative names by kind.' },
  ),
})

const chain = Type.Array(ReadCertificate, { description: 'The certificates as they were read.' })

/** "Why was I refused?", for those who may ask. No token is issued. */
export const explainEndpoints: readonly Endpoint[] = defineMountEndpoints('cert', [
  endpoint({
    id: 'cert-login.explain',
    route: 'POST /explain',
    summary: 'Explain how every role would evaluate a certificate.',
    description:
      'Shows the result of each check and how to fix those that fail. Nothing is stored and no token is issued.',
    access: acl(),
    body,
    deadline: 90_000,
    returns: {
      200: Type.Object({
        chain,
        accepted_by: Type.String({ description: 'The role that a login without a name would use; empty if none.' }),
        roles: Type.Array(ExplainedRole),
        roles_total: Type.Integer({
          description: 'Number of roles of the mount; those closest to accepting are shown.',
        }),
      }),
    },
    fails: ['invalid'],
    handle: async ({ deps, request, body: sent }) => {
      const question = toExplainRequest(sent)
      const { total, roles } = await explainAll(deps, mountOf(request), question)
      const accepting = roles.find((role) => role.accepted)?.role ?? ''
      return data({ chain: describeChain(question.chain), accepted_by: accepting, roles, roles_total: total })
    },
  }),
  endpoint({
    id: 'cert-login.check',
    route: 'POST /certs/:name/check',
    summary: 'Explain how a role would evaluate a certificate.',
    access: acl(),
    params: { name: { description: 'Name of the role; case-insensitive.', example: 'web' } },
    body,
    returns: { 200: Type.Object({ chain, role: Type.String(), accepted: Type.Boolean() }) },
    fails: ['invalid', 'missing'],
    handle: async (call) => {
      const { deps, request, params, body: sent } = call
      await addressedRole(call, 'update')
      const question = toExplainRequest(sent)
      const explained = await explainRole(deps, mountOf(request), params.name ?? '', question)
      return data({ chain: describeChain(question.chain), ...explained })
    },
  }),
])
