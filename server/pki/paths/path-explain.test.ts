import { expect, test } from 'vitest'
import { type Minted, mintCa, mintIntermediate, mintLeaf, mintSelfSigned } from '../../../test/support/certificates.ts'
import { instant } from '../../kernel/clock.ts'
import { readCertificate } from '../certificates/certificate.ts'
import { commonName } from '../certificates/certificate-facts.ts'
import { AnchorSet } from './anchors.ts'
import type { PathQuery } from './path.ts'
import { explainPaths } from './path-explain.ts'
import { refusal } from './path-refusal.ts'

const read = (minted: Minted) => readCertificate(minted.der)

const explain = (leaf: Minted, sent: Minted[], trusted: Minted[], accept?: PathQuery['accept']) =>
  explainPaths({
    leaf: read(leaf),
    intermediates: sent.map(read),
    anchors: new AnchorSet(trusted.map(read)),
    at: instant(Date.now()),
    accept,
  })

const root = mintCa({ commonName: 'root' })
const mid = mintIntermediate(root, { commonName: 'mid' })

test('explain: an accepted chain shows its path and every check as passed', async () => {
  const { outcome, paths } = await explain(mintLeaf(mid, { commonName: 'x' }), [mid], [root])
  const [path] = paths
  expect(outcome.ok).toBe(true)
  expect(paths).toHaveLength(1)
  expect(path?.certificates.map(commonName)).toEqual(['x', 'mid', 'root'])
  expect(path?.checks.every((check) => check.ok)).toBe(true)
  const asked = path?.checks.map((check) => `${commonName(check.certificate)} ${check.code}`)
  expect(asked).toEqual(
    expect.arrayContaining([
      'x validity',
      'x purpose',
      'x signature',
      'mid not-a-ca',
      'mid signature',
      'root path-length',
      'x policies',
    ]),
  )
})

test('explain: all failed checks are listed at once, each with a text and a fix', async () => {
  const weak = mintLeaf(mid, {
    commonName: 'x',
    notBefore: new Date('2020-01-01'),
    notAfter: new Date('2021-01-01'),
    extendedKeyUsage: ['serverAuth'],
    signWith: 'sha1',
  })
  const { outcome, paths } = await explain(weak, [mid], [root])
  const failed = paths[0]?.checks.filter((check) => !check.ok) ?? []
  expect(outcome.ok).toBe(false)
  expect(failed.map((check) => check.code)).toEqual(['validity', 'algorithm', 'purpose', 'signature'])
  expect(failed.every((check) => check.text !== '' && check.fix !== '')).toBe(true)
})

test('explain: a chain without an anchor shows the certificates found and the missing issuer', async () => {
  const low = mintIntermediate(mid, { commonName: 'low' })
  const { paths } = await explain(mintLeaf(low, { commonName: 'x' }), [low], [root])
  expect(paths.map((path) => [path.certificates.map(commonName), path.reachesAnchor])).toEqual([[['x', 'low'], false]])
  expect(paths[0]?.checks.at(-1)).toMatchObject({
    code: 'no-issuer',
    ok: false,
    text: 'No trusted CA was found for its issuer CN=mid.',
  })
})

test('explain: of several paths the one with fewer failed checks comes first', async () => {
  const twin = mintCa({ commonName: 'root' })
  const { paths } = await explain(
    mintLeaf(root, { commonName: 'x', extendedKeyUsage: ['serverAuth'] }),
    [],
    [twin, root],
  )
  expect(paths.map((path) => path.checks.filter((check) => !check.ok).map((check) => check.code))).toEqual([
    ['purpose'],
    ['purpose', 'signature'],
  ])
})

test('explain: a refusal by the caller is listed as a failed check', async () => {
  const client = mintLeaf(root, { commonName: 'x' })
  const { outcome, paths } = await explain(client, [], [root], (path) =>
    refusal('revoked', path[0], 'It is revoked.', 'Get another.'),
  )
  expect(outcome.ok).toBe(false)
  expect(paths[0]?.checks.at(-1)).toMatchObject({ code: 'revoked', ok: false, fix: 'Get another.' })
})

test('explain: a pinned certificate is a path of its own', async () => {
  const pinned = mintSelfSigned({ commonName: 'x' })
  const { paths } = await explain(pinned, [], [pinned])
  expect(paths).toHaveLength(1)
  expect(paths[0]).toMatchObject({ ok: true, reachesAnchor: true })
})
