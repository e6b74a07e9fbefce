import { createPublicKey, type KeyObject, type webcrypto } from 'node:crypto'

/** The signature algorithms that a token may have. Neither `none` nor those with a shared secret are among them. */
export const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'EdDSA',
] as const

/** The name of a signature algorithm (RFC 7518 §3.1, RFC 8037 §3.1). */
export type Algorithm = (typeof algorithms)[number]

/** A key that checks signatures, and what its set says about it. */
export type VerifyingKey = {
  readonly key: KeyObject
  readonly kid: string | undefined
  /** The one algorithm it is meant for, if its set names one. */
  readonly alg: string | undefined
}

const curves: Readonly<Record<string, Algorithm>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' }

/** Shorter RSA keys can be factored, and no check of a signature accepts them (RFC 7518 §3.3). */
const shortestRsaBits = 2_048

/** The algorithms that a key can have made a signature by; none for a key that signs nothing here. */
function algorithmsOf(key: KeyObject): readonly Algorithm[] {
  const { asymmetricKeyType: type, asymmetricKeyDetails: { namedCurve = '', modulusLength = 0 } = {} } = key
  if (type === 'ed25519') return ['EdDSA']
  if (type === 'ec') return curves[namedCurve] ? [curves[namedCurve]] : []
  if (type !== 'rsa' || modulusLength < shortestRsaBits) return []
  return algorithms.filter((name) => /^[RP]S/.test(name))
}

/** True if a key can have made a signature by this algorithm, and is meant for it. */
export const fits = ({ key, alg }: VerifyingKey, algorithm: Algorithm): boolean =>
  (alg === undefined || alg === algorithm) && algorithmsOf(key).includes(algorithm)

/** So many keys are tried for a token that names none. */
const mostTried = 20

/** What the header of a token says that is believed: nothing but which of our keys to check it with. */
export type TokenHeader = { readonly alg: Algorithm; readonly kid: string | undefined }

/**
 * The keys by which a token may be signed: those with its key id, or all that fit if it names none. Where no key has an
 * id, as in PEM, that of the token says nothing.
 */
export function candidates(keys: readonly VerifyingKey[], { alg, kid }: TokenHeader): readonly VerifyingKey[] {
  const wanted = keys.some((each) => each.kid !== undefined) ? kid : undefined
  return keys.filter((each) => (wanted === undefined || each.kid === wanted) && fits(each, alg)).slice(0, mostTried)
}

/** A key from PEM: a public key, or the certificate that holds it. Undefined for what no token can be checked with. */
export function keyFromPem(pem: string): VerifyingKey | undefined {
  if (!/-----BEGIN (?:(?:RSA )?PUBLIC KEY|CERTIFICATE)-----/.test(pem)) return undefined
  try {
    const key = createPublicKey(pem)
    return algorithmsOf(key).length === 0 ? undefined : { key, kid: undefined, alg: undefined }
  } catch {
    return undefined
  }
}

/** The members of a key that is public (RFC 7518 §6); the others are not read. */
const publicMembers = ['kty', 'n', 'e', 'crv', 'x', 'y'] as const

/** The keys of a set that check signatures (RFC 7517 §5); undefined for what is no key set. Others are left out. */
export function keysOfSet(text: string): readonly VerifyingKey[] | undefined {
  const { keys } = parseObject(text) ?? {}
  return Array.isArray(keys) ? keys.flatMap((each: unknown) => keyFromSet(each) ?? []) : undefined
}

function keyFromSet(entry: unknown): VerifyingKey | undefined {
  const jwk = Object(entry) as Record<string, unknown>
  if (jwk.kty === 'oct' || (jwk.use !== undefined && jwk.use !== 'sig')) return undefined
  try {
    const members = Object.fromEntries(publicMembers.map((name) => [name, jwk[name]])) as webcrypto.JsonWebKey
    const key = createPublicKey({ key: members, format: 'jwk' })
    const textOrNone = (value: unknown) => (typeof value === 'string' ? value : undefined)
    return algorithmsOf(key).length === 0 ? undefined : { key, kid: textOrNone(jwk.kid), alg: textOrNone(jwk.alg) }
  } catch {
    return undefined
  }
}

/** What a discovery document says that is needed here; undefined for what is none. */
export function readDiscovery(text: string): { readonly issuer: string; readonly jwksUrl: string } | undefined {
  const { issuer, jwks_uri: jwksUrl } = parseObject(text) ?? {}
  return typeof issuer === 'string' && typeof jwksUrl === 'string' ? { issuer, jwksUrl } : undefined
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
