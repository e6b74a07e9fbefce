import { createHash, type KeyObject } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { contents, encoded, openSequence, readOctetBits, readWhole } from '../../../server/pki/der.ts'
import * as der from '../../../server/pki/der-writer.ts'
import { type SignWith, signerFor, spkiOf } from '../certificate-parts.ts'
import { encodeExtension, type Minted, type RawExtension } from '../certificates.ts'
import { enumerated } from '../der-values.ts'
import { bodyOf, listenOnLoopback } from './loopback.ts'

/** How a responder answers; everything left out is as an honest responder does it. */
export type OcspBehaviour = {
  status?: 'good' | 'revoked' | 'unknown'
  /**
   * An OCSPResponseStatus other than 0 (successful): 1 malformedRequest, 2 internalError, 3 tryLater, 6 unauthorized.
   */
  responseStatus?: number
  /** Whoever signs instead of the issuer. */
  signer?: Pick<Minted, 'key' | 'name'>
  /** Certificates enclosed in the answer. */
  certificates?: readonly Minted[]
  /** Answer about this serial number, whatever was asked. */
  serial?: bigint
  /** Answer as if this CA had been asked about. */
  certIdIssuer?: Minted
  certIdHash?: 'sha1' | 'sha256'
  /** Answers put before the right one. */
  otherSerials?: readonly bigint[]
  /** A contradicting answer about the same certificate, put before the right one. */
  contradictedBy?: 'good' | 'revoked' | 'unknown'
  thisUpdate?: Date
  /** `null` leaves it out. */
  nextUpdate?: Date | null
  producedAt?: Date
  revokedAt?: Date
  nonce?: Uint8Array
  extensions?: readonly RawExtension[]
  signWith?: SignWith
  byKey?: boolean
  /** Flip a bit of the signature. */
  isDamaged?: boolean
}

const hashOids = { sha1: '1.3.14.3.2.26', sha256: '2.16.840.1.101.3.4.2.1' } as const

/** A CertID for a serial number of a CA. */
function certId(issuer: Minted, serial: bigint, hash: 'sha1' | 'sha256'): Buffer {
  return der.sequence(
    der.sequence(der.oid(hashOids[hash]), der.nullValue()),
    der.octetString(createHash(hash).update(issuer.name).digest()),
    der.octetString(createHash(hash).update(keyBytesOf(issuer.key)).digest()),
    der.integer(serial),
  )
}

function keyBytesOf(key: KeyObject): Buffer {
  const parts = openSequence(readWhole(spkiOf(key), der.tag.sequence, 'key'), 'key')
  parts.takeAny()
  return readOctetBits(parts.takeAny(), 'key')
}

/** A really signed OCSP answer about one certificate of a CA. */
export function signOcspResponse(issuer: Minted, serial: bigint, behaviour: OcspBehaviour = {}): Buffer {
  if (behaviour.responseStatus !== undefined) return der.sequence(enumerated(behaviour.responseStatus))
  const signer = behaviour.signer ?? issuer
  const { identifier, sign } = signerFor(signer.key, behaviour.signWith)
  const about = behaviour.certIdIssuer ?? issuer
  const answer = (to: bigint, status = behaviour.status): Buffer =>
    singleResponse(certId(about, to, behaviour.certIdHash ?? 'sha1'), { ...behaviour, status })
  const own = behaviour.serial ?? serial
  const { otherSerials = [], contradictedBy } = behaviour
  const data = der.sequence(
    behaviour.byKey === true
      ? der.explicitTag(2, der.octetString(createHash('sha1').update(keyBytesOf(signer.key)).digest()))
      : der.explicitTag(1, signer.name),
    der.generalizedTime(behaviour.producedAt ?? new Date()),
    der.sequence(
      ...otherSerials.map((each) => answer(each)),
      ...(contradictedBy === undefined ? [] : [answer(own, contradictedBy)]),
      answer(own),
    ),
    ...responseExtensions(behaviour),
  )
  const signature = sign(data)
  if (behaviour.isDamaged === true) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1
  const enclosed = (behaviour.certificates ?? []).map((each) => each.der)
  const basic = der.sequence(
    data,
    identifier,
    der.bitString(signature),
    ...(enclosed.length > 0 ? [der.explicitTag(0, der.sequence(...enclosed))] : []),
  )
  const body = der.sequence(der.oid('1.3.6.1.5.5.7.48.1.1'), der.octetString(basic))
  return der.sequence(enumerated(0), der.explicitTag(0, body))
}

function responseExtensions(behaviour: OcspBehaviour): Buffer[] {
  const nonce = behaviour.nonce && { oid: '1.3.6.1.5.5.7.48.1.2', value: der.octetString(behaviour.nonce) }
  const all = [...(nonce ? [nonce] : []), ...(behaviour.extensions ?? [])]
  return all.length === 0 ? [] : [der.explicitTag(1, der.sequence(...all.map(encodeExtension)))]
}

function singleResponse(id: Buffer, behaviour: OcspBehaviour): Buffer {
  const thisUpdate = behaviour.thisUpdate ?? new Date(Date.now() - 60_000)
  const next = behaviour.nextUpdate === null ? undefined : (behaviour.nextUpdate ?? new Date(Date.now() + 3_600_000))
  const status = behaviour.status ?? 'good'
  const revoked = der.explicitTag(1, der.generalizedTime(behaviour.revokedAt ?? thisUpdate))
  return der.sequence(
    id,
    status === 'revoked' ? revoked : der.implicitTag(status === 'good' ? 0 : 2, Buffer.alloc(0)),
    der.generalizedTime(thisUpdate),
    ...(next === undefined ? [] : [der.explicitTag(0, der.generalizedTime(next))]),
  )
}

/** What one request was answered with: an OCSP answer, an HTTP fault, or silence. */
export type Reply =
  | OcspBehaviour
  | { http: number; body?: string | Buffer; headers?: Record<string, string> }
  | 'hang up'
  | 'say nothing'

/** One request as the responder saw it. */
type OcspRequestSeen = {
  method: string
  serial: bigint
  accept: string | undefined
  contentType: string | undefined
}

/** A responder on loopback. */
export type OcspResponder = {
  url: string
  /** Every request so far, oldest first. */
  requests: OcspRequestSeen[]
  /** Changes how it answers from now on. */
  answer(reply: Reply | ((request: OcspRequestSeen) => Reply)): void
  close(): Promise<void>
}

/** Starts a responder of a CA that really signs; with a certificate it speaks https. */
export async function startOcspResponder(
  issuer: Minted,
  reply: Reply | ((request: OcspRequestSeen) => Reply) = {},
  tls?: Pick<Minted, 'chainPem' | 'keyPem'>,
): Promise<OcspResponder> {
  let current = reply
  const requests: OcspRequestSeen[] = []
  const server = await listenOnLoopback(async (request, response) => {
    const seen = await readRequest(request)
    requests.push(seen)
    send(response, typeof current === 'function' ? current(seen) : current, issuer, seen.serial)
  }, tls && { cert: tls.chainPem, key: tls.keyPem })
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${server.port}`,
    requests,
    answer: (next) => {
      current = next
    },
    close: server.close,
  }
}

function send(response: ServerResponse, reply: Reply, issuer: Minted, serial: bigint): void {
  if (reply === 'hang up') response.destroy()
  else if (reply === 'say nothing') return
  else if ('http' in reply) response.writeHead(reply.http, reply.headers).end(reply.body)
  else
    response
      .writeHead(200, { 'content-type': 'application/ocsp-response' })
      .end(signOcspResponse(issuer, serial, reply))
}

async function readRequest(request: IncomingMessage): Promise<OcspRequestSeen> {
  const sent = await bodyOf(request)
  const fromPath = decodeURIComponent((request.url ?? '').replace(/^.*\//, ''))
  const body = request.method === 'GET' ? Buffer.from(fromPath, 'base64') : sent
  return {
    method: request.method ?? '',
    serial: serialOf(body),
    accept: request.headers.accept,
    contentType: request.headers['content-type'],
  }
}

/** The serial number asked about; -1 for a request that is none. */
function serialOf(body: Buffer): bigint {
  try {
    const request = openSequence(readWhole(body, der.tag.sequence, 'request'), 'request')
    const list = openSequence(openSequence(request.takeAny(), 'request').takeAny(), 'requests')
    const id = openSequence(openSequence(list.takeAny(), 'request').takeAny(), 'id')
    for (let skip = 0; skip < 3; skip++) encoded(id.takeAny())
    return BigInt(`0x${contents(id.takeAny()).toString('hex')}`)
  } catch {
    return -1n
  }
}
