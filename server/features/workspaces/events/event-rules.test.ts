import { expect, test } from 'vitest'
import { eventOf, rightFor, unreadableTypes } from './event-rules.ts'

const change = (type: string, action: string, after: object = {}) => ({
  workspaceId: 'ws-1',
  subject: { type, id: 'x', name: 'x' },
  action,
  after: after as Record<string, unknown>,
})

test.each([
  ['locked', change('workspaces', 'lock', { locked: true })],
  ['unlocked', change('workspaces', 'unlock')],
  ['unlocked', change('workspaces', 'force-unlock')],
  ['unlocked', change('workspaces', 'expire-lock')],
  ['changed', change('workspaces', 'create', { name: 'x' })],
  ['changed', change('workspaces', 'update', { 'auto-apply': true })],
  ['changed', change('workspaces', 'update', { 'auto-apply': true, 'tag-bindings': {} })],
  ['tags', change('workspaces', 'update', { 'tag-names': ['a'] })],
  ['tags', change('workspaces', 'update', { 'tag-bindings': { a: 'b' } })],
  ['deleted', change('workspaces', 'delete')],
  ['state', change('state-versions', 'create', { serial: 1 })],
  ['changed', change('vars', 'delete')],
] as const)('a change is told as %s', (name, recorded) => {
  expect(eventOf(recorded)).toBe(name)
})

test('what concerns no workspace is no event', () => {
  expect(eventOf({ subject: { type: 'teams', id: 'x', name: 'x' }, action: 'create' })).toBeUndefined()
})

test('states and variables are told only to those who may read them', () => {
  expect(rightFor(change('state-versions', 'create'))).toBe('can-read-state-versions')
  expect(rightFor(change('vars', 'create'))).toBe('can-read-variable')
  expect(unreadableTypes((right) => right === 'can-read-run')).toEqual(['state-versions', 'vars'])
})
