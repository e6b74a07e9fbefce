import { expect, test } from 'vitest'
import { changeOf, nameProblem, problemsOf, valuesOf, versionProblem } from './settings.ts'

const initial = valuesOf(
  { name: 'network', 'setting-overwrites': { 'execution-mode': false, 'agent-pool': false } },
  'prj-1',
  '',
)

test.each([
  ['', undefined],
  ['network_prod-1', undefined],
  ['network prod', 'Only letters, digits, - and _. Try network-prod.'],
  ['ä', 'Only letters, digits, - and _.'],
])('settings: the name %j', (name, problem) => {
  expect(nameProblem(name)).toBe(problem)
})

test.each([
  ['1.9.4', true],
  ['~> 1.9', true],
  ['>= 1.8, != 1.9.2', true],
  ['latest', true],
  ['opentofu:1.9.4', true],
  ['1.9', false],
  ['newest', false],
  ['~> x', false],
])('settings: the tool version %j', (text, isRight) => {
  expect(versionProblem(text) === undefined).toBe(isRight)
})

test('settings: only what was changed is sent', () => {
  expect(changeOf({ ...initial, name: 'other', autoApply: true }, ['name'])).toEqual({
    attributes: { name: 'other' },
    relationships: undefined,
  })
})

test.each([
  ['to a mode of its own', { mode: 'local' }, { 'execution-mode': 'local' }],
  ['to agents', { mode: 'agent', pool: 'apool-1' }, { 'execution-mode': 'agent', 'agent-pool-id': 'apool-1' }],
  ['to what it inherits', { mode: '' }, { 'setting-overwrites': { 'execution-mode': false, 'agent-pool': false } }],
])('settings: execution changes %s', (_name, values, attributes) => {
  expect(changeOf({ ...initial, ...values }, ['mode']).attributes).toEqual(attributes)
})

test.each([
  ['project', {}, { 'inherits-project-auto-destroy': true }],
  ['never', {}, { 'inherits-project-auto-destroy': false, 'auto-destroy-at': null }],
  ['after', { destroyAfter: ' 14d ' }, { 'auto-destroy-activity-duration': '14d' }],
  ['at', { destroyAt: '2026-12-01T10:00Z' }, { 'auto-destroy-at': '2026-12-01T10:00:00.000Z' }],
])('settings: destroyed %s', (destroy, values, attributes) => {
  expect(changeOf({ ...initial, destroy, ...values }, ['destroy']).attributes).toEqual(attributes)
})

test('settings: moves and shares', () => {
  expect(changeOf({ ...initial, project: 'prj-2', readers: 'project' }, ['project', 'readers'])).toEqual({
    attributes: { 'global-remote-state': false, 'project-remote-state': true },
    relationships: { project: { data: { type: 'projects', id: 'prj-2' } } },
  })
})

test.each([
  ['nothing', {}, []],
  ['no name', { name: '' }, ['name']],
  ['a folder outside', { folder: 'a/../../b' }, ['folder']],
  ['agents without a pool', { mode: 'agent' }, ['pool']],
  ['a time without changes', { destroy: 'after', destroyAfter: '2 weeks' }, ['destroyAfter']],
  ['no time', { destroy: 'at' }, ['destroyAt']],
])('settings: what is wrong with %s', (_name, values, fields) => {
  expect(Object.keys(problemsOf({ ...initial, ...values }))).toEqual(fields)
})

test('settings: the form begins with what is stored, not with what is inherited', () => {
  const inherited = valuesOf(
    {
      'execution-mode': 'local',
      'setting-overwrites': { 'execution-mode': false, 'agent-pool': false },
      'auto-destroy-at': '2026-01-01T00:00:00Z',
      'inherits-project-auto-destroy': true,
    },
    'prj-1',
    'apool-1',
  )
  expect(inherited).toMatchObject({ mode: '', pool: '', destroy: 'project', destroyAt: '', readers: 'chosen' })
  const own = valuesOf(
    {
      'execution-mode': 'agent',
      'setting-overwrites': { 'execution-mode': true, 'agent-pool': true },
      'auto-destroy-activity-duration': '14d',
      'inherits-project-auto-destroy': false,
      'global-remote-state': true,
    },
    'prj-1',
    'apool-1',
  )
  expect(own).toMatchObject({ mode: 'agent', pool: 'apool-1', destroy: 'after', destroyAfter: '14d', readers: 'all' })
})
