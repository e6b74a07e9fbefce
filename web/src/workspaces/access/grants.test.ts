import { expect, test } from 'vitest'
import { ofOrganization, ofProject, ofWorkspace } from './grants.ts'

const team = (id: string, name: string, access: object = {}) =>
  ({ type: 'teams', id, attributes: { name, 'organization-access': access } }) as never
const teams = [
  team('team-1', 'owners'),
  team('team-2', 'platform', { 'manage-workspaces': true }),
  team('team-3', 'auditors', { 'read-workspaces': true }),
  team('team-4', 'nobody'),
]
const link = (attributes: object, id = 'team-4') =>
  ({ id: 'x', attributes, relationships: { team: { data: { type: 'teams', id } } } }) as never

test('access: rights of the whole organization are owner, admin and read', () => {
  expect(ofOrganization(teams).map(({ team, level, state }) => [team, level, state])).toEqual([
    ['owners', 'owner', 'write'],
    ['platform', 'admin', 'write'],
    ['auditors', 'read', 'read'],
  ])
})

test('access: levels have their rights, custom access those it names', () => {
  const custom = {
    access: 'custom',
    runs: 'plan',
    variables: 'read',
    'state-versions': 'read-outputs',
    'workspace-locking': true,
  }
  expect(ofWorkspace([link({ access: 'plan' }), link(custom)], teams)).toMatchObject([
    { team: 'nobody', level: 'plan', runs: 'plan', variables: 'read', state: 'read', locking: false },
    { level: 'custom', runs: 'plan', variables: 'read', state: 'read-outputs', locking: true },
  ])
})

test('access: of a project, also custom, and of a team that is not seen', () => {
  const custom = {
    access: 'custom',
    'workspace-access': { runs: 'apply', variables: 'none', 'state-versions': 'none', locking: false },
  }
  expect(ofProject([link({ access: 'maintain' }), link(custom, 'team-9')], teams)).toMatchObject([
    { team: 'nobody', from: 'project', runs: 'apply', state: 'write', locking: true },
    { team: 'a team you may not see', runs: 'apply', state: 'none' },
  ])
})
