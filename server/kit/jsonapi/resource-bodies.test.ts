import { expect, test } from 'vitest'
import { Failure } from '../../kernel/failure.ts'
import type { JsonShape } from '../endpoint.ts'
import { attribute, draftBody, listBody, looseBody, relation, requireSameId, resourceBody } from './index.ts'

const parse = <B>(shape: JsonShape<B>, raw: Record<string, unknown>): B =>
  shape.parse(raw, { warn: () => undefined, params: {} })

/** Pointers and details of a refusal; undefined if the body is accepted. */
const faultsOf = (shape: JsonShape<unknown>, raw: Record<string, unknown>) => {
  try {
    parse(shape, raw)
    return undefined
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown
    return thrown.extras.faults?.map(({ pointer, detail }) => `${pointer}: ${detail}`)
  }
}

const things = resourceBody('things', {
  attributes: {
    name: attribute.text('Name.', { required: true, maxLength: 5 }),
    autoApply: attribute.flag('Flag.'),
    description: attribute.text('Text.', { nullable: true }),
    days: attribute.whole('Days.', { minimum: 1, maximum: 9 }),
    mode: attribute.choice('Mode.', ['remote', 'local', 'agent']),
    dueAt: attribute.time('Time.', { nullable: true }),
    paths: attribute.list('Paths.', attribute.text('Path.')),
    toolVersion: attribute.text('Version.', { aliases: ['other-version'] }),
    repository: attribute.object(
      'Repository.',
      { identifier: attribute.text('Id.', { required: true }) },
      { nullable: true },
    ),
  },
  relationships: {
    project: relation.one('projects', 'Project.'),
    key: relation.one('ssh-keys', 'Key.', { nullable: true }),
    bindings: relation.items('tag-bindings', 'Bindings.', {
      attributes: { key: attribute.text('Key.', { required: true }) },
    }),
  },
})

const thing = (attributes: unknown, relationships?: unknown) => ({
  data: { type: 'things', attributes: attributes as object, ...(relationships ? { relationships } : {}) },
})

test.each<[string, Record<string, unknown>, string[]]>([
  ['no data', {}, ['/data: Data is missing']],
  ['null data', { data: null }, ['/data: Data must be an object']],
  ['a list', { data: [] }, ['/data: Data must be one object, not a list']],
  ['another type', { data: { type: 'x', attributes: { name: 'a' } } }, ['/data/type: Type must be "things"']],
  ['a number as id', { data: { type: 'things', id: 7, attributes: { name: 'a' } } }, ['/data/id: Id must be a string']],
  ['attributes as a list', thing([]), ['/data/attributes: Attributes must be an object']],
  ['attributes null', thing(null), ['/data/attributes: Attributes must be an object']],
  [
    'relationships as a text',
    { data: { type: 'things', attributes: { name: 'a' }, relationships: 'x' } },
    ['/data/relationships: Relationships must be an object'],
  ],
  ['a required attribute missing', thing({}), ["/data/attributes/name: Name can't be blank"]],
  ['a required attribute null', thing({ name: null }), ["/data/attributes/name: Name can't be blank"]],
  ['a required attribute empty', thing({ name: '' }), ["/data/attributes/name: Name can't be blank"]],
  ['a number for a text', thing({ name: 3 }), ['/data/attributes/name: Name must be a string']],
  [
    'a text for a flag',
    thing({ name: 'a', 'auto-apply': 'true' }),
    ['/data/attributes/auto-apply: Auto apply must be true or false'],
  ],
  [
    'null for a flag',
    thing({ name: 'a', 'auto-apply': null }),
    ['/data/attributes/auto-apply: Auto apply must be true or false'],
  ],
  ['a long text', thing({ name: 'abcdef' }), ['/data/attributes/name: Name is too long, the maximum is 5 characters']],
  [
    'a long text of pairs',
    thing({ name: '🌍'.repeat(6) }),
    ['/data/attributes/name: Name is too long, the maximum is 5 characters'],
  ],
  ['a NUL in a text', thing({ name: 'a\u0000' }), ['/data/attributes/name: Name must not contain NUL characters']],
  ['a fraction', thing({ name: 'a', days: 1.5 }), ['/data/attributes/days: Days must be a whole number']],
  ['a number below', thing({ name: 'a', days: 0 }), ['/data/attributes/days: Days must be at least 1']],
  ['a number above', thing({ name: 'a', days: 10 }), ['/data/attributes/days: Days must be at most 9']],
  ['a number without all digits', thing({ name: 'a', days: 1e300 }), ['/data/attributes/days: Days must be at most 9']],
  [
    'an unknown choice',
    thing({ name: 'a', mode: 'x' }),
    ['/data/attributes/mode: Mode must be remote, local or agent'],
  ],
  [
    'no time',
    thing({ name: 'a', 'due-at': 'tomorrow' }),
    ['/data/attributes/due-at: Due at must be an ISO 8601 timestamp, or null'],
  ],
  [
    'a bad list entry',
    thing({ name: 'a', paths: ['x', 1] }),
    ['/data/attributes/paths/1: Paths, entry 2, must be a string'],
  ],
  [
    'a bad inner member',
    thing({ name: 'a', repository: {} }),
    ["/data/attributes/repository/identifier: Identifier can't be blank"],
  ],
  [
    'a list for an object',
    thing({ name: 'a', repository: [] }),
    ['/data/attributes/repository: Repository must be an object, or null'],
  ],
  [
    'one key twice',
    thing({ name: 'a', 'tool-version': '1', 'other-version': '2' }),
    ['/data/attributes/tool-version: Tool version is given twice, under different spellings and with different values'],
  ],
  [
    'a relationship without object',
    thing({ name: 'a' }, { project: 'x' }),
    ['/data/relationships/project: Project must be an object with data'],
  ],
  [
    'a relationship set to null',
    thing({ name: 'a' }, { project: { data: null } }),
    ["/data/relationships/project/data: Project can't be blank"],
  ],
  [
    'a relationship of another type',
    thing({ name: 'a' }, { project: { data: { type: 'x', id: 'y' } } }),
    ['/data/relationships/project/data/type: Type must be "projects"'],
  ],
  [
    'a relationship without id',
    thing({ name: 'a' }, { project: { data: { type: 'projects' } } }),
    ["/data/relationships/project/data/id: Id can't be blank"],
  ],
  [
    'a bad item',
    thing({ name: 'a' }, { bindings: { data: [{ type: 'tag-bindings', attributes: {} }] } }),
    ["/data/relationships/bindings/data/0/attributes/key: Key can't be blank"],
  ],
  [
    'an item with an id and nothing else',
    thing({ name: 'a' }, { bindings: { data: [{ type: 'tag-bindings', id: 'tb-1' }] } }),
    ["/data/relationships/bindings/data/0/attributes/key: Key can't be blank"],
  ],
])('document: %s is refused with a pointer to the fault', (_name, raw, expected) => {
  expect(faultsOf(things, raw)).toEqual(expected)
})

test('document: every fault is found, not only the first', () => {
  const raw = thing({ 'auto-apply': 1, days: 'x', mode: 3 }, { project: { data: {} } })
  expect(faultsOf(things, raw)?.map((fault) => fault.split(':')[0])).toEqual([
    '/data/attributes/name',
    '/data/attributes/auto-apply',
    '/data/attributes/days',
    '/data/attributes/mode',
    '/data/relationships/project/data/id',
  ])
})

test.each([{}, { type: null }, { type: '' }])('document: a to-one relationship may omit its type: %j', (type) => {
  const body = parse(things, thing({ name: 'a' }, { project: { data: { ...type, id: 'prj-1' } } }))
  expect(body.relationships).toEqual({ project: 'prj-1' })
  const listed = thing({ name: 'a' }, { bindings: { data: [{ ...type, attributes: { key: 'k' } }] } })
  expect(faultsOf(things, listed)?.map((fault) => fault.split(':')[0])).toEqual([
    '/data/relationships/bindings/data/0/type',
  ])
})

test('document: the length of a text is counted in characters', () => {
  const name = '🌍'.repeat(5)
  expect(parse(things, thing({ name })).attributes).toEqual({ name })
})

test('document: relationships may be null where there are none', () => {
  const raw = { data: { type: 'things', attributes: { name: 'a' }, relationships: null } }
  expect(parse(things, raw)).toMatchObject({ attributes: { name: 'a' }, relationships: {} })
})

test('document: null and omitted are kept apart, unknown and read-only members are ignored', () => {
  const raw = thing(
    { name: 'a', description: null, 'created-at': 5, permissions: {} },
    { unknown: 7, key: { data: null } },
  )
  const body = parse(things, raw)
  expect(body.attributes).toEqual({ name: 'a', description: null })
  expect(body.relationships).toEqual({ key: null })
})

test.each(['auto-apply', 'auto_apply', 'autoApply'])('document: the spelling %s is read', (key) => {
  expect(parse(things, thing({ name: 'a', [key]: true })).attributes.autoApply).toBe(true)
})

test('document: an alias is read as its attribute, also beside an equal value', () => {
  expect(parse(things, thing({ name: 'a', other_version: '1' })).attributes.toolVersion).toBe('1')
  expect(parse(things, thing({ name: 'a', 'other-version': '1', 'tool-version': '1' })).attributes.toolVersion).toBe(
    '1',
  )
})

test('document: __proto__ does not set anything', () => {
  const raw = JSON.parse('{"data":{"type":"things","attributes":{"name":"a","__proto__":{"admin":true}}}}')
  const body = parse(things, raw)
  expect('admin' in body.attributes).toBe(false)
  expect('admin' in {}).toBe(false)
})

test.each([
  ['one', relation.one('projects', 'Project.', { required: true })],
  ['items', relation.items('projects', 'Projects.', { required: true })],
])('document: a required relationship of %s without data is refused', (_kind, project) => {
  const body = resourceBody('things', { relationships: { project } })
  const refused = ["/data/relationships/project: Project can't be blank"]
  expect(faultsOf(body, { data: { type: 'things', relationships: { project: {} } } })).toEqual(refused)
  expect(faultsOf(body, { data: { type: 'things', relationships: {} } })).toEqual(refused)
})

test('document: a relationship with a null id means none if it is nullable, and is refused otherwise', () => {
  const nothing = { data: { id: null } }
  const keyed = (key: unknown) => parse(things, thing({ name: 'a' }, { key })).relationships.key
  expect([keyed(nothing), keyed({ data: { type: 'ssh-keys', id: null } }), keyed({ data: null })]).toEqual([
    null,
    null,
    null,
  ])
  const refused = (relationships: unknown) => faultsOf(things, thing({ name: 'a' }, relationships))
  expect(refused({ project: nothing })).toEqual(["/data/relationships/project/data/id: Id can't be blank"])
  expect(refused({ key: { data: {} } })).toEqual(["/data/relationships/key/data/id: Id can't be blank"])
  expect(refused({ key: { data: { type: 'keys', id: null } } })).toEqual([
    '/data/relationships/key/data/type: Type must be "ssh-keys"',
  ])
})

test('document: relationships read into ids and items', () => {
  const body = parse(
    things,
    thing(
      { name: 'a' },
      {
        project: { data: { type: 'projects', id: 'prj-1', attributes: { name: 'ignored' } } },
        bindings: {
          data: [
            { type: 'tag-bindings', attributes: { key: 'k' } },
            { type: 'tag-bindings', id: 'tb-1', attributes: { key: 'l' } },
          ],
        },
      },
    ),
  )
  expect(body.relationships).toEqual({
    project: 'prj-1',
    bindings: [
      { id: undefined, attributes: { key: 'k' } },
      { id: 'tb-1', attributes: { key: 'l' } },
    ],
  })
})

test('document: a check over several members runs although another one is faulty', () => {
  const shape = resourceBody('things', {
    attributes: { a: attribute.flag('A.'), b: attribute.flag('B.'), c: attribute.flag('C.') },
    check: ({ attributes }) =>
      attributes.a && attributes.b ? [{ detail: 'not both', pointer: '/data/attributes/b' }] : [],
  })
  expect(faultsOf(shape, thing({ a: true, b: true, c: 'x' }))).toEqual([
    '/data/attributes/c: C must be true or false',
    '/data/attributes/b: not both',
  ])
})

test('document: without a type it has the only one there can be, unless its endpoint asks for it', () => {
  const attributes = { a: true }
  const shape = { attributes: { a: attribute.flag('A.') } }
  const strict = resourceBody('things', { ...shape, type: 'required' })
  for (const typeless of [{ attributes }, { type: '', attributes }, { type: null, attributes }]) {
    expect(parse(resourceBody('things', shape), { data: typeless })).toMatchObject({ type: 'things', attributes })
    expect(faultsOf(strict, { data: typeless })).toEqual(['/data/type: Type can\'t be blank; send "things"'])
  }
  expect(parse(strict, { data: { type: 'things', attributes } })).toMatchObject({ attributes })
  const required = (body: JsonShape<unknown>) => (body.schema as unknown as DataSchema).properties.data.required
  expect([required(strict), required(resourceBody('things', shape))]).toEqual([['type'], undefined])
})

type DataSchema = { readonly properties: { readonly data: { readonly required?: readonly string[] } } }

test('draft: faults found later are thrown together with those of the document', () => {
  const draft = parse(draftBody('things', { attributes: { a: attribute.flag('A.') } }), thing({ a: 1 }))
  expect(draft.read.attributes).toEqual({})
  expect(() => draft.requireNoFaults([{ detail: 'taken', pointer: '/data/attributes/name' }])).toThrow(
    'A must be true or false; taken',
  )
})

test('list: each entry is checked, and the fault names its index', () => {
  const shape = listBody('workspaces', { emptyRefused: "can't be empty" })
  expect(faultsOf(shape, { data: [] })).toEqual(["/data: Data can't be empty"])
  expect(faultsOf(shape, { data: {} })).toEqual(['/data: Data must be a list'])
  expect(
    faultsOf(shape, { data: [{ type: 'workspaces', id: 'a' }, { type: 'x', id: 'b' }, 'c', { type: 'workspaces' }] }),
  ).toEqual([
    '/data/1/type: Type must be "workspaces"',
    '/data/2: The entry must be an object with type and id',
    "/data/3/id: Id can't be blank",
  ])
  expect(parse(shape, { data: [{ type: 'workspaces', id: 'a', attributes: { locked: 1 } }] })).toEqual([
    { id: 'a', attributes: {} },
  ])
})

test('draft: faults about a member that could not be read, or based on it, are dropped', () => {
  const shape = draftBody('things', {
    attributes: { mode: attribute.choice('Mode.', ['a', 'b']), pool: attribute.text('Pool.') },
    check: ({ attributes }) =>
      attributes.mode ? [] : [{ detail: 'Mode is needed', pointer: '/data/attributes/mode' }],
  })
  const mode = '/data/attributes/mode'
  const later = [
    { detail: 'Mode is unfit', pointer: mode },
    { detail: 'Pool is unfit for the mode', pointer: '/data/attributes/pool', dependsOn: [mode] },
    { detail: 'Pool is unfit', pointer: '/data/attributes/pool' },
  ]
  const told = (attributes: unknown) => {
    try {
      return parse(shape, { data: { type: 'things', attributes } }).requireNoFaults(later)
    } catch (thrown) {
      return thrown instanceof Failure && thrown.extras.faults?.map(({ detail }) => detail)
    }
  }
  expect(told({ mode: 'x', pool: 'y' })).toEqual(['Mode must be a or b', 'Pool is unfit'])
  expect(told({ mode: 'a', pool: 5 })).toEqual(['Pool must be a string', 'Mode is unfit'])
  expect(told({ mode: 'a' })).toEqual(['Mode is unfit', 'Pool is unfit for the mode', 'Pool is unfit'])
  expect(told({})).toEqual(['Mode is needed', 'Mode is unfit', 'Pool is unfit for the mode', 'Pool is unfit'])
  expect(told(5)).toEqual(['Attributes must be an object'])
})

test('loose body: plain, wrapped without a type, and empty bodies are accepted', () => {
  const shape = looseBody({ reason: attribute.text('Why.', { maxLength: 3 }) })
  const wrapped = '/data/attributes'
  const attributes = { reason: 'x' }
  expect(parse(shape, attributes)).toEqual({ attributes, pointer: '' })
  expect(parse(shape, { data: { type: '', attributes } })).toEqual({ attributes, pointer: wrapped })
  expect(parse(shape, { data: null })).toEqual({ attributes: {}, pointer: wrapped })
  expect(parse(shape, {})).toEqual({ attributes: {}, pointer: '' })
  expect(faultsOf(shape, { data: { attributes: { reason: 4 } } })).toEqual([
    '/data/attributes/reason: Reason must be a string',
  ])
  expect(faultsOf(shape, { reason: 'long' })).toEqual(['/reason: Reason is too long, the maximum is 3 characters'])
})

test('loose body: an attribute called pointer is one like any other', () => {
  const shape = looseBody({ pointer: attribute.text('Where to.') })
  const attributes = { pointer: 'north' }
  expect(parse(shape, attributes)).toEqual({ attributes, pointer: '' })
  expect(parse(shape, { data: { attributes } })).toEqual({ attributes, pointer: '/data/attributes' })
})

test('id: a different id in the document is a conflict; the same id or none is accepted', () => {
  expect(() => requireSameId({ id: 'ws-2' }, 'ws-1')).toThrow(expect.objectContaining({ kind: 'conflict' }))
  requireSameId({ id: undefined }, 'ws-1')
  requireSameId({ id: 'acme' }, 'org-1', 'acme')
})
