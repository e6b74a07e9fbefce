import { expect, test } from 'vitest'
import type { Members, RecordedChange } from '../../../../kit/change-log/index.ts'
import { touchedSince, undoableSettings, undoDocument } from './undo.ts'

const changeOf = (before: Members, after: Members, more: object = {}): RecordedChange =>
  ({
    subject: { type: 'workspaces', id: 'ws-1', name: 'w' },
    action: 'update',
    before,
    after,
    ...more,
  }) as RecordedChange

/** The settings of a workspace as they are. */
const current: Members = {
  name: 'new',
  description: null,
  'project-id': 'prj-2',
  'execution-mode': 'agent',
  'agent-pool-id': 'apool-1',
  'setting-overwrites': { 'execution-mode': true },
  'auto-destroy-at': null,
  'auto-destroy-activity-duration': null,
  'inherits-project-auto-destroy': false,
}

const attributesAfter = (before: Members, now: Members = current): Members =>
  undoDocument(changeOf(before, {}), now).data.attributes

test.each<[string, RecordedChange, string[]]>([
  ['an update', changeOf({ name: 'old', description: null }, {}), ['name', 'description']],
  ['an update of what is no setting', changeOf({ locked: true, name: 'old' }, {}), ['name']],
  ['a creation', changeOf({ name: 'old' }, {}, { action: 'create' }), []],
  ['an update of something else', changeOf({ name: 'old' }, {}, { subject: { type: 'vars' } }), []],
  ['an update without former values', changeOf({}, {}, { before: undefined }), []],
])('undo: the settings of %s', (_name, change, expected) => {
  expect(undoableSettings(change, current)).toEqual(expected)
})

test.each<[string, Members, Members, string[]]>([
  ['as the change left it', { name: 'old' }, { name: 'new' }, []],
  ['changed again', { name: 'old' }, { name: 'newer' }, ['name']],
  ['null, which the change left out', { description: 'x' }, {}, []],
  [
    'an object with the same members',
    { 'setting-overwrites': {} },
    { 'setting-overwrites': { 'execution-mode': true } },
    [],
  ],
  ['an object with another member', { 'setting-overwrites': {} }, { 'setting-overwrites': {} }, ['setting-overwrites']],
])('undo: a setting that is %s', (_name, before, after, touched) => {
  expect(touchedSince(changeOf(before, after), current)).toEqual(touched)
})

test('undo: a project goes into a relationship, and only if the change moved the workspace', () => {
  const project = { data: { type: 'projects', id: 'prj-1' } }
  expect(undoDocument(changeOf({ 'project-id': 'prj-1' }, {}), current).data).toEqual({
    type: 'workspaces',
    attributes: {},
    relationships: { project },
  })
  expect(undoDocument(changeOf({ name: 'old' }, {}), current).data.relationships).toEqual({})
})

const overwrites = { 'setting-overwrites': current['setting-overwrites'] }
const remote = { ...current, 'execution-mode': 'remote', 'agent-pool-id': null }

test.each<[string, Members, Members, Members]>([
  ['a name alone', { name: 'old' }, current, { name: 'old' }],
  [
    'a mode without pools: the pool the workspace got later is left out',
    { 'execution-mode': 'remote' },
    current,
    { 'execution-mode': 'remote', ...overwrites },
  ],
  [
    'agent mode with the pool of that time',
    { 'execution-mode': 'agent', 'agent-pool-id': 'apool-0' },
    remote,
    { 'execution-mode': 'agent', 'agent-pool-id': 'apool-0', ...overwrites },
  ],
  [
    'agent mode, with the pool as it is',
    { 'execution-mode': 'agent' },
    current,
    { 'execution-mode': 'agent', 'agent-pool-id': 'apool-1', ...overwrites },
  ],
  [
    'a mode without pools, changed together with the pool',
    { 'execution-mode': 'local', 'agent-pool-id': null },
    current,
    { 'execution-mode': 'local', 'agent-pool-id': null, ...overwrites },
  ],
])('undo: %s', (_name, before, now, expected) => {
  expect(attributesAfter(before, now)).toEqual(expected)
})

const at = '2030-01-01T00:00:00.000Z'

test.each<[string, Members, Members]>([
  ['a time', { 'auto-destroy-at': at }, { 'auto-destroy-at': at, 'auto-destroy-activity-duration': null }],
  [
    'a duration, from which the time follows',
    { 'auto-destroy-activity-duration': '7d' },
    { 'auto-destroy-activity-duration': '7d' },
  ],
  [
    'no duration',
    { 'auto-destroy-activity-duration': null },
    { 'auto-destroy-activity-duration': null, 'auto-destroy-at': null },
  ],
])('undo: %s of destruction', (_name, before, expected) => {
  expect(attributesAfter(before)).toEqual({ 'inherits-project-auto-destroy': false, ...expected })
})

test('undo: what follows the project is not sent beside the flag', () => {
  const before = { 'inherits-project-auto-destroy': true, 'auto-destroy-activity-duration': '7d' }
  expect(attributesAfter(before)).toEqual({ 'inherits-project-auto-destroy': true })
})
