import { expect, test } from 'vitest'
import { instant } from './clock.ts'
import { isId, randomIds } from './ids.ts'

test('ids: texts have the right length and alphabet, and do not repeat', () => {
  const texts = Array.from({ length: 2_000 }, () => randomIds.text(24))
  for (const text of texts) expect(text).toMatch(/^[0-9A-Za-z]{24}$/)
  expect(new Set(texts).size).toBe(texts.length)
})

test.each([12, 16, 32])('ids: %i random bytes have the right length and do not repeat', (length) => {
  const drawn = Array.from({ length: 1_000 }, () => randomIds.bytes(length))
  expect(drawn.every((bytes) => bytes.length === length)).toBe(true)
  expect(new Set(drawn.map((bytes) => bytes.toString('hex'))).size).toBe(drawn.length)
  const digits = Array.from({ length: 1_000 }, () => randomIds.hex(2 * length - 1))
  expect(digits.every((text) => /^[0-9a-f]+$/.test(text) && text.length === 2 * length - 1)).toBe(true)
  expect(new Set(digits).size).toBe(drawn.length)
})

test('ids: every character of the alphabet is drawn about equally often', () => {
  const counts = new Map<string, number>()
  for (const character of randomIds.text(620_000)) counts.set(character, (counts.get(character) ?? 0) + 1)
  expect(counts.size).toBe(62)
  // Ten thousand each on average, of which a standard deviation is 100; a remainder taken of all bytes would add 2,000.
  for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(1_000)
})

test('ids: identifiers with a time prefix sort by time and do not repeat', () => {
  const times = [0, 57, 58, 1_700_000_000_000, 1_700_000_000_001, 32_503_680_000_000].map(instant)
  const made = times.map((at) => randomIds.newIdAt('chg', at))
  expect(made.every((id) => isId('chg', id))).toBe(true)
  expect(made.toSorted()).toEqual(made)
  const at = instant(1_700_000_000_000)
  expect(new Set(Array.from({ length: 1_000 }, () => randomIds.newIdAt('chg', at))).size).toBe(1_000)
})

test('ids: isId checks prefix, length and alphabet', () => {
  const id = randomIds.newId('ws')
  expect(isId('ws', id)).toBe(true)
  expect(isId('run', id)).toBe(false)
  expect(isId('sv', id)).toBe(false)
  expect(isId('ws', `${id}x`)).toBe(false)
  expect(isId('ws', `${id.slice(0, -1)}0`)).toBe(false)
})
