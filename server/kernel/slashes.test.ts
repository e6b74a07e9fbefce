import { expect, test } from 'vitest'
import { withoutEndSlashes, withoutOuterSlashes } from './slashes.ts'

test.each([
  ['', '', ''],
  ['/', '', ''],
  ['//', '', ''],
  ['a', 'a', 'a'],
  ['/a/b/', '/a/b', 'a/b'],
  ['//a//b//', '//a//b', 'a//b'],
])('slashes: %j without end slashes is %j, without outer slashes %j', (text, begun, bare) => {
  expect([withoutEndSlashes(text), withoutOuterSlashes(text)]).toEqual([begun, bare])
})

test('slashes: a text with a million inner slashes is returned unchanged', () => {
  const text = `a${'/'.repeat(1_000_000)}b`
  expect([withoutEndSlashes(text), withoutOuterSlashes(text)]).toEqual([text, text])
})
