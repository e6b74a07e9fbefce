import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { sharedCertApp } from '../../../../test/support/cert-login.ts'
import { sharedFolder } from '../../../../test/support/folders.ts'
import type { Log, LogFields } from '../../../kernel/log.ts'

const lines: LogFields[] = []
const note = (fields: LogFields): void => {
  lines.push(fields)
}
const log: Log = { debug: note, info: note, warn: note, error: note, child: () => log }
const app = sharedCertApp({ log })
const directory = sharedFolder()

beforeAll(async () => {
  await app.root.post('/v1/sys/audit/file', { type: 'file', options: { file_path: join(directory, 'audit.log') } })
  await app.role('bound', { certificate: app.ca.pem, token_bind_certificate: true })
  await app.root.post('/v1/auth/token/roles/far', { token_bound_cidrs: '10.0.0.0/8' })
})
beforeEach(() => {
  lines.length = 0
})

/** The log line and the audit record of the last request to this path. */
async function toldOf(path: string): Promise<{ line: LogFields | undefined; error: string }> {
  const records = (await readFile(join(directory, 'audit.log'), 'utf8')).split('\n').filter(Boolean)
  const last = records
    .map((each) => JSON.parse(each))
    .findLast(({ type, request }) => type === 'response' && path.endsWith(request.path))
  return { line: lines.findLast((each) => each.path === path), error: last?.error }
}

test('refused tokens: log and audit record tell of a bound certificate, the caller learns nothing', async () => {
  const client = app.leaf({ commonName: 'bound' })
  const { client_token: token, accessor } = (await app.login(client, { name: 'bound' })).body.auth
  const path = '/v1/auth/token/lookup-self'
  const other = app.with(app.leaf({ commonName: 'other' })).as(token)
  for (const [caller, found] of [
    [app.root.as(token), 'none'],
    [other, 'another one'],
  ] as const) {
    expect(await caller.get(path)).toMatchObject({ status: 403, body: { errors: ['permission denied'] } })
    const { line, error } = await toldOf(path)
    expect(line).toMatchObject({ status: 403, accessor, reason: expect.stringContaining(`presents ${found}`) })
    expect(error).toBe(`permission denied: ${line?.reason}`)
    expect(JSON.stringify(line)).not.toContain(token)
  }
  expect((await app.with(client).as(token).get(path)).status).toBe(200)
  expect((await toldOf(path)).line?.reason).toBeUndefined()
})

const farToken = async () =>
  (await app.root.post('/v1/auth/token/create/far', { policies: 'default' })).body.auth as Record<string, string>

test('refused tokens: an address outside the bounds is told under both prefixes', async () => {
  const { client_token: token = '', accessor } = await farToken()
  const refusals = { '/v1/auth/token/lookup-self': 403, '/api/v2/organizations': 401 }
  for (const [path, status] of Object.entries(refusals)) {
    const answer = await app.root.as(token).get(path)
    expect(answer.status).toBe(status)
    expect(answer.text).not.toContain('10.0.0.0')
    const reason = expect.stringMatching(/works from 10\.0\.0\.0\/8 only, not from 127\.0\.0\.1/)
    const { line, error } = await toldOf(path)
    expect(line).toMatchObject({ status, accessor, reason })
    expect(error).toContain(line?.reason)
  }
})

test('refused tokens: a disabled entity is told', async () => {
  const client = app.leaf({ commonName: 'off' })
  const { client_token: token, entity_id: id } = (await app.login(client)).body.auth
  await app.root.post(`/v1/identity/entity/id/${id}`, { disabled: true })
  const path = '/v1/auth/token/lookup-self'
  expect((await app.with(client).as(token).get(path)).status).toBe(403)
  expect((await toldOf(path)).line?.reason).toBe('The entity of the token is disabled.')
})
