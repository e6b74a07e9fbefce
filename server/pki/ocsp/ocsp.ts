import { type Instant, toIso } from '../../kernel/clock.ts'
import { textOf } from '../../kernel/failure.ts'
import { keyProblem } from '../certificates/algorithms.ts'
import type { Certificate } from '../certificates/certificate.ts'
import { mayUse, wholeSecond } from '../certificates/certificate-facts.ts'
import { criticalProblem } from '../certificates/critical-extensions.ts'
import { isSameName } from '../certificates/distinguished-names.ts'
import { purposeOid } from '../certificates/extensions.ts'
import { isSignedBy } from '../certificates/signature.ts'
import { issuerHashes } from './ocsp-request.ts'
import { type OcspMessage, type OcspResponse, readOcspMessage, type SingleResponse } from './ocsp-response.ts'

/** What an answer is checked against. */
export type OcspExpectation = {
  readonly leaf: Certificate
  readonly issuer: Certificate
  /** Certificates configured as responders themselves, as opposed to CAs that vouch for responders. */
  readonly responders?: readonly Certificate[]
  readonly at: Instant
  /** Largest age of thisUpdate in milliseconds; 0 or nothing for any. */
  readonly maxAge?: number
}

/**
 * What an answer is worth. `unusable` counts as no answer; `stale` was right once; `forged` is about another
 * certificate, or is not signed by somebody entitled to, and is never ignored.
 */
type OcspVerdict =
  | {
      readonly result: 'good' | 'revoked' | 'unknown'
      readonly producedAt: Instant
      readonly thisUpdate: Instant
      readonly nextUpdate: Instant | undefined
      readonly revokedAt: Instant | undefined
    }
  | { readonly result: 'unusable' | 'stale' | 'forged'; readonly code: string; readonly text: string }

/** Clocks of responders differ a little. */
const tolerance = 60_000

const verdict = (result: 'unusable' | 'stale' | 'forged', code: string, text: string): OcspVerdict => ({
  result,
  code,
  text,
})

/** Judges the bytes a responder sent. Never throws. */
export function judgeOcspResponse(der: Buffer, expected: OcspExpectation): OcspVerdict {
  let message: OcspMessage
  try {
    message = readOcspMessage(der)
  } catch (error) {
    return verdict('unusable', 'ocsp.unreadable', textOf(error))
  }
  if (message.response === undefined)
    return verdict('unusable', 'ocsp.status', `The responder answered ${message.status}.`)
  return judgeBasic(message.response, expected)
}

function judgeBasic(response: OcspResponse, expected: OcspExpectation): OcspVerdict {
  if (!isAuthorized(response, expected))
    return verdict('forged', 'ocsp.signer', 'The answer is not signed by an authorized responder.')
  const about = response.responses.filter((each) => isAbout(each, expected))
  // If a responder contradicts itself, the worst of its answers counts.
  const single = about.find(({ status }) => status === 'revoked') ?? about[0]
  if (single === undefined) return verdict('forged', 'ocsp.certificate', 'The answer is about another certificate.')
  const staleness = findStaleness(single, expected)
  if (staleness !== undefined) return verdict('stale', 'ocsp.stale', staleness)
  const { status: result, thisUpdate, nextUpdate, revokedAt } = single
  return { result, producedAt: response.producedAt, thisUpdate, nextUpdate, revokedAt }
}

/**
 * The answer names this serial number and this issuer, by name and by key: all three, or it is about another
 * certificate. Some responders hash the issuer's name as the issuer itself spells it, even if the certificate spells
 * it differently.
 */
function isAbout({ hash, serial, issuerNameHash, issuerKeyHash }: SingleResponse, expected: OcspExpectation): boolean {
  const { leaf, issuer } = expected
  if (hash === undefined || !serial.equals(leaf.serial)) return false
  return [leaf.issuer, issuer.subject].some((spelling) => {
    const expected = issuerHashes(spelling, issuer, hash)
    return issuerNameHash.equals(expected.name) && issuerKeyHash.equals(expected.key)
  })
}

/** RFC 6960 §4.2.2.1. */
function findStaleness(
  { thisUpdate, nextUpdate }: SingleResponse,
  { at, maxAge = 0 }: OcspExpectation,
): string | undefined {
  if (thisUpdate > at + tolerance) return `The answer is from the future: ${toIso(thisUpdate)}.`
  if (nextUpdate !== undefined && nextUpdate < thisUpdate) return 'The answer ends before it begins.'
  if (nextUpdate !== undefined && nextUpdate < at - tolerance) return `The answer was good until ${toIso(nextUpdate)}.`
  return maxAge > 0 && at - thisUpdate > maxAge
    ? `The answer is from ${toIso(thisUpdate)}, which is too long ago.`
    : undefined
}

/**
 * True if the answer is signed by somebody who may speak for the issuer (RFC 6960 §4.2.2.2): the issuer itself, a
 * delegate the issuer certified for OCSPSigning, or a configured responder.
 */
function isAuthorized(response: OcspResponse, expected: OcspExpectation): boolean {
  const { issuer, responders = [], at } = expected
  if (isSignedBy(response, issuer.publicKey)) return true
  const delegates = response.certificates.filter((each) => isDelegate(each, issuer, at))
  const configured = responders.filter((each) => mayRespond(each, at))
  return [...delegates, ...configured].some((each) => isSignedBy(response, each.publicKey))
}

/** The check of the issuer's signature comes last: it is the only expensive one. */
const isDelegate = (certificate: Certificate, issuer: Certificate, at: Instant): boolean =>
  mayRespond(certificate, at) &&
  isSameName(certificate.issuer, issuer.subject) &&
  certificate.algorithm.der.equals(certificate.innerAlgorithm.der) &&
  isSignedBy(certificate, issuer.publicKey)

/** OCSPSigning must be stated explicitly: neither a missing extension nor anyExtendedKeyUsage implies it. */
function mayRespond(certificate: Certificate, at: Instant): boolean {
  const { extendedKeyUsage, notBefore, notAfter } = certificate
  const second = wholeSecond(at)
  const isCurrent = second >= notBefore && second <= notAfter
  return (
    isCurrent &&
    mayUse(certificate, 'digitalSignature') &&
    extendedKeyUsage?.includes(purposeOid.ocspSigning) === true &&
    criticalProblem(certificate) === undefined &&
    keyProblem(certificate.publicKey.key) === undefined
  )
}
