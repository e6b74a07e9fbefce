import { expect, test } from 'vitest'
import { changedText, wordOf } from './changes.ts'

test.each([
  ['something new', null, { name: 'a', owner: { kind: 'team' } }, 'name: a, owner: kind team'],
  ['something gone', { name: 'a' }, null, 'name: a'],
  ['a change', { name: 'a' }, { name: 'b' }, 'name: a → b'],
  ['a value that was none', { pool: null }, { pool: 'x' }, 'pool: nothing → x'],
  ['long text', null, { text: 'x'.repeat(60) }, `text: ${'x'.repeat(39)}…`],
  ['lists', { teams: [] }, { teams: ['a', 'b'] }, 'teams: nothing → a and b'],
  ['nothing to tell', null, null, ''],
])('one line tells %s', (_, before, after, text) => {
  expect(changedText(before, after)).toBe(text)
})

test('kinds have words, also those that nobody listed', () => {
  expect(['teams', 'agent-pools', 'organization-memberships'].map(wordOf)).toEqual(['team', 'agent pool', 'member'])
})
