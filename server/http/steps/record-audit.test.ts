import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { ownFolder } from '../../../test/support/folders.ts'
import { ownApp } from '../../../test/support/shared.ts'
import { verifyFiles } from '../../crypto/line-chains/line-chain-verify.ts'
import { failure } from '../../kernel/failure.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint } from '../../kit/endpoint.ts'
import { defineFeature } from '../../kit/feature.ts'
import { data } from '../../kit/reply.ts'
import { features } from '../../product/index.ts'

let log: string
beforeEach(async () => {
  const directory = ownFolder()
  log = join(directory, 'log')
})

/** A server with an audit file and one endpoint of this behaviour. */
async function audited(handle: Endpoint['handle'], filePath = log, verb: Endpoint['verb'] = 'GET') {
  const common = { id: 'odd.use', route: `${verb} /odd`, summary: 'Answer.', access: acl(), handle } as const
  const endpoints: readonly Endpoint[] = defineSystemEndpoints([endpoint(common)])
  const app = await ownApp({ features: [...features, defineFeature({ name: 'odd', endpoints })] })
  await app.root.put('/v1/sys/audit/file', { type: 'file', options: { file_path: filePath, skip_test: 'true' } })
  return app
}

type Line = { type: string; error?: string; proof?: string; request: { id: string; path: string }; response?: object }

function recordsOf(path: string): Line[] {
  const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Line).filter(({ request }) => request.path === path)
}

const typesOf = (path: string) => recordsOf(path).map(({ type }) => type)

test('audit: a read writes its request and response records together, with one proof on the response', async () => {
  const app = await audited(() => data({ seen: 1 }))
  await app.root.get('/v1/sys/odd')
  const [request, response] = recordsOf('sys/odd')
  expect(request).toMatchObject({ type: 'request' })
  expect(request).not.toHaveProperty('proof')
  expect(request).not.toHaveProperty('response')
  expect(response).toMatchObject({ type: 'response', proof: expect.any(String), response: { data: { seen: 1 } } })
  expect(response?.request).toEqual(request?.request)
})

test('audit: the request record of a slow read is written before the handler finishes', async () => {
  const gate = Promise.withResolvers<void>()
  const app = await audited(async () => {
    await gate.promise
    return data({ seen: 1 })
  })
  const answer = app.root.get('/v1/sys/odd')
  await expect.poll(() => typesOf('sys/odd')).toEqual(['request'])
  gate.resolve()
  expect((await answer).status).toBe(200)
  expect(typesOf('sys/odd')).toEqual(['request', 'response'])
})

test('audit: a failing read leaves a request record and a response record with the error', async () => {
  const app = await audited(() => {
    throw failure('invalid', 'odd.invalid', 'This is odd.')
  })
  expect((await app.root.get('/v1/sys/odd')).status).toBe(400)
  const [request, response, ...more] = recordsOf('sys/odd')
  expect(request).not.toHaveProperty('error')
  expect(response).toMatchObject({ type: 'response', error: 'This is odd.' })
  expect(more).toEqual([])
})

test.each([
  ['GET', 'sys/odd', []],
  ['LIST', 'sys/odd/', []],
  ['POST', 'sys/odd', ['request']],
  ['PATCH', 'sys/odd', ['request']],
  ['DELETE', 'sys/odd', ['request']],
] as const)('audit: when the handler of a %s runs, the records of %s are %j', async (verb, path, types) => {
  const before: string[][] = []
  const handle = () => {
    before.push(typesOf(path))
    return data({ seen: 1 })
  }
  const app = await audited(handle, log, verb)
  const headers = { 'content-type': 'application/merge-patch+json' }
  expect((await app.root.send(verb, '/v1/sys/odd', undefined, { headers })).status).toBe(200)
  expect([before, typesOf(path)]).toEqual([[types], ['request', 'response']])
})

test('audit: wrapped reads and reads with a use-limited token are recorded before the handler runs', async () => {
  const before: string[][] = []
  const app = await audited(() => {
    before.push(typesOf('sys/odd'))
    return data({ seen: 1 })
  })
  await app.root.get('/v1/sys/odd', { headers: { 'x-service-wrap-ttl': '60' } })
  const { body } = await app.root.post('/v1/auth/token/create', { policies: ['root'], num_uses: 3 })
  await app.root.as(body.auth.client_token).get('/v1/sys/odd')
  expect(before).toEqual([['request'], ['request', 'response', 'request']])
})

test('audit: concurrent reads keep the hash chain valid and each request before its response', async () => {
  const app = await audited(async ({ request }) => {
    if (request.query.has('slow')) await new Promise<void>((resolve) => setImmediate(resolve))
    return data({ seen: 1 })
  })
  await Promise.all(Array.from({ length: 60 }, (_, n) => app.root.get(`/v1/sys/odd${n % 3 === 0 ? '?slow=1' : ''}`)))
  const records = recordsOf('sys/odd')
  const byId = Map.groupBy(records, ({ request }) => request.id)
  expect([...byId.values()].map((pair) => pair.map(({ type }) => type))).toEqual(
    Array.from({ length: 60 }, () => ['request', 'response']),
  )
  expect(await verifyFiles([log])).toMatchObject({ ok: true })
})

test('audit: page requests are recorded without tokens and secrets; public files are not recorded', async () => {
  const app = await audited(() => data({}))
  const cookie = (await app.anonymous.post('/app/sign-in', { token: app.rootToken })).headers['set-cookie']
  const session = /=(\w{40});/.exec(String(cookie))?.[1] as string
  const { csrf_token } = (
    await app.anonymous.get('/app/session', { headers: { cookie: `holdfast_session=${session}` } })
  ).body
  await app.anonymous.get(`/app/invitations/${'x'.repeat(32)}`)
  for (const path of ['/docs', '/openapi.json', '/app/sign-in.css', '/.well-known/terraform.json']) {
    expect((await app.anonymous.get(path)).status).toBe(200)
    expect(recordsOf(path.slice(1))).toEqual([])
  }
  for (const path of ['app/sign-in', 'app/session', 'app/invitations/:token']) {
    expect(typesOf(path)).toEqual(['request', 'response'])
  }
  expect(recordsOf('app/session')).toMatchObject(Array.from({ length: 2 }, () => ({ auth: { display_name: 'admin' } })))
  for (const typed of [app.rootToken, session, csrf_token, 'x'.repeat(32)]) {
    expect(readFileSync(log, 'utf8')).not.toContain(typed)
  }
})

test('audit: a link with an extra character at its end is recorded without its secret', async () => {
  const app = await audited(() => data({}))
  for (const path of ['app/invitations', 'ui/resets']) {
    expect((await app.anonymous.get(`/${path}/${'x'.repeat(32)}.`)).status).toBe(404)
    expect(typesOf(`${path}/:token`)).toEqual(['request', 'response'])
  }
  expect(readFileSync(log, 'utf8')).not.toContain('xxx')
})

test('audit: sign-in is 500 and sets no cookie when no audit device can write', async () => {
  const app = await audited(() => data({}), '/dev/full')
  const { status, headers } = await app.anonymous.post('/app/sign-in', { token: app.rootToken })
  expect([status, headers['set-cookie']]).toEqual([500, undefined])
})

test('audit: a read that no audit device can record is 500, and a slow handler is aborted', async () => {
  const told = Promise.withResolvers<void>()
  const app = await audited(({ request, signal }) => {
    if (!request.query.has('slow')) return data({ seen: 1 })
    signal.addEventListener('abort', () => told.resolve())
    return new Promise(() => undefined)
  }, '/dev/full')
  for (const path of ['/v1/sys/odd', '/v1/sys/odd?slow=1']) {
    const { status, body } = await app.root.get(path)
    expect([status, body]).toEqual([500, { errors: ['internal error'] }])
  }
  await told.promise
})
