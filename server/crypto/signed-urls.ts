import { type Clock, type Instant, instant, later } from '../kernel/clock.ts'
import type { Ids } from '../kernel/ids.ts'
import { equalInConstantTime, type Secret, secret } from '../kernel/secret.ts'
import type { Keyring } from './keyring.ts'

/** What a signed token says once it has been checked. */
type SignedClaim = { subject: string; expiresAt: Instant; nonce: string }

/** The verdict on a token. */
type SignedVerdict = { ok: true; claim: SignedClaim } | { ok: false; why: 'malformed' | 'forged' | 'expired' }

/** What signing needs. */
type SigningDeps = {
  keyring: Pick<Keyring, 'keyedHash'>
  clock: Pick<Clock, 'now'>
  ids: Pick<Ids, 'hex'>
}

const shape = /^([\w-]+)\.([\w-]{43})$/

/** A short-lived token for a URL, good for one purpose and one subject only. Whoever has it may use it: never log it. */
export function signForUrl(
  deps: SigningDeps,
  { purpose, subject, lifetimeMs }: { purpose: string; subject: string; lifetimeMs: number },
): Secret<string> {
  const claim = [later(deps.clock.now(), lifetimeMs), subject, deps.ids.hex(16)]
  const payload = Buffer.from(JSON.stringify(claim)).toString('base64url')
  return secret(`${payload}.${macOf(deps, purpose, payload)}`)
}

/** Checks a token of a URL for one purpose. The signature comes first: nothing unsigned is parsed. */
export function verifySignedUrl(
  deps: Pick<SigningDeps, 'keyring' | 'clock'>,
  purpose: string,
  token: Secret<string>,
): SignedVerdict {
  const [, payload, mac] = shape.exec(token.reveal()) ?? []
  if (payload === undefined || mac === undefined) return { ok: false, why: 'malformed' }
  if (!equalInConstantTime(mac, macOf(deps, purpose, payload))) return { ok: false, why: 'forged' }
  const claim: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  if (!Array.isArray(claim)) return { ok: false, why: 'malformed' }
  const [expiry, subject, nonce]: unknown[] = claim
  if (typeof expiry !== 'number' || typeof subject !== 'string' || typeof nonce !== 'string') {
    return { ok: false, why: 'malformed' }
  }
  const expiresAt = instant(expiry)
  if (deps.clock.now() >= expiresAt) return { ok: false, why: 'expired' }
  return { ok: true, claim: { subject, expiresAt, nonce } }
}

const macOf = (deps: Pick<SigningDeps, 'keyring'>, purpose: string, payload: string): string =>
  deps.keyring.keyedHash(`signed-url:${purpose}`, payload)
