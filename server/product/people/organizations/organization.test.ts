import { expect, test } from 'vitest'
import { settleDefaultPool } from './organization.ts'
import { organizationNameProblem } from './organization-fields.ts'

const reserved = [
  'settings',
  'sign-in',
  'sign-out',
  'invitations',
  'resets',
  'account',
  'session',
  'assets',
  'new',
  'server',
]

test.each([
  ['a', undefined],
  ['x'.repeat(64), undefined],
  ['x'.repeat(65), /maximum is 64/],
  ['', /blank/],
  ['Acme_1-b', undefined],
  ['-', undefined],
  ['acme corp', /may contain only/],
  ['acme.corp', /may contain only/],
  ['acmé', /may contain only/],
  ['acme\n', /may contain only/],
  ['setting', undefined],
  ['settings-2', undefined],
])('organization name: %j', (name, problem) => {
  if (problem) expect(organizationNameProblem(name)).toMatch(problem)
  else expect(organizationNameProblem(name)).toBeUndefined()
})

test.each(reserved)('organization name: %s is reserved, in capitals too', (name) => {
  const capital = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  expect([name, name.toUpperCase(), capital].map(organizationNameProblem)).toEqual(Array(3).fill('is reserved'))
})

const needed = /must be specified when/
const unused = /must not be specified unless/
const pool = 'apool-1'
const inAgentMode = { defaultExecutionMode: 'agent', defaultAgentPoolId: pool } as const
const inRemoteMode = { defaultExecutionMode: 'remote', defaultAgentPoolId: null } as const

test.each([
  ['nothing asked, agent mode', inAgentMode, {}, ['agent', pool]],
  ['nothing asked, another mode', inRemoteMode, {}, ['remote', null]],
  ['another pool', inAgentMode, { defaultAgentPoolId: 'apool-2' }, ['agent', 'apool-2']],
  [
    'agent mode with a pool',
    inRemoteMode,
    { defaultExecutionMode: 'agent', defaultAgentPoolId: pool },
    ['agent', pool],
  ],
  ['agent mode without a pool', inRemoteMode, { defaultExecutionMode: 'agent' }, needed],
  ['no pool in agent mode', inAgentMode, { defaultAgentPoolId: null }, needed],
  ['a pool in another mode', inRemoteMode, { defaultAgentPoolId: pool }, unused],
  ['another mode with a pool', inAgentMode, { defaultExecutionMode: 'local', defaultAgentPoolId: pool }, unused],
  ['another mode, which removes the pool', inAgentMode, { defaultExecutionMode: 'local' }, ['local', null]],
  ['no pool in another mode', inRemoteMode, { defaultAgentPoolId: null }, ['remote', null]],
] as const)('default pool: %s', (_name, before, requested, expected) => {
  const { mode, poolId, faults } = settleDefaultPool(before, requested, '/here')
  if (expected instanceof RegExp) {
    expect(faults).toMatchObject([{ detail: expect.stringMatching(expected), pointer: '/here' }])
  } else expect([mode, poolId, faults]).toEqual([...expected, []])
})
