import { expect, test } from 'vitest'
import { withoutEndSlashes, withoutOuterSlashes } from './slashes.ts'

test.each([
  ['', '', ''],
  ['/', '', ''],
  ['//', '', ''],
  ['a', 'a', 'a'],
  ['/a/b/', '/a/b', 'a/b'],
  ['//a//b//', '//a//b', 'a//b'],
])('slashes: %j ends as %j, and is %j within', (text, begun, bare) => {
  expect([withoutEndSlashes(text), withoutOuterSlashes(text)]).toEqual([begun, bare])
})

test('slashes: a long row of them inside takes no time', () => {
  const text = `a${'/'.repeat(1_000_000)}b`
  expect([withoutEndSlashes(text), withoutOuterSlashes(text)]).toEqual([text, text])
})
