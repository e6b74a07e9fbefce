import { expect, test } from 'vitest'
import { uniteGrants } from '../../../../access/permissions/grants.ts'
import { listKey, scopeOf } from './list-actions.ts'
import { everyWorkspace } from './workspace-list.ts'

const organization = { id: 'org-1', name: 'acme', allowForceDelete: false, userTokensEnabled: true }
const team = { id: 'team-1', owners: false, access: [] }
const custom = { runs: 'read', variables: 'none', stateVersions: 'none', workspaceLocking: false, runTasks: false }

/** Grants of a team with read access to these workspaces. */
const readerOf = (ids: readonly string[]) =>
  uniteGrants(
    organization,
    [team],
    ids.map((workspaceId) => ({ ...custom, workspaceId, access: 'read' })),
    [],
  )
const ids = Array.from({ length: 3_000 }, (_, index) => `ws-${String(index).padStart(16, '0')}`)
const keyFor = (seen: readonly string[], filter = everyWorkspace) => listKey(scopeOf(readerOf(seen)), filter)

test('list key: stays short for thousands of visible workspaces and for a long filter', () => {
  expect(keyFor(ids).length).toBeLessThan(250)
  expect(keyFor(ids, { ...everyWorkspace, nameContains: 'x'.repeat(10_000) }).length).toBeLessThan(250)
})

test('list key: does not depend on the order of the workspaces, and differs for others and other filters', () => {
  const keys = [
    keyFor(ids),
    keyFor(ids.slice(1)),
    keyFor([]),
    keyFor(ids, { ...everyWorkspace, nameContains: 'a' }),
    ...['b', 'c'].map((end) => keyFor(ids, { ...everyWorkspace, nameContains: 'a'.repeat(1_000) + end })),
  ]
  expect(new Set(keys).size).toBe(keys.length)
  expect(keyFor(ids.toReversed())).toBe(keys[0])
})

test('list scope: is worked out once for each object of grants', () => {
  const grants = readerOf(ids)
  expect(scopeOf(grants)).toBe(scopeOf(grants))
})
