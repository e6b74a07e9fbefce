import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { mintCa, mintServer } from '../../../test/support/certificates.ts'
import type { Client } from '../../../test/support/client.ts'
import { ownApp, shared, sharedApp } from '../../../test/support/shared.ts'
import { tokenCalls } from '../../../test/support/token-calls.ts'
import { acl, defineSystemEndpoints, endpoint, Type } from '../../kit/endpoint.ts'
import { defineFeature } from '../../kit/feature.ts'
import { field } from '../../kit/fields.ts'
import { data, nothing } from '../../kit/reply.ts'
import { features } from '../../product/index.ts'

/** Endpoints that show what reaches a handler. */
const mirror = defineFeature({
  name: 'mirror',
  endpoints: defineSystemEndpoints([
    endpoint({
      id: 'mirror.read',
      route: 'GET /mirror/:name',
      summary: 'Show a request.',
      access: acl(),
      handle: ({ request, params }) => data({ headers: { ...request.headers }, fields: request.fields, ...params }),
    }),
    endpoint({
      id: 'mirror.delete',
      route: 'DELETE /mirror/:name',
      summary: 'Show a request.',
      access: acl(),
      handle: ({ request }) => data({ fields: request.fields }),
    }),
    endpoint({
      id: 'mirror.patch',
      route: 'PATCH /mirror/:name',
      summary: 'Show a request.',
      access: acl(),
      handle: ({ request }) => data({ fields: request.fields }),
    }),
    endpoint({
      id: 'mirror.write',
      route: 'POST /mirror/:name',
      summary: 'Take a request.',
      access: acl(),
      handle: ({ request }) => data({ fields: request.fields }),
    }),
    endpoint({
      id: 'mirror.list',
      route: 'LIST /mirror',
      summary: 'An empty list, with a warning if asked for.',
      access: acl(),
      query: Type.Object({ warn: field.flag('Whether to warn.') }),
      fails: ['missing'],
      handle: ({ query, warn }) => {
        if (query.warn) warn('careful')
        return nothing()
      },
    }),
  ]),
})

const app = sharedApp({ features: [...features, mirror] })
const calls = shared(() => tokenCalls(app))

const noToken = ['permission denied', expect.stringMatching(/^no token was sent: .*X-Service-Token/)]

describe('verbs', () => {
  test('HEAD needs the same access as GET and answers without a body', async () => {
    const head = await app.root.send('HEAD', '/v1/sys/mirror/x')
    expect([head.status, head.text, Number(head.headers['content-length']) > 0]).toEqual([200, '', true])
    expect((await app.anonymous.send('HEAD', '/v1/sys/mirror/x')).status).toBe(403)
    expect((await app.anonymous.send('HEAD', '/v1/sys/health')).status).toBe(200)
    await calls.policy('mirror-list', 'path "sys/mirror/*" { capabilities = ["list", "update"] }')
    const lister = calls.as(await calls.create({ policies: ['mirror-list'] }))
    expect((await lister.send('HEAD', '/v1/sys/mirror/x')).status).toBe(403)
  })

  test.each(['OPTIONS', 'PROPFIND', 'TRACE'])('%s is 405 with Allow, with and without a token', async (verb) => {
    for (const caller of [app.anonymous, app.root]) {
      const answer = await caller.send(verb, '/v1/sys/mirror/x')
      const verbs = 'GET, HEAD, LIST, POST, PUT, PATCH, DELETE'
      expect([answer.status, answer.body.errors]).toEqual([405, ['unsupported operation', `what works here: ${verbs}`]])
      expect(answer.headers.allow).toBe(verbs)
    }
  })

  test('GET ?scan=true is an operation that does not exist: 405, never a read or a list', async () => {
    for (const path of ['/v1/sys/mirror/x?scan=true', '/v1/sys/mirror?list=true&scan=1', '/v1/sys/nowhere?scan=true']) {
      const { status, body } = await app.root.get(path)
      expect([status, body.errors[0]]).toEqual([405, 'unsupported operation'])
    }
    expect((await app.root.get('/v1/sys/mirror/x?scan=false')).status).toBe(200)
    expect((await app.root.get('/v1/sys/mirror/x?scan=soon')).body.data.fields).toEqual({ scan: 'soon' })
    expect((await app.root.post('/v1/sys/mirror/x?scan=true', {})).status).toBe(200)
  })

  test('an unsupported method is 405 with the allowed ones in Allow; without a token it is 403', async () => {
    const patch = { headers: { 'content-type': 'application/merge-patch+json' } }
    const revoke = await app.root.patch('/v1/auth/token/revoke', {}, patch)
    expect([revoke.status, revoke.headers.allow]).toEqual([405, 'POST, PUT'])
    expect(revoke.body.errors).toEqual(['unsupported operation', 'what works here: POST, PUT'])
    const status = await app.root.delete('/v1/sys/key-status')
    expect([status.status, status.headers.allow]).toEqual([405, 'GET, HEAD'])
    const page = await app.anonymous.send('PUT', '/app/sign-in')
    expect([page.status, page.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
    const stranger = await app.anonymous.delete('/v1/sys/key-status')
    expect([stranger.status, stranger.headers.allow]).toEqual([403, undefined])
  })

  test('PATCH with a content type other than merge-patch+json is 415', async () => {
    const patch = (type: string) =>
      app.root.patch('/v1/sys/mirror/x', undefined, { raw: '{"a":1}', headers: { 'content-type': type } })
    expect((await patch('application/json')).status).toBe(415)
    expect((await patch('application/merge-patch+jsonlines')).status).toBe(415)
    for (const type of ['application/merge-patch+json', 'Application/Merge-Patch+JSON; charset=utf-8']) {
      expect((await patch(type)).body.data.fields).toEqual({ a: 1 })
    }
  })

  test('a token with only the patch capability may PATCH and gets 403 for all other methods', async () => {
    await calls.policy('mirror-patch', 'path "sys/mirror/*" { capabilities = ["patch"] }')
    const patcher = calls.as(await calls.create({ policies: ['mirror-patch'] }))
    const type = { headers: { 'content-type': 'application/merge-patch+json' } }
    expect((await patcher.patch('/v1/sys/mirror/x', {}, type)).status).toBe(200)
    for (const verb of ['GET', 'POST', 'PUT', 'DELETE', 'LIST']) {
      expect((await patcher.send(verb, '/v1/sys/mirror/x')).status, verb).toBe(403)
    }
  })
})

describe('addresses', () => {
  test.each(['a', 'a.b', 'a-b', 'a_b', 'A1'])('the name %s is accepted', async (name) => {
    expect((await app.root.get(`/v1/sys/mirror/${name}`)).body.data.name).toBe(name)
  })

  test.each(['-a', 'a-', '.a', 'a.', 'a%20b', 'a%2Bb', '%C3%A4'])('the name %s is 404, unsupported', async (name) => {
    expect(await app.root.get(`/v1/sys/mirror/${name}`)).toMatchObject({
      status: 404,
      body: { errors: ['unsupported path'] },
    })
  })

  test('a trailing slash is accepted on a list, 400 on a write and 404 on anything else', async () => {
    expect((await app.root.list('/v1/sys/policies/acl/')).body.data.keys).toContain('default')
    for (const verb of ['POST', 'PUT', 'PATCH']) {
      expect((await app.root.send(verb, '/v1/sys/mirror/x/')).status, verb).toBe(400)
    }
    for (const verb of ['GET', 'DELETE']) {
      expect((await app.root.send(verb, '/v1/sys/mirror/x/')).status, verb).toBe(404)
    }
  })

  test('?help=1 needs any valid token and an existing path, whatever the policies', async () => {
    const nobody = calls.as(await calls.create({ policies: ['none'], no_default_policy: true }))
    const { status, body } = await nobody.get('/v1/sys/mirror/x?help=1')
    expect(status).toBe(200)
    expect(body.help).toContain('GET: Show a request.')
    expect((await nobody.get('/v1/sys/mirror/x?help=0')).status).toBe(403)
    expect((await app.anonymous.get('/v1/sys/mirror/x?help=1')).status).toBe(403)
    expect((await app.root.get('/v1/sys/nowhere?help=1')).status).toBe(404)
    const mount = await nobody.get('/v1/sys?help=1')
    expect(mount.status).toBe(200)
    expect(mount.body.help).toContain('POST /mirror/:name\n    Take a request.')
    expect((await app.anonymous.get('/v1/sys?help=1')).status).toBe(403)
    expect((await app.root.get('/v1/nowhere?help=1')).status).toBe(404)
  })

  test('?help=1 describes a path and a mount as OpenAPI too, with addresses relative to the mount', async () => {
    const { openapi } = (await app.root.get('/v1/sys/mirror/x?help=1')).body
    expect(Object.keys(openapi.paths)).toEqual(['/mirror/{name}'])
    expect(Object.keys(openapi.paths['/mirror/{name}']).sort()).toEqual(['delete', 'get', 'patch', 'post'])
    const mount = (await app.root.get('/v1/identity?help=1')).body.openapi
    expect(Object.keys(mount.paths)).toContain('/entity/name/{name}')
    expect(mount.components.schemas).toHaveProperty('EntityEnvelope')
    expect((await app.anonymous.get('/v1/sys/unseal?help=1')).body.openapi.paths).toHaveProperty('/unseal')
  })

  test('?help=1 on a write that needs no token is answered without a token', async () => {
    for (const caller of [app.root, app.anonymous]) {
      const { status, body } = await caller.get('/v1/sys/unseal?help=1')
      expect(status).toBe(200)
      expect(body.help).toMatch(/^POST: .+\n {2}Fields:\n {4}key\n/)
      expect((await caller.get('/v1/sys/unseal')).status).toBe(405)
      expect((await caller.get('/v1/sys/init?help=1')).body).toEqual({ initialized: true })
    }
  })
})

describe('fields', () => {
  test('reads and deletes take their fields from the query and ignore the body', async () => {
    const read = await app.root.send('GET', '/v1/sys/mirror/x?a=1&b=two', undefined, { raw: '{"c":3}' })
    expect(read.body.data.fields).toEqual({ a: '1', b: 'two' })
    const removed = await app.root.delete('/v1/sys/mirror/x?a=1', { b: 2 })
    expect(removed.body.data.fields).toEqual({ a: '1' })
  })

  test('a body may be JSON under any content type, a form or empty; other JSON values are 400', async () => {
    const send = (raw: string, type?: string) =>
      app.root.post('/v1/sys/mirror/x', undefined, { raw, headers: { 'content-type': type ?? '' } })
    expect((await send('{"a":1}', 'text/plain')).body.data.fields).toEqual({ a: 1 })
    expect((await send(' {"a":1}', 'application/x-www-form-urlencoded')).body.data.fields).toEqual({ a: 1 })
    expect((await send('a=1&b=x%20y', 'application/x-www-form-urlencoded')).body.data.fields).toEqual({
      a: '1',
      b: 'x y',
    })
    expect((await send('a=1', 'Application/X-WWW-Form-URLencoded ; charset=UTF-8')).body.data.fields).toEqual({
      a: '1',
    })
    expect((await send('')).body.data.fields).toEqual({})
    expect((await send('  \n', 'application/json')).body.data.fields).toEqual({})
    expect((await send('null')).body.data.fields).toEqual({})
    for (const raw of ['[]', '"x"', '1', 'true', '\0', ' \x01\n']) expect((await send(raw)).status).toBe(400)
    for (const raw of [' []', '[{"a":1}]'])
      expect((await send(raw, 'application/x-www-form-urlencoded')).status).toBe(400)
    expect((await send('a=1', 'application/json')).status).toBe(400)
  })

  test.each([
    ['500 levels', `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`, 200],
    ['501 levels', `${'{"a":'.repeat(501)}1${'}'.repeat(501)}`, 400],
    ['10,001 keys', JSON.stringify(Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`k${n}`, 1]))), 400],
    ['10,001 elements', JSON.stringify({ a: Array.from({ length: 10_001 }, () => 1) }), 400],
    ['a text over 1 MiB', JSON.stringify({ a: 'x'.repeat(1024 * 1024 + 1) }), 400],
  ])('a body with %s is %i', async (_what, raw, status) => {
    expect((await app.root.post('/v1/sys/mirror/x', undefined, { raw })).status).toBe(status)
  })

  test('a byte order mark before the body is ignored, for any content type', async () => {
    const raw = Buffer.from('\ufeff{"a":"b"}')
    for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
      const answer = await app.root.send('POST', '/v1/sys/mirror/a', undefined, {
        raw,
        headers: { 'content-type': type },
      })
      expect(answer.body.data).toEqual({ fields: { a: 'b' } })
    }
  })

  test('a compressed body is 415 with a message about Content-Encoding', async () => {
    const send = (coding: string, raw: Buffer) =>
      app.root.send('POST', '/v1/sys/mirror/a', undefined, { raw, headers: { 'content-encoding': coding } })
    const packed = await send('gzip', gzipSync('{"a":"b"}'))
    expect([packed.status, packed.body.errors[0]]).toEqual([415, expect.stringContaining('Content-Encoding')])
    expect((await send('Identity', Buffer.from('{"a":"b"}'))).body.data).toEqual({ fields: { a: 'b' } })
  })

  test('a Content-Encoding of 30,000 characters is 415 without delay', { timeout: 5_000 }, async () => {
    const sent = { raw: Buffer.from('{}'), headers: { 'content-encoding': `${'\u00a0'.repeat(30_000)}x` } }
    for (let times = 0; times < 10; times++) {
      expect((await app.anonymous.send('POST', '/v1/auth/cert/login', undefined, sent)).status).toBe(415)
    }
  })

  test('a request without a token may hold at most 20,000 JSON entries, one with a token more', async () => {
    const row = Array(9_000).fill(1)
    const known = { path: 'x', paths: [row, row, row] }
    expect((await app.root.post('/v1/sys/mirror/a', known)).body.data.fields).toEqual(known)
    for (const path of ['/v1/sys/unseal', '/v1/sys/mirror/a']) {
      const refused = await app.anonymous.post(path, { key: 'x'.repeat(20_000), more: known })
      expect([refused.status, refused.body.errors[0]]).toEqual([
        400,
        expect.stringContaining('over 20000 entries in all'),
      ])
    }
    expect((await app.anonymous.post('/v1/sys/mirror/a', { paths: [row, row] })).status).toBe(403)
  })
})

describe('headers', () => {
  test('every response has the exact content type, no-store and nosniff', async () => {
    for (const answer of [
      await app.root.get('/v1/sys/mirror/x'),
      await app.anonymous.get('/v1/sys/mirror/x'),
      await app.anonymous.get('/v1/sys/seal-status'),
      await app.root.get('/v1/nowhere'),
    ]) {
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      expect(answer.headers).not.toHaveProperty('strict-transport-security')
    }
  })

  test('responses over TLS have Strict-Transport-Security', async () => {
    const ca = mintCa()
    const { chainPem: cert, keyPem: key } = mintServer(ca)
    const secure = await ownApp({ tls: { cert, key } })
    const { headers } = await secure.overTls({ ca: ca.pem }).get('/v1/sys/health')
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
  })

  test('links follow the Host header only if no base address is set', async () => {
    const addressAt = async (client: Client) => {
      const { body } = await client.get('/v1/sys/ha-status', { headers: { host: 'other.example.com' } })
      return body.nodes[0].api_address
    }
    const following = await ownApp({ runJobs: true })
    expect(await addressAt(following.root)).toBe('http://other.example.com')
    const baseUrl = 'https://holdfast.example.com'
    const settled = await ownApp({ settings: { baseUrl }, runJobs: true })
    expect(await addressAt(settled.root)).toBe(baseUrl)
  })

  test.each(['', 'root', '/', 'root/', '/root'])('the namespace "%s" means root and is echoed', async (name) => {
    const answer = await app.root.get('/v1/sys/mirror/x', { headers: { 'x-vault-namespace': name } })
    expect(answer.status).toBe(200)
    expect(answer.headers['x-vault-namespace']).toBe(name)
  })

  test('another namespace is 404, even with a malformed body and no token, and is echoed', async () => {
    const headers = { 'x-service-namespace': 'team' }
    const answer = await app.anonymous.post('/v1/sys/mirror/x', undefined, { raw: '{', headers })
    expect([answer.status, answer.body]).toEqual([404, { errors: ['namespace not found'] }])
    expect(answer.headers['x-service-namespace']).toBe('team')
  })

  test('token headers are removed before the handler sees the headers', async () => {
    const headers = { 'x-vault-token': 'second', authorization: 'Bearer third', 'x-trace': 't' }
    const { body } = await app.root.get('/v1/sys/mirror/x', { headers })
    expect(body.data.headers['x-trace']).toBe('t')
    expect(JSON.stringify(body.data.headers)).not.toMatch(/second|third|Bearer/)
    expect(JSON.stringify(body.data.headers)).not.toContain(app.rootToken)
  })

  test('the first non-blank token header is used, even if a later one is valid', async () => {
    const read = (headers: Record<string, string>) => app.anonymous.get('/v1/sys/mirror/x', { headers })
    const { rootToken } = app
    expect((await read({ 'x-service-token': '  ', 'x-vault-token': rootToken })).status).toBe(200)
    expect((await read({ 'x-service-token': 'wrong', 'x-vault-token': rootToken })).status).toBe(403)
    expect((await read({ 'x-vault-token': 'wrong', authorization: `Bearer ${rootToken}` })).status).toBe(403)
    expect((await read({ authorization: `Basic ${rootToken}` })).body.errors).toEqual(noToken)
  })

  test('a refusal tells a token that is missing from one of the other API', async () => {
    expect((await app.anonymous.get('/v1/sys/mirror/x')).body.errors).toEqual(noToken)
    const read = async (token: string) => (await app.root.as(token).get('/v1/sys/mirror/x')).body.errors
    const invalid = ['permission denied', 'invalid token']
    expect(await read('hfs.unknown')).toEqual(invalid)
    for (const prefix of ['hfu.', 'hft.', 'hfo.', 'hfa.', 'hfp.'])
      expect(await read(`${prefix}${'x'.repeat(32)}`)).toEqual([
        ...invalid,
        expect.stringContaining(`begins with ${prefix} is for /api/v2`),
      ])
  })

  test.each(['soon', '-5', '1.5', '1w'])('the wrap header "%s" is 400', async (ttl) => {
    const answer = await app.root.get('/v1/sys/mirror/x', { headers: { 'x-service-wrap-ttl': ttl } })
    expect(answer.status).toBe(400)
  })

  test.each([
    ['500ms', 1],
    ['0s', undefined],
  ])('the wrap header "%s" wraps for %s seconds', async (ttl, seconds) => {
    const { body } = await app.root.get('/v1/sys/mirror/x', { headers: { 'x-service-wrap-ttl': ttl } })
    expect(body.wrap_info?.ttl).toBe(seconds)
  })

  test('a wrapped answer is 200 and holds its warnings inside', async () => {
    const path = '/v1/sys/policies/acl/default?x=1'
    const { status, body } = await app.root.get(path, { headers: { 'x-service-wrap-ttl': '60' } })
    expect([status, body.data, body.warnings]).toEqual([200, {}, null])
    const unwrapped = await app.anonymous.as(body.wrap_info.token).post('/v1/sys/wrapping/unwrap')
    expect(unwrapped.body.warnings).toEqual([expect.stringContaining('[x]')])
  })

  test('cluster and override headers are accepted and ignored', async () => {
    const names = ['policy-override', 'no-request-forwarding', 'forward', 'index', 'inconsistent', 'mfa', 'wrap-format']
    for (const prefix of ['x-service', 'x-vault']) {
      const headers = Object.fromEntries(names.map((name) => [`${prefix}-${name}`, 'true']))
      expect((await app.root.get('/v1/sys/mirror/x', { headers })).status).toBe(200)
    }
  })

  test('with requireRequestHeader, requests under /v1 without the request header are 412', async () => {
    const strict = await ownApp({ requireRequestHeader: true })
    expect((await strict.root.get('/v1/sys/policies/acl')).status).toBe(412)
    expect((await strict.anonymous.get('/v1/sys/health')).status).toBe(412)
    for (const name of ['x-service-request', 'x-vault-request']) {
      expect((await strict.root.get('/v1/sys/policies/acl', { headers: { [name]: 'true' } })).status).toBe(200)
    }
    expect((await strict.anonymous.get('/api/v2/ping')).status).not.toBe(412)
  })

  test('with requireRequestHeader, a CORS preflight works without the request header', async () => {
    const strict = await ownApp({ requireRequestHeader: true })
    const headers = { 'x-service-request': 'true' }
    await strict.root.post('/v1/sys/config/cors', { allowed_origins: 'https://app.example.com' }, { headers })
    const ask = (origin: string) =>
      strict.anonymous.send('OPTIONS', '/v1/sys/mounts', undefined, { headers: { origin } })
    expect((await ask('https://app.example.com')).status).toBe(204)
    expect((await ask('https://evil.example.com')).status).toBe(403)
  })
})

describe('answers', () => {
  test('an empty list is 404 with no errors, or 200 if there is a warning', async () => {
    expect(await app.root.list('/v1/sys/mirror')).toMatchObject({ status: 404, body: { errors: [] } })
    const warned = await app.root.get('/v1/sys/mirror?list=true&warn=1')
    expect(warned).toMatchObject({ status: 200, body: { data: {}, warnings: ['careful'] } })
  })

  test('a read and a list name the parameters they ignore; what is not found stays 404, with and without them', async () => {
    const ignored = (names: string) => [`Endpoint ignored these unrecognized parameters: [${names}]`]
    const warningsOf = async (path: string) => (await app.root.get(path)).body.warnings
    expect(await warningsOf('/v1/sys/policies/acl?list=true&limit=2&after=a&x=1&b=2')).toEqual(ignored('b x'))
    expect(await warningsOf('/v1/sys/policies/acl/default?x=1&x=2')).toEqual(ignored('x'))
    expect(await warningsOf('/v1/auth/token/lookup?Token=&y=')).toEqual(ignored('y'))
    expect(await warningsOf('/v1/sys/policies/acl?list=true')).toBeNull()
    expect(await warningsOf('/v1/sys/policies/acl/default?list=false&help=false')).toBeNull()
    for (const path of ['mirror?list=true&limit=2', 'policies/acl/none?x=1']) {
      expect(await app.root.get(`/v1/sys/${path}`), path).toMatchObject({ status: 404, body: { errors: [] } })
    }
  })

  test.each([
    ['the name of its path again', 'said-again', 204],
    ['another name', 'other', 200],
    ['a name that is no text', ['said-again'], 200],
  ])('a write whose body has %s is answered without, or with, a warning', async (_what, name, status) => {
    const policy = 'path "x" { capabilities = ["read"] }'
    const answer = await app.root.post('/v1/sys/policies/acl/said-again', { policy, name })
    const ignored = 'Endpoint ignored these unrecognized parameters: [name]'
    expect([answer.status, answer.body?.warnings ?? []]).toEqual([status, status === 204 ? [] : [ignored]])
  })

  test('a sealed server answers 503 before any other error', async () => {
    const sealed = await ownApp()
    await sealed.root.post('/v1/sys/seal')
    const namespace = { headers: { 'x-service-namespace': 'team' } }
    for (const answer of [
      await sealed.anonymous.get('/v1/sys/policies/acl?list=maybe'),
      await sealed.anonymous.get('/v1/sys/policies/acl', namespace),
      await sealed.anonymous.post('/v1/sys/policies/acl/x/', {}),
      await sealed.root.post('/v1/sys/policies/acl/x', undefined, { raw: '{' }),
      await sealed.anonymous.get('/v1/sys/%2e%2e/x'),
    ]) {
      expect([answer.status, answer.body]).toEqual([503, { errors: ['Holdfast is sealed'] }])
    }
  })
})
