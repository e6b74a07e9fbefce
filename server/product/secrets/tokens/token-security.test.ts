import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import { deniedAnswer, noTokenAnswer, tokenCalls } from '../../../../test/support/token-calls.ts'
import type { Log } from '../../../kernel/log.ts'

const lines: string[] = []
const write = (fields: unknown, message: string): void => void lines.push(`${message} ${JSON.stringify(fields)}`)
const log: Log = { debug: write, info: write, warn: write, error: write, child: () => log }

const app = sharedApp({ log })
const calls = shared(() => tokenCalls(app))

/** Everything the store has written to its folder, journals included. */
async function storedBytes(): Promise<Buffer> {
  const folder = dirname(app.deps.store.url.replace(/^sqlite:/, ''))
  const files = await readdir(folder)
  return Buffer.concat(await Promise.all(files.map((file) => readFile(join(folder, file)))))
}

test('no token text reaches the database, the log, the metrics or an error', async () => {
  const service = await calls.create({ policies: ['maker'] })
  const child = await calls.create({}, calls.as(service))
  const batch = await calls.create({ policies: ['default'], type: 'batch' })
  const chosen = await calls.create({ policies: ['default'], id: 'chosen-and-secret-text' })
  const wrapping = { headers: { 'x-service-wrap-ttl': '5m' } }
  const wrapped = await app.root.post('/v1/auth/token/create', { policies: ['default'] }, wrapping)
  const texts = [service, child, batch, chosen].map((auth) => auth.client_token)
  texts.push(wrapped.body.wrap_info.token, app.rootToken, 'hfs.mistyped-but-almost-right')
  const answers = []
  for (const token of texts) {
    answers.push(await app.root.as(token).get('/v1/sys/policies/acl/none'))
    answers.push(await app.root.post('/v1/auth/token/revoke-orphan', { token: `${token}x` }))
    answers.push(await app.root.get(`/v1/auth/token/lookup?token=${token}x`))
    answers.push(await app.root.post('/v1/auth/token/renew', { token: `${token}x` }))
    answers.push(await app.root.post('/v1/sys/wrapping/unwrap', { token: `${token}x` }))
    answers.push(await app.root.post('/v1/auth/token/create', { id: `${token}.`, policies: ['default'] }))
  }
  const places = {
    database: await storedBytes(),
    log: Buffer.from(lines.join('\n')),
    metrics: Buffer.from(await app.deps.metrics.render()),
    errors: Buffer.from(answers.map(({ text }) => text).join('\n')),
  }
  expect(places.database.includes(service.accessor)).toBe(true)
  expect(lines.length).toBeGreaterThan(0)
  for (const [place, bytes] of Object.entries(places)) {
    for (const text of texts) expect(bytes.includes(text), `${text.slice(0, 8)}… in ${place}`).toBe(false)
  }
})

test('a refused creation stores no token', async () => {
  const count = async () => (await app.deps.db.selectFrom('tokens').select('id').execute()).length
  const before = await count()
  const refused = [
    { type: 'recovery' },
    { policies: ['response-wrapping'] },
    { ttl: 'soon' },
    { entity_alias: 'ann' },
    { type: 'batch', num_uses: 1 },
    { type: 'batch', policies: ['default'], meta: { long: 'x'.repeat(9_000) } },
  ]
  for (const fields of refused) await calls.refusal(fields)
  expect(await count()).toBe(before)
})

test.each([
  '/v1/auth/token/lookup-self/../create',
  '/v1/auth/token/lookup-self/%2e%2e/create',
  '/v1/auth/token//create',
  '/v1/auth/token/./create',
  '/v1/auth/token%2fcreate',
  '/v1/auth/token/create/',
])('a path with dots, double or encoded slashes does not bypass the policy: %s', async (path) => {
  const plain = calls.as(await calls.create({ policies: ['default'] }))
  const answer = await plain.post(path, { policies: ['default'] })
  expect([400, 403]).toContain(answer.status)
  expect(answer.body).not.toHaveProperty('auth')
})

test('another token cannot be looked up, renewed or revoked without a policy for it', async () => {
  const other = await calls.create({ policies: ['default'], ttl: '1h' })
  const plain = calls.as(await calls.create({ policies: ['default'] }))
  for (const call of ['lookup', 'renew', 'revoke', 'revoke-orphan']) {
    const answer = await plain.post(`/v1/auth/token/${call}`, { token: other.client_token })
    expect(answer).toMatchObject(deniedAnswer)
  }
  expect(await calls.isAlive(other)).toBe(true)
})

test('the self endpoints act on the token of the caller, whatever token the body names', async () => {
  const other = await calls.create({ policies: ['default'], ttl: '1h' })
  const mine = await calls.create({ policies: ['default'], ttl: '1h' })
  const body = { token: other.client_token, increment: '2h' }
  expect((await calls.as(mine).post('/v1/auth/token/lookup-self', body)).body.data.accessor).toBe(mine.accessor)
  expect((await calls.as(mine).post('/v1/auth/token/renew-self', body)).body.auth.accessor).toBe(mine.accessor)
  expect((await calls.as(mine).post('/v1/auth/token/revoke-self', { token: other.client_token })).status).toBe(204)
  expect(await calls.lookup(other)).toMatchObject({ ttl: 3600 })
})

test('blanks around a token are ignored, and a blank token counts as none', async () => {
  const auth = await calls.create({ policies: ['default'] })
  const headers = { 'x-service-token': `  ${auth.client_token} ` }
  expect((await app.anonymous.get('/v1/auth/token/lookup-self', { headers })).status).toBe(200)
  const blank = { headers: { 'x-service-token': '  ' } }
  expect(await app.anonymous.get('/v1/auth/token/lookup-self', blank)).toMatchObject(noTokenAnswer)
})
