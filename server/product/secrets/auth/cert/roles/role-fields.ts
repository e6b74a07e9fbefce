import { type Static, Type } from 'typebox'
import { failure } from '../../../../../kernel/failure.ts'
import { field } from '../../../../../kit/fields.ts'
import { jsonFields } from '../../../../../kit/json-fields.ts'
import { withoutPrivateKeys } from '../../../../../pki/pem.ts'
import { oldTermFields, storedTokenTerms, tokenTermFields } from '../../../login-roles/login-role-fields.ts'
import { responderPem } from '../ocsp/ocsp.ts'

/** Where the name of the entity behind a certificate is taken from. */
const aliasSources = [
  'common_name',
  'uri_san',
  'dns_san',
  'email_san',
  'organizational_unit',
  // Short for the one before.
  'ou',
  'fingerprint',
] as const

/** One of the ways to name an entity. */
type AliasSource = (typeof aliasSources)[number]

/** Everybody who may read a role sees its certificates, so a private key sent along with them is not kept. */
export function withoutResponderKeys(responders: string): string {
  const pem = responderPem(responders)
  const bare = withoutPrivateKeys(pem)
  return bare === pem ? responders : bare
}

function aliasSourceOf(sent: string): AliasSource {
  const source = sent === '' ? 'common_name' : aliasSources.find((each) => each === sent)
  if (source) return source
  throw failure('invalid', 'cert-role.alias-source', `Field 'alias_source' must be one of: ${aliasSources.join(', ')}.`)
}

const glob = 'Patterns with `*` as a wildcard, one of which must match; empty allows all.'

/** Everything a role says beside the certificates it trusts. Durations are whole seconds; 0 means not set. */
export const roleFields = jsonFields(
  {
    displayName: field.text('Name shown on issued tokens; the role name unless set.', {
      shown: 'Name shown on issued tokens.',
    }),
    allowedNames: field.list(`Deprecated. Allowed common names and alternative names of any kind. ${glob}`, {
      shown: 'Patterns for the common name and all alternative names.',
    }),
    allowedCommonNames: field.list(`Allowed common names. ${glob}`),
    allowedDnsSans: field.list(`Allowed DNS alternative names; case-insensitive. ${glob}`),
    allowedEmailSans: field.list(`Allowed e-mail alternative names. ${glob}`),
    allowedUriSans: field.list(`Allowed URI alternative names. ${glob}`),
    allowedOrganizationalUnits: field.list(`Allowed organizational units of the subject. ${glob}`, {
      // A published provider sends this name.
      aliases: ['allowed_organization_units'],
    }),
    allowedOrganizations: field.list(`Allowed organizations of the subject. ${glob}`),
    requiredExtensions: field.list(
      'Entries `oid:pattern` for extensions that are ASN.1 strings, or `hex:oid:pattern` for the encoded value of any ' +
        'extension; all must match.',
      { shown: 'Required extensions.' },
    ),
    allowedMetadataExtensions: field.list('OIDs of the extensions to add to the metadata of tokens.'),
    ocspEnabled: field.flag('Query OCSP responders at every login.', { default: false }),
    ocspCaCertificates: field.text(
      'Certificates of additional OCSP responders, each with extended key usage OCSPSigning, as PEM, base64 of PEM or base64 of DER.',
    ),
    ocspServersOverride: field.list(
      'Responders to query instead of those named in the certificate; one without a scheme is asked over http.',
    ),
    ocspFailOpen: field.flag('Accept a login if no response can be fetched or the status is unknown.', {
      default: false,
    }),
    ocspThisUpdateMaxAge: field.seconds('Maximum age of thisUpdate; 0 for any.', { default: 0 }),
    ocspMaxRetries: field.whole('Retries of one request; 0 for none.', { default: 4 }),
    ocspQueryAllServers: field.flag('Query all responders and accept the login only if all agree.', {
      default: false,
    }),
    ...tokenTermFields,
    tokenBindCertificate: field.flag('Accept tokens only over connections that present the certificate of the login.', {
      default: false,
    }),
    aliasSource: field.text(
      'Certificate field that identifies the entity: `common_name`, `uri_san`, `dns_san`, `email_san`, ' +
        '`organizational_unit` (or `ou`), `fingerprint`.',
    ),
    platformUser: field.text('Username that a browser with such a certificate signs in as, if the user allows it.'),
  },
  {
    stored: {
      ocspCaCertificates: withoutResponderKeys,
      ...storedTokenTerms,
      aliasSource: aliasSourceOf,
    },
  },
)

const { num_uses: _never, ...oldNames } = oldTermFields

/** The body of a role write. Absent fields keep what is stored. */
export const RoleBody = Type.Object({
  name: field.text('Ignored: the path names the role.'),
  certificate: field.text('The CA certificates to trust, or one client certificate to pin, in PEM.'),
  ...roleFields.body,
  ...oldNames,
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
