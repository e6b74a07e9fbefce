import { expect, test } from 'vitest'
import { effectiveExecution, type OwnExecution } from '../workspace.ts'
import { settleExecution } from './execution.ts'
import type { RequestedSettings } from './requested-settings.ts'

type Flags = readonly [executionMode: boolean, agentPool: boolean]
const own = (executionMode: OwnExecution['executionMode'], agentPoolId: string | null, flags: Flags): OwnExecution => ({
  executionMode,
  agentPoolId,
  overwritesExecutionMode: flags[0],
  overwritesAgentPool: flags[1],
})

const remote = { executionMode: 'remote', agentPoolId: null } as const
const agents = { executionMode: 'agent', agentPoolId: 'apool-default' } as const
const following = own('remote', null, [false, false])
const ownRemote = own('remote', null, [true, true])
const ownAgent = own('agent', 'apool-own', [true, true])

type Expected = readonly [mode: string, pool: string | null, flags: Flags] | readonly string[]

const overwrite = (executionMode?: boolean, agentPool?: boolean): RequestedSettings => ({
  settingOverwrites: {
    ...(executionMode === undefined ? {} : { executionMode }),
    ...(agentPool === undefined ? {} : { agentPool }),
  },
})

const cases: readonly (readonly [
  string,
  RequestedSettings,
  OwnExecution | undefined,
  typeof remote | typeof agents,
  Expected,
])[] = [
  ['create with neither copies the default', {}, undefined, remote, ['remote', null, [true, true]]],
  ['create with neither copies mode and pool', {}, undefined, agents, ['agent', 'apool-default', [true, true]]],
  ['create with a mode', { executionMode: 'local' }, undefined, agents, ['local', null, [true, true]]],
  [
    'create local, both flags true',
    { executionMode: 'local', ...overwrite(true, true) },
    undefined,
    agents,
    ['local', null, [true, true]],
  ],
  ['create with false, false', overwrite(false, false), undefined, agents, ['agent', 'apool-default', [false, false]]],
  ['create with operations', { operations: false }, undefined, agents, ['local', null, [true, true]]],
  [
    'create agent without a pool, though there is a default',
    { executionMode: 'agent' },
    undefined,
    agents,
    ['agent-pool-id'],
  ],
  [
    'create agent with the default pool',
    { executionMode: 'agent', ...overwrite(true, false) },
    undefined,
    agents,
    ['agent', 'apool-default', [true, false]],
  ],
  [
    'create agent with the default pool, where there is none',
    { executionMode: 'agent', ...overwrite(true, false) },
    undefined,
    remote,
    ['agent-pool-id'],
  ],
  [
    'create with a pool alone, default mode agent',
    { agentPoolId: 'apool-x' },
    undefined,
    agents,
    ['agent', 'apool-x', [true, true]],
  ],
  ['update with neither', {}, following, agents, ['agent', 'apool-default', [false, false]]],
  ['update with a mode ends following', { executionMode: 'local' }, following, agents, ['local', null, [true, true]]],
  ['update to follow again', overwrite(false), ownAgent, remote, ['remote', null, [false, false]]],
  [
    'false wins over values',
    { executionMode: 'local', agentPoolId: 'apool-x', ...overwrite(false, false) },
    ownRemote,
    agents,
    ['agent', 'apool-default', [false, false]],
  ],
  [
    'following the mode with a pool of its own',
    { agentPoolId: 'apool-x', ...overwrite(false, true) },
    ownRemote,
    agents,
    ['agent', 'apool-x', [false, true]],
  ],
  [
    'following the mode with the pool it has',
    overwrite(false, true),
    ownAgent,
    agents,
    ['agent', 'apool-own', [false, true]],
  ],
  [
    'following the mode without a pool of its own',
    overwrite(false, true),
    ownRemote,
    agents,
    ['agent', 'apool-default', [false, false]],
  ],
  [
    'following remote mode, where a pool does not count',
    { agentPoolId: 'apool-x', ...overwrite(false, true) },
    ownAgent,
    remote,
    ['remote', null, [false, false]],
  ],
  ['execution-mode true without a mode', overwrite(true), ownRemote, agents, ['execution-mode']],
  [
    'a pool while following agent mode',
    { agentPoolId: 'apool-x', ...overwrite(undefined, true) },
    following,
    agents,
    ['agent', 'apool-x', [false, true]],
  ],
  [
    'a pool while following remote mode',
    { agentPoolId: 'apool-x', ...overwrite(undefined, true) },
    following,
    remote,
    ['agent-pool-id'],
  ],
  ['pool true without one, following agent mode', overwrite(undefined, true), following, agents, ['agent-pool-id']],
  [
    'pool true without one, in remote mode',
    overwrite(undefined, true),
    ownRemote,
    remote,
    ['remote', null, [true, true]],
  ],
  ['another pool', { agentPoolId: 'apool-x' }, ownAgent, remote, ['agent', 'apool-x', [true, true]]],
  [
    'own agent mode, pool from the default',
    overwrite(undefined, false),
    ownAgent,
    agents,
    ['agent', 'apool-default', [true, false]],
  ],
  [
    'own agent mode, pool from a default that has none',
    overwrite(undefined, false),
    ownAgent,
    remote,
    ['agent-pool-id'],
  ],
  ['agent again keeps the pool', { executionMode: 'agent' }, ownAgent, remote, ['agent', 'apool-own', [true, true]]],
  [
    'leaving agent mode drops the pool',
    { executionMode: 'remote', agentPoolId: '' },
    ownAgent,
    remote,
    ['remote', null, [true, true]],
  ],
  [
    'a pool in remote mode, to be followed',
    { executionMode: 'remote', agentPoolId: 'apool-x', ...overwrite(true, false) },
    ownAgent,
    agents,
    ['agent-pool-id'],
  ],
  [
    'a pool in agent mode, to be followed',
    { executionMode: 'agent', agentPoolId: 'apool-x', ...overwrite(true, false) },
    ownRemote,
    agents,
    ['agent', 'apool-default', [true, false]],
  ],
  ['agent mode without any pool', { executionMode: 'agent', agentPoolId: null }, ownRemote, remote, ['agent-pool-id']],
  ['both spellings of the mode', { executionMode: 'local', operations: false }, ownRemote, remote, ['operations']],
]

test.each(cases)('execution: %s', (_name, requested, before, inherited, expected) => {
  const { own: settled, faults } = settleExecution(requested, {
    before,
    inherited,
    inheritByDefault: false,
    moved: false,
  })
  if (faults.length > 0) {
    expect(faults.map(({ pointer }) => pointer?.replace('/data/attributes/', ''))).toEqual(expected)
    return
  }
  const { executionMode, agentPoolId } = effectiveExecution(settled, inherited)
  expect([executionMode, agentPoolId, [settled.overwritesExecutionMode, settled.overwritesAgentPool]]).toEqual(expected)
})

test('execution: new workspaces follow the organization if workspaces inherit settings by default', () => {
  const { own: settled } = settleExecution(
    {},
    { before: undefined, inherited: agents, inheritByDefault: true, moved: false },
  )
  expect(settled).toMatchObject({ overwritesExecutionMode: false, overwritesAgentPool: false, agentPoolId: null })
})
