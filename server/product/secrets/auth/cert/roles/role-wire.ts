import { type Static, Type } from 'typebox'
import { shownAddress } from '../../../../../kernel/hidden-credentials.ts'
import { field } from '../../../../../kit/fields.ts'
import { model } from '../../../../../kit/model.ts'
import type { CertRole, RoleSettings } from './role.ts'

const glob = 'Patterns with `*` as a wildcard, one of which must match; empty allows all.'

/** The body of a role write. Absent fields keep what is stored. */
export const RoleBody = Type.Object({
  name: field.text('Ignored: the path names the role.'),
  certificate: field.text('The CA certificates to trust, or one client certificate to pin, in PEM.'),
  display_name: field.text('Name shown on issued tokens; the role name unless set.'),
  allowed_names: field.list(`Deprecated. Allowed common names and alternative names of any kind. ${glob}`),
  allowed_common_names: field.list(`Allowed common names. ${glob}`),
  allowed_dns_sans: field.list(`Allowed DNS alternative names; case-insensitive. ${glob}`),
  allowed_email_sans: field.list(`Allowed e-mail alternative names. ${glob}`),
  allowed_uri_sans: field.list(`Allowed URI alternative names. ${glob}`),
  allowed_organizational_units: field.list(`Allowed organizational units of the subject. ${glob}`),
  allowed_organizations: field.list(`Allowed organizations of the subject. ${glob}`),
  required_extensions: field.list(
    'Entries `oid:pattern` for extensions that are ASN.1 strings, or `hex:oid:pattern` for the encoded value of any ' +
      'extension; all must match.',
  ),
  allowed_metadata_extensions: field.list('OIDs of the extensions to add to the metadata of tokens.'),
  ocsp_enabled: field.flag('Query OCSP responders at every login.', { default: false }),
  ocsp_ca_certificates: field.text(
    'Certificates of additional OCSP responders, each with extended key usage OCSPSigning, as PEM or base64 of PEM.',
  ),
  ocsp_servers_override: field.list('Responders to query instead of those named in the certificate.'),
  ocsp_fail_open: field.flag('Accept a login if no response can be fetched or the status is unknown.', {
    default: false,
  }),
  ocsp_this_update_max_age: field.seconds('Maximum age of thisUpdate; 0 for any.', { default: 0 }),
  ocsp_max_retries: field.whole('Retries of one request; 0 for none.', { default: 4 }),
  ocsp_query_all_servers: field.flag('Query all responders and accept the login only if all agree.', {
    default: false,
  }),
  token_ttl: field.seconds('Lifetime of tokens; 0 for the default of the mount.'),
  token_max_ttl: field.seconds('Maximum lifetime including renewals; 0 for that of the mount.'),
  token_explicit_max_ttl: field.seconds('Hard limit on the lifetime of tokens, regardless of the other lifetimes.'),
  token_period: field.seconds('Makes tokens periodic: each renewal resets their lifetime to this value.'),
  token_policies: field.list('Policies of tokens.'),
  token_bound_cidrs: field.list('Addresses and CIDR blocks from which a login and its token are accepted.'),
  token_strictly_bind_ip: field.flag('Accept a token only from the address of its login.', { default: false }),
  token_no_default_policy: field.flag('Do not add the policy `default`.', { default: false }),
  token_num_uses: field.whole('How many times a token can be used; 0 for no limit.', { default: 0 }),
  token_type: field.text('`service`, `batch` or `default` for the type set on the mount.'),
  token_bind_certificate: field.flag('Accept tokens only over connections that present the certificate of the login.', {
    default: false,
  }),
  alias_source: field.text(
    'Certificate field that identifies the entity: `common_name`, `uri_san`, `dns_san`, `email_san`, ' +
      '`organizational_unit` (or `ou`), `fingerprint`.',
  ),
  alias_metadata: field.textMap('Metadata to set on the alias at login.'),
  platform_team: field.text('`organization/team` that tokens act as, if the team allows certificate login.'),
  platform_user: field.text('Username that a browser with such a certificate signs in as, if the user allows it.'),
  policies: field.list('Deprecated name of `token_policies`.'),
  ttl: field.seconds('Deprecated name of `token_ttl`.'),
  max_ttl: field.seconds('Deprecated name of `token_max_ttl`.'),
  period: field.seconds('Deprecated name of `token_period`.'),
  bound_cidrs: field.list('Deprecated name of `token_bound_cidrs`.'),
  lease: field.whole('Older name of `ttl`, in seconds.', { minimum: 0 }),
})

/** The names by which older clients know fields of a role write. */
export const roleAliases = {
  token_policies: ['policies'],
  token_ttl: ['ttl', 'lease'],
  token_max_ttl: ['max_ttl'],
  token_period: ['period'],
  token_bound_cidrs: ['bound_cidrs'],
} as const satisfies Partial<Record<keyof RoleInput, readonly (keyof RoleInput)[]>>

/** The fields of a role write. */
export type RoleInput = Static<typeof RoleBody>

/** Fields whose value is stored as it is sent, by their name in the API. */
export const plainFields = {
  display_name: 'displayName',
  allowed_names: 'allowedNames',
  allowed_common_names: 'allowedCommonNames',
  allowed_dns_sans: 'allowedDnsSans',
  allowed_email_sans: 'allowedEmailSans',
  allowed_uri_sans: 'allowedUriSans',
  allowed_organizational_units: 'allowedOrganizationalUnits',
  allowed_organizations: 'allowedOrganizations',
  required_extensions: 'requiredExtensions',
  allowed_metadata_extensions: 'allowedMetadataExtensions',
  ocsp_enabled: 'ocspEnabled',
  ocsp_ca_certificates: 'ocspCaCertificates',
  ocsp_servers_override: 'ocspServersOverride',
  ocsp_fail_open: 'ocspFailOpen',
  ocsp_this_update_max_age: 'ocspThisUpdateMaxAge',
  ocsp_max_retries: 'ocspMaxRetries',
  ocsp_query_all_servers: 'ocspQueryAllServers',
  token_ttl: 'tokenTtl',
  token_max_ttl: 'tokenMaxTtl',
  token_explicit_max_ttl: 'tokenExplicitMaxTtl',
  token_period: 'tokenPeriod',
  token_policies: 'tokenPolicies',
  token_bound_cidrs: 'tokenBoundCidrs',
  token_strictly_bind_ip: 'tokenStrictlyBindIp',
  token_no_default_policy: 'tokenNoDefaultPolicy',
  token_num_uses: 'tokenNumUses',
  token_type: 'tokenType',
  token_bind_certificate: 'tokenBindCertificate',
  alias_source: 'aliasSource',
  alias_metadata: 'aliasMetadata',
  platform_team: 'platformTeam',
  platform_user: 'platformUser',
} as const satisfies Partial<Record<keyof RoleInput, keyof RoleSettings>>

/** Fields that are read under their old name as well. */
const oldNames = {
  policies: 'tokenPolicies',
  ttl: 'tokenTtl',
  max_ttl: 'tokenMaxTtl',
  period: 'tokenPeriod',
} as const satisfies Partial<Record<keyof RoleInput, keyof RoleSettings>>

const texts = (description: string) => Type.Array(Type.String(), { description })
const seconds = (description: string) => Type.Integer({ description })

/** What a role read answers, as far as clients may rely on it. */
export const RoleAnswer = model('CertRole', {
  certificate: Type.String({ description: 'The certificates in PEM, as they were sent.' }),
  display_name: Type.String({ description: 'Name shown on issued tokens.' }),
  allowed_names: texts('Patterns for the common name and all alternative names.'),
  required_extensions: texts('Required extensions.'),
  token_policies: texts('Policies of tokens.'),
  policies: texts('Old name of `token_policies`.'),
  token_ttl: seconds('Lifetime of tokens.'),
  ttl: seconds('Old name of `token_ttl`.'),
  token_max_ttl: seconds('Maximum lifetime of tokens.'),
  max_ttl: seconds('Old name of `token_max_ttl`.'),
  token_period: seconds('Period of periodic tokens.'),
  period: seconds('Old name of `token_period`.'),
  ca_info: Type.Array(Type.Object({}), {
    description: 'Subject, expiry and fingerprint of each certificate of the role.',
  }),
})

/** A role as it is read: every field, lists always as lists, old names beside the new ones, and facts about its CAs. */
export function roleAnswer(role: CertRole, cas: readonly Record<string, unknown>[]): Record<string, unknown> {
  const fields = Object.entries({ ...plainFields, ...oldNames }).map(([name, key]) => [name, role[key]])
  return {
    name: role.name,
    certificate: role.certificate,
    ...Object.fromEntries(fields),
    ocsp_servers_override: role.ocspServersOverride.map(shownAddress),
    ca_info: cas,
    ...(role.boundCidrsNamed ? { bound_cidrs: role.tokenBoundCidrs } : {}),
  }
}
