import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  type CertificateOptions,
  mintCa,
  mintIntermediate,
  mintLeaf,
  usage,
} from '../../../test/support/certificates.ts'
import { enumerated, printableString } from '../../../test/support/der-values.ts'
import { type OcspBehaviour, signOcspResponse } from '../../../test/support/fakes/ocsp-responder.ts'
import { instant } from '../../kernel/clock.ts'
import { readCertificate } from '../certificates/certificate.ts'
import * as der from '../der-writer.ts'
import { judgeOcspResponse, type OcspExpectation } from './ocsp.ts'
import { certIdKey, writeOcspRequest } from './ocsp-request.ts'

const now = instant(Math.floor(Date.now() / 1000) * 1000)
const ago = (seconds: number): Date => new Date(now - seconds * 1000)

const ca = mintCa({ commonName: 'ca' })
const leaf = mintLeaf(ca)
const stranger = mintCa({ commonName: 'stranger' })

const expected: OcspExpectation = { leaf: readCertificate(leaf.der), issuer: readCertificate(ca.der), at: now }

function judge(behaviour: OcspBehaviour, more: Partial<OcspExpectation> = {}): string {
  return judgeOcspResponse(signOcspResponse(ca, leaf.serial, behaviour), { ...expected, ...more }).result
}

const delegateOf = (issuer: typeof ca, options: CertificateOptions = {}) =>
  mintLeaf(issuer, { commonName: 'responder', extendedKeyUsage: ['ocspSigning'], ...options })

test.each(['good', 'revoked', 'unknown'] as const)('answer: status %s signed by the issuer is returned', (status) => {
  expect(judge({ status })).toBe(status)
  expect(judge({ status, byKey: true })).toBe(status)
  expect(judge({ status, certificates: [ca] })).toBe(status)
  expect(judge({ status, certIdHash: 'sha256' })).toBe(status)
})

test('answer: its times come with the verdict', () => {
  const times = { producedAt: ago(10), thisUpdate: ago(20), nextUpdate: ago(-20), revokedAt: ago(30) }
  const verdict = judgeOcspResponse(signOcspResponse(ca, leaf.serial, { status: 'revoked', ...times }), expected)
  expect(verdict).toEqual({
    result: 'revoked',
    ...Object.fromEntries(Object.entries(times).map(([name, time]) => [name, time.getTime()])),
  })
})

test.each<[string, OcspBehaviour, string]>([
  ['no nextUpdate', { nextUpdate: null }, 'good'],
  ['thisUpdate within the tolerance', { thisUpdate: ago(-50) }, 'good'],
  ['thisUpdate in the future', { thisUpdate: ago(-120), nextUpdate: ago(-600) }, 'stale'],
  ['nextUpdate within the tolerance', { thisUpdate: ago(600), nextUpdate: ago(50) }, 'good'],
  ['nextUpdate past', { thisUpdate: ago(600), nextUpdate: ago(120) }, 'stale'],
  ['nextUpdate before thisUpdate', { thisUpdate: ago(10), nextUpdate: ago(20) }, 'stale'],
])('times: verdict with %s', (_name, behaviour, expected) => {
  expect(judge(behaviour)).toBe(expected)
})

test.each([
  [61, 60_000, 'stale'],
  [60, 60_000, 'good'],
  [86_400, 0, 'good'],
])('times: verdict on an answer %i seconds old with a maximum of %i ms', (age, maxAge, expected) => {
  expect(judge({ thisUpdate: ago(age), nextUpdate: ago(-600) }, { maxAge })).toBe(expected)
})

test.each<[string, OcspBehaviour]>([
  ['another serial number', { serial: leaf.serial + 1n }],
  ['the serial number under another issuer', { certIdIssuer: stranger }],
  ['the serial number under an issuer of the same name', { certIdIssuer: mintCa({ commonName: 'ca' }) }],
  ['the serial number under the same key by another name', { certIdIssuer: { ...ca, name: stranger.name } }],
  ['another certificate, as SHA-256', { serial: 1n, certIdHash: 'sha256' }],
])('match: an answer about %s is forged', (_name, behaviour) => {
  expect(judge(behaviour)).toBe('forged')
})

test('match: among answers about several certificates the right one is used', () => {
  expect(judge({ otherSerials: [1n, 2n], status: 'revoked' })).toBe('revoked')
})

test('match: of contradicting answers about one certificate, revoked wins', () => {
  expect(judge({ contradictedBy: 'good', status: 'revoked' })).toBe('revoked')
  expect(judge({ contradictedBy: 'revoked', status: 'good' })).toBe('revoked')
  expect(judge({ contradictedBy: 'good', status: 'good' })).toBe('good')
})

test.each<[string, OcspBehaviour, string]>([
  ['the issuer', {}, 'good'],
  ['a damaged signature', { isDamaged: true }, 'forged'],
  ['a stranger', { signer: stranger }, 'forged'],
  ['a stranger who encloses himself', { signer: stranger, certificates: [stranger] }, 'forged'],
  ['SHA-1', { signWith: 'sha1' }, 'forged'],
])('signer: verdict for %s', (_name, behaviour, expected) => {
  expect(judge(behaviour)).toBe(expected)
})

test.each<[string, CertificateOptions, string]>([
  ['with OCSPSigning', {}, 'good'],
  ['without key usage', { keyUsage: null }, 'good'],
  ['without OCSPSigning', { extendedKeyUsage: ['clientAuth'] }, 'forged'],
  ['without any purpose', { extendedKeyUsage: null }, 'forged'],
  ['with any purpose only', { extendedKeyUsage: ['any'] }, 'forged'],
  ['expired', { notBefore: ago(7200), notAfter: ago(3600) }, 'forged'],
  ['not yet valid', { notBefore: ago(-3600) }, 'forged'],
  ['without digitalSignature', { keyUsage: [usage.keyCertSign] }, 'forged'],
  ['with a weak key', { keyKind: 'rsa1024' }, 'forged'],
  ['with a certificate signed with SHA-1', { signWith: 'sha1' }, 'forged'],
  [
    'with an unknown critical extension',
    { extensions: [{ oid: '1.2.3', critical: true, value: der.nullValue() }] },
    'forged',
  ],
])('delegate: verdict for one %s', (_name, options, expected) => {
  const delegate = delegateOf(ca, options)
  expect(judge({ signer: delegate, certificates: [delegate] })).toBe(expected)
})

test('delegate: must be enclosed and issued directly by the issuer', () => {
  const [own, foreign] = [delegateOf(ca), delegateOf(stranger)]
  const indirect = delegateOf(mintIntermediate(ca))
  expect(judge({ signer: own })).toBe('forged')
  expect(judge({ signer: foreign, certificates: [foreign] })).toBe('forged')
  expect(judge({ signer: indirect, certificates: [indirect] })).toBe('forged')
  const posing = delegateOf(stranger, { issuerName: ca.name })
  expect(judge({ signer: posing, certificates: [posing] })).toBe('forged')
})

test('delegate: another certificate of the issuer without OCSPSigning cannot sign answers', () => {
  const sibling = mintLeaf(ca)
  expect(judge({ signer: sibling, certificates: [sibling] })).toBe('forged')
})

test('responder: a configured one can sign answers if it is valid and has OCSPSigning', () => {
  const responder = delegateOf(stranger)
  const responders = [readCertificate(responder.der)]
  expect(judge({ signer: responder }, { responders })).toBe('good')
  expect(judge({ signer: responder }, { responders: [] })).toBe('forged')
  const plain = mintLeaf(stranger)
  expect(judge({ signer: plain }, { responders: [readCertificate(plain.der)] })).toBe('forged')
  const old = delegateOf(stranger, { notAfter: ago(10) })
  expect(judge({ signer: old }, { responders: [readCertificate(old.der)] })).toBe('forged')
})

test('responder: certificates issued by a configured CA cannot sign answers', () => {
  const authority = mintCa({ commonName: 'ocsp ca', extendedKeyUsage: ['ocspSigning'] })
  const delegate = delegateOf(authority)
  const responders = [readCertificate(authority.der)]
  expect(judge({ signer: delegate, certificates: [delegate] }, { responders })).toBe('forged')
})

test.each<[string, Buffer]>([
  ['tryLater', signOcspResponse(ca, 1n, { responseStatus: 3 })],
  ['unauthorized', signOcspResponse(ca, 1n, { responseStatus: 6 })],
  ['a status nobody knows', signOcspResponse(ca, 1n, { responseStatus: 4 })],
  ['a web page', Buffer.from('<html>not found</html>')],
  ['nothing', Buffer.alloc(0)],
  ['bytes behind it', Buffer.concat([signOcspResponse(ca, leaf.serial), Buffer.from([0])])],
  ['success without an answer', der.sequence(enumerated(0))],
  [
    'an unknown critical extension',
    signOcspResponse(ca, leaf.serial, { extensions: [{ oid: '1.2.3', critical: true, value: der.nullValue() }] }),
  ],
  ['a hundred kilobytes', Buffer.alloc(100_000, 0x30)],
])('message: %s is unusable', (_name, bytes) => {
  expect(judgeOcspResponse(bytes, expected).result).toBe('unusable')
})

test('extensions: one that is unknown but not critical changes nothing', () => {
  expect(judge({ extensions: [{ oid: '1.2.3', value: der.nullValue() }] })).toBe('good')
})

test('nonce: an answer with a nonce that nobody sent is as good as without', () => {
  expect(judge({ nonce: Buffer.from('0123456789abcdef') })).toBe('good')
})

test('request: has the expected bytes', () => {
  const bytes = writeOcspRequest(expected.leaf, expected.issuer).toString('hex')
  expect(bytes).toMatch(/^30..30..30..30..30..300906052b0e03021a05000414[0-9a-f]{40}0414[0-9a-f]{40}02/)
  expect(bytes.endsWith(expected.leaf.serial.toString('hex'))).toBe(true)
})

test('request: the issuer is named as in the certificate; an answer may name it in either spelling', () => {
  const printable = der.sequence(der.setOf(der.sequence(der.oid('2.5.4.3'), printableString('ca'))))
  const minted = mintLeaf(ca, { issuerName: printable })
  const spelled: OcspExpectation = { ...expected, leaf: readCertificate(minted.der) }
  expect(spelled.leaf.issuer.der).not.toEqual(spelled.issuer.subject.der)
  const asked = writeOcspRequest(spelled.leaf, spelled.issuer)
  expect(asked.includes(hash('sha1', printable, 'buffer'))).toBe(true)
  for (const certIdIssuer of [ca, { ...ca, name: printable }])
    expect(judgeOcspResponse(signOcspResponse(ca, minted.serial, { certIdIssuer }), spelled).result).toBe('good')
})

test('request: the cache key tells issuers of the same name apart', () => {
  const twin = readCertificate(mintCa({ commonName: 'ca' }).der)
  expect(certIdKey(expected.leaf, expected.issuer)).not.toBe(certIdKey(expected.leaf, twin))
})
