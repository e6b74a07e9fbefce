import { expect, test } from 'vitest'
import { sharedApp } from '../../test/support/shared.ts'

const app = sharedApp()

type Document = { openapi: string; paths: Record<string, Record<string, { responses: object; summary: string }>> }

test('GET sys/internal/specs/openapi serves the /v1 document without a token and without /api paths', async () => {
  const answer = await app.anonymous.get('/v1/sys/internal/specs/openapi')
  expect(answer.status).toBe(200)
  const { openapi, paths }: Document = answer.body
  expect(openapi).toMatch(/^3\.1/)
  const names = Object.keys(paths)
  expect(names.some((name) => name.includes('/sys/audit'))).toBe(true)
  expect(names.filter((name) => name.startsWith('/api/'))).toEqual([])
  expect((await app.anonymous.as('hfs.nobody').get('/v1/sys/internal/specs/openapi')).status).toBe(403)
})

test('openapi.json: every operation has a summary and at least one response', async () => {
  const { body }: { body: Document } = await app.anonymous.get('/openapi.json')
  for (const [path, operations] of Object.entries(body.paths)) {
    for (const [verb, operation] of Object.entries(operations)) {
      if (verb === 'parameters') continue
      expect(operation.summary, `${verb} ${path}`).toMatch(/^[A-Z].*\.$/)
      expect(Object.keys(operation.responses).length, `${verb} ${path}`).toBeGreaterThan(0)
    }
  }
})

test('docs page: can be skipped through by keyboard and leads back to the other pages', async () => {
  const { text } = await app.anonymous.get('/docs')
  expect(text).toContain('<a class="skip" href="#endpoints">')
  expect(text).toContain('<main id="endpoints" tabindex="-1">')
  expect(text).toContain('<nav aria-label="Areas">')
  expect(text).toContain('<a href="/app">Go to the start page</a>')
})

test('openapi.json: bodies say which fields are read from text, too, and whether they may be left out', async () => {
  const { paths, components } = (await app.anonymous.get('/openapi.json')).body
  const role = paths['/v1/auth/cert/certs/{name}'].post.requestBody
  const { properties } = components.schemas.CertRolesWriteBody
  expect(role.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/CertRolesWriteBody' })
  const types = ['token_ttl', 'allowed_common_names', 'ocsp_enabled'].map((name) => {
    const input = components.schemas[properties[name].$ref.split('/').at(-1)]
    return input.anyOf.map((choice: { type: string }) => choice.type)
  })
  expect(types).toEqual([
    ['integer', 'string'],
    ['array', 'string'],
    ['boolean', 'string'],
  ])
  expect(properties.certificate.type).toBe('string')
  expect(properties.token_ttl.description).toMatch(/./)
  expect(role.required).toBeUndefined()
  expect(paths['/api/v2/organizations/{organization}/workspaces'].post.requestBody.required).toBe(true)
})

test('openapi.json: parameters of lists have names and styles that generated clients can send', async () => {
  const { body } = await app.anonymous.get('/openapi.json')
  type Documented = { name: string; style?: string; explode?: boolean; schema: { type?: string } }
  const parametersOf = (path: string): Documented[] => body.paths[path].get.parameters
  const list = parametersOf('/api/v2/organizations/{organization}/workspaces')
  const named = (name: string) => list.find((each) => each.name === name)
  expect(named('filter[tagged][0][key]')?.schema.type).toBe('string')
  expect(named('filter[tagged][0][value]')?.schema.type).toBe('string')
  expect(named('filter[tagged]')).toBeUndefined()
  expect(named('fields')).toMatchObject({ style: 'deepObject', explode: true, schema: { type: 'object' } })
  expect(parametersOf('/api/v2/workspaces/{workspaceId}').map(({ name }) => name)).toContain('fields')
})

test('docs page: the pages for browsers stand together at the end', async () => {
  const { text } = await app.anonymous.get('/docs')
  const areas = [...text.matchAll(/<section id="([^"]+)">/g)].map(([, name]) => name)
  expect(areas.at(-1)).toBe('web-pages')
  expect(areas.slice(0, -1)).toEqual(areas.slice(0, -1).sort())
  expect(areas).not.toContain('workspace-pages')
  const [before = '', pages = ''] = text.split('<section id="web-pages">')
  const isPage = /<code>\/(?:app|ui)(?:\/[^<]*)?<\/code><\/h3>/
  expect(before).not.toMatch(isPage)
  for (const each of pages.split('<article').slice(1)) expect(each).toMatch(isPage)
})

test.each([
  ['/api/v2/workspaces/{workspaceId}/events', 'text/event-stream'],
  ['/api/v2/organizations/{organization}/events', 'text/event-stream'],
  ['/v1/sys/storage/raft/snapshot', 'application/gzip'],
  ['/api/v2/workspaces/{workspaceId}', 'application/vnd.api+json'],
])('openapi.json: the 200 response of %s has the content type %s', async (path, type) => {
  const { body } = await app.anonymous.get('/openapi.json')
  expect(Object.keys(body.paths[path].get.responses[200].content)).toEqual([type])
})

test('openapi.json: /v1 responses are wrapped in the envelope schema; health is not', async () => {
  const { paths, components } = (await app.anonymous.get('/openapi.json')).body
  const answerOf = (path: string, verb: string) => paths[path][verb].responses[200].content['application/json'].schema
  expect(answerOf('/v1/sys/tools/hash', 'post')).toEqual({ $ref: '#/components/schemas/ToolsHashEnvelope' })
  const hash = components.schemas.ToolsHashEnvelope
  expect(hash.properties.data).toEqual({ $ref: '#/components/schemas/ToolsHashData' })
  expect(Object.keys(components.schemas.ToolsHashData.properties)).toEqual(['sum'])
  const answer = await app.root.post('/v1/sys/tools/hash', { input: 'aGVsbG8=' })
  expect(Object.keys(hash.properties).sort()).toEqual(Object.keys(answer.body).sort())
  expect([...hash.required].sort()).toEqual(Object.keys(answer.body).sort())
  for (const path of ['/v1/auth/token/create', '/v1/auth/cert/login']) {
    expect(answerOf(path, 'post')).toEqual({ $ref: '#/components/schemas/TokenAuthEnvelope' })
  }
  expect(components.schemas.TokenAuthEnvelope.properties.auth).toEqual({ $ref: '#/components/schemas/TokenAuth' })
  expect(answerOf('/v1/sys/health', 'get')).toMatchObject({ $ref: '#/components/schemas/Health' })
  expect(Object.keys(components.schemas.Health.properties)).toContain('sealed')
})

test('openapi.json: a write under /v1 without content is also described with the warnings it may return', async () => {
  const { paths } = (await app.anonymous.get('/openapi.json')).body
  const warned = await app.root.post('/v1/sys/quotas/rate-limit/warned', { path: 'auth/token', rate: 5, bogus: 1 })
  await app.root.delete('/v1/sys/quotas/rate-limit/warned')
  expect(warned).toMatchObject({ status: 200, body: { warnings: [expect.stringContaining('bogus')] } })
  const { responses } = paths['/v1/sys/quotas/rate-limit/{name}'].post
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '204']))
  expect(responses[200].content['application/json'].schema.$ref).toMatch(/WarningsEnvelope$/)
  expect(Object.keys(paths['/v1/cubbyhole/{path}'].post.responses)).not.toContain('200')
})

test('openapi.json: error schemas are strings under /v1 and objects under /api/v2 and /api/blob', async () => {
  const { paths } = (await app.anonymous.get('/openapi.json')).body
  const refOf = (path: string, verb: string, status: number): string =>
    (Object.values(paths[path][verb].responses[status].content) as { schema: { $ref: string } }[])[0]?.schema.$ref ?? ''
  expect(refOf('/v1/sys/tools/hash', 'post', 400)).toMatch(/Refusal$/)
  expect(refOf('/api/v2/workspaces/{workspaceId}/actions/lock', 'post', 409)).toMatch(/ErrorDocument$/)
  expect(refOf('/api/blob/v1/{token}', 'put', 422)).toMatch(/ErrorDocument$/)
})

test.each([
  ['/metrics', 'get', [200, 403]],
  ['/v1/sys/metrics', 'get', [200, 400, 403]],
  ['/ui/session', 'get', [200, 401]],
  ['/app/session', 'get', [200, 401]],
  ['/readyz', 'get', [200, 503]],
  ['/v1/sys/health', 'get', [200, 400, 501, 503]],
  ['/api/v2/account/details', 'get', [200, 304, 401]],
  ['/api/v2/users/{userId}', 'get', [200, 304, 401, 404]],
  ['/api/v2/organizations/{organization}', 'get', [200, 304, 400, 401, 403, 404]],
  ['/api/v2/workspaces/{workspaceId}/vars', 'post', [201, 400, 401, 403, 404, 409, 413, 422]],
  ['/api/v2/workspaces/{workspaceId}/actions/lock', 'post', [200, 400, 401, 403, 404, 409, 413, 422]],
  ['/api/v2/ping', 'get', [204]],
])('openapi.json: %s (%s) lists exactly its possible statuses', async (path, verb, statuses) => {
  const { paths } = (await app.anonymous.get('/openapi.json')).body
  expect(Object.keys(paths[path][verb].responses).map(Number)).toEqual(statuses)
})

test('openapi.json: every operation that needs a token lists 401 (below /api) or 403', async () => {
  const { paths } = (await app.anonymous.get('/openapi.json')).body
  const silent: string[] = []
  for (const [path, operations] of Object.entries<Record<string, { security: object[]; responses: object }>>(paths)) {
    for (const [verb, { security, responses }] of Object.entries(operations)) {
      const status = path.startsWith('/api/') ? '401' : '403'
      if (security.length > 0 && !(status in responses)) silent.push(`${verb} ${path}`)
    }
  }
  expect(silent).toEqual([])
})

test.each([
  ['/api/v2/workspaces/{workspaceId}/actions/lock', 'post', 'wait', 'query'],
  ['/v1/sys/health', 'get', 'sealedcode', 'query'],
  ['/api/v2/workspaces/{workspaceId}', 'patch', 'If-Match', 'header'],
  ['/api/v2/workspaces/{workspaceId}/events', 'get', 'Last-Event-ID', 'header'],
  ['/v1/sys/storage/raft/snapshot-force', 'post', 'X-Holdfast-Seal-Key', 'header'],
])('openapi.json: %s (%s) lists the parameter %s', async (path, verb, name, place) => {
  const { paths } = (await app.anonymous.get('/openapi.json')).body
  expect(paths[path][verb].parameters).toContainEqual(expect.objectContaining({ name, in: place }))
})

test('/docs: a body of several shapes is shown by the plain one', async () => {
  const { text } = await app.anonymous.get('/docs')
  const lock = text.slice(text.indexOf('id="workspaces.lock"'), text.indexOf('id="workspaces.unlock"'))
  expect(lock).toContain('<code>expires-after</code>')
  expect(lock).toContain('<code>?wait</code>')
})

test('/docs: backticks become code, and query parameters are marked with a question mark', async () => {
  const { status, text } = await app.anonymous.get('/docs')
  expect(status).toBe(200)
  expect(text).toContain('Directory for <code>local</code>')
  expect(text).not.toContain('`')
  expect(text).toContain('<code>?page[size]</code>')
})

test('openapi.json: a status with several causes lists all of them', async () => {
  const { body } = await app.anonymous.get('/openapi.json')
  const { responses } = body.paths['/v1/auth/cert/crls/{name}'].post
  expect(responses[400].description).toBe('Error: invalid input; conflict; malformed request.')
})
