import { expect, test } from 'vitest'
import { encodeName } from '../../../test/support/certificate-parts.ts'
import { type CrlOptions, encodeExtension, mintCa, mintCrl } from '../../../test/support/certificates.ts'
import { enumerated } from '../../../test/support/der-values.ts'
import { turnsDuring } from '../../../test/support/stalls.ts'
import * as der from '../der-writer.ts'
import { loadCrl, readCrl } from './crl.ts'
import { crlBytes, holdsSeveralCrls } from './crl-text.ts'

const ca = mintCa({ commonName: 'ca' })
const date = der.time(new Date('2026-01-01T00:00:00Z'))

/** A sequence of so many small extensions, each with an identifier of its own. */
function smallExtensions(count: number): Buffer {
  const one = (index: number) => der.sequence(der.oid(`1.3.6.1.4.1.${index + 128}`), der.octetString(Buffer.alloc(0)))
  return der.tlv(der.tag.sequence, Buffer.concat(Array.from({ length: count }, (_, index) => one(index))))
}

const indirect = { oid: '2.5.29.28', critical: true, value: der.sequence(der.implicitTag(4, Buffer.from([0xff]))) }
const longEntry = der.sequence(der.integer(5n), date, smallExtensions(20_000))
const issuerOf = (index: number) => der.sequence(der.explicitTag(4, encodeName([['CN', `issuer ${index}`]])))
const ofManyIssuers = Array.from({ length: 10_001 }, (_, index) =>
  der.sequence(
    der.integer(5n),
    date,
    der.sequence(encodeExtension({ oid: '2.5.29.29', critical: true, value: issuerOf(index) })),
  ),
)

test.each<[string, CrlOptions, string]>([
  ['an entry', { revokedDer: longEntry }, 'An entry of the list is too long.'],
  [
    'an entry of an indirect list',
    { revokedDer: longEntry, extensions: [indirect] },
    'An entry of the list is too long.',
  ],
  [
    'its issuer',
    { issuerName: encodeName(Array.from({ length: 5_000 }, () => ['OU', 'x'] as const)) },
    'The issuer of the CRL is too long.',
  ],
  [
    'the list of its extensions',
    {
      extensions: Array.from({ length: 5_000 }, (_, index) => ({
        oid: `1.3.6.1.4.1.${index + 128}`,
        value: enumerated(1),
      })),
    },
    'The list of CRL extensions is too long.',
  ],
  [
    'the number of issuers it speaks for',
    { revokedDer: Buffer.concat(ofManyIssuers), extensions: [indirect] },
    'The list covers too many issuers.',
  ],
])('CRL: %s too long is refused instead of being read', (_what, options, text) => {
  expect(() => readCrl(mintCrl(ca, options).der)).toThrow(text)
})

test('CRL: loading long entries yields to the event loop', async () => {
  const entry = der.sequence(der.integer(5n), date, smallExtensions(500))
  const list = mintCrl(ca, { revokedDer: Buffer.concat(Array.from({ length: 100 }, () => entry)) })
  expect(await turnsDuring(() => loadCrl(list.der))).toBeGreaterThan(15)
})

test('CRL text: searching 4 MiB without a list yields to the event loop', async () => {
  for (const input of ['-'.repeat(4 * 1024 * 1024), Buffer.alloc(4 * 1024 * 1024, '-')])
    expect(await turnsDuring(async () => expect(await crlBytes(input)).toBeUndefined())).toBeGreaterThan(10)
})

test('CRL text: the PEM lines are found at any position, also across pieces', async () => {
  const { der: bytes, pem } = mintCrl(ca, { revoked: [5n] })
  for (const before of [0, 256 * 1024 - 10, 256 * 1024 - 1, 256 * 1024])
    for (const input of [`${' '.repeat(before)}${pem}`, Buffer.from(`${' '.repeat(before)}${pem}`)])
      expect(await crlBytes(input)).toEqual(bytes)
  expect(await holdsSeveralCrls(`${pem}${' '.repeat(256 * 1024 - 5)}${pem}`)).toBe(true)
  expect(await holdsSeveralCrls(`${pem}${' '.repeat(256 * 1024 - 5)}`)).toBe(false)
})
