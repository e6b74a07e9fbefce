import { shownAddress } from '../../../../../kernel/hidden-credentials.ts'
import type { Operation } from '../../../../../kit/access.ts'
import { fields, narrowingRoleFields } from '../../../../../kit/bodies.ts'
import { acl, type Call, endpoint, type MountEndpoint, Type } from '../../../../../kit/endpoint.ts'
import { KeyList, WarningsAlone } from '../../../../../kit/envelope.ts'
import { checkEquivalentPaths } from '../../../../../kit/equivalent-paths.ts'
import { listTerms, namesReply } from '../../../../../kit/list.ts'
import { model } from '../../../../../kit/model.ts'
import { data, nothing } from '../../../../../kit/reply.ts'
import { mountOf } from '../../../../../kit/request.ts'
import { isCa, readPemCertificates } from '../../../../../pki/index.ts'
import { requireLinkSudo } from '../../../login-roles/index.ts'
import { CertificateView, viewCertificates } from '../certificate-fields.ts'
import type { CertRole } from './role.ts'
import { previewRole, removeRole, writeRole } from './role-actions.ts'
import { RoleBody, roleAliases, roleFields } from './role-fields.ts'
import { findRole, listRoleNames } from './role-store.ts'
import { caInfo } from './role-trust.ts'

const texts = (description: string) => Type.Array(Type.String(), { description })
const seconds = (description: string) => Type.Integer({ description })

/** What a role read answers. */
const RoleAnswer = model('CertRole', {
  name: Type.String({ description: 'Name of the role.' }),
  certificate: Type.String({ description: 'The certificates in PEM, as they were sent.' }),
  ...roleFields.shown,
  policies: texts('Old name of `token_policies`.'),
  ttl: seconds('Old name of `token_ttl`.'),
  max_ttl: seconds('Old name of `token_max_ttl`.'),
  period: seconds('Old name of `token_period`.'),
  bound_cidrs: Type.Optional(texts('Old name of `token_bound_cidrs`, if they were set under it.')),
  ca_info: Type.Array(Type.Object({}), {
    description: 'Subject, expiry and fingerprint of each certificate of the role.',
  }),
})

/** A role as it is read: every field, lists always as lists, old names beside the new ones, and facts about its CAs. */
const roleAnswer = (role: CertRole, cas: readonly Record<string, unknown>[]): Record<string, unknown> => ({
  name: role.name,
  certificate: role.certificate,
  ...roleFields.toDocument(role),
  ocsp_servers_override: role.ocspServersOverride.map(shownAddress),
  policies: role.tokenPolicies,
  ttl: role.tokenTtl,
  max_ttl: role.tokenMaxTtl,
  period: role.tokenPeriod,
  ...(role.boundCidrsNamed ? { bound_cidrs: role.tokenBoundCidrs } : {}),
  ca_info: cas,
})

const params = { name: { description: 'Name of the role; case-insensitive.', example: 'web' } }
const common = { access: acl(), params } as const

/** The role a call addresses; refuses callers who may not do this to it. */
export async function addressedRole(
  call: Omit<Call, 'query' | 'body'>,
  operation: Operation,
): Promise<CertRole | undefined> {
  await checkEquivalentPaths(call, operation)
  return findRole(call.deps.db, mountOf(call.request).id, call.params.name ?? '')
}

/** Roles of certificate login. */
export const roleEndpoints: readonly MountEndpoint[] = [
  endpoint({
    ...listTerms,
    id: 'cert-roles.list',
    route: 'LIST /certs',
    summary: 'List certificate roles.',
    access: acl(),
    returns: { 200: KeyList },
    handle: (call) => {
      const { id } = mountOf(call.request)
      return namesReply(call, (db, place) => listRoleNames(db, id, place))
    },
  }),
  endpoint({
    ...common,
    id: 'cert-roles.read',
    route: 'GET /certs/:name',
    summary: 'Read a certificate role.',
    returns: { 200: RoleAnswer },
    fails: ['missing'],
    handle: async (call) => {
      const role = await addressedRole(call, 'read')
      if (!role) return nothing()
      const { certificates } = readPemCertificates(role.certificate)
      return data(roleAnswer(role, caInfo(certificates, call.deps.clock.now())))
    },
  }),
  endpoint({
    ...common,
    id: 'cert-roles.write',
    route: 'POST /certs/:name',
    summary: 'Create or update a certificate role.',
    description:
      'Omitted fields keep their values. If there are warnings the status is 200 instead of 204; the role is stored ' +
      'either way. A role that has `platform_team` or `platform_user`, before or after the write, needs the `sudo` ' +
      'capability.',
    body: fields(RoleBody, { aliases: roleAliases, narrowing: narrowingRoleFields }),
    returns: { 200: WarningsAlone, 204: null },
    fails: ['invalid'],
    example: {
      request: { certificate: '-----BEGIN CERTIFICATE-----\n…', allowed_common_names: 'web-*', token_policies: 'web' },
    },
    handle: async (call) => {
      const { deps, request, params, body, warn } = call
      await addressedRole(call, 'update')
      const wish = { name: params.name ?? '', input: body, checkLink: () => requireLinkSudo(call) }
      for (const text of await writeRole(deps, mountOf(request), wish)) warn(text)
      return nothing()
    },
  }),
  endpoint({
    ...common,
    id: 'cert-roles.delete',
    route: 'DELETE /certs/:name',
    summary: 'Delete a certificate role and the CA certificates in it.',
    returns: { 204: null },
    handle: async (call) => {
      await addressedRole(call, 'delete')
      await removeRole(call.deps, mountOf(call.request), call.params.name ?? '')
      return nothing()
    },
  }),
  endpoint({
    ...common,
    id: 'cert-roles.preview',
    route: 'POST /certs/:name/preview',
    summary: 'Show what a write of a role would store, without storing it.',
    description:
      'Takes the fields of a write. Answers with the certificates as they were read, with the warnings of the write, and ' +
      'with the reason if it would be refused.',
    body: fields(RoleBody, { aliases: roleAliases, narrowing: narrowingRoleFields }),
    returns: {
      200: model('CertRolePreview', {
        kind: Type.String({ description: '`ca`, or `leaf` for a pinned certificate; empty if none could be read.' }),
        certificates: Type.Array(CertificateView, { description: 'The certificates that were read.' }),
        skipped: texts('Why blocks of the PEM were skipped.'),
        warnings: texts('What the write would warn about.'),
        problem: Type.String({ description: 'Why the write would be refused; empty if it would not.' }),
      }),
    },
    fails: ['invalid'],
    handle: async (call) => {
      const { deps, request, params, body } = call
      const stored = await addressedRole(call, 'update')
      const wish = { name: params.name ?? '', input: body, checkLink: () => requireLinkSudo(call) }
      const { warnings, problem } = await previewRole(deps, mountOf(request), wish)
      const { certificates, skipped } = readPemCertificates(body.certificate ?? stored?.certificate ?? '')
      const [first] = certificates
      return data({
        kind: first ? (isCa(first) ? 'ca' : 'leaf') : '',
        certificates: viewCertificates(certificates),
        skipped: skipped.map(({ index, reason }) => `Block ${index + 1}: ${reason}`),
        warnings,
        problem,
      })
    },
  }),
]
