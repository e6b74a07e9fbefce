import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Log } from '../../server/kernel/log.ts'
import { ownCertApp } from '../support/cert-login.ts'
import { eachEngine } from '../support/databases.ts'
import { tokenProvider } from '../support/fakes/token-provider.ts'
import { ownFolder } from '../support/folders.ts'
import { doc, mustBe, organization, person, team, workspaceIn } from '../support/platform.ts'
import { closedAfterTest, ownApp } from '../support/shared.ts'
import { stateDocument, stateOf } from '../support/states.ts'
import type { TestApp } from '../support/test-app.ts'

/** A log that keeps every line as it could be written. */
function keepingLog(): { log: Log; lines: string[] } {
  const lines: string[] = []
  const keep = (fields: Record<string, unknown>, message: string) =>
    void lines.push(`${message} ${inspect(fields, { depth: 8 })} ${JSON.stringify(fields)}`)
  const log: Log = { debug: keep, info: keep, warn: keep, error: keep, child: () => log }
  return { log, lines }
}

/** Every value of every table, with bytes as Latin-1 so that text in them would be found. */
async function dump({ deps }: TestApp): Promise<string> {
  // Of the full-text table, SQLite shows only the tables behind it.
  const tables = (await deps.db.introspection.getTables()).filter(({ name }) => name !== 'workspace_names')
  const parts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(deps.db)
      const shown = (value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)
      return rows.flatMap((row) => Object.values(row).map(shown)).join('\n')
    }),
  )
  return parts.join('\n')
}

eachEngine((engine) => {
  test('tokens and cubbyhole values never appear in logs, errors, metrics, database or audit log', async () => {
    const directory = ownFolder()
    const { log, lines } = keepingLog()
    const app = await ownCertApp({ engine, log })
    const audit = join(directory, 'audit.log')
    await app.root.put('/v1/sys/audit/file', { type: 'file', options: { file_path: audit } })
    const value = 'a-value-nobody-may-see'
    const unknown = 'hfs.this-token-is-unknown-to-all'
    const errors: string[] = []
    const failing = async (answer: Promise<{ status: number; text: string }>) => {
      const { status, text } = await answer
      expect(status, text).toBeGreaterThanOrEqual(400)
      errors.push(text)
    }

    await app.role('web', { certificate: app.ca.pem, token_num_uses: 5 })
    const login = (await app.login(app.leaf({ commonName: 'web' }))).body.auth
    const { auth } = (await app.root.post('/v1/auth/token/create', { policies: ['default'], ttl: '1h' })).body
    const batch = (await app.root.post('/v1/auth/token/create', { type: 'batch', policies: ['default'], ttl: '1h' }))
      .body.auth
    const wrap = { headers: { 'x-service-wrap-ttl': '5m' } }
    const wrapped = (await app.root.post('/v1/auth/token/create', {}, wrap)).body.wrap_info
    const holder = app.root.as(auth.client_token)
    await holder.put('/v1/cubbyhole/box', { secret: value })
    expect((await holder.get('/v1/cubbyhole/box')).body.data).toEqual({ secret: value })
    await holder.get(`/v1/auth/token/lookup?token=${auth.client_token}`)
    await app.root.post('/v1/auth/token/lookup', { token: login.client_token })
    await app.root.post('/v1/sys/capabilities', { token: batch.client_token, paths: ['a'] })

    await failing(app.root.as(unknown).get('/v1/sys/mounts'))
    await failing(holder.get(`/v1/sys/mounts?token=${auth.client_token}`))
    await failing(app.root.post('/v1/auth/token/lookup', { token: unknown }))
    await failing(app.root.post('/v1/auth/token/renew', { token: unknown, increment: value }))
    await failing(app.root.post('/v1/sys/wrapping/unwrap', { token: unknown }))
    await failing(app.root.post('/v1/auth/token/create', { id: value, ttl: 'never' }))
    await failing(holder.put('/v1/cubbyhole/box/', { secret: value }))
    await failing(app.root.send('POST', '/v1/cubbyhole/box', undefined, { raw: `{"secret":"${value}` }))
    await failing(app.anonymous.get('/api/v2/organizations', { headers: { authorization: `Bearer ${unknown}` } }))
    await app.root.post('/v1/auth/token/revoke', { token: auth.client_token })

    const secrets = [
      app.rootToken,
      unknown,
      value,
      login.client_token,
      auth.client_token,
      batch.client_token,
      wrapped.token,
    ]
    const places = {
      log: lines.join('\n'),
      errors: errors.join('\n'),
      metrics: await app.deps.metrics.render(),
      database: await dump(app),
      audit: await readFile(audit, 'utf8'),
    }
    expect(lines.length).toBeGreaterThan(10)
    expect(places.audit.split('\n').length).toBeGreaterThan(20)
    for (const [place, text] of Object.entries(places)) {
      for (const secret of secrets) expect(text.includes(secret), `${secret.slice(0, 12)} in the ${place}`).toBe(false)
    }
  })

  test('no value of a secret is found in logs, errors, metrics, database or audit', async () => {
    const directory = ownFolder()
    const { log, lines } = keepingLog()
    const app = await ownApp({ engine, log })
    const audit = join(directory, 'audit.log')
    await app.root.put('/v1/sys/audit/file', { type: 'file', options: { file_path: audit } })
    const hidden = (what: string) => `${what}-nobody-may-see`
    for (const [path, type] of [
      ['one', 'kv-v1'],
      ['two', 'kv-v2'],
    ])
      mustBe(await app.root.post(`/v1/sys/mounts/${path}`, { type }), 204)
    const merge = { headers: { 'content-type': 'application/merge-patch+json' } }
    mustBe(await app.root.put('/v1/one/a', { value: hidden('first') }), 204)
    mustBe(await app.root.get('/v1/one/a'), 200)
    mustBe(await app.root.put('/v1/two/data/a', { data: { value: hidden('written') } }), 200)
    mustBe(await app.root.patch('/v1/two/data/a', { data: { value: hidden('patched') } }, merge), 200)
    mustBe(await app.root.get('/v1/two/diff/a?values=true'), 200)
    mustBe(await app.root.post('/v1/two/restore/a', { version: 1 }), 200)
    mustBe(await app.root.get('/v1/two/history/a'), 200)
    const errors = [
      mustBe(await app.root.put('/v1/two/data/a', { data: hidden('text') }), 400),
      mustBe(await app.root.put('/v1/two/data/a', { data: {}, options: { cas: hidden('cas') } }), 400),
      mustBe(await app.root.put('/v1/two/data/a', undefined, { raw: `{"data":"${hidden('broken')}` }), 400),
      mustBe(await app.root.post('/v1/two/delete/a', { versions: [hidden('versions')] }), 400),
      mustBe(await app.root.post('/v1/two/config', { delete_version_after: hidden('age') }), 400),
      mustBe(await app.root.post('/v1/two/metadata/a', { custom_metadata: { k: hidden('x').repeat(50) } }), 400),
    ]
    mustBe(await app.root.delete('/v1/two/data/a'), 204)
    mustBe(await app.root.get('/v1/two/data/a'), 404)
    const places = {
      log: lines.join('\n'),
      errors: errors.map(({ text }) => text).join('\n'),
      metrics: await app.deps.metrics.render(),
      database: await dump(app),
      audit: await readFile(audit, 'utf8'),
    }
    expect(places.audit).toContain('"mount_type":"kv"')
    expect(places.audit).toContain('"mount_class":"secret"')
    for (const [place, text] of Object.entries(places)) expect(text.includes('nobody-may-see'), place).toBe(false)
  })

  test('no credential of a login is found in logs, errors, metrics, database or audit', async () => {
    const { log, lines } = keepingLog()
    const app = await ownApp({ engine, log })
    const provider = await closedAfterTest(tokenProvider())
    const audit = join(ownFolder(), 'audit.log')
    await app.root.put('/v1/sys/audit/file', { type: 'file', options: { file_path: audit } })
    for (const type of ['approle', 'jwt']) mustBe(await app.root.post(`/v1/sys/auth/${type}`, { type }), 204)
    const hidden = (what: string) => `${what}-nobody-may-see`
    const wrap = { headers: { 'x-vault-wrap-ttl': '1m' } }

    const role = '/v1/auth/approle/role/app'
    mustBe(await app.root.post(role, { token_policies: 'default', secret_id_num_uses: 2 }), 204)
    const { role_id } = mustBe(await app.root.get(`${role}/role-id`), 200).body.data
    const made = mustBe(await app.root.post(`${role}/secret-id`, { metadata: { build: '7' } }), 200).body.data
    const custom = hidden('custom-secret-id')
    mustBe(await app.root.post(`${role}/custom-secret-id`, { secret_id: custom }), 200)
    const wrapping = mustBe(await app.root.post(`${role}/secret-id`, {}, wrap), 200).body.wrap_info
    const opened = mustBe(await app.anonymous.as(wrapping.token).post('/v1/sys/wrapping/unwrap'), 200).body.data
    mustBe(await app.root.post(`${role}/secret-id/lookup`, { secret_id: custom }), 200)
    const byRole = (secret_id: unknown) => app.anonymous.post('/v1/auth/approle/login', { role_id, secret_id })
    const approleToken: string = mustBe(await byRole(made.secret_id), 200).body.auth.client_token
    mustBe(await byRole(custom), 200)
    mustBe(await app.root.post(`${role}/secret-id/destroy`, { secret_id: made.secret_id }), 204)

    const client = { oidc_client_id: 'me', oidc_client_secret: hidden('client') }
    mustBe(await app.root.post('/v1/auth/jwt/config', { oidc_discovery_url: provider.url, ...client }), 204)
    mustBe(await app.root.get('/v1/auth/jwt/config'), 200)
    const jwtRole = { role_type: 'jwt', user_claim: 'sub', bound_audiences: 'holdfast', verbose_oidc_logging: true }
    mustBe(await app.root.post('/v1/auth/jwt/role/ci', jwtRole), 200)
    const now = Math.floor(app.clock.now() / 1_000)
    const claims = { iss: provider.url, sub: 'job', aud: 'holdfast', iat: now, exp: now + 300, extra: hidden('claim') }
    const [jwt, foreign] = [await provider.sign(claims), await provider.sign({ ...claims, aud: hidden('audience') })]
    const byJwt = (sent: unknown) => app.anonymous.post('/v1/auth/jwt/login', { role: 'ci', jwt: sent })
    const jwtToken: string = mustBe(await byJwt(jwt), 200).body.auth.client_token

    const errors = [
      mustBe(await byRole(made.secret_id), 400),
      mustBe(await byRole(hidden('wrong')), 400),
      mustBe(await byRole([hidden('list')]), 400),
      mustBe(await app.root.post(`${role}/custom-secret-id`, { secret_id: custom }), 400),
      mustBe(await app.root.post(`${role}/secret-id`, { num_uses: hidden('uses') }), 400),
      mustBe(
        await app.anonymous.send('POST', '/v1/auth/approle/login', undefined, { raw: `{"secret_id":"${custom}` }),
        400,
      ),
      mustBe(await byJwt(foreign), 400),
      mustBe(await byJwt(`${jwt}x`), 400),
      mustBe(await byJwt(hidden('jwt')), 400),
      mustBe(await app.root.post('/v1/auth/jwt/config', { ...client, oidc_discovery_url: 'http://127.0.0.1:9' }), 400),
    ]
    const places = {
      log: lines.join('\n'),
      errors: errors.map(({ text }) => text).join('\n'),
      metrics: await app.deps.metrics.render(),
      database: await dump(app),
      audit: await readFile(audit, 'utf8'),
    }
    expect(places.audit).toContain('"mount_type":"approle"')
    expect(places.audit).toContain('"mount_type":"jwt"')
    const secrets = [
      made.secret_id,
      opened.secret_id,
      wrapping.token,
      approleToken,
      jwtToken,
      ...jwt.split('.').slice(1),
    ]
    for (const [place, text] of Object.entries(places)) {
      expect(text.match(/[\w-]+-nobody-may-see/)?.[0], place).toBeUndefined()
      for (const each of secrets) expect(text.includes(each), `${each.slice(0, 12)} in the ${place}`).toBe(false)
    }
  })

  test('no secret of a user is found in logs, errors, metrics, database or audit', async () => {
    const directory = ownFolder()
    const { log, lines } = keepingLog()
    const app = await ownApp({ engine, log })
    const audit = join(directory, 'audit.log')
    await app.root.put('/v1/sys/audit/file', { type: 'file', options: { file_path: audit } })
    const hidden = (what: string) => `${what}-nobody-may-see`
    const ann = await person(app, 'ann')
    const acme = await organization(ann, 'acme')
    const ops = await team(acme, 'ops')
    const at = `/api/v2/organizations/${acme.name}`
    const workspace = `/api/v2/workspaces/${await workspaceIn(acme)}`
    const make = async (path: string, type: string, attributes: object = {}) =>
      mustBe(await ann.post(path, doc(type, attributes)), 201).body.data
    const variable = { key: 'k', category: 'env', sensitive: true }
    const connection = { 'service-provider': 'github', 'http-url': 'https://x.test', 'api-url': 'https://x.test/api' }
    const { token } = (await make(`${at}/authentication-token`, 'authentication-tokens')).attributes
    await make(`${at}/ssh-keys`, 'ssh-keys', { name: 'key', value: hidden('ssh') })
    await make(`${workspace}/vars`, 'vars', { ...variable, value: hidden('variable') })
    await make(`${at}/oauth-clients`, 'oauth-clients', { ...connection, 'oauth-token-string': hidden('oauth') })
    const account = { username: 'bob', email: 'bob@example.com', password: hidden('password') }
    mustBe(await app.root.post('/api/v2/admin/users', doc('users', account)), 201)
    const state = stateOf({ serial: 1, outputs: { plain: hidden('output') }, secrets: { key: hidden('state') } })
    mustBe(await ann.post(`${workspace}/actions/lock`), 200)
    const brought = stateDocument(state, { state: state.toString('base64') })
    const version = mustBe(await ann.post(`${workspace}/state-versions`, brought), 201).body.data.attributes
    mustBe(await ann.get(new URL(version['hosted-state-download-url']).pathname), 200)

    const errors = await Promise.all([
      ann.post(`${at}/ssh-keys`, doc('ssh-keys', { name: [], value: hidden('ssh') })),
      ann.post(`${at}/ssh-keys`, doc('ssh-keys', { name: 'x', value: [hidden('ssh')] })),
      ann.post(`${workspace}/vars`, doc('vars', { ...variable, category: 'x', value: hidden('variable') })),
      ann.post(`${at}/oauth-clients`, doc('oauth-clients', { 'oauth-token-string': hidden('oauth') })),
      app.root.post('/api/v2/admin/users', doc('users', { ...account, email: hidden('password') })),
      ann.post(`${workspace}/state-versions`, stateDocument(state, { state: hidden('state') })),
      ann.send('POST', `${at}/ssh-keys`, undefined, { raw: `{"data":"${hidden('ssh')}` }),
    ])
    for (const { status, text } of errors) expect(status, text).toBeGreaterThanOrEqual(400)
    const places = {
      log: lines.join('\n'),
      errors: errors.map(({ text }) => text).join('\n'),
      metrics: await app.deps.metrics.render(),
      database: await dump(app),
      audit: await readFile(audit, 'utf8'),
    }
    expect(places.audit.split('\n').length).toBeGreaterThan(20)
    for (const [place, text] of Object.entries(places)) {
      expect(text.match(/\w+-nobody-may-see/)?.[0], place).toBeUndefined()
      for (const each of [ann.token, ops.token, token]) expect(text.includes(each), place).toBe(false)
    }
  })

  test('key shares and the root key stay out of logs, errors and the database', async () => {
    const { log, lines } = keepingLog()
    const seal = { type: 'shamir', rootKey: { kind: 'file', path: '/nowhere' } } as const
    const app = await ownApp({ engine, log, settings: { seal } })
    const made = (await app.anonymous.put('/v1/sys/init', { secret_shares: 3, secret_threshold: 2 })).body
    const foreign = 'ab'.repeat(33)
    await app.anonymous.put('/v1/sys/unseal', { key: made.keys[0] })
    const refused = await app.anonymous.put('/v1/sys/unseal', { key: foreign })
    expect(refused.status).toBe(400)
    for (const key of made.keys.slice(0, 2)) await app.anonymous.put('/v1/sys/unseal', { key })
    const rootKey = app.deps.keyring.rootKey().reveal()
    const everything = [lines.join('\n'), refused.text, await dump(app)].join('\n')
    const secrets = [...made.keys, ...made.keys_base64, made.root_token, foreign, rootKey.toString('hex')]
    for (const secret of [...secrets, rootKey.toString('latin1'), rootKey.toString('base64')]) {
      expect(everything.includes(secret)).toBe(false)
    }
  })
})
