import { expect, test } from 'vitest'
import { addressOf, instancesOf, moduleName } from './resource.ts'

const resource = (name: string, count: number) => ({ name, type: 'a', count, module: 'root', provider: 'p' })
const summary = { modules: {}, providers: {} }

test('instances: are listed per resource in the order of their keys', () => {
  const resources = [resource('one', 1), resource('none', 0), resource('counted', 2), resource('each', 2)]
  const keys = { 2: 'counted', 3: ['x', 'y"z'] } as const
  expect(instancesOf({ ...summary, resources, keys }).map(addressOf)).toEqual([
    'a.one',
    'a.counted[0]',
    'a.counted[1]',
    'a.each["x"]',
    'a.each["y\\"z"]',
  ])
})

test('instances: without keys there is one entry per resource; the list ends at 2000 entries', () => {
  expect(instancesOf({ ...summary, resources: [resource('many', 5)] })).toMatchObject([{ name: 'many', key: null }])
  const resources = [resource('a', 1_999), resource('b', 100_000)]
  const listed = instancesOf({ ...summary, resources, keys: { 0: 'counted', 1: 'counted' } })
  expect([listed.length, listed.at(-1)]).toEqual([2_000, { ...resource('b', 100_000), key: 0 }])
})

test.each([
  ['root', 'root'],
  ['module.net', 'net'],
  ['module.net.module.edge', 'net.edge'],
  ['module.net["a.module.b"].module.edge[0]', 'net["a.module.b"].edge[0]'],
  ['module.net["\\".module."]', 'net["\\".module."]'],
  ['module.module.module.module', 'module.module'],
  ['module.my_module', 'my_module'],
])('modules: %s is called %s', (written, called) => {
  expect(moduleName(written)).toBe(called)
})
