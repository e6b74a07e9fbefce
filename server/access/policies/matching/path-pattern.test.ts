import { expect, test } from 'vitest'
import { comparePriority, compareSpecificity, isExact, parsePathPattern } from './path-pattern.ts'

const nowhere = Number.POSITIVE_INFINITY

test.each([
  ['kv/x', { glob: false, plusCount: 0, firstWildcard: nowhere }],
  ['kv/*', { glob: true, plusCount: 0, firstWildcard: 3 }],
  ['*', { glob: true, plusCount: 0, firstWildcard: 0 }],
  ['kv/*/x', { glob: false, plusCount: 0, firstWildcard: nowhere }],
  ['kv/+/x', { glob: false, plusCount: 1, firstWildcard: 3 }],
  ['+/+/x*', { glob: true, plusCount: 2, firstWildcard: 0 }],
  ['kv/a+/+b', { glob: false, plusCount: 0, firstWildcard: nowhere }],
  ['kv/a+/+', { glob: false, plusCount: 1, firstWildcard: 6 }],
])('pattern: %s is parsed into glob, plus count and first wildcard', (text, parts) => {
  expect(parsePathPattern(text)).toMatchObject(parts)
  expect(isExact(parsePathPattern(text))).toBe(parts.firstWildcard === nowhere)
})

test.each([
  ['an exact path', 'a/b', 'a/+'],
  ['a later first wildcard', 'a/b*', 'a/*'],
  ['a later first wildcard, even with more of them', 'a/b/+/+', 'a/+/c/d'],
  ['no glob at the end', 'a/+/c', 'a/+/*'],
  ['fewer plus segments', '+/b/c', '+/+/c'],
  ['the longer text', 'a/+/cd*', 'a/+/c*'],
  ['fewer plus segments, though the text is shorter', '+/b*', '+/+/c*'],
  ['the later in sorting', '+/b/+', '+/+/c'],
  ['a later first wildcard, though it sorts earlier', 'a/!*', 'a/*'],
  ['no glob at the end, though it sorts earlier', 'a/+/!', 'a/+/*'],
])('pattern: %s has priority', (_name, winner, loser) => {
  const [a, b] = [parsePathPattern(winner), parsePathPattern(loser)]
  expect(comparePriority(a, b)).toBeGreaterThan(0)
  expect(comparePriority(b, a)).toBeLessThan(0)
})

test('pattern: sorting order decides priority, not specificity', () => {
  expect(compareSpecificity(parsePathPattern('+/b/+'), parsePathPattern('+/+/c'))).toBe(0)
  expect(comparePriority(parsePathPattern('a/+'), parsePathPattern('a/+'))).toBe(0)
})
