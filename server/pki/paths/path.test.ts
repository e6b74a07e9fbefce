import { expect, test } from 'vitest'
import { newKey } from '../../../test/support/certificate-parts.ts'
import {
  type CertificateOptions,
  type Minted,
  mintCa,
  mintIntermediate,
  mintLeaf,
  mintSelfSigned,
  usage,
} from '../../../test/support/certificates.ts'
import { printableString } from '../../../test/support/der-values.ts'
import { instant } from '../../kernel/clock.ts'
import { readCertificate } from '../certificates/certificate.ts'
import { commonName } from '../certificates/certificate-facts.ts'
import * as der from '../der-writer.ts'
import { AnchorSet } from './anchors.ts'
import { Budget, defaultLimits } from './budget.ts'
import { findPath, type PathQuery } from './path.ts'
import { refusal } from './path-refusal.ts'

const now = instant(Date.now())
const read = (minted: Minted) => readCertificate(minted.der)

type Given = Partial<Omit<PathQuery, 'leaf' | 'intermediates' | 'anchors'>>

function ask(leaf: Minted, sent: readonly Minted[], trusted: readonly Minted[], more: Given = {}) {
  return findPath({
    leaf: read(leaf),
    intermediates: sent.map(read),
    anchors: new AnchorSet(trusted.map(read)),
    at: now,
    ...more,
  })
}

/** The names along the path, or the code of the refusal. */
async function verdict(
  leaf: Minted,
  sent: readonly Minted[],
  trusted: readonly Minted[],
  more: Given = {},
): Promise<string> {
  const outcome = await ask(leaf, sent, trusted, more)
  return outcome.ok ? outcome.path.map(commonName).join(' < ') : outcome.reason.code
}

const root = mintCa({ commonName: 'root' })
const mid = mintIntermediate(root, { commonName: 'mid' })
const low = mintIntermediate(mid, { commonName: 'low' })
const leaf = mintLeaf(low, { commonName: 'leaf' })
const stranger = mintCa({ commonName: 'stranger' })

test.each<[string, Minted[], Minted[], string]>([
  ['in order', [low, mid], [root], 'leaf < low < mid < root'],
  [
    'out of order, with strangers and duplicates',
    [mid, stranger, low, mid, leaf, root],
    [root],
    'leaf < low < mid < root',
  ],
  ['an intermediate is trusted', [low], [mid], 'leaf < low < mid'],
  ['the issuer is trusted, nothing is sent', [], [low], 'leaf < low'],
  ['root and intermediate are trusted: the shorter way', [low, mid], [root, low], 'leaf < low'],
  ['an intermediate is missing', [low], [root], 'no-issuer'],
  ['nothing is sent', [], [root], 'no-issuer'],
  ['nobody is trusted', [low, mid, root], [], 'no-issuer'],
  ['a stranger is trusted', [low, mid, root], [stranger], 'no-issuer'],
])('path: found or refused: %s', async (_name, sent, trusted, expected) => {
  expect(await verdict(leaf, sent, trusted)).toBe(expected)
})

const past = { notBefore: new Date('2020-01-01'), notAfter: new Date('2021-01-01') }
const future = { notBefore: new Date('2090-01-01'), notAfter: new Date('2091-01-01') }
const critical = { oid: '1.2.3.4', critical: true, value: der.utf8String('x') }
const upn = [{ oid: '1.3.6.1.4.1.311.20.2.3', value: der.utf8String('x') }]

test.each<[string, CertificateOptions, string]>([
  ['nothing special', {}, 'accepted'],
  ['no extKeyUsage', { extendedKeyUsage: null }, 'accepted'],
  ['any purpose', { extendedKeyUsage: ['any'] }, 'accepted'],
  ['client and server purpose', { extendedKeyUsage: ['serverAuth', 'clientAuth'] }, 'accepted'],
  ['server purpose only', { extendedKeyUsage: ['serverAuth'] }, 'purpose'],
  ['no keyUsage', { keyUsage: null }, 'accepted'],
  ['keyUsage without digitalSignature', { keyUsage: [usage.keyEncipherment] }, 'key-usage'],
  ['no basicConstraints', { ca: null }, 'accepted'],
  ['a CA as client', { ca: true }, 'accepted'],
  ['version 1', { version: 1 }, 'accepted'],
  ['expired', past, 'validity'],
  ['not yet valid', future, 'validity'],
  ['an unknown critical extension', { extensions: [critical] }, 'critical-extension'],
  ['an unknown extension', { extensions: [{ ...critical, critical: false }] }, 'accepted'],
  ['a critical name of unknown kind', { otherNames: upn, sanCritical: true }, 'critical-extension'],
  ['a name of unknown kind', { otherNames: upn }, 'accepted'],
  ['a critical name of known kind', { dns: ['a.com'], otherNames: upn, sanCritical: true }, 'accepted'],
  ['RSA-1024', { keyKind: 'rsa1024' }, 'key'],
  ['secp256k1', { keyKind: 'secp256k1' }, 'key'],
  ['Ed25519', { keyKind: 'ed25519' }, 'accepted'],
  ['P-521', { keyKind: 'p521' }, 'accepted'],
  ['SHA-1', { signWith: 'sha1' }, 'algorithm'],
  ['SHA-224', { signWith: 'sha224' }, 'algorithm'],
  ['SHA-512', { signWith: 'sha512' }, 'accepted'],
])('leaf: verdict on %s', async (_name, options, expected) => {
  const outcome = await ask(mintLeaf(root, options), [], [root])
  expect(outcome.ok ? 'accepted' : outcome.reason.code).toBe(expected)
})

test.each<[string, CertificateOptions, string]>([
  ['nothing special', {}, 'accepted'],
  ['no keyUsage', { keyUsage: null }, 'accepted'],
  ['no keyCertSign', { keyUsage: [usage.crlSign, usage.digitalSignature] }, 'ca-key-usage'],
  ['no cA', { ca: false }, 'not-a-ca'],
  ['no basicConstraints', { ca: null }, 'not-a-ca'],
  ['version 1', { version: 1 }, 'not-a-ca'],
  ['server purpose only', { extendedKeyUsage: ['serverAuth'] }, 'purpose'],
  ['expired', past, 'validity'],
  ['not yet valid', future, 'validity'],
  ['an unknown critical extension', { extensions: [critical] }, 'critical-extension'],
  ['RSA-1024', { keyKind: 'rsa1024' }, 'key'],
  ['no room below', { pathLength: 0 }, 'accepted'],
  ['names that are permitted', { permitted: { dns: ['example.com'] } }, 'accepted'],
  ['names that are not permitted', { permitted: { dns: ['example.org'] } }, 'name-constraints'],
])('intermediate and anchor: same verdict on %s', async (_name, options, expected) => {
  const ca = mintIntermediate(root, { commonName: 'ca', ...options })
  const client = mintLeaf(ca, { dns: ['a.example.com'] })
  for (const [sent, trusted] of [
    [[ca], [root]],
    [[], [ca]],
  ] as const) {
    const outcome = await ask(client, sent, trusted)
    expect(outcome.ok ? 'accepted' : outcome.reason.code).toBe(expected)
  }
})

test('anchor: its own signature is not checked', async () => {
  const old = mintCa({ commonName: 'old', keyKind: 'rsa2048', signWith: 'sha1' })
  expect(await verdict(mintLeaf(old, { commonName: 'x' }), [], [old])).toBe('x < old')
})

test('signature: an intermediate signed with SHA-1 is refused', async () => {
  const weak = mintIntermediate(root, { signWith: 'sha1' })
  expect(await verdict(mintLeaf(weak), [weak], [root])).toBe('algorithm')
})

test('signature: differing inner and outer algorithm identifiers are refused', async () => {
  const good = mintLeaf(root)
  const inner = der.oid('1.2.840.10045.4.3.2')
  const at = good.der.lastIndexOf(inner)
  const forged = Buffer.from(good.der)
  der.oid('1.2.840.10045.4.3.3').copy(forged, at)
  expect(await verdict({ ...good, der: forged }, [], [root])).toBe('algorithm')
})

test.each([
  ['a byte of the signed part', (bytes: Buffer): number => bytes.indexOf('client.example.com')],
  ['the last byte of the signature', (bytes: Buffer): number => bytes.length - 1],
])('signature: a certificate with %s changed is refused', async (_name, place) => {
  const good = mintLeaf(root)
  const forged = Buffer.from(good.der)
  const at = place(forged)
  forged[at] = (forged[at] ?? 0) ^ 1
  expect(await verdict({ ...good, der: forged }, [], [root])).toBe('signature')
})

test('signature: a CA of the right name with another key is not taken as the issuer', async () => {
  const twin = mintCa({ commonName: 'root' })
  expect(await verdict(mintLeaf(root), [], [twin])).toBe('signature')
  expect(await verdict(mintLeaf(root, { commonName: 'x' }), [], [twin, root])).toBe('x < root')
})

test.each([['rsa2048'], ['rsa-pss2048'], ['p384'], ['p521'], ['ed25519']] as const)(
  'signature: a certificate of a %s CA is accepted',
  async (keyKind) => {
    const ca = mintCa({ commonName: 'ca', keyKind })
    expect(await verdict(mintLeaf(ca, { commonName: 'x' }), [], [ca])).toBe('x < ca')
  },
)

test('pinned: only the very same certificate is accepted', async () => {
  const pinned = mintSelfSigned({ commonName: 'pinned' })
  expect(await verdict(pinned, [], [pinned])).toBe('pinned')
  expect(await verdict(mintSelfSigned({ commonName: 'pinned', key: pinned.key }), [], [pinned])).toBe('no-issuer')
})

test.each<[string, CertificateOptions, string]>([
  ['expired', past, 'validity'],
  ['for servers', { extendedKeyUsage: ['serverAuth'] }, 'purpose'],
  ['with a weak key', { keyKind: 'rsa1024' }, 'key'],
  ['without digitalSignature', { keyUsage: [usage.keyEncipherment] }, 'key-usage'],
  ['with an unknown critical extension', { extensions: [critical] }, 'critical-extension'],
  ['signed with SHA-1', { commonName: 'p', signWith: 'sha1' }, 'p'],
])('pinned: verdict on one %s', async (_name, options, expected) => {
  const pinned = mintSelfSigned(options)
  expect(await verdict(pinned, [], [pinned])).toBe(expected)
})

test('pinned: a pinned leaf cannot issue other certificates', async () => {
  const pinned = mintSelfSigned({ commonName: 'pinned', keyUsage: null })
  expect(await verdict(mintLeaf(pinned), [pinned], [pinned])).toBe('not-a-ca')
})

test('pinned: a trusted CA can be used as client only with digitalSignature usage', async () => {
  expect(await verdict(root, [], [root])).toBe('key-usage')
  const signing = mintCa({ commonName: 'ca', keyUsage: [usage.keyCertSign, usage.digitalSignature] })
  expect(await verdict(signing, [], [signing])).toBe('ca')
})

test('path length: counts the CAs below, without self-issued ones', async () => {
  const short = mintCa({ commonName: 'short', pathLength: 0 })
  const below = mintIntermediate(short, { commonName: 'below' })
  const rollover = mintIntermediate(short, { commonName: 'short' })
  expect(await verdict(mintLeaf(below), [below], [short])).toBe('path-length')
  expect(await verdict(mintLeaf(rollover, { commonName: 'x' }), [rollover], [short])).toBe('x < short < short')
})

test.each([
  [0, 'depth'],
  [1, 'depth'],
  [2, 'leaf < low < mid < root'],
])('depth: verdict with at most %i intermediates', async (maxIntermediates, expected) => {
  expect(await verdict(leaf, [low, mid], [root], { maxIntermediates })).toBe(expected)
})

test('names: constraints of every CA hold, the anchor included', async () => {
  const strict = mintCa({ commonName: 'strict', permitted: { dns: ['example.com'] } })
  const wide = mintIntermediate(strict, { commonName: 'wide', permitted: { dns: ['example.com', 'example.org'] } })
  expect(await verdict(mintLeaf(wide, { dns: ['a.example.org'] }), [wide], [strict])).toBe('name-constraints')
  expect(await verdict(mintLeaf(wide, { commonName: 'x', dns: ['a.example.com'] }), [wide], [strict])).toBe(
    'x < wide < strict',
  )
})

test('names: string type and case of an issuer name may differ from the subject of the CA', async () => {
  const ca = mintCa({ subject: [['O', 'Acme Root', printableString]] })
  const client = mintLeaf(ca, { commonName: 'x', issuerName: mintCa({ subject: [['O', 'ACME  root']] }).name })
  expect((await ask(client, [], [ca])).ok).toBe(true)
})

test('backtracking: an unusable variant of a CA does not hide a usable one, in any order', async () => {
  const key = newKey('p256')
  const variants: CertificateOptions[] = [
    past,
    { extendedKeyUsage: ['serverAuth'] },
    { excluded: { dns: ['example.com'] } },
    { pathLength: 0 },
    {},
  ]
  const sent = variants.map((options) => mintIntermediate(root, { commonName: 'mid', key, ...options }))
  const [first] = sent
  if (first === undefined) throw new Error('no variant')
  const below = mintIntermediate(first, { commonName: 'below' })
  const client = mintLeaf(below, { commonName: 'x', dns: ['a.example.com'] })
  for (let shift = 0; shift < sent.length; shift++) {
    const order = [...sent.slice(shift), ...sent.slice(0, shift)]
    expect(await verdict(client, [below, ...order], [root])).toBe('x < below < mid < root')
  }
  expect(await verdict(client, [below, ...sent.slice(0, -1)], [root])).not.toContain('root')
})

test('backtracking: a cross certificate by a new root replaces an expired anchor', async () => {
  const key = newKey('p256')
  const oldRoot = mintCa({ commonName: 'old', key, ...past })
  const newRoot = mintCa({ commonName: 'new' })
  const cross = mintIntermediate(newRoot, { commonName: 'old', key })
  const client = mintLeaf(oldRoot, { commonName: 'x' })
  expect(await verdict(client, [cross], [oldRoot, newRoot])).toBe('x < old < new')
  expect(await verdict(client, [], [oldRoot, newRoot])).toBe('validity')
})

test('backtracking: a root renewed with the same key and name is accepted for older certificates', async () => {
  const key = newKey('p256')
  const client = mintLeaf(mintCa({ commonName: 'r', key, ...past }), { commonName: 'x' })
  expect(await verdict(client, [], [mintCa({ commonName: 'r', key })])).toBe('x < r')
})

test('backtracking: CAs that certify each other in a cycle do not make the search endless', async () => {
  const [keyA, keyB] = [newKey('p256'), newKey('p256')]
  const a = mintCa({ commonName: 'a', key: keyA })
  const b = mintCa({ commonName: 'b', key: keyB })
  const cycle = [
    mintIntermediate(b, { commonName: 'a', key: keyA }),
    mintIntermediate(a, { commonName: 'b', key: keyB }),
  ]
  expect(await verdict(mintLeaf(a), cycle, [root])).toBe('no-issuer')
  expect(await verdict(mintLeaf(a, { commonName: 'x' }), cycle, [b])).toBe('x < a < b')
})

test('accept: if the caller refuses a path, another one is tried', async () => {
  const key = newKey('p256')
  const [one, two] = [1n, 2n].map((serial) => mintIntermediate(root, { commonName: 'mid', key, serial }))
  if (one === undefined || two === undefined) throw new Error('no variants')
  const client = mintLeaf(one, { commonName: 'x' })
  const accept: PathQuery['accept'] = async (path) =>
    path.some((each) => each.serial.equals(Buffer.from([1])))
      ? refusal('revoked', path[1], 'It is revoked.', '')
      : undefined
  expect(await verdict(client, [one, two], [root], { accept })).toBe('x < mid < root')
  expect(await verdict(client, [one], [root], { accept })).toBe('revoked')
})

test('limits: 120 CAs of one name end the search with limit in bounded time', async () => {
  const twins = Array.from({ length: 120 }, () => mintCa({ commonName: 'twin', ca: true }))
  const client = mintLeaf(mintCa({ commonName: 'twin' }))
  const start = performance.now()
  expect(await verdict(client, [], twins)).toBe('limit')
  expect(performance.now() - start).toBeLessThan(10_000)
})

test('limits: a dense net of cross certificates ends the search with limit in bounded time', async () => {
  const keys = Array.from({ length: 8 }, () => newKey('p256'))
  const cas = keys.map((key, index) => mintCa({ commonName: `n${index}`, key }))
  const net = cas.flatMap((issuer) =>
    keys.map((key, index) => mintIntermediate(issuer, { commonName: `n${index}`, key })),
  )
  const dead = mintIntermediate(root, { commonName: 'n0', key: keys[0], ...past })
  const start = performance.now()
  expect(await verdict(mintLeaf(cas[7] ?? root), [...net, dead], [root])).toBe('limit')
  expect(performance.now() - start).toBeLessThan(10_000)
})

/** A clock that moves on by so many milliseconds each time it is read. */
function slowClock(cost: number): () => number {
  let time = 0
  return () => {
    time += cost
    return time
  }
}

test('limits: using up the time ends the search with limit', async () => {
  const budget = new Budget({ ...defaultLimits, milliseconds: 20 }, slowClock(15))
  expect(await verdict(leaf, [low, mid], [root], { budget })).toBe('limit')
})

test.each([
  ['steps', (budget: Budget) => budget.step()],
  ['signatures', (budget: Budget) => budget.spendSignature()],
  ['comparisons', (budget: Budget) => budget.comparisons--],
] as const)('limits: of two %s the third is one too many', async (kind, spend) => {
  const budget = new Budget({ ...defaultLimits, [kind]: 2 })
  for (const isSpent of [false, false, true]) {
    await spend(budget)
    expect(budget.isSpent).toBe(isSpent)
  }
})

test('limits: the search yields to the event loop after ten milliseconds and not before', async () => {
  const events: string[] = []
  const run = async (cost: number): Promise<void> => {
    setImmediate(() => events.push('other'))
    await new Budget(defaultLimits, slowClock(cost)).step()
    events.push('done')
    await new Promise(setImmediate)
  }
  await run(4)
  await run(11)
  expect(events).toEqual(['done', 'other', 'other', 'done'])
})

test('refusals: the reason has a code, a text and a fix', async () => {
  const outcome = await ask(mintLeaf(root, past), [], [root])
  expect(outcome).toMatchObject({
    ok: false,
    reason: { code: 'validity', text: 'It expired at 2021-01-01T00:00:00.000Z.', fix: 'Renew the certificate.' },
  })
})
