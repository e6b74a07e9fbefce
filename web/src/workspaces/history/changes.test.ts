import { expect, test } from 'vitest'
import { type Change, isUndoable, membersOf, wordsOf } from './changes.ts'

const change = (attributes: object): Change => ({ type: 'changes', id: 'chg-1', attributes }) as Change

test.each([
  ['update', 'workspaces', 'network', 'changed the workspace'],
  ['create', 'vars', 'region', 'created variable region'],
  ['rollback', 'state-versions', 'serial 3', 'rolled back to state serial 3'],
  ['force-unlock', 'workspaces', 'network', 'broke the lock of the workspace'],
  ['weigh', 'scales', 'one', 'weigh scales one'],
])('history: %s of %s', (action, type, name, words) => {
  expect(wordsOf(change({ action, subject: { type, id: 'x', name } }))).toBe(words)
})

test('history: members are shown with their values before and after', () => {
  const found = membersOf(
    change({ before: { a: null, b: 1, c: 'x' }, after: { a: null, b: [2], d: '', 'version-id': 'no' } }),
  )
  expect(found).toEqual([
    { name: 'b', before: '1', after: '[2]' },
    { name: 'c', before: 'x', after: undefined },
    { name: 'd', before: undefined, after: '' },
  ])
})

test('history: changes of settings can be undone, locks cannot', () => {
  const subject = { type: 'workspaces', id: 'ws-1', name: 'network' }
  expect(isUndoable(change({ action: 'update', subject, before: { 'auto-apply': true } }))).toBe(true)
  expect(isUndoable(change({ action: 'update', subject, before: { 'tag-names': [] } }))).toBe(false)
  expect(isUndoable(change({ action: 'lock', subject }))).toBe(false)
})
