import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type CertApp, certApp } from '../../../../../../test/support/cert-login.ts'
import { mintCa, mintCrl, mintLeaf, mintSelfSigned, usage } from '../../../../../../test/support/certificates.ts'
import { sharedFolder } from '../../../../../../test/support/folders.ts'
import type { Log, LogFields } from '../../../../../kernel/log.ts'

let app: CertApp
const directory = sharedFolder()
const lines: (LogFields & { message: string })[] = []

const note = (fields: LogFields, message: string): void => void lines.push({ ...fields, message })
const log: Log = { debug: note, info: note, warn: note, error: note, child: () => log }

beforeAll(async () => {
  app = await certApp({ log })
  await app.role('web', { certificate: app.ca.pem, allowed_common_names: 'web-*' })
  await app.role('bound', { certificate: app.ca.pem, token_bound_cidrs: '10.0.0.0/8' })
  const options = { file_path: join(directory, 'audit.log') }
  expect((await app.root.put('/v1/sys/audit/file', { type: 'file', options })).status).toBe(204)
})
afterAll(async () => {
  await app.close()
})

const setMetadata = (on: boolean) => app.root.post('/v1/auth/cert/config', { enable_metadata_on_failures: on })

/** A port nobody listens on. */
const dead = 'http://127.0.0.1:9'

/** The last audit record of a login. */
async function lastRecord(): Promise<{ error: string; response?: Record<'data' | 'auth', Record<string, unknown>> }> {
  const text = await readFile(join(directory, 'audit.log'), 'utf8')
  const records = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  return records.findLast(({ type, request }) => type === 'response' && request.path === 'auth/cert/login')
}

test('failures: log and audit record hold the full reason, the answer holds none of it', async () => {
  const leaf = app.leaf({ commonName: 'db-1' })
  lines.length = 0
  const answer = await app.login(leaf, { name: 'web' })
  expect(answer.status).toBe(400)
  expect(answer.text).not.toMatch(/web|db-1|allowed|Client CA/)
  const line = lines.find(({ message }) => message === 'certificate login refused')
  expect(line).toMatchObject({
    mount: 'auth/cert/',
    certificate: { common_name: 'db-1', serial_number: String(leaf.serial) },
    refusals: [{ role: 'web', step: 'allowed_common_names', text: expect.stringContaining('db-1') }],
  })
  expect((await lastRecord()).error).toMatch(/ has the reason\. Role web, allowed_common_names: .*db-1/)
})

test('failures: overlong names given by the client are shortened in log and audit record', async () => {
  const stranger = mintSelfSigned({ commonName: 'c'.repeat(30_000) })
  lines.length = 0
  expect((await app.login(stranger, { name: 'n'.repeat(500_000) })).status).toBe(400)
  const line = lines.find(({ message }) => message === 'certificate login refused')
  expect(line?.refusals).toEqual([expect.objectContaining({ role: expect.stringMatching(/^n{50,}…$/), step: 'role' })])
  expect(JSON.stringify(line).length).toBeLessThan(2_000)
  expect((await lastRecord()).error.length).toBeLessThan(2_000)
})

test('failures: a role that cannot issue a token is named in log and audit record only', async () => {
  const leaf = app.leaf({ commonName: 'rooted' })
  await app.role('rooted', { certificate: app.ca.pem, token_policies: 'root' })
  const known = await app.login(app.leaf({ commonName: 'db-1' }), { name: 'web' })
  lines.length = 0
  expect(await app.login(leaf, { name: 'rooted' })).toMatchObject({ status: 400, body: known.body })
  const line = () => lines.find(({ message }) => message === 'certificate login refused')
  expect(line()).toMatchObject({
    mount: 'auth/cert/',
    certificate: { common_name: 'rooted' },
    refusals: [{ role: 'rooted', step: 'token', text: 'auth methods cannot create root tokens' }],
  })
  expect((await lastRecord()).error).toMatch(/ has the reason\. Role rooted, token: auth methods cannot create root/)
  await app.root.delete('/v1/auth/cert/certs/rooted')
})

test('failures: the login of a disabled entity gets 403, and log and audit record say why', async () => {
  const leaf = app.leaf({ commonName: 'web-off' })
  const { entity_id: id } = (await app.login(leaf, { name: 'web' })).body.auth
  await app.root.post(`/v1/identity/entity/id/${id}`, { disabled: true })
  lines.length = 0
  expect(await app.login(leaf, { name: 'web' })).toMatchObject({
    status: 403,
    body: { errors: ['permission denied'] },
  })
  const line = lines.find(({ message }) => message === 'certificate login refused')
  expect(line?.refusals).toEqual([{ role: 'web', step: 'token', text: expect.stringMatching(/entity .* is disabled/) }])
  expect((await lastRecord()).error).toMatch(/^permission denied: Role web, token: The entity/)
})

test('failures: a refused renewal is logged as such, with the mount of its login', async () => {
  const { client_token: token } = (await app.login(app.leaf({ commonName: 'web-renewing' }), { name: 'web' })).body.auth
  lines.length = 0
  const other = app.with(app.leaf({ commonName: 'db-9' })).as(token)
  expect((await other.post('/v1/auth/token/renew-self')).status).toBe(400)
  const told = lines.filter(({ message }) => message.startsWith('certificate '))
  expect(told).toMatchObject([{ message: 'certificate renewal refused', mount: 'auth/cert/' }])
})

test('record: a login whose answer is wrapped says who logged in, in auth alone', async () => {
  const leaf = app.leaf({ commonName: 'web-8' })
  const client = app.with(leaf)
  const wrap = { headers: { 'x-vault-wrap-ttl': '60' } }
  const { wrap_info } = (await client.post('/v1/auth/cert/login', { name: 'web' }, wrap)).body
  const inside = (await app.anonymous.as(wrap_info.token).post('/v1/sys/wrapping/unwrap')).body.auth
  client.close()
  const record = await lastRecord()
  const hashed = async (input: string) => (await app.root.post('/v1/sys/audit-hash/file', { input })).body.data.hash
  expect(record).toMatchObject({
    auth: {
      client_token: await hashed(inside.client_token),
      accessor: await hashed(inside.accessor),
      display_name: 'cert-web',
      entity_id: inside.entity_id,
      entity_created: true,
      policies: ['default'],
      metadata: { common_name: 'web-8' },
    },
    response: { wrap_info: { wrapped_accessor: await hashed(inside.accessor) } },
  })
  expect(record.response).not.toHaveProperty('auth')
  expect(JSON.stringify(record)).not.toContain(inside.client_token)
})

test('record: entity_created is set on the login that created the entity and not on the next', async () => {
  const leaf = app.leaf({ commonName: 'web-9' })
  const { entity_id } = (await app.login(leaf, { name: 'web' })).body.auth
  expect(await lastRecord()).toMatchObject({ auth: { display_name: 'cert-web', entity_id, entity_created: true } })
  expect((await lastRecord()).response?.auth).toMatchObject({ entity_id, entity_created: true })
  const again = await app.login(leaf, { name: 'web' })
  expect(again.body.auth).not.toHaveProperty('entity_created')
  const record = await lastRecord()
  expect(record.response?.auth).toMatchObject({ entity_id })
  expect(record.response?.auth).not.toHaveProperty('entity_created')
})

test('record: ocsp_overlooked, for a login without an OCSP status, is in the audit record only', async () => {
  const terms = { ocsp_enabled: true, ocsp_fail_open: true, ocsp_max_retries: 0, ocsp_servers_override: dead }
  await app.role('open', { certificate: app.ca.pem, ...terms })
  const answer = await app.login(app.leaf(), { name: 'open' })
  expect(answer.body.auth).not.toHaveProperty('ocsp_overlooked')
  expect((await lastRecord()).response?.auth.ocsp_overlooked).toMatch(/could not be fetched: .*127\.0\.0\.1:9/)
  await app.root.delete('/v1/auth/cert/certs/open')
  await app.login(app.leaf({ commonName: 'web-3' }), { name: 'web' })
  expect((await lastRecord()).response?.auth).not.toHaveProperty('ocsp_overlooked')
})

test('failures: without a role name the audit record holds the refusal of every role tried', async () => {
  await app.login(app.leaf({ commonName: 'db-2' }))
  const { error } = await lastRecord()
  expect(error).toContain('Role bound, token_bound_cidrs')
  expect(error).toContain('Role web, allowed_common_names')
})

test('failures: without a role name the audit record says why roles with exact values were skipped', async () => {
  const ca = mintCa({ commonName: 'Exact CA' })
  for (const name of ['exact-1', 'exact-2'])
    await app.role(name, { certificate: ca.pem, allowed_common_names: name, allowed_names: '*' })
  await app.login(mintLeaf(ca, { commonName: 'nobody' }))
  const { error } = await lastRecord()
  for (const name of ['exact-1', 'exact-2'])
    expect(error).toContain(`Role ${name}, allowed_common_names: "nobody" does not match`)
  expect(error).not.toContain('No role trusts')
  await app.login(mintLeaf(ca, { commonName: 'exact-1', notAfter: new Date(app.clock.now() - 1000) }))
  expect((await lastRecord()).error.match(/Role exact-1/g)).toHaveLength(1)
})

test('failures: revoked and forged certificates get the same answer; only the record tells them apart', async () => {
  const leaf = app.leaf({ commonName: 'web-9' })
  await app.root.post('/v1/auth/cert/crls/list', { crl: mintCrl(app.ca, { revoked: [leaf.serial] }).pem })
  const revoked = await app.login(leaf, { name: 'web' })
  expect((await lastRecord()).error).toContain("revocation list 'list'")
  const forged = await app.login(mintLeaf(mintCa({ commonName: 'Client CA' }), { commonName: 'web-9' }), {
    name: 'web',
  })
  expect((await lastRecord()).error).toMatch(/Role web, (signature|no-issuer)/)
  expect(revoked.text).toBe(forged.text)
  expect(revoked.text).not.toContain('revo')
  await app.root.delete('/v1/auth/cert/crls/list')
})

test('failures: with enable_metadata_on_failures off, a refused login gets no data', async () => {
  await setMetadata(false)
  for (const name of ['web', 'bound', '']) {
    const { body, text } = await app.login(app.leaf({ commonName: 'db-3' }), { name })
    expect(body).not.toHaveProperty('data')
    expect(text).not.toContain('db-3')
  }
})

test('failures: with enable_metadata_on_failures on, refused logins get four fields of the certificate', async () => {
  await setMetadata(true)
  const long = 'n'.repeat(300)
  const leaf = app.leaf({ commonName: long })
  const facts = {
    common_name: long,
    serial_number: String(leaf.serial),
    subject_key_id: leaf.subjectKeyId.toString('hex').replace(/..(?=.)/g, '$&:'),
    authority_key_id: app.ca.subjectKeyId.toString('hex').replace(/..(?=.)/g, '$&:'),
  }
  const refused = await app.login(leaf, { name: 'web' })
  expect(refused).toMatchObject({ status: 400, body: { errors: [expect.any(String)] } })
  expect(refused.body.data).toEqual(facts)
  expect((await lastRecord()).response?.data).toMatchObject(facts)
  expect(await app.login(leaf, { name: 'bound' })).toMatchObject({ status: 403, body: { data: facts } })
  const old = app.leaf({ notBefore: new Date(Date.now() - 2e9), notAfter: new Date(Date.now() - 1e9) })
  expect((await app.login(old)).body.data.serial_number).toBe(String(old.serial))
  const ca = mintCa({ commonName: 'A CA', keyUsage: [usage.keyCertSign, usage.digitalSignature] })
  expect((await app.login(ca)).body.data.common_name).toBe('A CA')
  await app.role('rooted', { certificate: app.ca.pem, token_policies: 'root' })
  expect((await app.login(app.leaf({ commonName: 'r' }), { name: 'rooted' })).body.data.common_name).toBe('r')
  await app.root.delete('/v1/auth/cert/certs/rooted')
  expect((await app.overTls({ ca: app.serverCa.pem }).post('/v1/auth/cert/login')).body).not.toHaveProperty('data')
  await setMetadata(false)
})

test('failures: thousands of names are compared with the role only after the signature was verified', async () => {
  const stepsOf = async (leaf: ReturnType<typeof mintLeaf>): Promise<unknown> => {
    lines.length = 0
    expect((await app.login(leaf, { name: 'web' })).status).toBe(400)
    const line = lines.find(({ message }) => message === 'certificate login refused')
    return (line?.refusals as { step: string }[] | undefined)?.map(({ step }) => step)
  }
  const impostor = mintCa({ commonName: 'Client CA', subjectKeyId: app.ca.subjectKeyId })
  const dns = new Array<string>(5_000).fill('x')
  expect(await stepsOf(mintLeaf(impostor, { commonName: 'db-1', dns }))).toEqual(['signature'])
  expect(await stepsOf(mintLeaf(impostor, { commonName: 'db-1' }))).toEqual(['allowed_common_names'])
  expect(await stepsOf(app.leaf({ commonName: 'db-1', dns }))).toEqual(['allowed_common_names'])
  expect((await app.login(app.leaf({ commonName: 'web-1', dns }), { name: 'web' })).status).toBe(200)
})

test.each<[string, number | string, () => ReturnType<CertApp['leaf']>]>([
  ['an empty subject', 200, () => app.leaf({ subject: [] })],
  ['strange DNS names', 200, () => app.leaf({ dns: ['xn--80ak6aa92e.com', 'a..b', '.', '*.*'] })],
  ['URIs that are none', 200, () => app.leaf({ uris: ['not a uri', 'javascript:alert(1)'] })],
  ['a negative serial number', 200, () => app.leaf({ serial: -7n })],
  ['the first version', 200, () => app.leaf({ version: 1 })],
  ['a path and markup as its name', 200, () => app.leaf({ commonName: '../../etc/passwd\n"\'<script>' })],
  [
    'names that are not DER',
    400,
    () => app.leaf({ extensions: [{ oid: '2.5.29.17', value: Buffer.from('deadbeef', 'hex') }] }),
  ],
  ['an RSA key of 1024 bits', 'ERR_SSL_EE_KEY_TOO_SMALL', () => app.leaf({ keyKind: 'rsa1024' })],
  ['a key on secp256k1', 400, () => app.leaf({ keyKind: 'secp256k1' })],
])('failures: of a certificate with %s the outcome is %s', async (_what, expected, make) => {
  await app.role('odd', { certificate: app.ca.pem })
  onTestFinished(async () => void (await app.root.delete('/v1/auth/cert/certs/odd')))
  const outcome = await app.login(make(), { name: 'odd' }).then(
    ({ status }) => status,
    (error: Error & { code?: string }) => error.code,
  )
  expect(outcome).toBe(expected)
})

test('metrics: logins are counted by outcome', async () => {
  const figure = async (outcome: string): Promise<number> => {
    const text = await app.deps.metrics.render()
    const line = text.split('\n').find((each) => each.includes('cert_logins_total{') && each.includes(outcome))
    return Number(line?.split(' ').at(-1) ?? 0)
  }
  const [accepted, refused] = [await figure('accepted'), await figure('refused')]
  await app.login(app.leaf({ commonName: 'web-1' }), { name: 'web' })
  await app.login(app.leaf({ commonName: 'x' }), { name: 'web' })
  await app.login(app.leaf({ commonName: 'x' }), { name: 'unknown' })
  expect([await figure('accepted'), await figure('refused')]).toEqual([accepted + 1, refused + 2])
})
