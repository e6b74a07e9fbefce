import { expect, test } from 'vitest'
import { renderResources } from './resource-list.ts'

const cellsOf = (resource: object): string[][] =>
  (renderResources({ data: [{ id: 'x-1', ...resource }] }) ?? '')
    .trimEnd()
    .split('\n')
    .filter((_line, at) => at !== 1)
    .map((line) => line.split(/ {2,}/))

test.each([
  [
    { type: 'tool-versions', attributes: { tool: 'opentofu', version: '1.9.0', enabled: true, beta: false } },
    { tool: 'opentofu', version: '1.9.0', enabled: 'true', beta: 'false', deprecated: 'n/a' },
  ],
  [
    { type: 'state-version-outputs', attributes: { name: 'ips', type: 'array', sensitive: false, value: ['a\nb', 1] } },
    { name: 'ips', type: 'array', sensitive: 'false', value: '["a\\nb",1]' },
  ],
  [
    { type: 'resources', attributes: { address: 'a_b.c', provider: 'a', module: 'root', 'updated-at': 'now' } },
    { address: 'a_b.c', provider: 'a', module: 'root', 'updated-at': 'now' },
  ],
  [
    {
      type: 'changes',
      attributes: {
        'created-at': 'now',
        action: 'lock',
        actor: { type: 'user', id: 'user-1', name: 'ann' },
        subject: { type: 'workspaces', id: 'ws-1', name: null },
      },
    },
    { 'created-at': 'now', actor: 'user ann', action: 'lock', subject: 'workspaces ws-1' },
  ],
  [
    {
      type: 'team-workspaces',
      attributes: { access: 'read' },
      relationships: { team: { data: { type: 'teams', id: 'team-1' } }, workspace: { data: { id: 'ws-1' } } },
    },
    { team: 'team-1', workspace: 'ws-1', access: 'read' },
  ],
  [
    { type: 'something-else', attributes: { email: 'e', username: 'u', 'created-at': 'now', 'avatar-url': 'a' } },
    { username: 'u', 'created-at': 'now' },
  ],
])('a list has columns that tell its resources apart: %j', (resource, columns) => {
  expect(cellsOf(resource)).toEqual([
    ['id', ...Object.keys(columns)],
    ['x-1', ...Object.values(columns)],
  ])
})

test('a long value, and one of several lines, stays on its line', () => {
  const [, cells] = cellsOf({ type: 'vars', attributes: { key: 'a', value: `first\n\n  ${'x'.repeat(200)}` } })
  expect(cells?.at(-1)).toBe(`first ${'x'.repeat(74)}…`)
})
