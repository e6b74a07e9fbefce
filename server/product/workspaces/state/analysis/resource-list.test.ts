import { expect, test } from 'vitest'
import { JsonScanner } from './json-scan.ts'
import { instanceKeys, KeyBudget, listedInstances } from './resource-list.ts'
import { analyseState, StateReading } from './state-analysis.ts'

const keyed = (...keys: unknown[]) => keys.map((index_key) => ({ index_key }))
const keysOf = (instances: readonly unknown[], budget = new KeyBudget()) =>
  instanceKeys(instances, instances.length, budget)
const numbered = (count: number) => keyed(...Array(count).keys())

test.each([
  ['a single instance has no key', [{}], undefined],
  ['no instances give no keys', [], undefined],
  ['consecutive numbers from 0 are stored as counted', numbered(3), 'counted'],
  ['a single instance with key 0 is counted', numbered(1), 'counted'],
  ['numbers with a gap are listed', keyed(0, 2), [0, 2]],
  ['string keys are listed in order', keyed('b', 'a'), ['b', 'a']],
  ['a key of two instances (one deposed) is listed once', keyed('a', 'a', 'b'), ['a', 'b']],
  ['values no tool writes as keys are ignored', keyed(1.5, null, true, {}, 'a\u0000', 'x'.repeat(2_000)), undefined],
] as const)('keys of instances: %s', (_name, instances, keys) => {
  expect(keysOf(instances)).toEqual(keys)
})

test('keys of instances: of very many only the first are listed, up to the budget of the state', () => {
  const budget = new KeyBudget()
  expect(keysOf(numbered(1_500), budget)).toBe('counted')
  expect(keysOf(numbered(100_000), budget)).toEqual([...Array(listedInstances - 1_500).keys()])
  expect(keysOf(numbered(3), budget)).toBeUndefined()
})

test('keys of instances: very long keys are left out once the budget is used up', () => {
  const budget = new KeyBudget()
  const long = (count: number) => keyed(...Array.from({ length: count }, (_, at) => `${at}`.padStart(1_000, '-')))
  expect(keysOf(long(1_000), budget)).toHaveLength(1_000)
  expect(keysOf(long(900), budget)).toBeUndefined()
})

test('keys of instances: are the same for a state read in chunks, which keeps no instance attributes', () => {
  const attributes = { password: 'secret', deep: [{ index_key: 'no' }] }
  const resource = (name: string, instances: unknown[]) => ({
    mode: 'managed',
    type: 'a',
    name,
    provider: 'p',
    instances,
  })
  const state = {
    version: 4,
    serial: 1,
    resources: [
      resource('plain', [{ attributes }]),
      resource('each', [{ attributes, index_key: 'x' }, { index_key: 'y', attributes }, null, 7, ['z']]),
      resource('as tools write them', [
        { schema_version: 1, attributes },
        { index_key: 'z', schema_version: 1 },
      ]),
      resource('count', numbered(2_500)),
      resource('odd', keyed({ index_key: 'in' }, ['in'])),
    ],
  }
  const reading = new StateReading()
  const scanner = new JsonScanner(reading)
  const bytes = Buffer.from(JSON.stringify(state))
  for (let from = 0; from < bytes.length; from += 100) scanner.push(bytes.subarray(from, from + 100))
  const read = scanner.end()
  expect(JSON.stringify(read)).not.toContain('secret')
  const [pieces, whole] = [analyseState(read, reading.resources), analyseState(state)]
  expect(pieces).toEqual(whole)
  const keys = { 1: ['x', 'y'], 2: ['z'], 3: [...Array(listedInstances - 8).keys()] }
  expect(whole).toMatchObject({ ok: true, facts: { resourceCount: 2_510, summary: { keys } } })
})
