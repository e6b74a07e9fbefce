import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { auditEvent } from '../../../test/support/audit-events.ts'
import { eachEngine } from '../../../test/support/databases.ts'
import { type TestApp, testApp } from '../../../test/support/test-app.ts'
import { proveWith } from '../../crypto/line-chains/line-chain.ts'
import { verifyFiles } from '../../crypto/line-chains/line-chain-verify.ts'
import { secret } from '../../kernel/secret.ts'
import { NodeTrail } from './node-trail.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'holdfast-audit-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
})

const policy = 'path "a" { capabilities = ["read"] }'
const at = (name: string) => join(directory, name)

type Line = {
  type: string
  error?: string
  auth?: Record<string, unknown>
  request: Record<string, unknown> & { path: string; data?: Record<string, unknown> }
  response?: Record<string, unknown> & { data?: Record<string, unknown> }
}

async function linesOf(path: string): Promise<Line[]> {
  const text = await readFile(path, 'utf8')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** The records of one path, without those of the device itself. */
const recordsOf = async (file: string, path: string) =>
  (await linesOf(file)).filter(({ request }) => request.path === path)

const enable = (app: TestApp, name: string, options: Record<string, string>, type = 'file') =>
  app.root.put(`/v1/sys/audit/${name}`, { type, description: 'test', options })

async function freshApp(options: Parameters<typeof testApp>[0] = {}): Promise<TestApp> {
  const app = await testApp(options)
  onTestFinished(() => app.close())
  return app
}

eachEngine((engine) => {
  test('audit: a device is enabled, listed, writes both records of each request, and is disabled', async () => {
    const app = await freshApp({ engine })
    expect(await app.root.get('/v1/sys/audit')).toMatchObject({ status: 200, body: { data: {} } })
    const options = { file_path: at('log') }
    expect((await enable(app, 'file', options)).status).toBe(204)
    const info = { path: 'file/', type: 'file', description: 'test', options, local: false }
    expect((await app.root.get('/v1/sys/audit')).body).toMatchObject({ data: { 'file/': info }, 'file/': info })

    const { headers } = await app.root.put('/v1/sys/policies/acl/ops', { policy })
    const [request, response] = await recordsOf(at('log'), 'sys/policies/acl/ops')
    expect(request).toMatchObject({ type: 'request', request: { id: headers['x-request-id'], operation: 'update' } })
    expect(response).toMatchObject({ type: 'response', auth: { policies: ['root'], display_name: 'root' } })

    expect((await app.root.delete('/v1/sys/audit/file')).status).toBe(204)
    const before = (await linesOf(at('log'))).length
    await app.root.put('/v1/sys/policies/acl/ops', { policy })
    expect((await linesOf(at('log'))).length).toBe(before)
    expect((await app.root.delete('/v1/sys/audit/file')).status).toBe(204)
    expect((await app.root.get('/v1/sys/audit')).body.data).toEqual({})
  })

  test('audit: two callers who enable the same path at once make one device', async () => {
    const app = await freshApp({ engine })
    const answers = await Promise.all([1, 2, 3, 4].map((n) => enable(app, 'file', { file_path: at(`log${n}`) })))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400, 400])
    expect(Object.keys((await app.root.get('/v1/sys/audit')).body.data)).toEqual(['file/'])
  })

  test('audit: another process follows: it records from the first request on, and stops', async () => {
    const app = await freshApp({ engine })
    const other = await testApp({ engine, beside: app, settings: { nodeName: 'other' } })
    try {
      await app.root.get('/v1/sys/policies/acl/default')
      await other.root.get('/v1/sys/policies/acl/default')
      await enable(app, 'file', { file_path: at('log') })
      const recorded = async () => (await recordsOf(at('log'), 'sys/policies/acl/other')).length
      await expect
        .poll(async () => {
          await other.root.get('/v1/sys/policies/acl/other')
          return recorded()
        })
        .toBeGreaterThan(0)
      expect(await verifyFiles([at('log')])).toMatchObject({ ok: true, chains: [{}, {}] })
      await app.root.delete('/v1/sys/audit/file')
      await expect
        .poll(async () => {
          const before = await recorded()
          await other.root.get('/v1/sys/policies/acl/other')
          return (await recorded()) - before
        })
        .toBe(0)
    } finally {
      await other.close()
    }
  })

  test('audit: after seal and unseal, and in a new process, devices go on with the same salt', async () => {
    const app = await freshApp({ engine })
    await enable(app, 'file', { file_path: at('log') })
    const hash = async () => (await app.root.post('/v1/sys/audit-hash/file', { input: 'abc' })).body.data.hash
    const before = await hash()
    await app.deps.hooks.announceUnsealed()
    expect(await hash()).toBe(before)
    const [row] = await app.deps.db.selectFrom('audit_devices').selectAll().execute()
    expect(Buffer.from(row?.salt ?? []).length).toBeGreaterThan(32)
  })
})

describe('records', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await testApp()
  })
  afterAll(() => app.close())
  const fresh = async (options: Record<string, string> = {}): Promise<string> => {
    const file = at('log')
    expect((await enable(app, 'file', { file_path: file, ...options })).status).toBe(204)
    onTestFinished(async () => void (await app.root.delete('/v1/sys/audit/file')))
    return file
  }

  test('no secret stands in clear: token, values and answers are keyed hashes', async () => {
    const file = await fresh()
    await app.root.put('/v1/sys/policies/acl/ops', { policy })
    const text = await readFile(file, 'utf8')
    expect(text).not.toContain(app.rootToken)
    expect(text).not.toContain('capabilities')
    const [record] = await recordsOf(file, 'sys/policies/acl/ops')
    const { hash } = (await app.root.post('/v1/sys/audit-hash/file', { input: policy })).body.data
    expect(record?.request.data?.policy).toBe(hash)
    expect(record?.request.client_token).toMatch(/^hmac-sha256:[0-9a-f]{64}$/)
    expect(record?.auth?.accessor).toMatch(/^hmac-sha256:/)
  })

  test('of an answer that was wrapped the record says what came out', async () => {
    const file = await fresh()
    const wrapped = { headers: { 'x-service-wrap-ttl': '60' } }
    const { token } = (await app.root.post('/v1/sys/wrapping/wrap', { secret: 'deep', n: 1 }, wrapped)).body.wrap_info
    expect((await app.root.post('/v1/sys/wrapping/unwrap', { token })).body.data).toEqual({ secret: 'deep', n: 1 })
    const made = await app.root.post('/v1/auth/token/create', { policies: ['default'], ttl: '1h' }, wrapped)
    const { auth } = (await app.root.as(made.body.wrap_info.token).post('/v1/sys/wrapping/unwrap')).body
    const hash = async (input: string) => (await app.root.post('/v1/sys/audit-hash/file', { input })).body.data.hash
    const records = await recordsOf(file, 'sys/wrapping/unwrap')
    const [first, second] = records.filter(({ type }) => type === 'response')
    expect(first?.response?.data).toEqual({ secret: await hash('deep'), n: 1 })
    expect(second?.response?.auth).toMatchObject({
      client_token: await hash(auth.client_token),
      accessor: await hash(auth.accessor),
      policies: ['default'],
      token_ttl: 3600,
    })
    expect(second?.auth).toMatchObject({ policies: ['response-wrapping'] })
    expect(await readFile(file, 'utf8')).not.toContain(auth.client_token)
  })

  test('what a query asks for is recorded once, whatever the verb and the API', async () => {
    const file = await fresh()
    const { hash } = (await app.root.post('/v1/sys/audit-hash/file', { input: 'ann' })).body.data
    await app.root.put('/v1/sys/policies/acl/ops?by=ann&by=bob', { policy })
    const [write] = await recordsOf(file, 'sys/policies/acl/ops')
    expect(write?.request.query).toEqual({ by: [hash, expect.stringMatching(/^hmac-sha256:/)] })
    await app.root.get('/v1/sys/policies/acl/default?by=ann')
    const [read] = await recordsOf(file, 'sys/policies/acl/default')
    expect([read?.request.data, read?.request.query]).toEqual([{ by: hash }, undefined])
    await app.root.get('/api/v2/organizations?q=ann&__proto__=ann')
    const [list] = await recordsOf(file, 'api/v2/organizations')
    expect(Object.entries(list?.request.query ?? {})).toEqual([
      ['q', hash],
      ['__proto__', hash],
    ])
  })

  test('log_raw writes values in clear, hmac_accessor=false the accessor', async () => {
    const file = await fresh({ log_raw: 'true', hmac_accessor: 'false' })
    await app.root.put('/v1/sys/policies/acl/ops', { policy })
    const [record] = await recordsOf(file, 'sys/policies/acl/ops')
    expect(record?.request.data?.policy).toBe(policy)
    expect(record?.auth?.accessor).not.toMatch(/^hmac/)
  })

  test('elide_list_responses writes the number of names only', async () => {
    const file = await fresh({ elide_list_responses: 'true' })
    await app.root.list('/v1/sys/policies/acl')
    const [, response] = await recordsOf(file, 'sys/policies/acl/')
    expect(response?.response?.data?.keys).toBeTypeOf('number')
  })

  test.each([
    ['a caller without a token', () => app.anonymous.get('/v1/sys/audit'), 'sys/audit'],
    ['an unknown token', () => app.anonymous.as('hfs.nobody').get('/v1/sys/policies/acl/x'), 'sys/policies/acl/x'],
    ['an unknown path', () => app.root.get('/v1/nowhere/at/all'), 'nowhere/at/all'],
    ['an invalid body', () => app.root.put('/v1/sys/policies/acl/bad', { policy: '%%' }), 'sys/policies/acl/bad'],
    ['the other API without a token', () => app.anonymous.get('/api/v2/organizations'), 'api/v2/organizations'],
  ])('a refused request is recorded: %s', async (_who, send, path) => {
    const file = await fresh()
    const answer = await send()
    expect(answer.status).toBeGreaterThanOrEqual(400)
    const found = await recordsOf(file, path)
    expect(found.map(({ type }) => type)).toEqual(['request', 'response'])
    expect(found[1]?.error).toBeTruthy()
  })

  test('status routes leave no record', async () => {
    const file = await fresh()
    for (const path of ['health', 'seal-status', 'init']) await app.anonymous.get(`/v1/sys/${path}`)
    const paths = (await linesOf(file)).map(({ request }) => request.path)
    expect(paths.filter((path) => /health|seal-status|init/.test(path))).toEqual([])
  })

  test('configured headers are written, hashed or not, and secret ones never', async () => {
    const file = await fresh()
    const base = '/v1/sys/config/auditing/request-headers'
    expect((await app.root.post(`${base}/X-Trace`, {})).status).toBe(204)
    expect((await app.root.post(`${base}/x-user`, { hmac: 'true' })).status).toBe(204)
    expect((await app.root.get(base)).body.data).toEqual({
      headers: { 'x-trace': { hmac: false }, 'x-user': { hmac: true } },
    })
    expect((await app.root.get(`${base}/x-user`)).body['x-user']).toEqual({ hmac: true })
    const unknown = await app.root.get(`${base}/x-other`)
    expect([unknown.status, unknown.body]).toEqual([400, { errors: ['Could not find header in config'] }])
    // Varied, since PostgreSQL has room for a long text that repeats itself.
    const long = Array.from({ length: 3_000 }, (_, at) => at.toString(36)).join('')
    for (const name of ['X-Service-Token', 'authorization', 'Cookie', long]) {
      expect((await app.root.post(`${base}/${name}`, { hmac: true })).status).toBe(400)
    }
    await app.root.get('/v1/sys/policies/acl/default', { headers: { 'x-trace': 't1', 'X-User': 'ann' } })
    const [record] = await recordsOf(file, 'sys/policies/acl/default')
    const { hash } = (await app.root.post('/v1/sys/audit-hash/file', { input: 'ann' })).body.data
    expect(record?.request.headers).toEqual({ 'x-trace': ['t1'], 'x-user': [hash] })
    expect((await app.root.delete(`${base}/x-trace`)).status).toBe(204)
    expect((await app.root.get(`${base}/x-trace`)).status).toBe(400)
    expect((await app.root.get(base)).body.data).toEqual({ headers: { 'x-user': { hmac: true } } })
    await app.root.delete(`${base}/x-user`)
  })

  test('the chain of a device is keyed, and what was cut off is found', async () => {
    const file = await fresh()
    for (let n = 0; n < 5; n++) await app.root.get('/v1/sys/policies/acl/default')
    const { key, heads } = (await app.root.get('/v1/sys/audit-chain/file')).body.data
    const prove = proveWith(secret(Buffer.from(key, 'base64')))
    expect(await verifyFiles([file], { prove, expect: heads })).toMatchObject({ ok: true, proven: true })
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
    await writeFile(at('missing'), `${lines.toSpliced(3, 1).join('\n')}\n`)
    expect(await verifyFiles([at('missing')])).toMatchObject({ ok: false, firstBreak: { reason: 'gap' } })
    await writeFile(at('cut'), `${lines.slice(0, 4).join('\n')}\n`)
    expect(await verifyFiles([at('cut')], { prove, expect: heads })).toMatchObject({
      ok: false,
      firstBreak: { reason: 'cut-off' },
    })
  })

  test('a new name after rotation: reload opens the file anew', async () => {
    const file = await fresh()
    await app.root.get('/v1/sys/policies/acl/default')
    await rename(file, at('old'))
    await app.app.reload()
    await app.root.get('/v1/sys/policies/acl/default')
    expect(await recordsOf(at('old'), 'sys/policies/acl/default')).toHaveLength(2)
    expect(await recordsOf(file, 'sys/policies/acl/default')).toHaveLength(2)
    expect(await verifyFiles([at('old'), file])).toMatchObject({ ok: true })
  })
})

describe('refusals', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await testApp()
  })
  afterAll(() => app.close())

  test.each([
    ['no type', '', { file_path: 'x' }, /type/],
    ['an unknown type', 'kafka', {}, /kafka/],
    ['no file', 'file', {}, /file_path/],
    ['an executable mode', 'file', { file_path: '/tmp/x', mode: '0755' }, /executable/],
    ['an executable mode of nothing', 'file', { file_path: 'discard', mode: '0755' }, /executable/],
    ['a mode that is no number', 'file', { file_path: '/tmp/x', mode: 'rw' }, /octal/],
    ['no address', 'socket', {}, /address/],
    ['a socket nobody reads', 'socket', { address: '127.0.0.1:1' }, /cannot be used/],
    ['another format', 'file', { file_path: 'x', format: 'xml' }, /json/],
    ['a flag that is none', 'file', { file_path: 'x', log_raw: 'perhaps' }, /log_raw/],
    ['a directory that cannot be made', 'file', { file_path: '/dev/null/x/y' }, /cannot be used/],
    ['a device that is full', 'file', { file_path: '/dev/full' }, /cannot be used/],
  ])('audit enable: %s is 400 and leaves nothing behind', async (_what, type, options, text) => {
    const answer = await enable(app, 'bad', options, type)
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0]).toMatch(text)
    expect((await app.root.get('/v1/sys/audit')).body.data).toEqual({})
  })

  test('audit enable: a path in use and a file in use are refused', async () => {
    expect((await enable(app, 'a', { file_path: at('log') })).status).toBe(204)
    const taken = { status: 400, body: { errors: ['path is already in use at a/'] } }
    expect(await app.root.put('/v1/sys/audit/a', { type: 'file', options: { file_path: at('o') } })).toMatchObject(
      taken,
    )
    const twin = await enable(app, 'b', { file_path: join(directory, '.', 'log') })
    expect(twin).toMatchObject({ status: 400, body: { errors: [expect.stringContaining("'a/'")] } })
    await app.root.delete('/v1/sys/audit/a')
    expect((await enable(app, 'a', { file_path: 'discard' })).status).toBe(204)
    expect((await enable(app, 'b', { file_path: 'DISCARD' })).status).toBe(400)
    await app.root.delete('/v1/sys/audit/a')
  })

  test('audit enable: the file of another device is refused also behind a link, for the two would spoil their chain', async () => {
    expect((await enable(app, 'a', { file_path: at('log') })).status).toBe(204)
    await symlink(at('log'), at('link'))
    await symlink(directory, at('folder'))
    for (const file_path of [at('link'), join(at('folder'), 'log')]) {
      const twin = await enable(app, 'b', { file_path })
      expect(twin).toMatchObject({ status: 400, body: { errors: [expect.stringContaining("'a/'")] } })
    }
    await app.root.delete('/v1/sys/audit/a')
    expect(await verifyFiles([at('log')])).toMatchObject({ ok: true })
  })

  test('audit-hash: no input and no device are 400', async () => {
    const absent = await app.root.post('/v1/sys/audit-hash/file', { input: 'x' })
    expect(absent).toMatchObject({ status: 400, body: { errors: [expect.stringContaining('unknown audit backend')] } })
    await enable(app, 'file', { file_path: 'discard' })
    expect((await app.root.post('/v1/sys/audit-hash/file', {})).status).toBe(400)
    await app.root.delete('/v1/sys/audit/file')
  })

  test('audit: without a token nothing can be listed, enabled or disabled', async () => {
    expect((await app.anonymous.get('/v1/sys/audit')).status).toBe(403)
    expect((await app.anonymous.put('/v1/sys/audit/x', { type: 'file' })).status).toBe(403)
    expect((await app.anonymous.delete('/v1/sys/audit/x')).status).toBe(403)
  })
})

test('audit: a look at the devices that fails does not spoil the one behind it', async () => {
  const app = await freshApp()
  const { db } = app.deps
  await enable(app, 'file', { file_path: 'discard' })
  let looks = 0
  const selectFrom = (from: never) => {
    if (++looks === 1) throw new Error('the database is away')
    return db.selectFrom(from)
  }
  const trail = new NodeTrail({ ...app.deps, db: { selectFrom } as unknown as typeof db })
  const [first, second] = await Promise.allSettled([trail.follow(), trail.follow()])
  expect([first?.status, second?.status, looks > 1]).toEqual(['fulfilled', 'fulfilled', true])
  expect(trail.at('file/')).toBeDefined()
  await trail.close()
})

describe('when no device takes the record', () => {
  test('the request is not carried out, is 500, and the text tells nothing', async () => {
    const app = await freshApp()
    expect((await enable(app, 'full', { file_path: '/dev/full', skip_test: 'true' })).status).toBe(500)
    const answer = await app.root.put('/v1/sys/policies/acl/ops', { policy })
    expect([answer.status, answer.body]).toEqual([500, { errors: ['internal error'] }])
    expect(await app.deps.db.selectFrom('policies').select('name').where('name', '=', 'ops').execute()).toEqual([])
    expect((await app.anonymous.get('/v1/sys/health')).status).toBe(200)
    expect((await app.anonymous.get('/api/v2/organizations')).status).toBe(500)
  })

  test('one good device is enough', async () => {
    const app = await freshApp()
    await enable(app, 'good', { file_path: at('log') })
    await enable(app, 'full', { file_path: '/dev/full', skip_test: 'true' })
    expect((await app.root.get('/v1/sys/policies/acl/default')).status).toBe(200)
  })

  test('a socket that stops reading holds a request no longer than its time, and no answer leaves', async () => {
    const app = await freshApp()
    const sockets: Socket[] = []
    const server = createServer((socket) => void sockets.push(socket.pause()))
    await new Promise<void>((resolve) => server.listen(at('socket'), resolve))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const options = { address: at('socket'), socket_type: 'unix', write_timeout: '50ms', log_raw: 'true' }
    expect((await enable(app, 'socket', options, 'socket')).status).toBe(204)
    const long = 'x'.repeat(500_000)
    const statuses: number[] = []
    for (let n = 0; n < 4; n++) {
      statuses.push((await app.root.put(`/v1/sys/policies/acl/p${n}`, { policy: `# ${long}\n${policy}` })).status)
    }
    expect(statuses).toContain(500)
    expect(statuses.every((status) => status === 204 || status === 500)).toBe(true)
  })

  test('a device that cannot be opened after unsealing does not stop it, refuses records, and recovers', async () => {
    const app = await freshApp()
    const folder = at('logs')
    await mkdir(folder)
    await enable(app, 'file', { file_path: join(folder, 'log') })
    await rm(folder, { recursive: true })
    await writeFile(folder, 'a file in the way')
    const restarted = new NodeTrail({ ...app.deps, log: { ...app.deps.log, error: () => undefined } })
    await restarted.follow()
    expect(restarted.active).toBe(true)
    await expect(restarted.request(auditEvent()).promise()).rejects.toThrow()
    await rm(folder)
    await restarted.reopen()
    await restarted.request(auditEvent()).promise()
    expect(await linesOf(join(folder, 'log'))).toHaveLength(1)
    await restarted.close()
  })
})
