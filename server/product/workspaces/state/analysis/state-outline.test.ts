import { expect, test } from 'vitest'
import type { StateSummary } from './resource-list.ts'
import { outlineOf, packSummary, StateOutline, unpackSummary } from './state-outline.ts'

/** Far more than what is kept of it. */
const length = 1_500_000

/** A document with a part that is repeated until it is long; `part` may number its repetitions. */
function long(before: string, part: string | ((index: number) => string), after: string): string {
  const parts = [before]
  for (let [size, index] = [0, 0]; size < length; index++) {
    const next = typeof part === 'string' ? part : part(index)
    size += next.length
    parts.push(next)
  }
  return [...parts, after].join('')
}

/** Reads a state as a large one arrives; returns what was found, and the most that was kept at any moment. */
function read(state: string) {
  const outline = new StateOutline()
  const bytes = Buffer.from(state)
  let mostKept = 0
  for (let from = 0; from < bytes.length; from += 16_384) {
    outline.push(bytes.subarray(from, from + 16_384))
    mostKept = Math.max(mostKept, outline.kept)
  }
  return { finding: outline.end(), mostKept }
}

const resource = (members: string) => `{"version":4,"resources":[{"type":"t","name":"n","instances":[{}]${members}`

test.each([
  ['objects in an unknown member', long('{"version":4,"x":[', '{},', '{}]}'), 0],
  ['unknown members', long('{"version":4', (index) => `,"x${index}":1`, '}'), 0],
  ['an unknown member with a long name', long('{"version":4,"', 'x', '":1}'), 0],
  ['a lineage', long('{"version":4,"lineage":"', 'x', '"}'), 0],
  ['a list as serial', long('{"version":4,"serial":[', '1,', '1]}'), 0],
  ['objects in an unknown member of a resource', long(resource(',"x":['), '{},', '{}]}]}'), 1],
  ['unknown members of a resource', long(resource(''), (index) => `,"x${index}":1`, '}]}'), 1],
  ['a list as type', long(resource(',"type":['), '[],', '[]]}]}'), 1],
  ['the name of a resource', long(resource(',"name":"'), 'x', '"}]}'), 1],
  ['check results', long(resource('}],"check_results":['), '{"a":1},', '{}]}'), 1],
  ['an instance key', long('{"version":4,"resources":[{"instances":[{"index_key":"', 'x', '"}]}]}'), 1],
  ['a list as instance key', long('{"version":4,"resources":[{"instances":[{"index_key":[', '1,', '1]}]}]}'), 1],
  ['modules of format 3', long('{"version":3,"modules":[', '{"resources":{"a.b":{}}},', '{}]}'), 0],
  ['members of an unknown format', long('{"version":9,"resources":[', '{"x":{"y":[]}},', '{}]}'), 0],
  ['an encrypted state', long('{"encrypted_data":"', 'x', '","meta":{"key":"a"}}'), 0],
  ['numbers as resources of an unknown format', long('{"version":9,"resources":[', '1,', '"a"]}'), 0],
  ['the description of an encryption', long('{"encrypted_data":"x","meta":{"x":[', '{},', '{}]}}'), 0],
])('memory: what is kept does not grow with %s', (_name, state, resourceCount) => {
  const { finding, mostKept } = read(state)
  expect(finding).toMatchObject({ ok: true, facts: { resourceCount } })
  expect(mostKept).toBeLessThan(64 * 1024)
})

test.each([
  ['resources of format 4', long('{"version":4,"resources":[', '{"instances":[{}]},', '{}]}'), Math.ceil(length / 19)],
  ['instances', long('{"version":4,"resources":[{"instances":[', '{},', '{}]}]}'), length / 3 + 1],
])('memory: all are counted, and what is kept does not grow with the number of %s', (_name, state, resourceCount) => {
  const { finding, mostKept } = read(state)
  expect(finding).toMatchObject({ ok: true, facts: { resourceCount } })
  expect(mostKept).toBeLessThan(256 * 1024)
})

test.each([
  ['outputs', long('{"version":4,"outputs":{"a":{}', (index) => `,"o${index}":{}`, '}}')],
  ['unknown members of an output', long('{"version":4,"outputs":{"a":{"value":1', (index) => `,"x${index}":[]`, '}}}')],
  ['the name of an output', long('{"version":4,"outputs":{"a":{"value":1},"', 'x', '":{}}}')],
])('memory: what is kept does not grow with %s', (_name, state) => {
  const { finding, mostKept } = read(state)
  expect(finding).toMatchObject({
    ok: true,
    facts: { outputs: expect.arrayContaining([expect.objectContaining({ name: 'a' })]) },
  })
  expect(mostKept).toBeLessThan(512 * 1024)
})

test('memory: a value of an output that is larger than the limit is read no further', () => {
  const value = `{"sensitive":true,"type":"dynamic","value":[${'{},'.repeat(1_000_000)}{}]}`
  const { finding, mostKept } = read(`{"version":4,"outputs":{"a":${value}}}`)
  expect(finding).toMatchObject({ ok: true, facts: { outputs: [{ name: 'a', sensitive: true, value: null }] } })
  expect(mostKept).toBeLessThan(17 * 1024 * 1024)
})

test('memory: resources that come before the outputs do not use up their room', () => {
  const resources = `${'{"type":"t","name":"a name of some length","instances":[{"index_key":"k"}]},'.repeat(100_000)}{}`
  const { finding } = read(`{"version":4,"resources":[${resources}],"outputs":{"a":{"type":"string","value":"kept"}}}`)
  expect(finding).toMatchObject({ ok: true, facts: { resourceCount: 100_000, outputs: [{ value: 'kept' }] } })
})

test.each([
  ['a number of a million digits', `{"version":4,"x":${'1'.repeat(1_000_000)}}`, 'A number is too long.'],
  ['a bad escape late in a long text', `{"version":4,"lineage":"${'x'.repeat(100_000)}\\q"}`, 'badly written'],
  ['a bad escape early in a long text', `{"version":4,"lineage":"\\q${'x'.repeat(100_000)}"}`, 'badly written'],
  ['a bad escape in a long key', `{"version":4,"${'x'.repeat(100_000)}\\q":1}`, 'badly written'],
])('broken state: %s is refused', (_name, state, why) => {
  expect(read(state).finding).toMatchObject({ ok: false, why: expect.stringContaining(why) })
})

test.each([
  ['a resource that is a number', '{"version":4,"resources":[{},1]}'],
  ['a resource that is a text', '{"version":4,"resources":["a"]}'],
  ['a resource that is a list', '{"version":4,"resources":[[]]}'],
  ['instances that are an object', '{"version":4,"resources":[{"instances":{"a":{}}}]}'],
  ['resources that are an object', '{"version":4,"resources":{"a":{}}}'],
  ['outputs that are a list', '{"version":4,"outputs":[{}]}'],
  ['a second list of resources', '{"version":4,"resources":[1],"resources":[{"instances":[{}]}]}'],
  ['a second number instead of resources', '{"version":4,"resources":[{}],"resources":1}'],
  ['second instances', '{"version":4,"resources":[{"instances":[{},{}],"instances":[{}]}]}'],
  ['a version at the end', '{"resources":[{"type":"t","instances":[{}]}],"modules":[1],"version":4}'],
  [
    'outputs of every shape',
    '{"version":4,"outputs":{"a":1,"b":"x","c":[1],"d":{"value":{"e":[{}]},"type":"string"}}}',
  ],
])('outline: a state with %s is read in pieces as it is as a whole', (_name, state) => {
  expect(read(state).finding).toEqual(outlineOf(Buffer.from(state)))
})

const summaryOf = (count: number): StateSummary => ({
  modules: { root: { a_thing: count } },
  providers: { x: { a_thing: count } },
  resources: Array.from({ length: count }, (_, index) => ({
    name: `é${index}`,
    type: 'a_thing',
    count: 1,
    module: 'root',
    provider: 'x',
  })),
})

test.each([0, 1, 2_000])('summary: one of %i resources is the same after unpacking', (count) => {
  expect(unpackSummary(Buffer.from(packSummary(summaryOf(count))))).toEqual(summaryOf(count))
})

test('summary: packed, 2000 resources take less than a fifth of their JSON text', () => {
  const summary = summaryOf(2_000)
  expect(packSummary(summary).length).toBeLessThan(JSON.stringify(summary).length / 5)
})

test('summary: rows that hold a long summary as plain JSON are still read', () => {
  const summary = summaryOf(2_000)
  expect(unpackSummary(Buffer.from(JSON.stringify(summary)))).toEqual(summary)
})
