import { expect, test } from 'vitest'
import { mintCa, mintLeaf } from '../../test/support/certificates.ts'
import { readPemCertificates } from './index.ts'
import { pemBlocks, withoutPrivateKeys, writePem } from './pem.ts'

const ca = mintCa()
const leaf = mintLeaf(ca)
const lockedKey = leaf.keyPem.replace('-----\n', '-----\nProc-Type: 4,ENCRYPTED\n\n')
const broken = writePem('CERTIFICATE', Buffer.from('3003020101', 'hex'))

test.each([
  ['two certificates', ca.pem + leaf.pem, { read: 2, skipped: 0 }],
  ['text around and between', `subject=x\n${ca.pem}\n# next\n${leaf.pem}the end`, { read: 2, skipped: 0 }],
  ['Windows line ends', ca.pem.replaceAll('\n', '\r\n'), { read: 1, skipped: 0 }],
  ['one long line', ca.pem.replace(/(?<=[^-])\n(?=[^-])/g, ''), { read: 1, skipped: 0 }],
  ['a key beside it', leaf.keyPem + leaf.pem, { read: 1, skipped: 0 }],
  ['a broken one beside it', broken + ca.pem, { read: 1, skipped: 1 }],
  ['a key alone', leaf.keyPem, { read: 0, skipped: 0 }],
  ['a broken one alone', broken, { read: 0, skipped: 1 }],
  ['characters that are not base64', ca.pem.replace('MII', 'M!I'), { read: 0, skipped: 1 }],
  ['headers inside the block', ca.pem.replace('-----\n', '-----\nProc-Type: 4,ENCRYPTED\n\n'), { read: 0, skipped: 1 }],
  ['padding in the middle', ca.pem.replace('MII', 'M=I'), { read: 0, skipped: 1 }],
  ['no end', ca.pem.replace('-----END CERTIFICATE-----', ''), { read: 0, skipped: 0 }],
  ['an end of another kind', ca.pem.replace('END CERTIFICATE', 'END KEY'), { read: 0, skipped: 0 }],
  ['an unfinished block before it', `-----BEGIN CERTIFICATE-----\n${ca.pem}`, { read: 1, skipped: 0 }],
  ['as many blocks as are read', broken.repeat(999) + ca.pem, { read: 1, skipped: 999 }],
  ['more blocks than are read', broken.repeat(1_000) + ca.pem.repeat(3), { read: 0, skipped: 1_001 }],
  ['nothing', '', { read: 0, skipped: 0 }],
])('bundle: numbers of certificates read and skipped for %s', (_name, text, expected) => {
  const { certificates, skipped } = readPemCertificates(text)
  expect({ read: certificates.length, skipped: skipped.length }).toEqual(expected)
})

test('bundle: the settings behind a TRUSTED CERTIFICATE are ignored', () => {
  const text = writePem('TRUSTED CERTIFICATE', Buffer.concat([ca.der, Buffer.from('3003020101', 'hex')]))
  expect(readPemCertificates(text).certificates.map((each) => each.der)).toEqual([ca.der])
})

test('bundle: a skipped block is reported with index, label and reason', () => {
  const { skipped } = readPemCertificates(ca.pem + broken)
  expect(skipped).toEqual([{ index: 1, label: 'CERTIFICATE', reason: expect.stringMatching(/wrong type/) }])
})

test.each([
  ['before a certificate', leaf.keyPem + leaf.pem, leaf.pem],
  ['behind one, without a line end', leaf.pem + leaf.keyPem.trimEnd(), leaf.pem],
  ['between text', `a\n${leaf.keyPem}b\n${ca.pem}`, `a\nb\n${ca.pem}`],
  ['encrypted', lockedKey + ca.pem, ca.pem],
  ['twice', leaf.keyPem + ca.pem + leaf.keyPem, ca.pem],
  ['that has lost its end', leaf.keyPem.slice(0, 90) + ca.pem, ca.pem],
  ['that has lost its end, as the last', ca.pem + leaf.keyPem.slice(0, 90), ca.pem],
  ['that ends as another kind', leaf.keyPem.replace('END PRIVATE', 'END EC PRIVATE') + ca.pem, ca.pem],
  ['nowhere', `x\n${ca.pem}y`, `x\n${ca.pem}y`],
])('bundle: a private key %s is taken out, and nothing else', (_name, text, expected) => {
  expect(withoutPrivateKeys(text)).toBe(expected)
})

test('bundle: certificates written as PEM are read back unchanged', () => {
  const { certificates } = readPemCertificates(ca.pem + leaf.pem)
  expect(certificates.map(({ der }) => writePem('CERTIFICATE', der)).join('')).toBe(ca.pem + leaf.pem)
})

test.each([
  ['a million beginnings', '-----BEGIN CERTIFICATE-----\n'.repeat(200_000)],
  ['a million dashes', '-'.repeat(4_000_000)],
  ['megabytes of white space', `-----BEGIN CERTIFICATE-----${' '.repeat(4_000_000)}!-----END CERTIFICATE-----`],
])('bundle: %s are handled in bounded time', (_name, text) => {
  const start = performance.now()
  expect([...pemBlocks(text)].filter((block) => block.der.length > 0)).toEqual([])
  expect(withoutPrivateKeys(text)).toBe(text)
  expect(withoutPrivateKeys(text.replaceAll('CERTIFICATE', 'PRIVATE KEY'))).not.toContain('KEY')
  expect(performance.now() - start).toBeLessThan(10_000)
})
