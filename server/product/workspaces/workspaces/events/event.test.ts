import { expect, test } from 'vitest'
import { eventOf, hiddenTypes, isVisibleType } from './event.ts'

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
  ['changed', change('workspaces', 'update')],
  ['deleted', change('workspaces', 'delete')],
  ['state', change('state-versions', 'create', { serial: 1 })],
  ['run', change('runs', 'planned', { status: 'planned' })],
  ['changed', change('vars', 'delete')],
] as const)('a change becomes the event %s', (name, recorded) => {
  expect(eventOf(recorded)).toBe(name)
})

test('a change without a workspace is not an event', () => {
  expect(eventOf({ subject: { type: 'teams', id: 'x', name: 'x' }, action: 'create' })).toBeUndefined()
})

test('changes of states, variables and teams are sent only to those who may read them', () => {
  const reader = { may: (right: string) => /^can-read-(run|settings)$/.test(right), seesEveryTeam: false }
  expect(hiddenTypes(reader)).toEqual(['state-versions', 'vars', 'team-workspaces'])
  expect(hiddenTypes({ may: () => true, seesEveryTeam: true })).toEqual([])
  expect(isVisibleType('data-retention-policies', reader)).toBe(true)
  expect(isVisibleType('vars', { ...reader, may: (right) => right === 'can-read-variable' })).toBe(true)
})
