import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomIds } from '../../kernel/ids.ts'
import { combineShares, multiply, splitKey } from './shamir.ts'
import { decodeShare } from './share-text.ts'

const anyKey = fc.uint8Array({ minLength: 32, maxLength: 32 })
const anySplit = fc
  .integer({ min: 2, max: 12 })
  .chain((shares) => fc.record({ shares: fc.constant(shares), threshold: fc.integer({ min: 2, max: shares }) }))
const anyByte = fc.nat(255)

test('shamir: any threshold of shares, in any order, gives the key', () => {
  const orders = fc.infiniteStream(fc.nat())
  fc.assert(
    fc.property(anyKey, anySplit, orders, (key, split, order) => {
      const shares = splitKey(randomIds, key, split).map((share) => ({ share, rank: order.next().value ?? 0 }))
      const shuffled = shares.sort((a, b) => a.rank - b.rank).map(({ share }) => share)
      for (const share of shuffled) expect(share).toHaveLength(33)
      expect(combineShares(shuffled.slice(0, split.threshold))).toEqual(Buffer.from(key))
      expect(combineShares(shuffled)).toEqual(Buffer.from(key))
    }),
  )
})

test('shamir: one share fewer than the threshold gives another key', () => {
  const key = randomIds.bytes(32)
  const shares = splitKey(randomIds, key, { shares: 5, threshold: 4 })
  expect(combineShares(shares.slice(0, 3))).not.toEqual(key)
})

test('shamir: the bytes of a share take every value over many splits', () => {
  const key = Buffer.alloc(32)
  const seen = new Set<number>()
  for (let round = 0; round < 600; round++) {
    const [share] = splitKey(randomIds, key, { shares: 2, threshold: 2 })
    for (const byte of share?.subarray(0, 32) ?? []) seen.add(byte)
  }
  expect(seen.size).toBe(256)
})

test('shamir: 255 shares with threshold 255 give the key', () => {
  const key = randomIds.bytes(32)
  expect(combineShares(splitKey(randomIds, key, { shares: 255, threshold: 255 }))).toEqual(key)
})

test('shamir: one share with threshold one is the key itself', () => {
  const key = randomIds.bytes(32)
  const shares = splitKey(randomIds, key, { shares: 1, threshold: 1 })
  expect(shares).toEqual([key])
  expect(combineShares(shares)).toEqual(key)
})

test.each([
  [0, 1],
  [1, 0],
  [3, 1],
  [3, 4],
  [256, 2],
  [2.5, 2],
  [Number.NaN, 2],
])('shamir: %s shares with threshold %s are refused with shamir.bad-split', (shares, threshold) => {
  expect(() => splitKey(randomIds, randomIds.bytes(32), { shares, threshold })).toThrow(
    expect.objectContaining({ kind: 'invalid', code: 'shamir.bad-split' }),
  )
})

test('shamir: repeated, short, zero or too few shares are refused', () => {
  const [a, b] = splitKey(randomIds, randomIds.bytes(32), { shares: 3, threshold: 2 })
  if (!a || !b) throw new Error('expected shares')
  const code = (wanted: string) => expect.objectContaining({ code: wanted })
  expect(() => combineShares([a, a])).toThrow(code('shamir.doubled-share'))
  expect(() => combineShares([a])).toThrow(code('shamir.bad-share'))
  expect(() => combineShares([])).toThrow(code('shamir.bad-share'))
  expect(() => combineShares([a, b.subarray(1)])).toThrow(code('shamir.bad-share'))
  expect(() => combineShares([a, Buffer.alloc(33)])).toThrow(code('shamir.bad-share'))
})

test('shamir: multiplication matches FIPS 197 §4.2 and the laws of a field', () => {
  expect(multiply(0x57, 0x83)).toBe(0xc1)
  expect(multiply(0x57, 0x13)).toBe(0xfe)
  fc.assert(
    fc.property(anyByte, anyByte, anyByte, (a, b, c) => {
      expect(multiply(a, b)).toBe(multiply(b, a))
      expect(multiply(a, multiply(b, c))).toBe(multiply(multiply(a, b), c))
      expect(multiply(a, b ^ c)).toBe(multiply(a, b) ^ multiply(a, c))
      expect(multiply(a, 1)).toBe(a)
    }),
  )
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
