import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileGlob, Globs } from './glob.ts'

test.each([
  ['a', 'a', true],
  ['a', 'A', false],
  ['a', 'ab', false],
  ['', '', true],
  ['', 'a', false],
  ['*', '', true],
  ['*', 'anything\nat all', true],
  ['**', '', true],
  ['**', 'x', true],
  ['a*b', 'a', false],
  ['a*b', 'ab', true],
  ['a*b', 'a.b', true],
  ['ab*ba', 'aba', false],
  ['ab*ba', 'abba', true],
  ['*.example.com', 'a.b.example.com', true],
  ['*.example.com', 'example.com', false],
  ['*.example.com', '*.example.com', true],
  ['*.example.com', 'a.example.com.', false],
  ['a*a*a', 'aa', false],
  ['a*a*a', 'aaa', true],
  ['*b*b*', 'abcb', true],
  ['*b*b*', 'ab', false],
  ['?', 'a', false],
  ['[ab]', 'a', false],
  ['a.c', 'abc', false],
  ['spiffe://*/web', 'spiffe://prod/ns/x/web', true],
])('glob: %j matches %j: %j', (pattern, value, expected) => {
  expect(compileGlob(pattern)(value)).toBe(expected)
})

test('glob: matches the same values as the equivalent regular expression', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '*', '.'), maxLength: 8 })
  const escaped = (part: string): string => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  fc.assert(
    fc.property(text, text, (pattern, value) => {
      const expression = new RegExp(`^${pattern.split('*').map(escaped).join('[^]*')}$`)
      expect(compileGlob(pattern)(value)).toBe(expression.test(value))
    }),
    { numRuns: 2_000 },
  )
})

test('glob: a pattern of a thousand stars over a long value is matched in bounded time', () => {
  const began = performance.now()
  expect(compileGlob(`${'a*'.repeat(1_000)}b`)('a'.repeat(100_000))).toBe(false)
  expect(performance.now() - began).toBeLessThan(2_000)
})

test.each([
  [['a', 'b*'], ['x', 'a'], true],
  [['a', 'b*'], ['x', 'by'], true],
  [['a', 'b*'], ['x', 'ab'], false],
  [['a', 'b*'], [], false],
  [[''], [''], true],
  [['*'], [''], true],
  [[], ['a'], false],
])('globs: any of %j matches any of %j: %j', (patterns, values, expected) => {
  expect(new Globs(patterns).matchAny(values)).toBe(expected)
})
