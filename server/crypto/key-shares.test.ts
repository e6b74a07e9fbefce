import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomIds } from '../kernel/ids.ts'
import { combineShares, decodeShare, splitKey } from './key-shares.ts'

const anyKey = fc.uint8Array({ minLength: 32, maxLength: 32 })
const anySplit = fc
  .integer({ min: 2, max: 12 })
  .chain((shares) => fc.record({ shares: fc.constant(shares), threshold: fc.integer({ min: 2, max: shares }) }))

test('shamir: any threshold of shares, in any order, gives the key', async () => {
  const orders = fc.infiniteStream(fc.nat())
  await fc.assert(
    fc.asyncProperty(anyKey, anySplit, orders, async (key, split, order) => {
      const shares = (await splitKey(key, split)).map((share) => ({ share, rank: order.next().value ?? 0 }))
      const shuffled = shares.sort((a, b) => a.rank - b.rank).map(({ share }) => share)
      for (const share of shuffled) expect(share).toHaveLength(33)
      expect(await combineShares(shuffled.slice(0, split.threshold))).toEqual(Buffer.from(key))
      expect(await combineShares(shuffled)).toEqual(Buffer.from(key))
    }),
  )
})

/** Made by the implementation that came before the package; holders of stores of that time have such shares. */
const sharesOfOldStores = [
  'd8dfb3c88cf330c095630a76328881c4f7599735db76ddf091631eb371fcb47a01',
  'eddefc7eae30f54427fdee5c2284884c805227c9f321ea7d6576c9ea8d52a6cf02',
  '35004db526c6c383ba97ee211c010787671aa2ef3c42219aec0ccd42e0b30c4a03',
  'c25fcf14f94ab1f46e7a64270352239c24f6e8d252982a09299de63c12ed841b04',
  '1a817edf71bc8733f310645a3dd7ac57c3be6df49dfbe1eea0e7e2947f0c2e9e05',
].map((share) => Buffer.from(share, 'hex'))

test.each([[[0, 1, 2]], [[4, 2, 0]], [[1, 3, 4]], [[0, 1, 2, 3, 4]]])(
  'shamir: shares %j of a store made before the package was used give its key',
  async (picked) => {
    const shares = sharesOfOldStores.filter((_share, index) => picked.includes(index))
    const key = await combineShares(shares)
    expect(key.toString('hex')).toBe('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff')
  },
)

test('shamir: one share fewer than the threshold gives another key', async () => {
  const key = randomIds.bytes(32)
  const shares = await splitKey(key, { shares: 5, threshold: 4 })
  expect(await combineShares(shares.slice(0, 3))).not.toEqual(key)
})

test('shamir: the bytes of a share take every value over many splits', async () => {
  const key = Buffer.alloc(32)
  const seen = new Set<number>()
  for (let round = 0; round < 600; round++) {
    const [share] = await splitKey(key, { shares: 2, threshold: 2 })
    for (const byte of share?.subarray(0, 32) ?? []) seen.add(byte)
  }
  expect(seen.size).toBe(256)
})

test('shamir: 255 shares with threshold 255 give the key', async () => {
  const key = randomIds.bytes(32)
  expect(await combineShares(await splitKey(key, { shares: 255, threshold: 255 }))).toEqual(key)
})

test('shamir: one share with threshold one is the key itself', async () => {
  const key = randomIds.bytes(32)
  const shares = await splitKey(key, { shares: 1, threshold: 1 })
  expect(shares).toEqual([key])
  expect(await combineShares(shares)).toEqual(key)
})

test.each([
  [0, 1],
  [1, 0],
  [3, 1],
  [3, 4],
  [256, 2],
  [2.5, 2],
  [Number.NaN, 2],
])('shamir: %s shares with threshold %s are refused with shamir.bad-split', async (shares, threshold) => {
  await expect(splitKey(randomIds.bytes(32), { shares, threshold })).rejects.toThrow(
    expect.objectContaining({ kind: 'invalid', code: 'shamir.bad-split' }),
  )
})

test('shamir: repeated, short, zero or too few shares are refused', async () => {
  const [a, b] = await splitKey(randomIds.bytes(32), { shares: 3, threshold: 2 })
  if (!a || !b) throw new Error('expected shares')
  const code = (wanted: string) => expect.objectContaining({ code: wanted })
  await expect(combineShares([a, a])).rejects.toThrow(code('shamir.doubled-share'))
  await expect(combineShares([a])).rejects.toThrow(code('shamir.bad-share'))
  await expect(combineShares([])).rejects.toThrow(code('shamir.bad-share'))
  await expect(combineShares([a, b.subarray(1)])).rejects.toThrow(code('shamir.bad-share'))
  await expect(combineShares([a, Buffer.alloc(33)])).rejects.toThrow(code('shamir.bad-share'))
})

test('share text: hex and base64 of shares and keys are read', () => {
  for (const bytes of [randomIds.bytes(33), randomIds.bytes(32)]) {
    expect(decodeShare(bytes.toString('hex'))).toEqual(bytes)
    expect(decodeShare(bytes.toString('hex').toUpperCase())).toEqual(bytes)
    expect(decodeShare(` ${bytes.toString('base64')}\n`)).toEqual(bytes)
  }
})

test('share text: base64 that looks like hex of a wrong length is decoded as base64', () => {
  const text = 'ab'.repeat(22)
  expect(decodeShare(text)).toEqual(Buffer.from(text, 'base64'))
})

test.each([
  ['', 'share.not-decodable'],
  ['no key!', 'share.not-decodable'],
  ['abcd', 'share.wrong-length'],
  ['ab'.repeat(34), 'share.wrong-length'],
])('share text: %j is refused', (text, code) => {
  expect(() => decodeShare(text)).toThrow(expect.objectContaining({ kind: 'invalid', code }))
})
