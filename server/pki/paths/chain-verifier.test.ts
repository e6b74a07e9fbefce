import { expect, test } from 'vitest'
import { type Minted, mintCa, mintIntermediate, mintLeaf } from '../../../test/support/certificates.ts'
import { instant, later } from '../../kernel/clock.ts'
import { readCertificate } from '../certificates/certificate.ts'
import { commonName } from '../certificates/certificate-facts.ts'
import { nameKey } from '../certificates/distinguished-names.ts'
import { AnchorSet } from './anchors.ts'
import { Budget, defaultLimits } from './budget.ts'
import { ChainVerifier } from './chain-verifier.ts'
import { refusal } from './path-refusal.ts'

const now = instant(Date.now())
const root = mintCa({ commonName: 'root' })
const mid = mintIntermediate(root, { commonName: 'mid' })
const leaf = mintLeaf(mid, { commonName: 'leaf' })
const setOf = (...minted: Minted[]): AnchorSet => new AnchorSet(minted.map((each) => readCertificate(each.der)))
const anchors = setOf(root)

/** A budget that allows so many signature checks. */
const signatures = (count: number): Budget => new Budget({ ...defaultLimits, signatures: count })

test('verifier: verifying a chain again needs no signature check', async () => {
  const verifier = new ChainVerifier()
  const chain = verifier.read(leaf.der, [mid.der])
  expect((await verifier.verify(chain, anchors, { at: now, budget: signatures(1) })).ok).toBe(false)
  expect((await verifier.verify(chain, anchors, { at: now, budget: signatures(2) })).ok).toBe(true)
  const again = verifier.read(leaf.der, [mid.der])
  expect((await verifier.verify(again, anchors, { at: now, budget: signatures(0) })).ok).toBe(true)
  expect((await verifier.verify(again, setOf(root), { at: now, budget: signatures(0) })).ok).toBe(true)
})

test('verifier: another leaf below a verified intermediate needs one signature check', async () => {
  const verifier = new ChainVerifier()
  await verifier.verify(verifier.read(leaf.der, [mid.der]), anchors, { at: now })
  const sibling = verifier.read(mintLeaf(mid).der, [mid.der])
  expect((await verifier.verify(sibling, anchors, { at: now, budget: signatures(1) })).ok).toBe(true)
})

test('verifier: certificates of a verified path are cached and returned as the same objects', async () => {
  const verifier = new ChainVerifier()
  const first = verifier.read(leaf.der, [mid.der])
  await verifier.verify(first, anchors, { at: now })
  const second = verifier.read(Buffer.from(leaf.der), [Buffer.from(mid.der)])
  expect(second.leaf).toBe(first.leaf)
  expect(second.intermediates[0]).toBe(first.intermediates[0])
})

test('verifier: certificates of refused chains and those outside the path are not cached', async () => {
  const verifier = new ChainVerifier()
  const stranger = mintLeaf(mintCa({ commonName: 'stranger' }))
  const refused = verifier.read(stranger.der, [mid.der])
  expect((await verifier.verify(refused, anchors, { at: now })).ok).toBe(false)
  expect(verifier.read(stranger.der, []).leaf).not.toBe(refused.leaf)
  const accepted = verifier.read(leaf.der, [mid.der, stranger.der])
  expect((await verifier.verify(accepted, anchors, { at: now })).ok).toBe(true)
  expect(verifier.read(leaf.der, [stranger.der]).intermediates[0]).not.toBe(accepted.intermediates[1])
})

test('verifier: a cached path is refused outside the validity of its certificates', async () => {
  const verifier = new ChainVerifier()
  const short = mintLeaf(mid, { notAfter: new Date(now + 60_000) })
  const chain = verifier.read(short.der, [mid.der])
  expect((await verifier.verify(chain, anchors, { at: now })).ok).toBe(true)
  expect(await verifier.verify(chain, anchors, { at: later(now, 120_000) })).toMatchObject({
    ok: false,
    reason: { code: 'validity' },
  })
  expect(await verifier.verify(chain, anchors, { at: later(now, -10 * 86_400_000) })).toMatchObject({ ok: false })
})

test('verifier: a path cached for one set of anchors is not accepted for another', async () => {
  const verifier = new ChainVerifier()
  const chain = verifier.read(leaf.der, [mid.der])
  expect((await verifier.verify(chain, anchors, { at: now })).ok).toBe(true)
  expect((await verifier.verify(chain, setOf(mintCa({ commonName: 'root' })), { at: now })).ok).toBe(false)
})

test('verifier: a refused chain is accepted once the missing intermediate is sent', async () => {
  const verifier = new ChainVerifier()
  const chain = verifier.read(leaf.der, [])
  expect((await verifier.verify(chain, anchors, { at: now })).ok).toBe(false)
  expect((await verifier.verify(verifier.read(leaf.der, [mid.der]), anchors, { at: now })).ok).toBe(true)
})

test('verifier: revocation is checked for cached paths too, and another path is looked for', async () => {
  const verifier = new ChainVerifier()
  const twin = mintIntermediate(root, { commonName: 'mid', key: mid.key })
  const chain = verifier.read(leaf.der, [mid.der, twin.der])
  const first = await verifier.verify(chain, anchors, { at: now })
  if (!first.ok) throw new Error('refused')
  const used = first.path[1]
  const outcome = await verifier.verify(chain, anchors, {
    at: now,
    accept: (path) => (path[1] === used ? refusal('revoked', used, 'It is revoked.', '') : undefined),
  })
  expect(outcome.ok && outcome.path[1]).not.toBe(used)
  expect(outcome.ok && outcome.path.map(commonName)).toEqual(['leaf', 'mid', 'root'])
})

test('verifier: the number of cached paths is bounded', async () => {
  const verifier = new ChainVerifier({ paths: 1, certificates: 1, links: 1 })
  const chains = [leaf, mintLeaf(mid)].map((each) => verifier.read(each.der, [mid.der]))
  for (const chain of chains) await verifier.verify(chain, anchors, { at: now })
  const [first, second] = chains
  if (first === undefined || second === undefined) throw new Error('no chains')
  expect((await verifier.verify(second, anchors, { at: now, budget: signatures(0) })).ok).toBe(true)
  expect((await verifier.verify(first, anchors, { at: now, budget: signatures(0) })).ok).toBe(false)
})

test('chain: unreadable intermediates are skipped and reported', async () => {
  const verifier = new ChainVerifier()
  const chain = verifier.read(leaf.der, [Buffer.from('garbage'), mid.der])
  expect(chain.unreadable).toEqual([{ index: 0, reason: expect.any(String) }])
  expect((await verifier.verify(chain, anchors, { at: now })).ok).toBe(true)
})

test('chain: more than 128 certificates are refused', () => {
  const many = new Array<Buffer>(129).fill(mid.der)
  expect(() => new ChainVerifier().read(leaf.der, many)).toThrow('More than 128')
})

test('anchors: sets with the same certificates have the same id, in any order', () => {
  expect(setOf(root, mid).id).toBe(setOf(mid, root, root).id)
  expect(setOf(root).id).not.toBe(setOf(mid).id)
})

test('anchors: are found by subject', () => {
  const key = nameKey(readCertificate(mid.der).subject)
  expect(setOf(root, mid).withSubject(key).map(commonName)).toEqual(['mid'])
  expect(setOf(root).withSubject(key)).toEqual([])
})
