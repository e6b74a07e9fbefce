import { failure } from '../../../../../kernel/failure.ts'
import { readPemCertificates } from '../../../../../pki/certificates/pem-certificates.ts'
import { keyFromPem } from '../keys/key.ts'
import { type ConfigInput, configFields, type JwtConfig } from './config-fields.ts'

const invalid = (text: string) => failure('invalid', 'jwt-config.invalid', text)

/** The settings after a write, which replaces all of them but one. */
export function configAfter(before: JwtConfig | undefined, sent: ConfigInput): JwtConfig {
  const next: JwtConfig = {
    ...configFields.initial,
    jwksPairs: [],
    ...(before ? { namespaceInState: before.namespaceInState } : {}),
    ...(configFields.given(sent) as Partial<JwtConfig>),
  }
  checkConfig(next)
  return next
}

/** Throws at the first thing that makes settings unusable. */
function checkConfig(config: JwtConfig): void {
  const sources = [
    ...(config.oidcDiscoveryUrl === '' ? [] : ['oidc_discovery_url']),
    ...(config.jwksUrl === '' ? [] : ['jwks_url']),
    ...(config.jwksPairs.length === 0 ? [] : ['jwks_pairs']),
    ...(config.jwtValidationPubkeys.length === 0 ? [] : ['jwt_validation_pubkeys']),
  ]
  if (sources.length !== 1)
    throw invalid(
      "exactly one of 'jwt_validation_pubkeys', 'jwks_url', 'jwks_pairs' or 'oidc_discovery_url' must be set" +
        (sources.length === 0 ? '' : `, not ${sources.map((name) => `'${name}'`).join(' and ')}`),
    )
  if (config.oidcDiscoveryUrl.includes('.well-known'))
    throw invalid("Field 'oidc_discovery_url' must not contain '.well-known': it is the address of the provider alone.")
  requireUrl('oidc_discovery_url', config.oidcDiscoveryUrl)
  requireUrl('jwks_url', config.jwksUrl)
  for (const { jwks_url } of config.jwksPairs) requireUrl('jwks_pairs', jwks_url, true)
  requireCertificates('oidc_discovery_ca_pem', config.oidcDiscoveryCaPem)
  for (const pem of [config.jwksCaPem, ...config.jwksPairs.map(({ jwks_ca_pem }) => jwks_ca_pem)])
    requireCertificates('jwks_ca_pem', pem)
  if (config.jwksPairs.length > 0 && config.boundIssuer !== '')
    throw invalid("Field 'bound_issuer' cannot be set together with 'jwks_pairs'.")
  if (Object.keys(config.providerConfig).length > 0)
    throw invalid("provider-specific handling not supported: 'provider_config' must be empty.")
  const badKey = config.jwtValidationPubkeys.findIndex((pem) => keyFromPem(pem) === undefined)
  if (badKey >= 0)
    throw invalid(
      `error parsing public key: entry ${badKey + 1} of 'jwt_validation_pubkeys' is no RSA key of 2048 bits or more, ` +
        'EC key or Ed25519 key in PEM.',
    )
  const types = config.oidcResponseTypes
  if (types.some((each) => each !== 'code' && each !== 'id_token'))
    throw invalid("Field 'oidc_response_types' may hold: code, id_token.")
  if (types.includes('id_token') && config.oidcResponseMode !== 'form_post')
    throw invalid("Response type 'id_token' needs 'oidc_response_mode' form_post.")
}

/** Keys that come over a plain connection could be anybody's; on this machine there is nobody between. */
function requireUrl(name: string, text: string, required = false): void {
  if (text === '' && !required) return
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:') return
  if (url?.protocol === 'http:' && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)) return
  throw invalid(`Field '${name}' must be an https URL; http is accepted for this machine only.`)
}

/** A connection would pass over what is no certificate, and then fail for want of a trusted CA. */
function requireCertificates(name: string, pem: string): void {
  if (pem === '') return
  const { certificates, skipped } = readPemCertificates(pem)
  if (certificates.length > 0 && skipped.length === 0) return
  throw invalid(`error checking ${name}: it must be one or more CA certificates in PEM.`)
}

/** Throws unless id and secret of the client come together, for a provider. */
export function checkClient(config: JwtConfig, hasSecret: boolean): void {
  const hasId = config.oidcClientId !== ''
  if (hasId !== hasSecret) throw invalid("both 'oidc_client_id' and 'oidc_client_secret' must be set, or neither")
  if (hasId && config.oidcDiscoveryUrl === '')
    throw invalid("'oidc_discovery_url' must be set with 'oidc_client_id' and 'oidc_client_secret'")
}

/** True if the stored client secret stays when none is sent. */
export const keepsSecret = (before: JwtConfig | undefined, next: JwtConfig): boolean =>
  before !== undefined && before.oidcClientId === next.oidcClientId && before.oidcDiscoveryUrl === next.oidcDiscoveryUrl
