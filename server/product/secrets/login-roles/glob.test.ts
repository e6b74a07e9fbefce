import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileGlob, Globs } from './glob.ts'

test.each([
  ['a', 'a'],
  ['', ''],
  ['*', ''],
  ['*', 'anything\nat all'],
  ['**', ''],
  ['**', 'x'],
  ['a*b', 'ab'],
  ['a*b', 'a.b'],
  ['ab*ba', 'abba'],
  ['*.example.com', 'a.b.example.com'],
  ['*.example.com', '*.example.com'],
  ['a*a*a', 'aaa'],
  ['*b*b*', 'abcb'],
  ['spiffe://*/web', 'spiffe://prod/ns/x/web'],
])('glob: %j matches %j', (pattern, value) => {
  expect(compileGlob(pattern)(value)).toBe(true)
})

test.each([
  ['a', 'A'],
  ['a', 'ab'],
  ['', 'a'],
  ['a*b', 'a'],
  ['ab*ba', 'aba'],
  ['*.example.com', 'example.com'],
  ['*.example.com', 'a.example.com.'],
  ['a*a*a', 'aa'],
  ['*b*b*', 'ab'],
  ['?', 'a'],
  ['[ab]', 'a'],
  ['a.c', 'abc'],
])('glob: %j does not match %j', (pattern, value) => {
  expect(compileGlob(pattern)(value)).toBe(false)
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

test.each<[string[], string[]]>([
  [
    ['a', 'b*'],
    ['x', 'a'],
  ],
  [
    ['a', 'b*'],
    ['x', 'by'],
  ],
  [[''], ['']],
  [['*'], ['']],
])('globs: one of %j matches one of %j', (patterns, values) => {
  expect(new Globs(patterns).matchAny(values)).toBe(true)
})

test.each<[string[], string[]]>([
  [
    ['a', 'b*'],
    ['x', 'ab'],
  ],
  [['a', 'b*'], []],
  [[], ['a']],
])('globs: none of %j matches any of %j', (patterns, values) => {
  expect(new Globs(patterns).matchAny(values)).toBe(false)
})
