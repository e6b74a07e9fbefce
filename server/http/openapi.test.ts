import { type TObject, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { endpointsOf } from '../app.ts'
import { acl, defineEndpoints, defineSystemEndpoints, endpoint, model, open } from '../kit/endpoint.ts'
import { acceptingText } from '../kit/fields.ts'
import { data } from '../kit/reply.ts'
import { features } from '../product/index.ts'
import { openApiDocument } from './openapi.ts'
import type { Json } from './openapi-components.ts'

type Operation = { operationId: string; parameters: Json[]; responses: Record<string, Json> }
type Document = { components: { schemas: Record<string, Json> }; paths: Record<string, Record<string, Operation>> }

const endpoints = endpointsOf(features, '1.2.3')
const { paths, components } = openApiDocument(endpoints, '1.2.3') as Document
const { schemas } = components

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Every object in a part of the document, with where it is. */
function* objectsIn(part: unknown, place: string): Generator<[place: string, part: Json]> {
  if (!isObject(part)) return
  if (!Array.isArray(part)) yield [place, part]
  for (const [key, each] of Object.entries(part)) yield* objectsIn(each, `${place}/${key}`)
}

const members = ({ properties }: Json): string[] => (isObject(properties) ? Object.keys(properties) : [])

const returning = (id: string, route: 'GET /a' | 'GET /b', schema: TSchema) =>
  endpoint({ id, route, summary: 'A.', access: acl(), returns: { 200: schema }, handle: () => data({}) })

describe('named schemas', () => {
  test('resources, their parts, envelopes, errors and tokens have names', () => {
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining([
        ...['Workspace', 'WorkspaceAttributes', 'WorkspaceRelationships', 'WorkspaceDocument', 'WorkspacePage'],
        ...['StateVersion', 'RetentionPolicy', 'Variable', 'Relationship', 'ResourceIdentifier', 'Pagination'],
        ...['TokenAuth', 'TokenAuthEnvelope', 'WrapInfo', 'CertRole', 'CertRoleEnvelope', 'KeyListEnvelope'],
        ...['ErrorDocument', 'ErrorObject', 'Refusal', 'WorkspacesCreateBody', 'WorkspacesCreateBodyAttributes'],
      ]),
    )
  })

  test('no object with members is without a name', () => {
    const inPaths = [...objectsIn(paths, '')].filter(([place]) => !place.includes('/example'))
    const within = Object.entries(schemas).flatMap(([name, schema]) =>
      Object.entries(schema).flatMap(([key, part]) => [...objectsIn(part, `${name}/${key}`)]),
    )
    const unnamed = [...inPaths, ...within].filter(
      ([place, part]) => part.type === 'object' && members(part).length > 0 && place,
    )
    expect(unnamed.map(([place]) => place)).toEqual([])
  })

  test('every reference leads somewhere', () => {
    const names = [...objectsIn({ paths, schemas }, '')].flatMap(([, { $ref }]) =>
      typeof $ref === 'string' && $ref.startsWith('#/components/schemas/') ? [$ref.slice(21)] : [],
    )
    expect(names.length).toBeGreaterThan(1_000)
    expect(names.filter((name) => !(name in schemas))).toEqual([])
  })

  test('a description stands next to the reference, so that one name may be used for several members', () => {
    const { properties = {} } = schemas.WorkspaceRelationships ?? {}
    const { project, organization } = properties as Record<string, Json>
    expect(project?.$ref).toBe('#/components/schemas/Relationship')
    expect(organization?.$ref).toBe(project?.$ref)
    expect(project?.description).not.toBe(organization?.description)
  })

  test('two different schemas with one name are refused', () => {
    const one = returning('x.one', 'GET /a', model('Thing', { a: Type.String() }))
    const same = returning('x.same', 'GET /b', model('Thing', { a: Type.String() }))
    const other = returning('x.other', 'GET /b', model('Thing', { b: Type.String() }))
    const documentOf = (...all: (typeof one)[]) => openApiDocument(defineSystemEndpoints(all), '1')
    expect(documentOf(one, same)).toHaveProperty('components.schemas.ThingEnvelope')
    expect(() => documentOf(one, other)).toThrow('Two schemas are named Thing')
  })
})

describe('forms that generators understand', () => {
  test('there is no allOf, no choice of one, no pattern for the names of members, and nothing internal', () => {
    const odd = [...objectsIn({ paths, schemas }, '')].filter(
      ([, part]) =>
        'allOf' in part ||
        'patternProperties' in part ||
        'x-field' in part ||
        'x-sparse' in part ||
        (Array.isArray(part.anyOf) && part.anyOf.length < 2),
    )
    expect(odd.map(([place]) => place)).toEqual([])
  })

  test('choices of texts are enums, and null is one more type', () => {
    const choices = {
      mode: Type.Union([Type.Literal('a'), Type.Literal('b')], { description: 'Mode.' }),
      maybe: Type.Union([Type.Union([Type.Literal('a'), Type.Literal('b')]), Type.Null()]),
      one: Type.Union([Type.Literal('a'), Type.Null()]),
      text: Type.Union([Type.String(), Type.Null()], { description: 'Text.' }),
      map: Type.Record(Type.String(), Type.Integer()),
    }
    const [defined] = defineSystemEndpoints([returning('x.y', 'GET /a', model('Thing', choices))])
    const { components: made } = openApiDocument(defined ? [defined] : [], '1') as Document
    expect(made.schemas.Thing?.properties).toEqual({
      mode: { type: 'string', enum: ['a', 'b'], description: 'Mode.' },
      maybe: { type: ['string', 'null'], enum: ['a', 'b', null] },
      one: { type: ['string', 'null'], enum: ['a', null] },
      text: { type: ['string', 'null'], description: 'Text.' },
      map: { type: 'object', additionalProperties: { type: 'integer' } },
    })
  })

  test('a read and a list at one path are one operation, since paths must not end in a slash', () => {
    expect(Object.keys(paths).filter((path) => /.\/$/.test(path))).toEqual([])
    const read = paths['/v1/cubbyhole/{path}']?.get as Operation & { 'x-list': string; description: string }
    expect(read).toMatchObject({ operationId: 'cubbyhole.read', 'x-list': 'cubbyhole.list' })
    expect(read.description).toContain('With `list=true`: ')
    expect(read.parameters.find(({ name }) => name === 'list')?.required).toBeUndefined()
    expect(read.responses[200]?.content).toMatchObject({
      'application/json': { schema: { anyOf: [{ $ref: expect.any(String) }, { $ref: expect.any(String) }] } },
    })
  })

  test('examples fit their schemas', () => {
    const wrong = endpoints.flatMap(({ id, mountType, example, returns = {}, body }) => {
      const { request, response } = example ?? {}
      const [answer] = Object.values(returns)
      const isRight = response === undefined || !answer || Check(answer, response)
      const isFields = mountType !== undefined && body !== undefined && 'properties' in body.schema
      const schema = isFields ? acceptingText(body.schema as TObject) : body?.schema
      const isSound = request === undefined || body?.kind !== 'json' || Check(schema as TSchema, request)
      return isRight && isSound ? [] : [id]
    })
    expect(wrong).toEqual([])
  })

  test('parameters that may contain slashes say so', () => {
    const parameter = paths['/v1/sys/mounts/{path}/tune']?.get?.parameters[0]
    expect(parameter).toMatchObject({ name: 'path', 'x-multi-segment': true })
    expect(parameter?.description).toContain('send them as they are')
    const single = paths['/v1/auth/cert/certs/{name}']?.get?.parameters[0]
    expect(single).not.toHaveProperty('x-multi-segment')
  })
})

describe('what requests can change about an answer', () => {
  test('no attribute is required, since `fields` leaves out all that it does not name', () => {
    const resources = Object.keys(schemas).filter((name) => /(?:Document|Page|List)$/.test(name))
    const named = resources.map((name) => `${name.replace(/(?:Document|Page|List)$/, '')}Attributes`)
    const attributes = named.map((name) => schemas[name]).filter((schema) => schema !== undefined)
    expect(attributes.length).toBeGreaterThan(30)
    expect(attributes.filter(({ required }) => required)).toEqual([])
  })

  test('reads of /api/v2 list If-None-Match, ETag and 304; writes and other formats do not', () => {
    const show = paths['/api/v2/workspaces/{workspaceId}']
    expect(show?.get?.responses[304]).toEqual({ $ref: '#/components/responses/NotModified' })
    expect(show?.get?.responses[200]?.headers).toMatchObject({ ETag: { $ref: '#/components/headers/ETag' } })
    expect(show?.patch?.responses[200]?.headers).not.toHaveProperty('ETag')
    expect(show?.get?.parameters).toContainEqual({ $ref: '#/components/parameters/IfNoneMatch' })
    expect(show?.patch?.responses).not.toHaveProperty('304')
    expect(paths['/api/v2/workspaces/{workspaceId}/events']?.get?.responses).not.toHaveProperty('304')
    expect(paths['/v1/sys/health']?.get?.responses).not.toHaveProperty('304')
  })

  test('writes of /api/v2 list Prefer, unless they cannot be tried; reads do not', () => {
    const prefer = { $ref: '#/components/parameters/Prefer' }
    const workspace = paths['/api/v2/workspaces/{workspaceId}']
    expect(workspace?.patch?.parameters).toContainEqual(prefer)
    for (const none of [
      workspace?.get,
      paths['/api/v2/users/{userId}/authentication-tokens']?.post,
      paths['/v1/sys/policies/acl/{name}']?.post,
    ])
      expect(none?.parameters).not.toContainEqual(prefer)
  })

  test('answers of /api/v2 may have warnings, in the header and in the document', () => {
    const warned = { Warning: { $ref: '#/components/headers/Warning' } }
    const workspace = paths['/api/v2/workspaces/{workspaceId}']
    for (const answer of [workspace?.get?.responses[200], workspace?.patch?.responses[200]])
      expect(answer?.headers).toMatchObject(warned)
    expect(workspace?.delete?.responses[204]?.headers).toEqual(warned)
    expect(paths['/v1/sys/health']?.get?.responses[200]).not.toHaveProperty('headers')
    for (const name of ['WorkspaceDocument', 'WorkspacePage', 'VariableList', 'ErrorDocument'])
      expect(schemas[name]?.properties).toHaveProperty('meta')
    for (const name of ['Meta', 'PageMeta']) expect(schemas[name]?.properties).toHaveProperty('warnings')
  })

  test('the parts for unchanged answers are left out where no endpoint has them', () => {
    const handle = () => data({})
    const page = endpoint({ id: 'x.y', route: 'GET /a', summary: 'A.', access: open('A test.'), handle })
    expect(openApiDocument(defineEndpoints('site', [page]), '1').components).not.toHaveProperty('parameters')
  })
})
