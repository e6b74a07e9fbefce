import { expect, test } from 'vitest'
import { type Minted, mintCa, mintLeaf } from '../../../test/support/certificates.ts'
import { readCertificate } from '../certificates/certificate.ts'
import { findIssuer } from './find-issuer.ts'

const ca = mintCa({ commonName: 'CA' })
const twin = mintCa({ commonName: 'CA' })
const other = mintCa({ commonName: 'Other' })
const leaf = mintLeaf(ca)
const unverified = mintLeaf(ca, { signWith: 'sha1' })

test.each<[string, Minted, Minted[], Minted | undefined]>([
  ['the CA that signed it', leaf, [leaf, other, ca], ca],
  ['the CA that signed it, behind another of the same name', leaf, [twin, ca], ca],
  ['another of the same name alone', leaf, [leaf, twin], undefined],
  ['the same key under another name', leaf, [mintCa({ commonName: 'Other', key: ca.key })], undefined],
  ['nobody else', leaf, [leaf], undefined],
  ['a root alone', ca, [ca], undefined],
  ['an algorithm that is not verified, the key identifier decides', unverified, [other, twin, ca], ca],
  ['an algorithm that is not verified, and nobody of that name', unverified, [unverified, other], undefined],
])('issuer: of a certificate with %s', (_name, child, certificates, expected) => {
  const found = findIssuer(
    certificates.map(({ der }) => readCertificate(der)),
    readCertificate(child.der),
  )
  expect(found?.fingerprint).toEqual(expected && readCertificate(expected.der).fingerprint)
})
