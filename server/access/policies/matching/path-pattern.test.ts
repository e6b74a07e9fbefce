import { expect, test } from 'vitest'
import { comparePriority, compareSpecificity, isExact, parsePathPattern } from './path-pattern.ts'

test.each([
  ['kv/x', false, 0, Number.POSITIVE_INFINITY],
  ['kv/*', true, 0, 3],
  ['*', true, 0, 0],
  ['kv/*/x', false, 0, Number.POSITIVE_INFINITY],
  ['kv/+/x', false, 1, 3],
  ['+/+/x*', true, 2, 0],
  ['kv/a+/+b', false, 0, Number.POSITIVE_INFINITY],
  ['kv/a+/+', false, 1, 6],
])('pattern: %s is parsed into glob, plus count and first wildcard', (text, glob, plusCount, firstWildcard) => {
  expect(parsePathPattern(text)).toMatchObject({ glob, plusCount, firstWildcard })
  expect(isExact(parsePathPattern(text))).toBe(firstWildcard === Number.POSITIVE_INFINITY)
})

test.each([
  ['an exact path', 'a/b', 'a/+'],
  ['a later first wildcard', 'a/b*', 'a/*'],
  ['a later first wildcard, even with more of them', 'a/b/+/+', 'a/+/c/d'],
  ['no glob at the end', 'a/+/c', 'a/+/*'],
  ['fewer plus segments', '+/b/c', '+/+/c'],
  ['the longer text', 'a/+/cd*', 'a/+/c*'],
  ['the later in sorting', '+/b/+', '+/+/c'],
])('pattern: %s has priority', (_name, winner, loser) => {
  const [a, b] = [parsePathPattern(winner), parsePathPattern(loser)]
  expect(comparePriority(a, b)).toBeGreaterThan(0)
  expect(comparePriority(b, a)).toBeLessThan(0)
})

test('pattern: sorting order decides priority, not specificity', () => {
  expect(compareSpecificity(parsePathPattern('+/b/+'), parsePathPattern('+/+/c'))).toBe(0)
  expect(comparePriority(parsePathPattern('a/+'), parsePathPattern('a/+'))).toBe(0)
})
