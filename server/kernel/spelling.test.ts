import { expect, test } from 'vitest'
import { editDistance, nearestName } from './spelling.ts'

test.each([
  ['name', 'name', 0],
  ['nmae', 'name', 1],
  ['descripton', 'description', 1],
  ['locked', 'looked', 1],
  ['tagz', 'tags', 1],
  ['allowed_comon_names', 'allowed_common_names', 1],
  ['auto-aply', 'auto-apply', 1],
  ['ab', 'ba', 1],
  ['allowed_namess', 'allowed_names', 1],
  ['allowed_nmaes', 'allowed_names', 1],
  ['allowed-names', 'allowed_names', 1],
  ['allow_names', 'allowed_names', 2],
  ['permitted_names', 'allowed_names', Number.POSITIVE_INFINITY],
  ['allowed', 'allowed_names', Number.POSITIVE_INFINITY],
  ['foo', 'locked', Number.POSITIVE_INFINITY],
  ['', 'abc', Number.POSITIVE_INFINITY],
])('%s is %s but for some letters: %d', (one, other, distance) => {
  expect(editDistance(one, other, 2)).toBe(distance)
  expect(editDistance(other, one, 2)).toBe(distance)
})

test('long names are not compared', () => {
  expect(editDistance('x'.repeat(100), 'x'.repeat(100), 2)).toBe(Number.POSITIVE_INFINITY)
})

test.each([
  ['descripton', 'description'],
  ['nmae', 'name'],
  ['naem', 'name'],
  ['tag', 'tags'],
  ['tagged', undefined],
  ['id', undefined],
  ['xyz', undefined],
])('%s probably means %s', (name, meant) => {
  expect(nearestName(name, ['name', 'names', 'description', 'tags', 'io'])).toBe(meant)
})
