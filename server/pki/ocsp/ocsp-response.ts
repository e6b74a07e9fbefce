import type { Instant } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { readSignatureAlgorithm } from '../certificates/algorithms.ts'
import { type Certificate, readCertificate } from '../certificates/certificate.ts'
import { type Name, readName } from '../certificates/distinguished-names.ts'
import { readExtensions } from '../certificates/extensions.ts'
import type { Signed } from '../certificates/signature.ts'
import {
  type Cursor,
  contents,
  type Element,
  encoded,
  openAll,
  openSequence,
  readInteger,
  readNull,
  readOctetBits,
  readOid,
  readSmallInteger,
  readWhole,
  unreadable,
} from '../der.ts'
import { readTime } from '../der-text.ts'
import { tag } from '../der-writer.ts'
import { type CertIdHash, certIdHashOf } from './ocsp-request.ts'

/** What a responder says about one certificate. */
export type SingleResponse = {
  readonly hash: CertIdHash | undefined
  readonly issuerNameHash: Buffer
  readonly issuerKeyHash: Buffer
  readonly serial: Buffer
  readonly status: 'good' | 'revoked' | 'unknown'
  readonly revokedAt: Instant | undefined
  readonly thisUpdate: Instant
  readonly nextUpdate: Instant | undefined
}

/** How a responder names itself. */
type ResponderId = { readonly name: Name } | { readonly keyHash: Buffer }

/** A basic response; nothing in it has been verified. */
export type OcspResponse = Signed & {
  readonly responder: ResponderId
  readonly producedAt: Instant
  readonly responses: readonly SingleResponse[]
  readonly certificates: readonly Certificate[]
}

/** What came back: a basic response, or the status with which the responder says that it has none. */
export type OcspMessage = { readonly status: OcspStatus; readonly response: OcspResponse | undefined }

const statuses = [
  'successful',
  'malformedRequest',
  'internalError',
  'tryLater',
  '',
  'sigRequired',
  'unauthorized',
] as const

/** OCSPResponseStatus (RFC 6960 §4.2.1). */
type OcspStatus = Exclude<(typeof statuses)[number], ''>

/** Answers are a few kilobytes; no honest one is larger than this. */
const mostBytes = 64 * 1024
const mostCertificates = 10
const basicResponse = '1.3.6.1.5.5.7.48.1.1'

/** Reads an OCSPResponse; throws a failure of kind `malformed` on anything that is not exactly that. */
export function readOcspMessage(der: Buffer): OcspMessage {
  if (der.length > mostBytes) throw unreadable('too-large', 'The OCSP response is too large.')
  const what = 'The OCSP response'
  const parts = openSequence(readWhole(der, tag.sequence, what), what)
  const status = statuses[readSmallInteger(parts.take(tag.enumerated), what)]
  const body = parts.takeExplicit(0, tag.sequence)
  parts.finish()
  if (status === undefined || status === '') throw unreadable('ocsp', 'The OCSP response has an unknown status.')
  if (status !== 'successful') return { status, response: undefined }
  if (body === undefined) throw unreadable('ocsp', 'The OCSP response is successful but empty.')
  const inner = openSequence(body, what)
  if (readOid(inner.take(tag.oid), what) !== basicResponse)
    throw unreadable('ocsp', 'The OCSP response is of an unknown type.')
  const bytes = contents(inner.take(tag.octetString))
  inner.finish()
  return { status, response: readBasicResponse(bytes) }
}

/** BasicOCSPResponse (RFC 6960 §4.2.1). */
function readBasicResponse(bytes: Buffer): OcspResponse {
  const what = 'The OCSP response'
  const parts = openSequence(readWhole(bytes, tag.sequence, what), what)
  const signed = parts.take(tag.sequence)
  const algorithm = readSignatureAlgorithm(parts.take(tag.sequence))
  const signature = readOctetBits(parts.take(tag.bitString), 'The signature')
  const list = parts.takeExplicit(0, tag.sequence)
  parts.finish()
  const encodings = list === undefined ? [] : openAll(list, what).map(encoded)
  if (encodings.length > mostCertificates) throw unreadable('ocsp', 'The OCSP response has too many certificates.')
  return {
    ...readResponseData(signed),
    signed: encoded(signed),
    algorithm,
    signature,
    certificates: encodings.flatMap(readIfPossible),
  }
}

/**
 * Reads a certificate, or nothing: an unreadable one cannot make its holder a delegate, but the answer may not need it.
 */
function readIfPossible(der: Buffer): Certificate[] {
  try {
    return [readCertificate(der)]
  } catch (error) {
    if (error instanceof Failure) return []
    throw error
  }
}

type ResponseData = Pick<OcspResponse, 'responder' | 'producedAt' | 'responses'>

function readResponseData(element: Element): ResponseData {
  const what = 'The OCSP response'
  const parts = openSequence(element, what)
  const version = parts.takeExplicit(0, tag.integer)
  if (version !== undefined && readSmallInteger(version, what) !== 0)
    throw unreadable('ocsp', 'The OCSP response has an unknown version.')
  const responder = readResponderId(parts)
  const producedAt = readTime(parts.take(tag.generalizedTime), 'producedAt')
  const responses = openAll(parts.take(tag.sequence), what).map(readSingleResponse)
  const extensions = parts.takeExplicit(1, tag.sequence)
  if (extensions !== undefined) refuseUnknownCritical(extensions)
  parts.finish()
  return { responder, producedAt, responses }
}

function readResponderId(parts: Cursor): ResponderId {
  const name = parts.takeExplicit(1, tag.sequence)
  if (name !== undefined) return { name: readName(name, 'The responder') }
  const keyHash = parts.takeExplicit(2, tag.octetString)
  if (keyHash === undefined) throw unreadable('ocsp', 'The OCSP response does not name its responder.')
  return { keyHash: contents(keyHash) }
}

/** The extension that ties an answer to a request (RFC 9654). Requests have none, so one in an answer says nothing. */
const nonceOid = '1.3.6.1.5.5.7.48.1.2'

/** A critical extension that is not understood refuses the response (RFC 6960 §4.4). */
function refuseUnknownCritical(element: Element): void {
  for (const { oid, critical } of readExtensions(element, 'The list of OCSP extensions').values())
    if (critical && oid !== nonceOid)
      throw unreadable('critical-extension', `The OCSP response has the unknown critical extension ${oid}.`)
}

function readSingleResponse(element: Element): SingleResponse {
  const what = 'An OCSP answer'
  const parts = openSequence(element, what)
  const certId = readCertId(parts.take(tag.sequence))
  const status = readCertStatus(parts.takeAny())
  const thisUpdate = readTime(parts.take(tag.generalizedTime), 'thisUpdate')
  const next = parts.takeExplicit(0, tag.generalizedTime)
  const extensions = parts.takeExplicit(1, tag.sequence)
  if (extensions !== undefined) refuseUnknownCritical(extensions)
  parts.finish()
  return { ...certId, ...status, thisUpdate, nextUpdate: next && readTime(next, 'nextUpdate') }
}

function readCertId(element: Element): Pick<SingleResponse, 'hash' | 'issuerNameHash' | 'issuerKeyHash' | 'serial'> {
  const what = 'An OCSP certificate id'
  const parts = openSequence(element, what)
  const algorithm = openSequence(parts.take(tag.sequence), what)
  const hash = certIdHashOf(readOid(algorithm.take(tag.oid), what))
  if (!algorithm.done) readNull(algorithm.takeAny(), what)
  algorithm.finish()
  const issuerNameHash = contents(parts.take(tag.octetString))
  const issuerKeyHash = contents(parts.take(tag.octetString))
  const serial = readInteger(parts.take(tag.integer), 'The serial number')
  parts.finish()
  return { hash, issuerNameHash, issuerKeyHash, serial }
}

function readCertStatus(element: Element): Pick<SingleResponse, 'status' | 'revokedAt'> {
  if (element.tag === 0x80 && element.from === element.end) return { status: 'good', revokedAt: undefined }
  if (element.tag === 0x82 && element.from === element.end) return { status: 'unknown', revokedAt: undefined }
  if (element.tag !== 0xa1) throw unreadable('ocsp', 'An OCSP answer has an unknown status.')
  const parts = openSequence({ ...element, tag: tag.sequence }, 'An OCSP revocation')
  const revokedAt = readTime(parts.take(tag.generalizedTime), 'The revocation time')
  parts.takeExplicit(0, tag.enumerated)
  parts.finish()
  return { status: 'revoked', revokedAt }
}
