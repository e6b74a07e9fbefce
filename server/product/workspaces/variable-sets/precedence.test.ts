import { expect, test } from 'vitest'
import { frozenOf, type VariableSource, variablesOfPhase } from './precedence.ts'

type SetSource = Extract<VariableSource, { from: 'set' }>

const setOf = (
  owner: SetSource['owner'],
  reach: SetSource['reach'],
  priority: boolean = false,
  name: string = 'set',
): VariableSource => ({ from: 'set', id: 'varset-1', owner, reach, priority, name })

const variable = (source: VariableSource, rest: object = {}) => ({
  source,
  category: 'input',
  key: 'region',
  applyOnly: false,
  ...rest,
})

/** From the strongest to the weakest. */
const ranking: readonly VariableSource[] = [
  setOf('organization', 'global', true),
  setOf('organization', 'project', true),
  setOf('organization', 'workspace', true),
  setOf('project', 'project', true),
  setOf('project', 'workspace', true),
  { from: 'run' },
  { from: 'workspace' },
  setOf('project', 'workspace'),
  setOf('organization', 'workspace'),
  setOf('project', 'project'),
  setOf('organization', 'project'),
  setOf('organization', 'global'),
]

const winner = (sources: readonly VariableSource[]) => {
  const frozen = frozenOf(sources.map((source) => variable(source)))
  return variablesOfPhase(frozen, 'plan').map(({ source }) => source)
}

test.each(ranking.map((source, rank) => [rank + 1, source] as const))(
  'level %i wins over all that are weaker, in whatever order they come',
  (rank, source) => {
    const weaker = ranking.slice(rank)
    expect(winner([source, ...weaker])).toEqual([source])
    expect(winner([...weaker, source])).toEqual([source])
  },
)

test.each([
  ['letters', ['beta', 'alpha', 'gamma'], 'alpha'],
  ['capital letters come first', ['a', 'Z'], 'Z'],
  ['characters beyond the first plane come last', ['\u{1f600}', '\ufffd'], '\ufffd'],
])('sets of one level: the first name in the order of code points wins: %s', (_, names, first) => {
  for (const priority of [false, true]) {
    const sources = names.map((name) => setOf('project', 'workspace', priority, name))
    expect(winner(sources)).toEqual([setOf('project', 'workspace', priority, first)])
    expect(winner(sources.toReversed())).toEqual([setOf('project', 'workspace', priority, first)])
  }
})

test('categories and keys are separate, and what replaces others comes last', () => {
  const all = [
    variable({ from: 'run' }, { key: 'size' }),
    variable({ from: 'workspace' }, { category: 'env' }),
    variable({ from: 'workspace' }, { key: 'size' }),
    variable(setOf('organization', 'global'), {}),
    variable(setOf('organization', 'global'), { category: 'env' }),
  ]
  expect(variablesOfPhase(frozenOf(all), 'plan').map(({ category, key }) => `${category} ${key}`)).toEqual([
    'input region',
    'env region',
    'input size',
  ])
})

test('what a run was given is kept in its order, also where a stronger set replaces it', () => {
  const all = [
    variable({ from: 'run' }, { key: 'b' }),
    variable({ from: 'run' }, { key: 'a' }),
    variable(setOf('organization', 'global', true), { key: 'b' }),
    variable({ from: 'workspace' }, { key: 'a' }),
  ]
  const frozen = frozenOf(all)
  expect(frozen.map(({ source, key }) => `${source.from} ${key}`)).toEqual(['run b', 'run a', 'set b'])
  expect(variablesOfPhase(frozen, 'plan').map(({ source, key }) => `${source.from} ${key}`)).toEqual(['set b', 'run a'])
})

test.each([
  ['plan', ['always'], ['always']],
  ['apply', ['always', 'apply-only'], ['apply-only']],
  ['plan', ['apply-only'], []],
  ['apply', ['apply-only'], ['apply-only']],
  ['apply', ['apply-only', 'priority'], ['apply-only']],
  ['plan', ['apply-only', 'priority'], ['priority']],
] as const)('only for the apply: a %s of %j has %j', (phase, present, expected) => {
  const known = {
    always: variable({ from: 'workspace' }, { category: 'env' }),
    'apply-only': variable(setOf('organization', 'global'), { category: 'env', applyOnly: true }),
    priority: variable(setOf('organization', 'global', true), { category: 'env' }),
  }
  const chosen = variablesOfPhase(frozenOf(present.map((name) => known[name])), phase)
  expect(chosen).toEqual(expected.map((name) => known[name]))
})
