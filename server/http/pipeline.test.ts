import { once } from 'node:events'
import { Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { browser } from '../../test/support/browser.ts'
import { openRaw } from '../../test/support/raw-connection.ts'
import { ownApp, sharedApp } from '../../test/support/shared.ts'
import { silentLog } from '../kernel/log.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint } from '../kit/endpoint.ts'
import { defineFeature } from '../kit/feature.ts'
import { bytes, nothing } from '../kit/reply.ts'
import { features } from '../product/index.ts'

const app = sharedApp()

test('GET /v1/sys/health needs no token and shows the compatibility version', async () => {
  const answer = await app.anonymous.get('/v1/sys/health')
  expect(answer.status).toBe(200)
  expect(answer.headers['content-type']).toBe('application/json')
  expect(answer.body).toMatchObject({ initialized: true, sealed: false, version: '1.21.0+ent' })
})

test.each(['/v1/nowhere', '/v1/sys/nowhere'])('an unknown path of /v1 without a token: %s is 403', async (path) => {
  const answer = await app.anonymous.get(path)
  const errors = ['permission denied', expect.stringContaining('no token was sent')]
  expect([answer.status, answer.body]).toEqual([403, { errors }])
})

test('an unknown /v1 path with a token is 404 with a list of error strings', async () => {
  expect(await app.root.get('/v1/sys/nowhere')).toMatchObject({ status: 404, body: { errors: ['unsupported path'] } })
  expect(await app.root.get('/v1/nowhere/x')).toMatchObject({
    status: 404,
    body: { errors: [expect.stringContaining('no handler')] },
  })
})

test('a known path with another verb is 405', async () => {
  expect(await app.root.delete('/v1/sys/policies/acl')).toMatchObject({
    status: 405,
    body: { errors: ['unsupported operation', expect.stringMatching(/GET, HEAD|LIST/)] },
  })
})

test('an unknown /api/v2 path without a token is 401 with JSON:API errors and WWW-Authenticate', async () => {
  const answer = await app.anonymous.get('/api/v2/nowhere')
  expect(answer.status).toBe(401)
  expect(answer.headers['content-type']).toBe('application/vnd.api+json')
  expect(answer.headers['www-authenticate']).toBe('Bearer')
  expect(answer.body.errors[0]).toMatchObject({ status: '401', title: 'unauthorized' })
})

test.each(['/v1/sys/../sys/health', '/v1/sys//health', '/v1/sys/%2e%2e/x', '/v1/sys%2fhealth'])(
  'a path with dot segments, empty segments or encoded slashes is 400, not normalized: %s',
  async (path) => {
    const answer = await rawGet(app.url, path)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"errors"')
  },
)

test('an id with control characters or a slash is 404 under /api/v2, like one that does not exist', async () => {
  const answers = await Promise.all(
    ['a', 'a%00b', 'a%0Ab', '%7f', 'a%2Fb'].flatMap((id) =>
      ['GET', 'PATCH', 'DELETE'].map((verb) => app.root.send(verb, `/api/v2/workspaces/${id}`)),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
  for (const path of ['organizations/a%00/workspaces/b%00', 'nowhere/%01', 'runs/%00'])
    expect((await app.root.get(`/api/v2/${path}`)).status, path).toBe(404)
})

test('the verb LIST and GET ?list=true mean the same', async () => {
  const verb = await app.root.list('/v1/sys/policies/acl')
  const query = await app.root.get('/v1/sys/policies/acl?list=true')
  expect(verb.body.data.keys).toEqual(expect.arrayContaining(['default', 'root']))
  expect(query.body.data).toEqual(verb.body.data)
  expect((await app.root.get('/v1/sys/policies/acl?list=maybe')).body).toEqual({ errors: [] })
})

test('POST and PUT both write, and a JSON body labelled as a form is accepted', async () => {
  const policy = 'path "a/*" { capabilities = ["read"] }'
  expect((await app.root.post('/v1/sys/policies/acl/one', { policy })).status).toBe(204)
  expect((await app.root.put('/v1/sys/policies/acl/two', { policy })).status).toBe(204)
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  expect((await app.root.post('/v1/sys/policies/acl/three', { policy }, form)).status).toBe(204)
  const { keys } = (await app.root.list('/v1/sys/policies/acl')).body.data
  expect(keys).toEqual(expect.arrayContaining(['one', 'two', 'three']))
})

test('unknown fields are ignored with a warning, which turns 204 into 200', async () => {
  const answer = await app.root.post('/v1/sys/policies/acl/one', {
    policy: 'path "a" { capabilities = ["read"] }',
    zz: 1,
    aa: 2,
  })
  expect(answer.status).toBe(200)
  expect(answer.body.warnings).toEqual([expect.stringContaining('[aa zz]')])
  expect(answer.body.data).toEqual({})
})

test.each([
  ['with nothing to say and 204', '/v1/sys/odd', 204, undefined],
  ['with nothing to say and 200', '/v1/sys/odd?ok=1', 200, '0'],
])('a response %s has the right Content-Length and no Transfer-Encoding', async (_name, path, status, length) => {
  const handle: Endpoint['handle'] = ({ request }) => nothing(request.query.has('ok') ? 200 : undefined)
  const common = { id: 'odd.write', route: 'POST /odd', summary: 'Answer nothing.', access: acl(), handle } as const
  const made = endpoint({ ...common, returns: { 200: null, 204: null } })
  const odd = defineFeature({ name: 'odd', endpoints: defineSystemEndpoints([made]) })
  const other = await ownApp({ features: [...features, odd] })
  const answer = await other.root.post(path, {})
  expect([answer.status, answer.headers['content-length']]).toEqual([status, length])
  expect(answer.headers).not.toHaveProperty('transfer-encoding')
})

test('the /v1 response envelope has all nine keys', async () => {
  const { body } = await app.root.get('/v1/sys/policies/acl/default')
  expect(Object.keys(body).sort()).toEqual(
    [
      'auth',
      'data',
      'lease_duration',
      'lease_id',
      'mount_type',
      'renewable',
      'request_id',
      'warnings',
      'wrap_info',
    ].sort(),
  )
  expect(body).toMatchObject({
    lease_id: '',
    renewable: false,
    lease_duration: 0,
    warnings: null,
    auth: null,
    wrap_info: null,
  })
})

test.each([
  ['malformed JSON', '{"a":', 400],
  ['a list', '[1]', 400],
  ['a proto key', '{"__proto__":{"x":1}}', 400],
  ['doubled keys', '{"policy":"a","policy":"b"}', 400],
])('a body that is %s is 400 and nothing is written', async (_what, raw, status) => {
  const answer = await app.root.post('/v1/sys/policies/acl/broken', undefined, { raw })
  expect(answer.status).toBe(status)
  expect(answer.body.errors).toHaveLength(1)
  expect(answer.text).not.toMatch(/at .*\.ts:/)
  expect((await app.root.get('/v1/sys/policies/acl/broken')).status).toBe(404)
})

test('a namespace other than root is 404 even without a token', async () => {
  const options = { headers: { 'x-service-namespace': 'team-a' } }
  expect(await app.anonymous.get('/v1/sys/policies/acl', options)).toMatchObject({
    status: 404,
    body: { errors: ['namespace not found'] },
  })
  expect((await app.root.list('/v1/sys/policies/acl', { headers: { 'x-service-namespace': 'root' } })).status).toBe(200)
})

test('a trailing slash makes no difference to a read, is 400 on a write and 404 on a delete', async () => {
  expect((await app.root.post('/v1/sys/policies/acl/one/', {})).status).toBe(400)
  const statusOf = async (verb: string, path: string) => (await app.root.send(verb, `/api/v2/${path}`)).status
  expect(await statusOf('GET', 'organizations/')).toBe(200)
  expect([await statusOf('POST', 'organizations/'), await statusOf('PATCH', 'organizations/x/')]).toEqual([400, 400])
  expect([await statusOf('GET', 'ping/'), await statusOf('DELETE', 'organizations/x/')]).toEqual([204, 404])
  expect((await app.root.get('/api/v2/organizations/?x=1')).body).toMatchObject({
    links: { self: expect.stringMatching(/organizations\?/) },
  })
  expect((await app.anonymous.send('POST', '/api/v2/organizations/')).status).toBe(401)
})

test('a token is accepted in each of the three headers; a token of 9000 characters is 431', async () => {
  const path = '/v1/sys/policies/acl/default'
  for (const header of ['x-service-token', 'x-vault-token']) {
    expect((await app.anonymous.get(path, { headers: { [header]: ` ${app.rootToken} ` } })).status).toBe(200)
  }
  expect((await app.anonymous.get(path, { headers: { authorization: `Bearer ${app.rootToken}` } })).status).toBe(200)
  expect((await app.anonymous.get(path, { headers: { 'x-service-token': 'x'.repeat(9000) } })).status).toBe(431)
})

test('a sealed server answers 503 on both APIs but still shows seal-status and health', async () => {
  const sealed = await ownApp()
  expect((await sealed.root.post('/v1/sys/seal')).status).toBe(204)
  expect(await sealed.root.get('/v1/sys/policies/acl')).toMatchObject({
    status: 503,
    body: { errors: [expect.stringContaining('is sealed')] },
  })
  expect((await sealed.root.get('/api/v2/ping')).status).toBe(503)
  expect((await sealed.anonymous.get('/v1/sys/seal-status')).body).toMatchObject({ sealed: true, initialized: true })
  expect((await sealed.anonymous.get('/v1/sys/health')).status).toBe(503)
  expect((await sealed.anonymous.get('/v1/sys/health?sealedcode=299')).status).toBe(299)
})

test('a sealed server tells a browser that had signed in nothing, but shows public files and the shell of the pages', async () => {
  const sealed = await ownApp()
  const visitor = browser(sealed.anonymous)
  expect((await visitor.submit('/app/sign-in', { token: sealed.rootToken })).status).toBe(303)
  expect((await visitor.get('/app/session')).status).toBe(200)
  expect((await sealed.root.post('/v1/sys/seal')).status).toBe(204)
  for (const path of ['/app/session', '/ui/session', '/api/blob/v1/x'])
    expect(await visitor.get(path), path).toMatchObject({ status: 503, text: expect.stringContaining('is sealed') })
  expect((await visitor.submit('/app/sign-out', {})).status).toBe(503)
  // The shell is the same for everybody: what it shows, it asks for.
  for (const path of ['/app', '/app/workspaces', '/docs', '/openapi.json', '/.well-known/terraform.json'])
    expect((await visitor.get(path)).status, path).toBe(200)
})

test('a closed database makes requests fail with 500 and the server keeps answering', async () => {
  const broken = await ownApp()
  await broken.deps.store.close()
  expect(await broken.root.get('/v1/sys/policies/acl')).toMatchObject({
    status: 500,
    body: { errors: ['internal error'] },
  })
  expect((await broken.root.get('/api/v2/ping')).status).toBe(500)
})

test.each([
  ['a client that leaves in the middle of an answer is nothing to warn of', undefined, 'info', /^The client left/],
  ['an answer that breaks off is a warning', new Error('the source ran dry'), 'warn', /^the source ran dry$/],
] as const)('%s', async (_what, fault, level, reason) => {
  const log = { ...silentLog, info: vi.fn(), warn: vi.fn() }
  const source = new Readable({ read: () => undefined })
  source.push('the beginning')
  const handle = () => bytes('application/octet-stream', source)
  const common = { id: 'odd.read', route: 'GET /odd', summary: 'Send something.', access: acl(), handle } as const
  const odd = defineFeature({ name: 'odd', endpoints: defineSystemEndpoints([endpoint(common)]) })
  const leaky = await ownApp({ features: [...features, odd], log })
  const connection = await openRaw(Number(new URL(leaky.url).port))
  connection.write(`GET /v1/sys/odd HTTP/1.1\r\nHost: x\r\nX-Service-Token: ${leaky.rootToken}\r\n\r\n`)
  await once(connection.socket, 'data')
  if (fault) source.destroy(fault)
  else connection.close()
  const who = { endpoint: 'odd.read', remote: '127.0.0.1', caller: 'root' }
  const unsent = { request: expect.any(String), ...who, error: expect.stringMatching(reason) }
  await expect.poll(() => log[level].mock.calls).toContainEqual([unsent, 'answer was not sent in full'])
  const { text } = await leaky.root.get('/v1/sys/metrics?format=prometheus')
  const by = fault ? 'server' : 'client'
  expect(text).toContain(`holdfast_http_answers_cut_total{endpoint="odd.read",by="${by}"} 1`)
  connection.close()
})

/** A client library would clean the path before sending it. */
async function rawGet(url: string, path: string): Promise<string> {
  const { connect } = await import('node:net')
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    )
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })
}
