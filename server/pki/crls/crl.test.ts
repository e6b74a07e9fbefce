import { expect, test } from 'vitest'
import { newKey } from '../../../test/support/certificate-parts.ts'
import {
  type CrlOptions,
  type Minted,
  mintCa,
  mintCrl,
  mintLeaf,
  type RevokedEntry,
  usage,
} from '../../../test/support/certificates.ts'
import { enumerated } from '../../../test/support/der-values.ts'
import { longCrlEntries } from '../../../test/support/long-crl.ts'
import { toIso } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { readCertificate } from '../certificates/certificate.ts'
import { nameText } from '../certificates/distinguished-names.ts'
import * as der from '../der-writer.ts'
import { writePem } from '../pem.ts'
import { countSerials, crlProblem, isRevoked, loadCrl, readCrl, revokes } from './crl.ts'
import { crlBytes } from './crl-text.ts'

const ca = mintCa({ commonName: 'ca' })
const contentsOf = (serial: bigint): Buffer => der.integer(serial).subarray(2)
const reason = { oid: '2.5.29.21', value: enumerated(1) }

test('CRL: issuer, times, number, scope and key identifier are read', () => {
  const { crl } = readCrl(
    mintCrl(ca, {
      revoked: [5n],
      number: 2n ** 100n,
      thisUpdate: new Date('2026-01-01T00:00:00Z'),
      nextUpdate: new Date('2026-02-01T00:00:00Z'),
    }).der,
  )
  expect(nameText(crl.issuer)).toBe('CN=ca')
  expect([crl.thisUpdate, crl.nextUpdate ?? crl.thisUpdate].map(toIso)).toEqual([
    '2026-01-01T00:00:00.000Z',
    '2026-02-01T00:00:00.000Z',
  ])
  expect([crl.number, crl.deltaBase, crl.completeFor]).toEqual([(2n ** 100n).toString(), undefined, 'all'])
  expect(crl.authorityKeyId).toEqual(ca.subjectKeyId)
})

test('CRL: serial numbers of any size are read exactly, and only they are revoked', () => {
  const serials = [0n, 1n, 127n, 128n, 255n, 256n, -1n, -129n, 2n ** 64n, 2n ** 64n + 1n, 2n ** 159n - 1n]
  const { crl } = readCrl(mintCrl(ca, { revoked: serials }).der)
  expect([...crl.revoked]).toEqual(serials.map(String))
  for (const serial of serials) expect(isRevoked(crl, contentsOf(serial))).toBe(true)
  for (const serial of [2n, 126n, -2n, 2n ** 64n - 1n, 2n ** 63n])
    expect(isRevoked(crl, contentsOf(serial))).toBe(false)
})

test('CRL: an entry listed twice counts once, one with a reason counts too', () => {
  const { crl } = readCrl(mintCrl(ca, { revoked: [7n, 7n, { serial: 8n, extensions: [reason] }] }).der)
  expect([crl.revoked.size, [...crl.revoked]]).toEqual([2, ['7', '8']])
})

test.each<[string, CrlOptions]>([
  ['no entries', {}],
  ['version 1', { version: 1, revoked: [5n] }],
  ['no nextUpdate', { nextUpdate: null, revoked: [5n] }],
  ['a nextUpdate after 2050', { nextUpdate: new Date('2051-01-01T00:00:00Z'), revoked: [5n] }],
  [
    'no number, no key identifier',
    { number: null, authorityKeyId: null, extensions: [{ oid: '1.2.3', value: der.nullValue() }] },
  ],
  ['a critical number', { number: null, extensions: [{ oid: '2.5.29.20', critical: true, value: der.integer(1) }] }],
  [
    'an entry with long extensions',
    { revoked: [{ serial: 5n, extensions: [{ oid: '1.2.3', value: Buffer.alloc(300) }] }] },
  ],
  ['entries dated 29 February', { revoked: [{ serial: 5n, at: new Date('2024-02-29T00:00:00Z') }] }],
  ['entries dated after 2050', { revoked: [{ serial: 5n, at: new Date('2051-01-01T00:00:00Z') }] }],
])('CRL: %s is read', (_name, options) => {
  const { crl } = readCrl(mintCrl(ca, options).der)
  expect(crl.revoked.size).toBe(options.revoked?.length ?? 0)
})

const criticalReason = { oid: '2.5.29.21', critical: true, value: enumerated(1) }

const distribution = (...parts: Buffer[]): CrlOptions => ({
  extensions: [{ oid: '2.5.29.28', critical: true, value: der.sequence(...parts) }],
})
const flag = (number: number): Buffer => der.implicitTag(number, Buffer.from([0xff]))

test.each<[string, CrlOptions, string]>([
  [
    'a distribution point alone',
    distribution(der.explicitTag(0, der.explicitTag(0, der.implicitTag(6, Buffer.from('http://x'))))),
    'all',
  ],
  ['only users', distribution(flag(1)), 'users'],
  ['only CAs', distribution(flag(2)), 'cas'],
  ['only users and only CAs', distribution(flag(1), flag(2)), 'nobody'],
  ['some reasons', distribution(der.implicitTag(3, Buffer.from([1, 2]))), 'nobody'],
])('CRL: completeFor of a list with %s', (_name, options, completeFor) => {
  expect(readCrl(mintCrl(ca, options).der).crl.completeFor).toBe(completeFor)
})

const issuedBy = (name: Buffer) => ({ oid: '2.5.29.29', critical: true, value: der.sequence(name) })
const indirect = (...revoked: RevokedEntry[]) => mintCrl(ca, { ...distribution(flag(4)), revoked })

test('CRL: entries of an indirect list belong to the last issuer named before, at first to that of the list', () => {
  const [bob, eve] = [mintCa({ commonName: 'Bob' }), mintCa({ commonName: 'Eve' })]
  const { crl } = readCrl(
    indirect(
      { serial: 1n },
      { serial: 2n, extensions: [issuedBy(der.explicitTag(4, bob.name))] },
      { serial: 3n },
      { serial: 4n, extensions: [issuedBy(der.explicitTag(4, eve.name))] },
      { serial: 5n, extensions: [issuedBy(der.explicitTag(4, ca.name))] },
    ).der,
  )
  const of = (issuer: Minted, serial: bigint) => revokes(crl, readCertificate(mintLeaf(issuer, { serial }).der))
  const serials = [1n, 2n, 3n, 4n, 5n]
  expect(serials.filter((serial) => of(ca, serial))).toEqual([1n, 5n])
  expect(serials.filter((serial) => of(bob, serial))).toEqual([2n, 3n])
  expect(serials.filter((serial) => of(eve, serial))).toEqual([4n])
  expect([crl.isIndirect, countSerials(crl)]).toEqual([true, 5])
  expect(countSerials(readCrl(indirect({ serial: 1n, extensions: [criticalReason] }).der).crl)).toBe(1)
  expect(countSerials(readCrl(indirect().der).crl)).toBe(0)
})

test('CRL: a delta list is recognised by its deltaBase', () => {
  const delta = { oid: '2.5.29.27', critical: true, value: der.integer(41) }
  expect(readCrl(mintCrl(ca, { extensions: [delta] }).der).crl.deltaBase).toBe('41')
})

const entry = (...parts: Buffer[]): CrlOptions => ({ revokedDer: der.sequence(...parts) })
const date = der.time(new Date('2026-01-01'))
const otherIssuer = { oid: '2.5.29.29', critical: true, value: der.sequence(der.explicitTag(4, ca.name)) }

test.each<[string, Buffer]>([
  ['nothing', Buffer.alloc(0)],
  ['bytes behind it', Buffer.concat([mintCrl(ca).der, Buffer.from([0])])],
  ['a certificate', ca.der],
  [
    'an unknown critical extension',
    mintCrl(ca, { extensions: [{ oid: '1.2.3', critical: true, value: der.nullValue() }] }).der,
  ],
  [
    'an indirect list whose entry names an issuer by its address alone',
    indirect({ serial: 5n, extensions: [issuedBy(der.tlv(0x86, Buffer.from('ldap://x')))] }).der,
  ],
  [
    'an indirect list with an unknown critical extension',
    indirect({ serial: 5n, extensions: [{ oid: '1.2.3', critical: true, value: der.nullValue() }] }).der,
  ],
  [
    'an indirect list with an entry without date',
    mintCrl(ca, { ...entry(der.integer(5)), ...distribution(flag(4)) }).der,
  ],
  [
    'an indirect list with a padded serial number',
    mintCrl(ca, { ...entry(der.tlv(2, Buffer.from([0, 1])), date), ...distribution(flag(4)) }).der,
  ],
  ['a list of attribute certificates', mintCrl(ca, distribution(flag(5))).der],
  ['an entry of another issuer', mintCrl(ca, { revoked: [{ serial: 5n, extensions: [otherIssuer] }] }).der],
  [
    'an entry of another issuer, not critical',
    mintCrl(ca, { revoked: [{ serial: 5n, extensions: [{ ...otherIssuer, critical: false }] }] }).der,
  ],
  [
    'an entry of 17 kilobytes',
    mintCrl(ca, { revoked: [{ serial: 5n, extensions: [{ oid: '1.2.3', value: Buffer.alloc(17_000) }] }] }).der,
  ],
  [
    'an entry with an unknown critical extension',
    mintCrl(ca, { revoked: [{ serial: 5n, extensions: [{ oid: '1.2.3', critical: true, value: der.nullValue() }] }] })
      .der,
  ],
  ['an entry without date', mintCrl(ca, entry(der.integer(5))).der],
  ['an entry with a serial number of 65 octets', mintCrl(ca, entry(der.tlv(2, Buffer.alloc(65, 1)), date)).der],
  ['an entry with a padded serial number', mintCrl(ca, entry(der.tlv(2, Buffer.from([0, 1])), date)).der],
  ['an entry with an empty serial number', mintCrl(ca, entry(der.tlv(2), date)).der],
  [
    'an entry with an impossible date',
    mintCrl(ca, entry(der.integer(5), der.tlv(0x17, Buffer.from('261341000000Z')))).der,
  ],
  ['an entry of month zero', mintCrl(ca, entry(der.integer(5), der.tlv(0x17, Buffer.from('260001000000Z')))).der],
  ['an entry with a date as octets', mintCrl(ca, entry(der.integer(5), der.tlv(4, Buffer.from('260101000000Z')))).der],
  ['an entry with something behind it', mintCrl(ca, entry(der.integer(5), date, der.sequence(), der.nullValue())).der],
  ['an entry that is not a sequence', mintCrl(ca, { revokedDer: der.integer(5) }).der],
  ['an entry cut off', mintCrl(ca, { revokedDer: Buffer.from([0x30, 0x7f, 2, 1, 5]) }).der],
])('CRL: %s is refused', async (_name, bytes) => {
  expect(() => readCrl(bytes)).toThrow(Failure)
  await expect(loadCrl(bytes)).rejects.toThrow(Failure)
})

test.each<[string, CrlOptions, string | undefined]>([
  ['its own', {}, undefined],
  ['signed by another key', { key: newKey('p256') }, 'Its signature is not by the key of the issuer.'],
  ['of another issuer', { issuerName: mintCa({ commonName: 'other' }).name }, 'It names another issuer.'],
  ['signed with SHA-1', { signWith: 'sha1' }, 'It is signed with SHA-1 with ECDSA.'],
])('CRL: problem with a list that is %s', async (_name, options, expected) => {
  expect(await crlProblem(readCrl(mintCrl(ca, options).der), readCertificate(ca.der))).toBe(expected)
})

test('CRL: a list of a CA without cRLSign usage is refused', async () => {
  const mute = mintCa({ keyUsage: [usage.keyCertSign] })
  expect(await crlProblem(readCrl(mintCrl(mute).der), readCertificate(mute.der))).toMatch(/cRLSign/)
})

test.each(['p256', 'rsa2048', 'ed25519'] as const)(
  'CRL: a list of 270000 entries of a %s CA is verified, and a forged one refused',
  async (keyKind) => {
    const issuer = mintCa({ keyKind })
    const revokedDer = longCrlEntries(270_000)
    const [good, forged] = [mintCrl(issuer, { revokedDer }), mintCrl(issuer, { revokedDer, key: newKey(keyKind) })]
    expect(await crlProblem(await loadCrl(good.der), readCertificate(issuer.der))).toBeUndefined()
    expect(await crlProblem(await loadCrl(forged.der), readCertificate(issuer.der))).toMatch(/signature/)
  },
)

const small = mintCrl(ca, { revoked: [5n] })
/** A list whose base64 ends with padding. The length of a signature varies, so lists of several lengths are made. */
const padded = Array.from({ length: 30 }, (_, count) =>
  mintCrl(ca, { revoked: Array.from({ length: count }, () => 5n) }),
).find(({ der: bytes }) => bytes.length % 3 !== 0) as typeof small

test.each<[string, string | Buffer]>([
  ['PEM', small.pem],
  ['PEM with text around', `Certificate Revocation List\n${small.pem}bye`],
  ['PEM behind a certificate', ca.pem + small.pem],
  ['PEM with Windows line ends', small.pem.replaceAll('\n', '\r\n')],
  ['base64 of DER', small.der.toString('base64')],
  ['base64 in lines', small.der.toString('base64').replace(/.{76}/g, '$&\n')],
  ['DER', small.der],
  ['PEM as bytes', Buffer.from(small.pem)],
])('CRL text: %s is decoded as a list', async (_name, input) => {
  expect(await crlBytes(input)).toEqual(small.der)
})

test.each<[string, string | Buffer]>([
  ['a certificate', ca.pem],
  ['PEM that is not base64', small.pem.replace('MI', 'M!')],
  ['PEM without end', small.pem.replace('-----END X509 CRL-----', '')],
  ['something behind padding and many blanks', `${padded.der.toString('base64')}${' '.repeat(600_000)}AAAA`],
  ['padding in the middle', small.der.toString('base64').replace(/^(.{8})/, '$1=')],
  ['words', 'hello there'],
  ['nothing', ''],
])('CRL text: %s is not decoded as a list', async (_name, input) => {
  expect(await crlBytes(input)).toBeUndefined()
})

test('CRL text: megabytes are decoded exactly, whatever the line length', async () => {
  const bytes = Buffer.concat([Buffer.from([0x30]), Buffer.alloc(3_000_001, 'abc')])
  const odd = bytes.toString('base64').replace(/.{61}/g, '$&\n')
  expect(await crlBytes(`-----BEGIN X509 CRL-----\n${odd}\n-----END X509 CRL-----`)).toEqual(bytes)
  expect(await crlBytes(writePem('X509 CRL', bytes))).toEqual(bytes)
})

test('CRL: a million entries load in bounded time and memory without blocking the event loop', async () => {
  const count = 1_000_000
  const size = 2 + 18 + 15
  const entries = Buffer.alloc(count * size)
  const template = der.sequence(der.integer(0x11n << 120n), date)
  for (let index = 0; index < count; index++) {
    template.copy(entries, index * size)
    entries.writeUInt32BE(Math.imul(index, 0x9e3779b1) >>> 0, index * size + 8)
    entries.writeUInt32BE(index, index * size + 16)
  }
  const list = mintCrl(ca, { revokedDer: entries })
  let turns = 0
  const ticker = setInterval(() => turns++, 1)
  const start = performance.now()
  const { crl } = await loadCrl(list.der)
  const took = performance.now() - start
  clearInterval(ticker)
  expect(crl.revoked.size).toBe(count)
  expect(crl.revoked.bytes).toBeLessThan(32e6)
  expect(isRevoked(crl, entries.subarray(4, 20))).toBe(true)
  expect(isRevoked(crl, entries.subarray((count - 1) * size + 4, (count - 1) * size + 20))).toBe(true)
  expect(isRevoked(crl, Buffer.alloc(16, 3))).toBe(false)
  // A generous limit: the benchmark measures, this only notices gross slowdowns.
  expect(took).toBeLessThan(20_000)
  expect(turns).toBeGreaterThan(5)
})
