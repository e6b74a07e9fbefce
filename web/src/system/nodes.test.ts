import { expect, test } from 'vitest'
import { clockText, versionsOf, wordOf } from './nodes.ts'

test.each([
  ['Present', { state: 'present', 'stopped-at': null }],
  ['Gone', { state: 'gone', 'stopped-at': null }],
  ['Stopped', { state: 'gone', 'stopped-at': '2026-11-19T12:00:00Z' }],
])('a node: %s', (word, node) => {
  expect(wordOf(node).word).toBe(word)
})

test('versions are those of the nodes that are there', () => {
  const [here, gone] = [
    { state: 'present', version: '1.1' },
    { state: 'gone', version: '1.0' },
  ]
  expect(versionsOf([here, here, gone])).toEqual(['1.1'])
  expect(versionsOf([here, { ...gone, state: 'present' }])).toEqual(['1.1', '1.0'])
})

test.each([
  [0, 'exact'],
  [-499, 'exact'],
  [1_250, '1.3 s ahead'],
  [-2_000, '2.0 s behind'],
])('a clock that is %i ms ahead: %s', (skew, text) => {
  expect(clockText(skew)).toBe(text)
})
