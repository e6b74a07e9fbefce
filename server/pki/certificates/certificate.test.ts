import { createHash, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { spkiOf } from '../../../test/support/certificate-parts.ts'
import { mintCa, mintLeaf, type RawExtension, usage } from '../../../test/support/certificates.ts'
import { bmpString, ia5String, printableString } from '../../../test/support/der-values.ts'
import { toIso } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import * as der from '../der-writer.ts'
import { readCertificate } from './certificate.ts'
import {
  alternativeNames,
  colonHex,
  commonName,
  commonNames,
  describe,
  organizationalUnits,
  organizations,
  serialText,
} from './certificate-facts.ts'
import { nameText } from './distinguished-names.ts'
import { extensionText } from './extensions.ts'

const ca = mintCa({ commonName: 'Root', organization: 'Acme, Inc.' })

test('certificate: all fields a role can ask for are read', () => {
  const minted = mintLeaf(ca, {
    subject: [
      ['C', 'DE'],
      ['O', 'Acme'],
      ['OU', 'eng'],
      ['OU', 'ops'],
      ['CN', 'first'],
      ['CN', 'last'],
    ],
    dns: ['a.example.com', '*.b.example.com'],
    emails: ['a@example.com'],
    uris: ['spiffe://example.com/ns/x'],
    ips: ['10.1.2.3', '2001:db8::1'],
    directoryNames: [[['O', 'Dir']]],
    otherNames: [{ oid: '1.3.6.1.4.1.311.20.2.3', value: der.utf8String('upn') }],
    ocspUrls: ['http://ocsp.example.com'],
    crlUrls: ['http://crl.example.com/a.crl'],
    serial: 2n ** 152n + 1n,
    notBefore: new Date('2026-01-01T00:00:00Z'),
    notAfter: new Date('2051-01-01T00:00:00Z'),
  })
  const certificate = readCertificate(minted.der)
  expect(nameText(certificate.subject)).toBe('CN=last,CN=first,OU=ops,OU=eng,O=Acme,C=DE')
  expect(nameText(certificate.issuer)).toBe('CN=Root,O=Acme\\, Inc.')
  expect([commonName(certificate), commonNames(certificate)]).toEqual(['last', ['first', 'last']])
  expect([organizationalUnits(certificate), organizations(certificate)]).toEqual([['eng', 'ops'], ['Acme']])
  expect(alternativeNames(certificate)).toEqual({
    dns: ['a.example.com', '*.b.example.com'],
    emails: ['a@example.com'],
    uris: ['spiffe://example.com/ns/x'],
    ips: ['10.1.2.3', '2001:db8::1'],
    directoryNames: ['O=Dir'],
    others: ['1.3.6.1.4.1.311.20.2.3'],
  })
  expect(serialText(certificate)).toBe((2n ** 152n + 1n).toString())
  expect([toIso(certificate.notBefore), toIso(certificate.notAfter)]).toEqual([
    '2026-01-01T00:00:00.000Z',
    '2051-01-01T00:00:00.000Z',
  ])
  expect(certificate.basicConstraints).toEqual({ ca: false, pathLength: undefined })
  expect(certificate.keyUsage).toBe(1 << usage.digitalSignature)
  expect(certificate.extendedKeyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
  expect([certificate.ocspUrls, certificate.crlUrls]).toEqual([
    ['http://ocsp.example.com'],
    ['http://crl.example.com/a.crl'],
  ])
  expect(colonHex(certificate.authorityKeyId)).toMatch(/^([0-9a-f]{2}:){19}[0-9a-f]{2}$/)
  expect(certificate.fingerprint).toBe(createHash('sha256').update(minted.der).digest('hex'))
})

test('certificate: fingerprint, end of validity and key agree with what Node reads', () => {
  const minted = mintLeaf(ca, { dns: ['a.example.com'], keyKind: 'rsa2048' })
  const [ours, theirs] = [readCertificate(minted.der), new X509Certificate(minted.der)]
  expect(ours.fingerprint).toBe(theirs.fingerprint256.replaceAll(':', '').toLowerCase())
  expect(ours.notAfter).toBe(theirs.validToDate.getTime())
  expect(ours.publicKey.der).toEqual(theirs.publicKey.export({ type: 'spki', format: 'der' }))
  expect(ours.publicKey.key).toEqual({ kind: 'rsa', bits: 2048, exponentBits: 17 })
})

test.each([
  ['p256', { kind: 'ec', curve: 'P-256' }],
  ['p384', { kind: 'ec', curve: 'P-384' }],
  ['p521', { kind: 'ec', curve: 'P-521' }],
  ['ed25519', { kind: 'ed25519' }],
  ['rsa1024', { kind: 'rsa', bits: 1024, exponentBits: 17 }],
  ['rsa-pss2048', { kind: 'rsa-pss', bits: 2048, exponentBits: 17 }],
  ['secp256k1', { kind: 'unsupported', problem: 'an EC key on curve 1.3.132.0.10' }],
] as const)('certificate: the key of a %s certificate is described without importing it', (keyKind, expected) => {
  expect(readCertificate(mintLeaf(ca, { keyKind }).der).publicKey.key).toEqual(expected)
})

test.each([0n, 1n, -5n, 2n ** 64n, 2n ** 159n - 1n, 2n ** 160n - 1n])(
  'certificate: serial number %s is read exactly',
  (serial) => {
    expect(serialText(readCertificate(mintLeaf(ca, { serial }).der))).toBe(serial.toString())
  },
)

test.each([2n ** 160n, 2n ** 167n - 1n, -(2n ** 160n)])(
  'certificate: serial number %s is refused as longer than 20 octets',
  (serial) => {
    expect(() => readCertificate(mintLeaf(ca, { serial }).der)).toThrow('longer than 20 octets')
  },
)

test('certificate: version 1 is read, without extensions', () => {
  const certificate = readCertificate(mintLeaf(ca, { version: 1 }).der)
  expect([certificate.version, certificate.extensions.size]).toEqual([1, 0])
})

test('certificate: one without a common name is described by its serial number', () => {
  const certificate = readCertificate(mintLeaf(ca, { subject: [], serial: 7n }).der)
  expect([commonName(certificate), describe(certificate)]).toEqual(['', 'serial 7'])
})

test.each([
  ['UTF8String', der.utf8String('grün'), 'grün'],
  ['PrintableString', printableString('plain'), 'plain'],
  ['IA5String', ia5String('a@b'), 'a@b'],
  ['BMPString', bmpString('grün'), 'grün'],
  ['bytes behind the string', Buffer.concat([der.utf8String('x'), Buffer.from('00', 'hex')]), 'x'],
  ['an empty string', der.utf8String(''), ''],
  ['OCTET STRING', der.octetString(Buffer.from('x')), undefined],
  ['SEQUENCE', der.sequence(der.utf8String('x')), undefined],
  ['INTEGER', der.integer(5), undefined],
  ['VisibleString', der.tlv(der.tag.visibleString, Buffer.from('x')), undefined],
  ['bad UTF-8', der.tlv(der.tag.utf8String, Buffer.from('ff', 'hex')), undefined],
  ['no DER at all', Buffer.from('hello'), undefined],
  ['nothing', Buffer.alloc(0), undefined],
])('extension: text of %s', (_name, value, expected) => {
  const certificate = readCertificate(mintLeaf(ca, { extensions: [{ oid: '1.2.3.4', critical: true, value }] }).der)
  const extension = certificate.extensions.get('1.2.3.4')
  expect(extension).toMatchObject({ critical: true, value })
  expect(extension && extensionText(extension)).toBe(expected)
})

const sequence = der.sequence()
const good = der.sequence(der.implicitTag(2, Buffer.from('a.example.com')))
const unreadable: [string, RawExtension[]][] = [
  [
    'an extension twice',
    [
      { oid: '2.5.29.17', value: good },
      { oid: '2.5.29.17', value: good },
    ],
  ],
  ['an empty subjectAltName', [{ oid: '2.5.29.17', value: sequence }]],
  ['bytes behind the subjectAltName', [{ oid: '2.5.29.17', value: Buffer.concat([good, Buffer.from([0])]) }]],
  ['a DNS name beyond ASCII', [{ oid: '2.5.29.17', value: der.sequence(der.implicitTag(2, Buffer.from('ü'))) }]],
  ['a DNS name with NUL', [{ oid: '2.5.29.17', value: der.sequence(der.implicitTag(2, Buffer.from('a\0b'))) }]],
  ['a name of unknown kind', [{ oid: '2.5.29.17', value: der.sequence(der.implicitTag(9, Buffer.from('x'))) }]],
  ['an address of five octets', [{ oid: '2.5.29.17', value: der.sequence(der.implicitTag(7, Buffer.alloc(5))) }]],
  [
    'a registered name that is no OID',
    [{ oid: '2.5.29.17', value: der.sequence(der.implicitTag(8, Buffer.from([0x80]))) }],
  ],
  [
    'another name without a value',
    [{ oid: '2.5.29.17', value: der.sequence(der.explicitTag(0, der.oid('1.2.3'), der.explicitTag(0))) }],
  ],
  [
    'an X.400 address that is no DER',
    [{ oid: '2.5.29.17', value: der.sequence(der.explicitTag(3, Buffer.from([4, 9]))) }],
  ],
  [
    'an EDI party name that is no DER',
    [{ oid: '2.5.29.17', value: der.sequence(der.explicitTag(5, Buffer.from([4, 9]))) }],
  ],
  ['subjectAltName that is text', [{ oid: '2.5.29.17', value: Buffer.from('not DER') }]],
  ['basicConstraints of another type', [{ oid: '2.5.29.19', value: der.octetString(sequence) }]],
  ['a negative path length', [{ oid: '2.5.29.19', value: der.sequence(der.boolean(true), der.integer(-1)) }]],
  ['a third value in basicConstraints', [{ oid: '2.5.29.19', value: der.sequence(der.integer(1), der.integer(1)) }]],
  ['keyUsage of another type', [{ oid: '2.5.29.15', value: der.octetString(Buffer.from([3])) }]],
  ['an empty extKeyUsage', [{ oid: '2.5.29.37', value: sequence }]],
  ['extKeyUsage with something else in it', [{ oid: '2.5.29.37', value: der.sequence(der.integer(1)) }]],
  ['an empty nameConstraints', [{ oid: '2.5.29.30', value: sequence }]],
  ['nameConstraints with an empty side', [{ oid: '2.5.29.30', value: der.sequence(der.explicitTag(0)) }]],
  [
    'nameConstraints with a maximum',
    [
      {
        oid: '2.5.29.30',
        value: der.sequence(
          der.explicitTag(0, der.sequence(der.implicitTag(2, Buffer.from('a')), der.implicitTag(1, Buffer.from([1])))),
        ),
      },
    ],
  ],
  ['subjectKeyIdentifier of another type', [{ oid: '2.5.29.14', value: sequence }]],
  ['authorityKeyIdentifier that is cut off', [{ oid: '2.5.29.35', value: Buffer.from('3004800401', 'hex') }]],
  ['an empty authorityInfoAccess', [{ oid: '1.3.6.1.5.5.7.1.1', value: sequence }]],
  ['an unreadable cRLDistributionPoints', [{ oid: '2.5.29.31', value: der.sequence(der.integer(1)) }]],
  [
    'cRLDistributionPoints with a relative name that is none',
    [{ oid: '2.5.29.31', value: der.sequence(der.sequence(der.explicitTag(0, der.explicitTag(1, der.integer(1))))) }],
  ],
  ['an empty policyConstraints', [{ oid: '2.5.29.36', value: sequence }]],
]

test.each(unreadable)('certificate: one with %s is refused', (_name, extensions) => {
  const bare = { ca: null, keyUsage: null, extendedKeyUsage: null, subjectKeyId: null, authorityKeyId: null }
  expect(() => readCertificate(mintLeaf(ca, { ...bare, extensions }).der)).toThrow(Failure)
})

test('certificate: the reason of a refusal is a sentence', () => {
  const twice = Array.from({ length: 2 }, () => ({ oid: '1.2.3', value: sequence }))
  const read = () => readCertificate(mintLeaf(ca, { extensions: twice }).der)
  expect(read).toThrow(/^The list of extensions holds extension 1\.2\.3 twice\.$/)
})

test.each([
  ['bytes behind it', Buffer.concat([ca.der, Buffer.from([0])])],
  ['a byte missing', ca.der.subarray(0, -1)],
  ['nothing', Buffer.alloc(0)],
  ['a serial number of 22 octets', mintLeaf(ca, { serial: 2n ** 170n }).der],
  ['more than 256 KiB', Buffer.alloc(300_000, 0x30)],
  ['a bare key', spkiOf(ca.key)],
])('certificate encoding: %s is refused', (_name, bytes) => {
  expect(() => readCertificate(bytes)).toThrow(Failure)
})
