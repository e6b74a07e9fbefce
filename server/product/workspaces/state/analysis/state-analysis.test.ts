import { expect, test } from 'vitest'
import { JsonScanner } from './json-scan.ts'
import { type Analysis, analyseState, type StateFacts, StateReading } from './state-analysis.ts'

/** The outline of a state, read the way uploads are. */
function analyse(state: unknown): Analysis {
  const reading = new StateReading()
  const scanner = new JsonScanner(reading)
  const bytes = Buffer.from(JSON.stringify(state))
  for (let from = 0; from < bytes.length; from += 65_536) scanner.push(bytes.subarray(from, from + 65_536))
  return analyseState(scanner.end(), reading.resources)
}

function factsOf(state: unknown): StateFacts {
  const analysis = analyse(state)
  if (!analysis.ok) throw new Error(analysis.why)
  return analysis.facts
}

const provider = 'provider["example.org/acme/null"]'

test('format 4: instances of managed resources are counted over all modules, data sources are not', () => {
  const facts = factsOf({
    version: 4,
    terraform_version: '1.10.0',
    serial: 7,
    lineage: 'abc',
    outputs: {},
    resources: [
      { mode: 'managed', type: 'null_resource', name: 'a', provider, instances: [{ attributes: { x: 1 } }, {}] },
      { mode: 'managed', type: 'null_resource', name: 'b', module: 'module.m["k"]', provider, instances: [{}] },
      { mode: 'data', type: 'http', name: 'c', provider, instances: [{}] },
    ],
  })
  expect(facts).toMatchObject({
    format: 4,
    toolVersion: '1.10.0',
    serial: 7,
    lineage: 'abc',
    encrypted: false,
    resourceCount: 3,
    resourceCountKnown: true,
    summary: {
      modules: { root: { null_resource: 2, 'data.http': 1 }, 'module.m["k"]': { null_resource: 1 } },
      providers: { [provider]: { null_resource: 3, 'data.http': 1 } },
    },
  })
  expect(facts.summary.resources).toContainEqual({
    name: 'c',
    type: 'data.http',
    count: 1,
    module: 'root',
    provider,
  })
})

test.each([
  ['string', 'text', 'string'],
  ['number', 4.5, 'number'],
  ['bool', true, 'boolean'],
  [['list', 'string'], ['a'], 'array'],
  [['set', 'number'], [1], 'array'],
  [['tuple', ['string', 'number']], ['a', 1], 'array'],
  [['map', 'string'], { a: 'b' }, 'object'],
  [['object', { a: 'string' }], { a: 'b' }, 'object'],
])('format 4: an output of type %j has the type %j', (type, value, plain) => {
  const [output] = factsOf({ version: 4, outputs: { it: { type, value, sensitive: true } }, resources: [] }).outputs
  expect(output).toEqual({ name: 'it', sensitive: true, type: plain, detailedType: type, value })
})

test('format 3: the state is accepted without being read, and its resource count is unknown', () => {
  const resources = { 'null_resource.a': { type: 'null_resource', primary: { id: '1' } } }
  const outputs = { ip: { sensitive: false, type: 'string', value: '10.0.0.1' } }
  const state = { version: 3, terraform_version: '0.11.14', serial: 5, lineage: 'l' }
  for (const modules of [[{ path: ['root'], outputs, resources }], {}, undefined])
    expect(factsOf({ ...state, modules })).toEqual({
      format: 3,
      toolVersion: '0.11.14',
      serial: 5,
      lineage: 'l',
      encrypted: false,
      resourceCount: 0,
      resourceCountKnown: false,
      outputs: [],
      summary: { modules: {}, providers: {}, resources: [] },
    })
})

test('encrypted state: is accepted without being read, and its resource count is unknown', () => {
  const facts = factsOf({ serial: 3, lineage: 'l', meta: {}, encrypted_data: 'AAAA', encryption_version: 'v0' })
  expect(facts).toMatchObject({ encrypted: true, format: null, serial: 3, resourceCount: 0, resourceCountKnown: false })
})

test('unknown format: the state is accepted, and its resource count is unknown', () => {
  expect(factsOf({ version: 9 })).toMatchObject({ format: 9, resourceCountKnown: false })
})

test.each([
  ['a list', [], /but not an object/],
  ['resources that are not a list', { version: 4, resources: {} }, /resources are not a list/],
  ['a resource that is not an object', { version: 4, resources: [1] }, /is not an object/],
  ['instances that are not a list', { version: 4, resources: [{ instances: {} }] }, /instances .* not a list/],
  ['outputs that are not an object', { version: 4, outputs: [] }, /outputs are not an object/],
])('broken state: %s is refused with a reason', (_name, state, why) => {
  expect(analyse(state)).toMatchObject({ ok: false, why: expect.stringMatching(why) })
})

test('many resources: all are counted, the first two thousand are listed', () => {
  const resources = Array.from({ length: 2500 }, (_, index) => ({
    mode: 'managed',
    type: 't',
    name: `n${index}`,
    instances: [{}],
  }))
  const { resourceCount, summary } = factsOf({ version: 4, resources })
  expect([resourceCount, summary.resources.length]).toEqual([2500, 2000])
})

test('format 4: of 5000 resources all are counted, and the first 2000 are listed', () => {
  const resources = Array.from({ length: 5_000 }, (_, index) => ({
    mode: index % 5 === 0 ? 'data' : 'managed',
    type: index % 2 === 0 ? 'even' : 'odd',
    name: `r${index}`,
    provider,
    instances: index % 3 === 0 ? [{}, {}] : [{}],
  }))
  const facts = factsOf({ version: 4, serial: 1, resources })
  const managed = resources.filter(({ mode }) => mode === 'managed')
  expect(facts.resourceCount).toBe(managed.reduce((sum, { instances }) => sum + instances.length, 0))
  expect(facts.summary.resources).toHaveLength(2_000)
  expect(facts.summary.resources.at(-1)?.name).toBe('r1999')
  const counts = Object.values(facts.summary.modules.root ?? {})
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(
    resources.reduce((sum, { instances }) => sum + instances.length, 0),
  )
})

test('format 4: an output with an invalid type gets its type from its value', () => {
  const facts = factsOf({ version: 4, serial: 1, outputs: { odd: { type: 'constructor', value: [1] } } })
  expect(facts.outputs[0]?.type).toBe('array')
})

test.each([
  ['one long text', 'x'.repeat(20_000_000)],
  ['very many short ones', Array.from({ length: 600_000 }, () => 'y')],
])('outputs: those beyond the memory limit have neither value nor type: %s', (_name, value) => {
  const outputs = {
    before: { type: 'string', value: 'a' },
    large: { type: 'dynamic', value, sensitive: true },
    after: { type: 'string', value: 'b' },
  }
  const none = { detailedType: null, value: null }
  expect(factsOf({ version: 4, serial: 1, outputs }).outputs).toMatchObject([
    { name: 'before', detailedType: 'string', value: 'a' },
    { name: 'large', sensitive: true, ...none },
    { name: 'after', ...none },
  ])
})

test('outputs: of more than 5000 the first are kept, the last of them without type and value', () => {
  const numbered = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`o${index}`, { type: 'number', value: index }]))
  expect(factsOf({ version: 4, serial: 1, outputs: numbered(5_000) }).outputs.at(-1)).toMatchObject({ value: 4_999 })
  const { outputs } = factsOf({ version: 4, serial: 1, outputs: numbered(5_001) })
  expect(outputs).toHaveLength(5_000)
  expect(outputs.at(-2)).toMatchObject({ name: 'o4998', detailedType: 'number', value: 4_998 })
  expect(outputs.at(-1)).toMatchObject({ name: 'o4999', detailedType: null, value: null })
})

test('summary: all resources are counted, but at most 2000 modules and providers are listed', () => {
  const resources = Array.from({ length: 3_000 }, (_, index) => ({
    mode: 'managed',
    type: `type_${index}`,
    name: 'it',
    module: `module.m${index}`,
    provider: `provider["example.org/acme/p${index}"]`,
    instances: [{}],
  }))
  const { resourceCount, summary } = factsOf({ version: 4, serial: 1, resources: [...resources, resources[0]] })
  expect(resourceCount).toBe(3_001)
  for (const counts of [summary.modules, summary.providers]) expect(Object.keys(counts)).toHaveLength(2_000)
  expect(summary.modules['module.m0']).toEqual({ type_0: 2 })
})

test('overlong names: outputs with one are left out, summary names are cut, tool version is null', () => {
  const long = 'x'.repeat(5_000)
  const resource = { mode: 'managed', type: long, name: long, module: long, provider: long, instances: [{}] }
  const outputs = { [long]: { type: 'string', value: 'a' }, short: { type: 'string', value: 'b' } }
  const facts = factsOf({ version: 4, serial: 1, terraform_version: long, outputs, resources: [resource] })
  expect(facts).toMatchObject({ toolVersion: null, resourceCount: 1, outputs: [{ name: 'short' }] })
  expect(JSON.stringify(facts.summary).length).toBeLessThan(10_000)
})

test('summary: long names are listed only up to a total size, while all resources are counted', () => {
  const resources = Array.from({ length: 2_000 }, (_, index) => {
    const name = `${index}${'x'.repeat(1_000)}`
    return { mode: 'managed', type: name, name, module: name, provider: name, instances: [{}] }
  })
  const { resourceCount, summary } = factsOf({ version: 4, serial: 1, resources })
  expect(resourceCount).toBe(2_000)
  expect(JSON.stringify(summary).length).toBeLessThan(3_500_000)
  expect(summary.resources.length).toBeGreaterThan(200)
})
