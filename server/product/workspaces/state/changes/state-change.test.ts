import { describe, expect, test } from 'vitest'
import { compareStates } from './state-change.ts'

const resource = (name: string, instances: readonly object[], more: object = {}) => ({
  mode: 'managed',
  type: 'box',
  name,
  provider: 'provider["example.org/acme/box"]',
  instances,
  ...more,
})
const stateWith = (resources: readonly object[], outputs: object = {}) => ({
  version: 4,
  serial: 1,
  resources,
  outputs,
})
const box = (attributes: object, more: object = {}) => stateWith([resource('a', [{ attributes, ...more }])])

describe('compareStates: resources', () => {
  test.each([
    ['equal states', box({ id: '1', tags: { b: 1, a: 2 } }), box({ tags: { a: 2, b: 1 }, id: '1' }), []],
    ['an attribute', box({ id: '1', size: 1 }), box({ id: '1', size: 2 }), ['changed box.a: size']],
    ['a new attribute', box({ id: '1' }), box({ id: '1', size: null }), ['changed box.a: size']],
    ['an attribute that is gone', box({ id: '1', size: 2 }), box({ id: '1' }), ['changed box.a: size']],
    [
      'members of objects by their path',
      box({ tags: { owner: 'a', area: 'x', at: { home: 1 } } }),
      box({ tags: { owner: 'b', team: 'y', at: { home: 2 } } }),
      ['changed box.a: tags.owner, tags.area, tags.at.home, tags.team'],
    ],
    ['lists as a whole', box({ ports: [1, { x: 1 }] }), box({ ports: [1, { x: 2 }] }), ['changed box.a: ports']],
    ['an object that became null', box({ tags: { a: 1 } }), box({ tags: null }), ['changed box.a: tags']],
    ['numbers beyond doubles', box({ n: 9007199254740993n }), box({ n: 9007199254740992n }), ['changed box.a: n']],
    [
      'an instance that is tainted now',
      box({ id: '1' }),
      box({ id: '1' }, { status: 'tainted' }),
      ['changed box.a: (tainted)'],
    ],
    [
      'the same beside an attribute of that name',
      box({ status: 'up' }),
      box({ status: 'up' }, { status: 'tainted' }),
      ['changed box.a: (tainted)'],
    ],
    [
      'members deep within objects by what is around them',
      box({ a: { b: { c: { d: 1 } } } }),
      box({ a: { b: { c: { d: 2 } } } }),
      ['changed box.a: a.b.c'],
    ],
    [
      'keys beyond doubles',
      stateWith([resource('a', [{ index_key: 9007199254740993n }])]),
      stateWith([]),
      ['removed box.a["9007199254740993"]'],
    ],
    ['what writers note for themselves', box({ id: '1' }), box({ id: '1' }, { private: 'x', dependencies: ['b'] }), []],
    [
      'instances by their key',
      stateWith([
        resource('a', [
          { index_key: 0, attributes: {} },
          { index_key: 'x"y', attributes: { v: 1 } },
        ]),
      ]),
      stateWith([
        resource('a', [
          { index_key: 'x"y', attributes: { v: 2 } },
          { index_key: 1, attributes: {} },
        ]),
      ]),
      ['removed box.a[0]', 'changed box.a["x\\"y"]: v', 'added box.a[1]'],
    ],
    [
      'the same name in another module or mode',
      stateWith([resource('a', [{}], { module: 'module.net' }), resource('a', [{}], { mode: 'data' })]),
      stateWith([resource('a', [{}])]),
      ['removed module.net.box.a', 'removed data.box.a', 'added box.a'],
    ],
    [
      'an object that still has to be destroyed',
      box({ id: '1' }),
      stateWith([resource('a', [{ attributes: { id: '2' } }, { deposed: 'd0', attributes: { id: '1' } }])]),
      ['changed box.a: id', 'added box.a (deposed d0)'],
    ],
    [
      'flat attributes',
      box({}, { attributes_flat: { 'a.%': '1' } }),
      box({}, { attributes_flat: { 'a.%': '2' } }),
      ['changed box.a: a.%'],
    ],
    [
      'lists that are none',
      { version: 4, resources: 7, outputs: [] },
      { version: 4, resources: [3, null, { instances: 'x' }] },
      [],
    ],
  ])('%s', (_name, before, after, expected) => {
    const found = compareStates(before, after)?.resources.map(
      ({ kind, name, attributes }) =>
        `${kind} ${name}${kind === 'changed' ? `: ${attributes.map((each) => each.name).join(', ')}` : ''}`,
    )
    expect(found).toEqual(expected)
  })
})

test('compareStates: outputs are compared with sensitivity, and show no value that is or was sensitive', () => {
  const before = stateWith([], {
    gone: { value: 1 },
    same: { value: [1] },
    other: { value: 'a' },
    hidden: { value: 's' },
  })
  const after = stateWith([], {
    hidden: { value: 's', sensitive: true },
    same: { value: [1] },
    other: { value: 'b' },
    fresh: { value: { n: 12345678901234567890n } },
  })
  const value = (before: string | null, after: string | null) => ({ name: 'value', sensitive: false, before, after })
  expect(compareStates(before, after)).toEqual({
    resources: [],
    outputs: [
      { name: 'gone', kind: 'removed', attributes: [value('1', null)], more: 0 },
      { name: 'other', kind: 'changed', attributes: [value('"a"', '"b"')], more: 0 },
      {
        name: 'hidden',
        kind: 'changed',
        attributes: [{ name: '(sensitive)', sensitive: false, before: null, after: 'true' }],
        more: 0,
      },
      { name: 'fresh', kind: 'added', attributes: [value(null, '{"n":12345678901234567890}')], more: 0 },
    ],
  })
})

test.each([
  ['what the state marks', { key: 'a' }, { key: 'b' }, [[{ type: 'get_attr', value: 'key' }]]],
  [
    'something within what the state marks',
    { box: { lid: 'a' } },
    { box: { lid: 'b' } },
    [[{ type: 'get_attr', value: 'box' }]],
  ],
  [
    'something around what the state marks',
    { list: [{ key: 'a' }] },
    { list: [{ key: 'b' }] },
    [
      [
        { type: 'get_attr', value: 'list' },
        { type: 'index', value: { value: 0, type: 'number' } },
        { type: 'get_attr', value: 'key' },
      ],
    ],
  ],
  [
    'a key of a map',
    { tags: { a: 'a', b: 'same' } },
    { tags: { a: 'b', b: 'same' } },
    [
      [
        { type: 'get_attr', value: 'tags' },
        { type: 'index', value: { value: 'a', type: 'string' } },
      ],
    ],
  ],
  ['everything, if the whole is marked', { a: 1 }, { a: 2 }, [[]]],
  ['what was marked before only', { key: 'a' }, { key: 'b' }, undefined],
  ['what its name tells', { master_password: 'a' }, { master_password: 'b' }, undefined],
])('compareStates: shows no value of %s', (name, before, after, marked) => {
  const old = name.includes('before') ? [[{ type: 'get_attr', value: 'key' }]] : undefined
  const found = compareStates(box(before, { sensitive_attributes: old }), box(after, { sensitive_attributes: marked }))
  expect(found?.resources[0]?.attributes).toEqual([expect.objectContaining({ sensitive: true, before: '', after: '' })])
})

test('compareStates: shows other values beside a sensitive one, and cuts long ones', () => {
  const marked = { sensitive_attributes: [[{ type: 'get_attr', value: 'key' }]] }
  const found = compareStates(
    box({ key: 1, size: 'x'.repeat(5_000) }, marked),
    box({ key: 2, size: 2, unset: null }, marked),
  )
  expect(found?.resources[0]?.attributes).toEqual([
    { name: 'key', sensitive: true, before: '', after: '' },
    { name: 'size', sensitive: false, before: `"${'x'.repeat(3_999)}…`, after: '2' },
    { name: 'unset', sensitive: false, before: null, after: 'null' },
  ])
})

test.each([
  ['format 3', { version: 3, modules: [] }],
  ['no format', {}],
  ['a list', []],
  ['an encrypted state', { version: 4, serial: 1, meta: {}, encrypted_data: 'AA' }],
  ['nothing that could be parsed', undefined],
])('compareStates: %s is not compared', (_name, document) => {
  expect(compareStates(document, box({}))).toBeUndefined()
  expect(compareStates(box({}), document)).toBeUndefined()
})

test('compareStates: very many changed members of one attribute are counted', () => {
  const tags = (value: number) =>
    Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`t${index}`, value]))
  const [found] = compareStates(box({ tags: tags(1) }), box({ tags: tags(2) }))?.resources ?? []
  expect([found?.attributes.length, found?.more]).toEqual([100, 199_900])
})
