import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changedType, createdType, documentOf, withAttributes } from './resource-document.ts'

type Schema = {
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly const?: string
  readonly enum?: readonly string[]
}

type Operation = { readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> } }
type Description = {
  readonly paths: Readonly<Record<string, { readonly post?: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const file = join(import.meta.dirname, '..', '..', 'docs', 'api', 'openapi.json')
const { paths, components }: Description = JSON.parse(readFileSync(file, 'utf8'))

/** The schemas that a schema stands for. */
const resolve = (schema: Schema): Schema[] =>
  schema.$ref !== undefined
    ? resolve(components.schemas[schema.$ref.replace(/.*\//, '')] ?? {})
    : (schema.anyOf?.flatMap(resolve) ?? [schema])

const inside = (all: readonly Schema[], name: string): Schema[] =>
  all.flatMap(({ properties }) => (properties?.[name] ? resolve(properties[name]) : []))

/** The types that a call accepts in a document; none if it does not take a document of one resource. */
function acceptedTypes({ requestBody }: Operation): string[] {
  const bodies = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => resolve(schema))
  return inside(inside(bodies, 'data'), 'type').flatMap((type) => type.enum ?? type.const ?? [])
}

const created = Object.entries(paths).flatMap(([path, { post }]): [string, string[]][] => {
  const types = post && path.startsWith('/api/v2/') ? acceptedTypes(post) : []
  return types.length > 0 && !path.includes('/relationships/') ? [[path, types]] : []
})

test('the description has calls that create resources', () => expect(created.length).toBeGreaterThan(15))

test.each(created)('POST %s takes a document with the type that its path implies', (path, types) => {
  expect(types).toContain(createdType(path))
})

test.each([
  ['/api/v2/workspaces/ws-1/actions/lock', undefined],
  ['/api/v2/workspaces/ws-1/relationships/tags', undefined],
  ['/api/v2/organizations/acme/workspaces?include=project', 'workspaces'],
])('what a POST to %s creates is of type %s', (path, type) => expect(createdType(path)).toBe(type))

test('a document is made of attributes, unless there is one', () => {
  expect(changedType('/api/v2/workspaces/ws-1?x=/')).toBe('workspaces')
  expect(documentOf('vars', { key: 'a' })).toEqual({ data: { type: 'vars', attributes: { key: 'a' } } })
  expect(documentOf('vars', { data: [] })).toEqual({ data: [] })
})

test('attributes are shown beside the other parts of a resource, and of nothing else', () => {
  const workspace = { id: 'ws-1', type: 'workspaces', attributes: { name: 'a' }, links: {} }
  expect(withAttributes(workspace)).toEqual({ id: 'ws-1', type: 'workspaces', name: 'a', links: {} })
  expect(withAttributes({ type: 'cert', attributes: { a: 1 } })).toEqual({ type: 'cert', attributes: { a: 1 } })
})
