import { readFile, rename, writeFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { enableDevice, linesOf, logFolder, recordsOf, samplePolicy } from '../../../../test/support/audit-devices.ts'
import { sharedApp } from '../../../../test/support/shared.ts'
import { proveWith } from '../../../crypto/line-chains/line-chain.ts'
import { verifyFiles } from '../../../crypto/line-chains/line-chain-verify.ts'
import { secret } from '../../../kernel/secret.ts'

const at = logFolder()

const app = sharedApp()
const fresh = async (options: Record<string, string> = {}): Promise<string> => {
  const file = at('log')
  expect((await enableDevice(app, 'file', { file_path: file, ...options })).status).toBe(204)
  onTestFinished(async () => void (await app.root.delete('/v1/sys/audit/file')))
  return file
}

test('token, values and accessor are recorded as keyed hashes, never in clear', async () => {
  const file = await fresh()
  await app.root.put('/v1/sys/policies/acl/ops', { policy: samplePolicy })
  const text = await readFile(file, 'utf8')
  expect(text).not.toContain(app.rootToken)
  expect(text).not.toContain('capabilities')
  const [record] = await recordsOf(file, 'sys/policies/acl/ops')
  const { hash } = (await app.root.post('/v1/sys/audit-hash/file', { input: samplePolicy })).body.data
  expect(record?.request.data?.policy).toBe(hash)
  expect(record?.request.client_token).toMatch(/^hmac-sha256:[0-9a-f]{64}$/)
  expect(record?.auth?.accessor).toMatch(/^hmac-sha256:/)
})

test('the record of an unwrap holds the hashed content of the wrapped answer', async () => {
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

test('query parameters are recorded once, as data of a read or as query, in both APIs', async () => {
  const file = await fresh()
  const { hash } = (await app.root.post('/v1/sys/audit-hash/file', { input: 'ann' })).body.data
  await app.root.put('/v1/sys/policies/acl/ops?by=ann&by=bob', { policy: samplePolicy })
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
  await app.root.put('/v1/sys/policies/acl/ops', { policy: samplePolicy })
  const [record] = await recordsOf(file, 'sys/policies/acl/ops')
  expect(record?.request.data?.policy).toBe(samplePolicy)
  expect(record?.auth?.accessor).not.toMatch(/^hmac/)
})

test('elide_list_responses records only the number of keys', async () => {
  const file = await fresh({ elide_list_responses: 'true' })
  await app.root.list('/v1/sys/policies/acl')
  const [, response] = await recordsOf(file, 'sys/policies/acl/')
  expect(response?.response?.data?.keys).toBeTypeOf('number')
})

test.each([
  {
    refused: 'a caller without a token',
    send: () => app.anonymous.get('/v1/sys/audit'),
    path: 'sys/audit',
    error: 'permission denied',
  },
  {
    refused: 'an unknown token',
    send: () => app.anonymous.as('hfs.nobody').get('/v1/sys/policies/acl/x'),
    path: 'sys/policies/acl/x',
    error: 'permission denied',
  },
  {
    refused: 'an unknown path',
    send: () => app.root.get('/v1/nowhere/at/all'),
    path: 'nowhere/at/all',
    error: 'no handler for route "nowhere/at/all"',
  },
  {
    refused: 'an invalid body',
    send: () => app.root.put('/v1/sys/policies/acl/bad', { policy: '%%' }),
    path: 'sys/policies/acl/bad',
    error: 'policy: line 1, column 1: expected a key, found "%"',
  },
  {
    refused: 'the other API without a token',
    send: () => app.anonymous.get('/api/v2/organizations'),
    path: 'api/v2/organizations',
    error: 'Send a valid API token: Authorization: Bearer <token>.',
  },
])('a refused request is recorded with request and response: $refused', async ({ send, path, error }) => {
  const file = await fresh()
  const answer = await send()
  expect(answer.status).toBeGreaterThanOrEqual(400)
  const found = await recordsOf(file, path)
  expect(found.map(({ type }) => type)).toEqual(['request', 'response'])
  expect(found[1]?.error).toBe(error)
})

test('health, seal-status and init are not recorded', async () => {
  const file = await fresh()
  for (const path of ['health', 'seal-status', 'init']) await app.anonymous.get(`/v1/sys/${path}`)
  const paths = (await linesOf(file)).map(({ request }) => request.path)
  expect(paths.filter((path) => /health|seal-status|init/.test(path))).toEqual([])
})

test('configured headers are recorded in clear or hashed; headers with secrets cannot be configured', async () => {
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
  // Not repetitive: PostgreSQL compresses long repetitive text and would accept it.
  const long = Array.from({ length: 3_000 }, (_, at) => at.toString(36)).join('')
  const tokens = ['X-Service-Token', 'X-Vault-Token', 'authorization', 'Cookie', 'Proxy-Authorization', 'X-CSRF-Token']
  for (const name of [...tokens, 'X-Holdfast-Seal-Key', 'x-holdfast-recovery-key', long]) {
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

test('the chain of a device verifies with its key, and missing or cut-off records are found', async () => {
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

test('after the file was renamed, reload opens a new one and the chain continues', async () => {
  const file = await fresh()
  await app.root.get('/v1/sys/policies/acl/default')
  await rename(file, at('old'))
  await app.app.reload()
  await app.root.get('/v1/sys/policies/acl/default')
  expect(await recordsOf(at('old'), 'sys/policies/acl/default')).toHaveLength(2)
  expect(await recordsOf(file, 'sys/policies/acl/default')).toHaveLength(2)
  expect(await verifyFiles([at('old'), file])).toMatchObject({ ok: true })
})
