import { expect, test } from 'vitest'
import { type Minted, mintCa, mintIntermediate, mintLeaf } from '../../../../../../test/support/certificates.ts'
import { instant } from '../../../../../kernel/clock.ts'
import { type Certificate, readCertificate } from '../../../../../pki/index.ts'
import {
  coversCertificate,
  forgedSigner,
  issuersIn,
  keyHashOf,
  type ListOwner,
  type NewList,
  refreshTime,
  replacementProblem,
  type StoredCrl,
} from './crl.ts'

const now = instant(1_000_000)

const stored: StoredCrl = {
  name: 'main',
  url: 'http://example.com/crl',
  blobId: 'b',
  size: 1,
  entries: 0,
  issuer: 'CN=a',
  signerKey: '',
  number: '5',
  thisUpdate: now,
  nextUpdate: undefined,
  updatedAt: now,
  refreshAt: now,
  lastError: '',
  lastErrorAt: instant(0),
}
const offered: NewList = { issuer: 'CN=a', number: '5', thisUpdate: now, signerKey: '' }
const before = instant(now - 1)

test.each<[string, Partial<StoredCrl>, Partial<NewList>, boolean, boolean]>([
  ['the same list', {}, {}, true, true],
  ['a list of another issuer', {}, { issuer: 'CN=b' }, true, false],
  ['a lower number, later', {}, { number: '4', thisUpdate: instant(now + 1) }, false, false],
  ['a higher number', {}, { number: '10' }, true, true],
  ['a higher number, earlier', {}, { number: '6', thisUpdate: before }, true, true],
  ['the same number, earlier', {}, { thisUpdate: before }, true, false],
  ['no number, earlier', {}, { number: undefined, thisUpdate: before }, true, false],
  ['a number after none, earlier', { number: undefined }, { thisUpdate: before }, true, false],
  ['no number, later', {}, { number: undefined, thisUpdate: instant(now + 1) }, true, true],
  ['an unverified list after a verified one', { signerKey: 'key' }, {}, true, false],
  ['a verified list after a verified one', { signerKey: 'key' }, { signerKey: 'other' }, true, true],
  ['an unverified list after a forged one', { signerKey: forgedSigner }, {}, true, true],
])('replacing a list: %s', (_name, old, next, written, fetched) => {
  const mayReplace = (source: 'written' | 'fetched-again') =>
    replacementProblem({ ...stored, ...old }, { ...offered, ...next }, source) === undefined
  expect([mayReplace('written'), mayReplace('fetched-again')]).toEqual([written, fetched])
})

test('replacing a list: the first one may be any', () => {
  expect(replacementProblem(undefined, offered, 'fetched-again')).toBeUndefined()
})

test.each([
  ['none', undefined, 300_000],
  ['to come', instant(now + 1), 1],
  ['an hour away', instant(now + 3_600_000), 3_600_000],
  ['days away', instant(now + 604_800_000), 3_600_000],
  ['now', now, 60_000],
  ['past', before, 60_000],
])('fetching again: with a nextUpdate that is %s', (_name, nextUpdate, wait) => {
  expect(refreshTime(nextUpdate, now) - now).toBe(wait)
})

const read = ({ der }: Minted): Certificate => readCertificate(der)
const root = mintCa({ commonName: 'Root' })
const twin = mintCa({ commonName: 'Root' })
const link = mintIntermediate(twin, { commonName: 'Root', key: root.key })
const below = mintIntermediate(root, { commonName: 'Below' })
const belowTwin = mintIntermediate(root, { commonName: 'Below' })

/** A list of this CA, which a role trusts, or of which only the name and the key identifier are known. */
const listOf = (ca: Minted, known: 'trusted' | 'by-name'): ListOwner => ({
  issuer: read(ca).subject,
  authorityKeyId: ca.subjectKeyId,
  signerKey: known === 'trusted' ? keyHashOf(read(ca)) : '',
})

test.each<[string, Minted, Minted[], boolean]>([
  ['of the root', root, [mintLeaf(root), root], true],
  ['of another root', mintCa({ commonName: 'Other' }), [mintLeaf(root), root], false],
  ['of another root of the same name', twin, [mintLeaf(root), root], false],
  ['of a root that has changed its key, as the path shows', twin, [mintLeaf(root), link, twin], true],
  ['of a CA below the root', below, [mintLeaf(below), below, root], true],
  ['of a CA below the root that has changed its key', belowTwin, [mintLeaf(below), below, root], true],
  ['of the root, for the root itself', root, [root], true],
  ['of another root of the same name, for the root itself', twin, [root], false],
])('coverage: a list %s', (_name, ca, path, covered) => {
  const certificates = path.map(read)
  const [certificate] = certificates as [Certificate]
  const issuers = issuersIn(certificates, 0)
  for (const known of ['trusted', 'by-name'] as const)
    expect(coversCertificate(listOf(ca, known), certificate, issuers)).toBe(covered)
})

test('coverage: a list without signer and key identifier counts by its name', () => {
  const certificates = [mintLeaf(root), root].map(read)
  const nameless = { ...listOf(twin, 'by-name'), authorityKeyId: undefined }
  expect(coversCertificate(nameless, certificates[0] as Certificate, issuersIn(certificates, 0))).toBe(true)
})
