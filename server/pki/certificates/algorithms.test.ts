import { createPublicKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { newKey } from '../../../test/support/certificate-parts.ts'
import { mintCa } from '../../../test/support/certificates.ts'
import { Failure } from '../../kernel/failure.ts'
import { readElement } from '../der.ts'
import * as der from '../der-writer.ts'
import { keyProblem, readSignatureAlgorithm } from './algorithms.ts'
import { readCertificate } from './certificate.ts'
import { readPublicKeyInfo } from './public-key.ts'
import { isSignedBy } from './signature.ts'

const schemeOf = (...parts: Buffer[]) => {
  const bytes = der.sequence(...parts)
  return readSignatureAlgorithm(readElement(bytes, 0, bytes.length))
}
const rsaSha256 = der.oid('1.2.840.113549.1.1.11')
const ecdsaSha256 = der.oid('1.2.840.10045.4.3.2')

test.each([
  ['RSA with NULL', [rsaSha256, der.nullValue()], { kind: 'rsa', hash: 'sha256' }],
  ['RSA without parameters', [rsaSha256], { kind: 'rsa', hash: 'sha256' }],
  ['RSA with other parameters', [rsaSha256, der.integer(1)], undefined],
  ['ECDSA', [ecdsaSha256], { kind: 'ecdsa', hash: 'sha256' }],
  ['ECDSA with NULL', [ecdsaSha256, der.nullValue()], { kind: 'ecdsa', hash: 'sha256' }],
  ['ECDSA with other parameters', [ecdsaSha256, der.oid('1.2.840.10045.3.1.7')], undefined],
  ['Ed25519', [der.oid('1.3.101.112')], { kind: 'ed25519' }],
  ['Ed25519 with NULL', [der.oid('1.3.101.112'), der.nullValue()], undefined],
  ['Ed448', [der.oid('1.3.101.113')], undefined],
  ['MD5', [der.oid('1.2.840.113549.1.1.4'), der.nullValue()], undefined],
  ['SHA-1', [der.oid('1.2.840.113549.1.1.5'), der.nullValue()], undefined],
])('signature algorithm: %s gives the expected scheme or none', (_name, parts, expected) => {
  expect(schemeOf(...parts).scheme).toEqual(expected)
})

const sha = (bits: 1 | 2 | 3): Buffer => der.sequence(der.oid(`2.16.840.1.101.3.4.2.${bits}`), der.nullValue())
const sha1 = der.sequence(der.oid('1.3.14.3.2.26'), der.nullValue())
const mask = (hash: Buffer): Buffer => der.explicitTag(1, der.sequence(der.oid('1.2.840.113549.1.1.8'), hash))
const salt = (length: number): Buffer => der.explicitTag(2, der.integer(length))
const good = { kind: 'rsa-pss', hash: 'sha256', saltLength: 32 }

test.each([
  ['one hash, its length of salt', [der.explicitTag(0, sha(1)), mask(sha(1)), salt(32)], good],
  ['the longest salt', [der.explicitTag(0, sha(1)), mask(sha(1)), salt(222)], { ...good, saltLength: 222 }],
  ['the usual trailer', [der.explicitTag(0, sha(1)), mask(sha(1)), salt(32), der.explicitTag(3, der.integer(1))], good],
  [
    'another trailer',
    [der.explicitTag(0, sha(1)), mask(sha(1)), salt(32), der.explicitTag(3, der.integer(2))],
    undefined,
  ],
  ['a short salt', [der.explicitTag(0, sha(1)), mask(sha(1)), salt(20)], undefined],
  ['the default salt', [der.explicitTag(0, sha(1)), mask(sha(1))], undefined],
  ['two hashes', [der.explicitTag(0, sha(1)), mask(sha(2)), salt(32)], undefined],
  ['a mask with SHA-1', [der.explicitTag(0, sha(1)), mask(sha1), salt(32)], undefined],
  ['the default mask, which means SHA-1', [der.explicitTag(0, sha(1)), salt(32)], undefined],
  ['all defaults, which mean SHA-1', [], undefined],
])('RSA-PSS parameters: %s give the expected scheme or none', (_name, parts, expected) => {
  expect(schemeOf(der.oid('1.2.840.113549.1.1.10'), der.sequence(...parts)).scheme).toEqual(expected)
})

const keyInfo = (bytes: Buffer) => readPublicKeyInfo(readElement(bytes, 0, bytes.length))
const plainKey = (oid: string, bits: Buffer, ...parameters: Buffer[]): Buffer =>
  der.sequence(der.sequence(der.oid(oid), ...parameters), der.bitString(bits))
const rsaNumbers = (modulus: bigint, exponent: bigint): Buffer =>
  der.sequence(der.integer(modulus), der.integer(exponent))
const rsaKey = (modulus: bigint, exponent: bigint): Buffer =>
  plainKey('1.2.840.113549.1.1.1', rsaNumbers(modulus, exponent), der.nullValue())
const ecKey = (parameters: Buffer, point: Buffer): Buffer =>
  der.sequence(der.sequence(der.oid('1.2.840.10045.2.1'), parameters), der.bitString(point))
const p256 = der.oid('1.2.840.10045.3.1.7')

test.each<[string, Buffer, RegExp | undefined]>([
  ['RSA-2048', rsaKey(2n ** 2047n + 1n, 65537n), undefined],
  ['RSA-2047', rsaKey(2n ** 2046n + 1n, 65537n), /2047 bits/],
  ['RSA-16384', rsaKey(2n ** 16383n + 1n, 65537n), /16384 bits/],
  ['an exponent of 1', rsaKey(2n ** 2047n + 1n, 1n), /exponent/],
  ['a huge exponent', rsaKey(2n ** 2047n + 1n, 2n ** 1000n + 1n), /exponent/],
  ['an even modulus', rsaKey(2n ** 2047n, 65537n), /cannot be read/],
  ['a negative modulus', rsaKey(-5n, 65537n), /cannot be read/],
  [
    'an empty RSA key',
    der.sequence(der.sequence(der.oid('1.2.840.113549.1.1.1')), der.bitString(Buffer.alloc(0))),
    /cannot be read/,
  ],
  ['an RSA key without parameters', plainKey('1.2.840.113549.1.1.1', rsaNumbers(2n ** 2047n + 1n, 65537n)), undefined],
  [
    'an RSA key with parameters',
    plainKey('1.2.840.113549.1.1.1', rsaNumbers(2n ** 2047n + 1n, 65537n), der.integer(1)),
    /unknown parameters/,
  ],
  ['Ed25519', plainKey('1.3.101.112', Buffer.alloc(32)), undefined],
  ['Ed25519 with parameters', plainKey('1.3.101.112', Buffer.alloc(32), der.nullValue()), /unknown parameters/],
  ['P-256', ecKey(p256, Buffer.alloc(65, 4)), undefined],
  ['a compressed point', ecKey(p256, Buffer.alloc(33, 2)), undefined],
  ['a point of the wrong length', ecKey(p256, Buffer.alloc(64, 4)), /not a point/],
  ['explicit parameters', ecKey(der.sequence(der.integer(1)), Buffer.alloc(65, 4)), /named curve/],
  ['P-192', ecKey(der.oid('1.2.840.10045.3.1.1'), Buffer.alloc(49, 4)), /curve 1.2.840.10045.3.1.1/],
  ['DSA', der.sequence(der.sequence(der.oid('1.2.840.10040.4.1')), der.bitString(Buffer.alloc(4))), /DSA/],
])('key: whether there is a problem with %s', (_name, bytes, expected) => {
  const problem = keyProblem(keyInfo(bytes).key)
  if (expected === undefined) expect(problem).toBeUndefined()
  else expect(problem).toMatch(expected)
})

test('key: an RSA key with broken contents is refused as malformed', () => {
  const broken = der.sequence(
    der.sequence(der.oid('1.2.840.113549.1.1.1'), der.nullValue()),
    der.bitString(Buffer.from('3003020101', 'hex')),
  )
  expect(() => keyInfo(broken)).toThrow(Failure)
})

test('key: an RSA modulus padded with zeros is refused as malformed', () => {
  const modulus = Buffer.concat([Buffer.alloc(129), der.integer(2n ** 1023n + 1n).subarray(-128)])
  const padded = der.sequence(
    der.sequence(der.oid('1.2.840.113549.1.1.1'), der.nullValue()),
    der.bitString(der.sequence(der.tlv(der.tag.integer, modulus), der.integer(65537n))),
  )
  expect(() => keyInfo(padded)).toThrow('shortest form')
})

test('signature: a point off its curve verifies nothing and does not throw', () => {
  const ca = readCertificate(mintCa().der)
  expect(isSignedBy(ca, ca.publicKey)).toBe(true)
  expect(isSignedBy(ca, keyInfo(ecKey(p256, Buffer.alloc(65, 4))))).toBe(false)
})

test('signature: a key of another kind, an empty signature, and the wrong data verify nothing', () => {
  const ca = readCertificate(mintCa().der)
  const other = createPublicKey(newKey('ed25519')).export({ type: 'spki', format: 'der' })
  expect(isSignedBy(ca, keyInfo(other))).toBe(false)
  expect(isSignedBy({ ...ca, signature: Buffer.alloc(0) }, ca.publicKey)).toBe(false)
  expect(isSignedBy({ ...ca, signed: Buffer.from('x') }, ca.publicKey)).toBe(false)
})
