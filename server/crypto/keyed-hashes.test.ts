import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { prepareHmac } from './keyed-hashes.ts'

test('prepared hmac: equals HMAC-SHA-256 for any key and text', () => {
  const keys = fc.uint8Array({ minLength: 0, maxLength: 64 })
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ minLength: 1300, maxLength: 1500, unit: 'grapheme' }),
  )
  fc.assert(
    fc.property(keys, fc.array(texts, { minLength: 1, maxLength: 5 }), (key, several) => {
      const hmac = prepareHmac(key)
      for (const text of several) expect(hmac(text)).toBe(createHmac('sha256', key).update(text).digest('hex'))
      const short = prepareHmac(key, 'base64url')
      for (const text of several) expect(short(text)).toBe(createHmac('sha256', key).update(text).digest('base64url'))
    }),
  )
})

test('prepared hmac: a key longer than a block is refused', () => {
  expect(() => prepareHmac(Buffer.alloc(65))).toThrow(RangeError)
})

test('prepared hmac: wiping clears the key and changes the result', () => {
  const key = Buffer.from('a key')
  const hmac = prepareHmac(key)
  const before = hmac('text')
  hmac.wipe()
  expect(key.every((byte) => byte === 0)).toBe(true)
  expect(hmac('text')).not.toBe(before)
})
