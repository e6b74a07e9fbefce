import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../support/databases.ts'
import { shared, sharedApp } from '../support/shared.ts'
import { fillOrganization } from '../support/two-organizations.ts'

type Schema = {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}
type Parameter = { readonly name: string; readonly in: string }
type Operation = {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}
type Schemas = Readonly<Record<string, Schema>>
type Document = {
  readonly components: { readonly schemas: Schemas }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** These stop the server, revoke its tokens, take long, or write files to paths from the request. */
const excepted = /sys\/(seal$|audit\/|quotas)|raft\/snapshot$|revoke|\/events$/

/** Values that a field of any type may be sent. */
const odd = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom<unknown>('', ' ', '*', '../x', '%', '1h', '-5s', '9'.repeat(20), 'x'.repeat(5_000), 'constructor'),
  fc.constantFrom('0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2026-02-30T00:00:00Z', 'ws-1111111111111111'),
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, [], {}, [null], [[]], { a: {} }, ['a', 1]),
)

/** A value that fits the schema, with something odd in it here and there. */
function nearly(schema: Schema, schemas: Schemas): fc.Arbitrary<unknown> {
  if (schema.$ref) return nearly(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas)
  const or = (usual: fc.Arbitrary<unknown>) => fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: odd })
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return or(fc.constantFrom(...schema.enum))
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => nearly(each, schemas)))
  if (schema.properties) {
    const members = Object.entries(schema.properties).map(([name, member]) => [name, nearly(member, schemas)] as const)
    return fc.record(Object.fromEntries(members), {
      requiredKeys: ['data', 'type'].filter((name) => name in (schema.properties ?? {})),
    })
  }
  if (schema.type === 'array') return or(fc.array(nearly(schema.items ?? {}, schemas), { maxLength: 3 }))
  if (schema.type === 'boolean') return or(fc.boolean())
  if (schema.type === 'integer' || schema.type === 'number') return or(fc.integer({ min: -2, max: 5_000 }))
  return or(fc.constantFrom('a', 'acme', 'web', 'default', 'x1'))
}

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const filled = shared(() => fillOrganization(app, 'alpha'))
  let document: Document

  beforeAll(async () => {
    document = (await app.root.get('/openapi.json')).body
  })

  /** A request to a random operation, close to what it expects. */
  const requests = () => {
    const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
      Object.entries(verbs).map(([verb, operation]) => ({ path, verb: verb.toUpperCase(), operation })),
    )
    const wanted = operations.filter(
      ({ path, verb }) => /^\/(v1|api\/v2)\//.test(path) && verb !== 'DELETE' && !excepted.test(path),
    )
    expect(wanted.length).toBeGreaterThan(150)
    return fc.constantFrom(...wanted).chain(({ path, verb, operation }) => {
      const names = (operation.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name)
      const [content] = Object.values(operation.requestBody?.content ?? {})
      return fc.record({
        verb: fc.constant(verb),
        path: fc.constant(path.replace(/\{(\w+)\}/g, (_, name: string) => filled.params[name] ?? 'web')),
        query: fc.dictionary(fc.constantFrom(...names, 'page[size]', 'filter[a][b]', 'include', 'x[', ']'), odd, {
          maxKeys: 3,
        }),
        body: content ? nearly(content.schema, document.components.schemas) : fc.constant(undefined),
      })
    })
  }

  test('random requests to any operation are never answered with a server error', async () => {
    await fc.assert(
      fc.asyncProperty(requests(), async ({ verb, path, query, body }) => {
        const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
        const caller = /^\/(v1|api\/v2\/admin)\//.test(path) ? app.root : filled.owner
        const { status, text } = await caller.send(verb, `${path}?${search}`, verb === 'GET' ? undefined : body)
        expect([500, 501, 502, 504], text).not.toContain(status)
      }),
      { numRuns: 300 },
    )
    expect((await app.root.get('/v1/sys/health')).status).toBe(200)
  })
})
