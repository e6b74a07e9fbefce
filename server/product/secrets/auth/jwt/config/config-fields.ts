import { type Static, Type } from 'typebox'
import { failure } from '../../../../../kernel/failure.ts'
import { field } from '../../../../../kit/fields.ts'
import { type HeldBy, jsonFields } from '../../../../../kit/json-fields.ts'
import { algorithms } from '../keys/key.ts'

const invalid = (text: string) => failure('invalid', 'jwt-config.invalid', text)

/** A key set and the CA by which its server is trusted. */
export type KeySetAddress = { readonly jwks_url: string; readonly jwks_ca_pem: string }

function pairsOf(sent: unknown): readonly KeySetAddress[] {
  const pairs = sent === null || sent === '' || sent === undefined ? [] : sent
  if (!Array.isArray(pairs)) throw invalid("Field 'jwks_pairs' must be a list of objects.")
  return pairs.map((each: unknown) => {
    const { jwks_url: url, jwks_ca_pem: ca = '' } = Object(each) as Record<string, unknown>
    if (typeof url === 'string' && typeof ca === 'string') return { jwks_url: url, jwks_ca_pem: ca }
    throw invalid("Each entry of 'jwks_pairs' must have 'jwks_url', and may have 'jwks_ca_pem'.")
  })
}

function algorithmsOf(sent: readonly string[]): readonly string[] {
  const unknown = sent.find((name) => !algorithms.some((each) => each === name))
  if (unknown === undefined) return sent
  throw invalid(`Field 'jwt_supported_algs' holds '${unknown}'; it may hold ${algorithms.join(', ')}.`)
}

function choice(name: string, values: readonly string[]) {
  return (sent: string): string => {
    if (values.includes(sent)) return sent
    throw invalid(`Field '${name}' must be one of: ${values.filter(Boolean).join(', ')}.`)
  }
}

/** Everything that is set about JWT logins at a mount, but the client secret. */
export const configFields = jsonFields(
  {
    oidcDiscoveryUrl: field.text('Address of the provider, without `/.well-known/openid-configuration`.'),
    oidcDiscoveryCaPem: field.text('The CA certificates of the provider in PEM, in place of those of the system.'),
    oidcClientId: field.text('Stored for the sign-in of people, which is not built yet.'),
    oidcResponseMode: field.text('Stored for the sign-in of people: `query` or `form_post`.'),
    oidcResponseTypes: field.list('Stored for the sign-in of people: `code` or `id_token`.'),
    jwksUrl: field.text('Address of a key set.'),
    jwksCaPem: field.text('The CA certificates of the server of the key set in PEM, in place of those of the system.'),
    jwksPairs: field.any('Several key sets: objects with `jwks_url` and `jwks_ca_pem`.', { default: [] }),
    jwtValidationPubkeys: field.list('Public keys in PEM.'),
    jwtSupportedAlgs: field.list(`Algorithms that are accepted; empty for ${algorithms.join(', ')}.`, {
      shown: 'Algorithms that are accepted; empty for all.',
    }),
    boundIssuer: field.text('The `iss` that tokens must have; with discovery, that of the provider unless it is set.'),
    defaultRole: field.text('The role of logins that name none.'),
    providerConfig: field.object('Must be empty.'),
    namespaceInState: field.flag('Stored; has no effect.', { default: true }),
    overrideAllowedServerNames: field.list('Stored; has no effect.'),
    skipJwksValidation: field.flag('Store the settings also if the keys cannot be fetched now.', { default: false }),
    unsupportedCriticalCertExtensions: field.list('Stored; has no effect.'),
  },
  {
    stored: {
      jwksPairs: pairsOf,
      jwtSupportedAlgs: algorithmsOf,
      oidcResponseMode: choice('oidc_response_mode', ['', 'query', 'form_post']),
      defaultRole: (sent: string) => sent.toLowerCase(),
    },
  },
)

/** What is set about JWT logins at a mount. */
export type JwtConfig = Omit<HeldBy<typeof configFields>, 'jwksPairs'> & {
  readonly jwksPairs: readonly KeySetAddress[]
}

/** The body of a configuration write, which replaces everything. */
export const ConfigBody = Type.Object({
  ...configFields.body,
  oidc_client_secret: field.text('Stored sealed for the sign-in of people; never shown.'),
})

/** The fields of a configuration write. */
export type ConfigInput = Static<typeof ConfigBody>
