import { expect, test } from 'vitest'
import { differencesOf, differenceText, lossesOf } from './restoring.ts'

const change = (now: number, saved: number, rest: Partial<Record<'added' | 'removed' | 'changed', number>> = {}) => ({
  rows_now: now,
  rows_then: saved,
  added: 0,
  removed: 0,
  changed: 0,
  examples: {},
  ...rest,
})

test('a restore is told by what people know, and the rest as one', () => {
  const found = differencesOf({
    workspaces: change(100, 88, { removed: 12 }),
    tokens: change(10, 8, { removed: 3, added: 1 }),
    api_tokens: change(5, 5, { changed: 1 }),
    tag_bindings: change(2, 1, { removed: 1 }),
    blobs: change(9, 8, { removed: 1 }),
  })
  expect(found).toEqual([
    { kind: 'Workspaces', now: 100, saved: 88, lost: 12, back: 0, changed: 0 },
    { kind: 'Tokens', now: 15, saved: 13, lost: 3, back: 1, changed: 1 },
    { kind: 'Other records', now: 11, saved: 9, lost: 2, back: 0, changed: 0 },
  ])
  expect(lossesOf(found)).toBe('12 workspaces, 3 tokens and 2 other records')
  expect(found.map(differenceText)).toEqual(['12 lost', '3 lost, 1 comes back, 1 differs', '2 lost'])
})

test('what is lost is told in a short sentence', () => {
  expect(lossesOf([])).toBe('')
  expect(lossesOf(differencesOf({ workspaces: change(2, 1, { removed: 1 }) }))).toBe('1 workspace')
  expect(lossesOf(differencesOf({ workspaces: change(1, 2, { added: 1 }) }))).toBe('')
  expect(lossesOf(differencesOf({ policies: change(2, 1, { removed: 1 }) }))).toBe('1 policy')
  expect(lossesOf(differencesOf({ policies: change(7, 2, { removed: 5 }) }))).toBe('5 policies')
  const one = change(2, 1, { removed: 1 })
  const many = { workspaces: one, state_versions: one, variables: one, cert_roles: one, policies: one }
  expect(lossesOf(differencesOf(many))).toBe('1 workspace, 1 state version, 1 variable and more')
})
