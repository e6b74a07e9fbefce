import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { ownCertApp, sharedCertApp } from '../../../../../../test/support/cert-login.ts'
import { mintCa, mintIntermediate, mintLeaf, purpose } from '../../../../../../test/support/certificates.ts'
import type { Client } from '../../../../../../test/support/client.ts'
import { type OcspBehaviour, startOcspResponder } from '../../../../../../test/support/fakes/ocsp-responder.ts'
import { storeRoles } from '../../../../../../test/support/many-roles.ts'
import { recordingLog } from '../../../../../../test/support/recording-log.ts'
import { turnsDuring } from '../../../../../../test/support/stalls.ts'
import { readChain } from './explain.ts'
import { explainLogin } from './explain-actions.ts'

const app = sharedCertApp()
beforeAll(async () => {
  await app.role('web', { certificate: app.ca.pem, allowed_common_names: 'web-*', token_bound_cidrs: '10.0.0.0/8' })
  await app.role('db', { certificate: mintCa({ commonName: 'Other CA' }).pem })
})

type Checked = { checks: { check: string; ok: boolean | null }[] }

const failed = (role: Checked): string[] => role.checks.filter((each) => each.ok === false).map((each) => each.check)

test('explain, check: without a token they get 403', async () => {
  const certificate = app.leaf({ commonName: 'web-1' }).pem
  expect((await app.anonymous.post('/v1/auth/cert/explain', { certificate })).status).toBe(403)
  expect((await app.anonymous.post('/v1/auth/cert/certs/web/check', { certificate })).status).toBe(403)
})

test('explain: the accepting role is listed first, and other roles list the checks they failed', async () => {
  const { body, status } = await app.root.post('/v1/auth/cert/explain', {
    certificate: app.leaf({ commonName: 'web-1' }).pem,
    remote_address: '10.0.0.1',
  })
  expect(status).toBe(200)
  expect([body.auth, body.warnings]).toEqual([null, null])
  expect(body.data).toMatchObject({ accepted: true, accepted_by: 'web', roles_total: 2 })
  expect(body.data.chain[0]).toMatchObject({ subject: expect.stringContaining('web-1'), is_ca: false })
  expect(body.data.roles[0]).toMatchObject({ role: 'web', accepted: true })
  expect(failed(body.data.roles[1])).not.toEqual([])
})

test('explain: all alternative names are listed, and all keys of the answer are in snake_case', async () => {
  const names = { dns: ['web-1.example'], directoryNames: [[['O', 'Dir']]] } as const
  const { body } = await app.root.post('/v1/auth/cert/explain', {
    certificate: app.leaf({ commonName: 'web-1', ...names }).pem,
  })
  expect(body.data.chain[0].names).toEqual({
    dns: ['web-1.example'],
    emails: [],
    uris: [],
    ips: [],
    directory_names: ['O=Dir'],
    others: [],
  })
  const members = new Set<string>()
  JSON.stringify(body.data, (key, value) => {
    members.add(key)
    return value
  })
  expect([...members].filter((member) => /[A-Z-]/.test(member))).toEqual([])
})

test.each([
  ['a name the role does not allow', () => app.leaf({ commonName: 'db-1' }).pem, {}, ['allowed_common_names']],
  [
    'an address outside the bounds',
    () => app.leaf({ commonName: 'web-1' }).pem,
    { remote_address: '192.0.2.1' },
    ['token_bound_cidrs'],
  ],
  [
    'both at once',
    () => app.leaf({ commonName: 'x' }).pem,
    { remote_address: '192.0.2.1' },
    ['allowed_common_names', 'token_bound_cidrs'],
  ],
] as const)(
  'check: %s is not accepted and lists the failed checks, each with a fix',
  async (_what, certificate, more, expected) => {
    const { body } = await app.root.post('/v1/auth/cert/certs/web/check', { certificate: certificate(), ...more })
    expect(body.data.accepted).toBe(false)
    expect(failed(body.data)).toEqual(expected)
    for (const each of body.data.checks.filter((check: { ok: boolean }) => !check.ok)) expect(each.fix).not.toBe('')
  },
)

test('check: responders are asked only with ask_ocsp, and a failed check says what to do', async () => {
  const certificate = app.leaf({ commonName: 'asked' }).pem
  const requested = async (behaviour: OcspBehaviour, more: object) => {
    const { url, close } = await startOcspResponder(app.ca, behaviour)
    onTestFinished(close)
    await app.role('asked', { certificate: app.ca.pem, ocsp_enabled: true, ocsp_servers_override: url })
    const { body } = await app.root.post('/v1/auth/cert/certs/asked/check', { certificate, ...more })
    const { ok, detail, fix } = body.data.checks.find(({ check }: { check: string }) => check === 'ocsp')
    return { ok, detail, fix, accepted: body.data.accepted, warnings: body.warnings }
  }
  const text = (pattern: RegExp) => expect.stringMatching(pattern)
  const unasked = { ok: null, detail: text(/^Not asked/), fix: text(/'ask_ocsp'/), accepted: null }
  const warnings = [text(/undecided whether 'asked' would accept.*'ask_ocsp'/)]
  expect(await requested({ status: 'revoked' }, {})).toEqual({ ...unasked, warnings })
  const ask = { ask_ocsp: true }
  expect(await requested({ status: 'good' }, ask)).toMatchObject({ ok: true, fix: '', accepted: true })
  const revoked = { ok: false, detail: text(/is revoked/), fix: 'Issue a new certificate.', accepted: false }
  expect(await requested({ status: 'revoked' }, ask)).toMatchObject(revoked)
  const silent = { ok: false, detail: text(/refused|fetched/), fix: text(/responder/), accepted: false }
  expect(await requested({ responseStatus: 2 }, ask)).toMatchObject(silent)
  await app.root.delete('/v1/auth/cert/certs/asked')
})

test('check: without sudo it stays unsaid how the call to a responder ended', async () => {
  const { log, text } = recordingLog()
  const own = await ownCertApp({ log })
  await own.root.put('/v1/sys/policies/acl/asks', { policy: 'path "auth/cert/*" { capabilities = ["update"] }' })
  const { body } = await own.root.post('/v1/auth/token/create', { policies: ['asks'] })
  const plain = own.anonymous.as(body.auth.client_token)
  const server = await startOcspResponder(own.ca, { http: 404 })
  onTestFinished(() => server.close())
  const details = async (caller: Client) => {
    const found: string[] = []
    for (const url of [server.url, 'http://127.0.0.1:9']) {
      await own.role('asked', { certificate: own.ca.pem, ocsp_enabled: true, ocsp_max_retries: 0 })
      await own.role('asked', { ocsp_servers_override: url })
      const asked = { certificate: own.leaf({ serial: 77n }).pem, ask_ocsp: true }
      const { checks } = (await caller.post('/v1/auth/cert/certs/asked/check', asked)).body.data
      found.push(checks.find(({ check }: { check: string }) => check === 'ocsp').detail)
    }
    return found
  }
  expect(new Set(await details(plain))).toEqual(
    new Set([expect.stringMatching(/the log of the server has the reason/)]),
  )
  expect(text()).toContain('ECONNREFUSED')
  expect(await details(own.root)).toEqual([expect.stringContaining('404'), expect.stringContaining('ECONNREFUSED')])
})

test('check: an expired certificate with a wrong purpose lists at least two failed checks', async () => {
  const old = {
    notBefore: new Date(Date.now() - 2e9),
    notAfter: new Date(Date.now() - 1e9),
    extendedKeyUsage: [purpose.serverAuth],
  }
  const { body } = await app.root.post('/v1/auth/cert/certs/web/check', {
    certificate: app.leaf({ commonName: 'web-1', ...old }).pem,
  })
  expect(failed(body.data).length).toBeGreaterThanOrEqual(2)
})

test('check: whether a role with bounds accepts stays undecided until an address is given', async () => {
  const certificate = app.leaf({ commonName: 'web-1' }).pem
  const check = async (more: object) =>
    (await app.root.post('/v1/auth/cert/certs/web/check', { certificate, ...more })).body.data
  const open = await check({})
  expect(open.accepted).toBeNull()
  expect(open.checks.find((each: { ok: boolean | null }) => each.ok === null)).toMatchObject({
    check: 'token_bound_cidrs',
    detail: expect.stringMatching(/^Not asked.*10\.0\.0\.0\/8/),
    fix: expect.stringContaining("'remote_address'"),
  })
  expect((await check({ remote_address: '10.1.2.3' })).accepted).toBe(true)
})

test('check: the path over an intermediate is listed from the certificate up to the CA', async () => {
  const intermediate = mintIntermediate(app.ca, { commonName: 'Issuing CA' })
  const { body } = await app.root.post('/v1/auth/cert/certs/web/check', {
    certificate: mintLeaf(intermediate, { commonName: 'web-2' }).chainPem,
    remote_address: '10.0.0.1',
  })
  expect(body.data).toMatchObject({
    accepted: true,
    path: [
      expect.stringContaining('web-2'),
      expect.stringContaining('Issuing CA'),
      expect.stringContaining('Client CA'),
    ],
  })
})

test.each(['', 'garbage', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])(
  'explain: %j as certificate gets 400 naming the field',
  async (certificate) => {
    const answer = await app.root.post('/v1/auth/cert/explain', { certificate })
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0]).toContain("'certificate'")
  },
)

test.each(['nonsense', '10.0.0.0/8', '10.0.0.256', ' '])(
  'explain, check: %j as remote_address gets 400',
  async (remote_address) => {
    const requested = { certificate: app.leaf({ commonName: 'web-1' }).pem, remote_address }
    for (const path of ['explain', 'certs/web/check']) {
      expect(await app.root.post(`/v1/auth/cert/${path}`, requested)).toMatchObject({
        status: 400,
        body: { errors: [expect.stringContaining("'remote_address'")] },
      })
    }
  },
)

test('check: an unknown role gets 404', async () => {
  const certificate = app.leaf({ commonName: 'web-1' }).pem
  expect((await app.root.post('/v1/auth/cert/certs/nobody/check', { certificate })).status).toBe(404)
})

test('explain: the accepting role is the one a login uses; a pinned certificate goes before a CA', async () => {
  const pinned = app.leaf({ commonName: 'web-3' })
  await app.role('a-ca', { certificate: app.ca.pem })
  await app.role('Z-pin', { certificate: pinned.pem })
  const { body } = await app.root.post('/v1/auth/cert/explain', { certificate: pinned.pem })
  const login = await app.login(pinned)
  await app.root.delete('/v1/auth/cert/certs/a-ca')
  await app.root.delete('/v1/auth/cert/certs/z-pin')
  expect(login.body.auth.metadata.cert_name).toBe('Z-pin')
  expect(body.data.accepted_by).toBe('Z-pin')
  expect(body.data.roles[0]).toMatchObject({ role: 'Z-pin', pinned: true, accepted: true })
})

test.each([
  ['a role that grants root', { token_policies: 'Root' }, 'token_policies'],
  ['a certificate without the name of its holder', { alias_source: 'uri_san' }, 'alias_source'],
  ['a certificate with an endless name of its holder', { alias_source: 'ou' }, 'alias_source'],
])('check: %s is not accepted, and one failed check says why', async (_what, fields, expected) => {
  const client = app.leaf({ commonName: 'web-4', organizationalUnits: ['unit'.repeat(1_000)] })
  await app.role('no-token', { certificate: app.ca.pem, ...fields })
  const { body } = await app.root.post('/v1/auth/cert/certs/no-token/check', { certificate: client.pem })
  const login = await app.login(client, { name: 'no-token' })
  await app.root.delete('/v1/auth/cert/certs/no-token')
  expect(login.status).toBe(400)
  expect(body.data.accepted).toBe(false)
  expect(failed(body.data)).toEqual([expected])
})

test('check: a certificate whose entity is disabled is not accepted', async () => {
  const client = app.leaf({ commonName: 'web-5' })
  await app.role('any', { certificate: app.ca.pem })
  const { entity_id: id } = (await app.login(client, { name: 'any' })).body.auth
  await app.root.post(`/v1/identity/entity/id/${id}`, { disabled: true })
  const { body } = await app.root.post('/v1/auth/cert/certs/any/check', { certificate: client.pem })
  await app.root.delete('/v1/auth/cert/certs/any')
  expect(failed(body.data)).toEqual(['identity'])
})

test('explain: with a name only that role is asked, in any case, and an unknown one is told', async () => {
  const explain = async (name: string) =>
    (await app.root.post('/v1/auth/cert/explain', { certificate: app.leaf({ commonName: 'web-1' }).pem, name })).body
  const own = await explain('DB')
  expect(own.data).toMatchObject({ accepted: false, accepted_by: '', roles: [{ role: 'db' }], roles_total: 1 })
  expect(own.warnings).toBeNull()
  const unknown = await explain('nobody')
  expect(unknown.data).toMatchObject({ accepted: false, accepted_by: '', roles: [], roles_total: 0 })
  expect(unknown.warnings).toEqual([expect.stringContaining("no role 'nobody'")])
})

test('explain: a role that was not fully checked leaves the login undecided, unless the outcome is the same', async () => {
  const own = await ownCertApp()
  const certificate = own.leaf({ commonName: 'web-1' }).pem
  const explain = async () => {
    const { data, warnings } = (await own.root.post('/v1/auth/cert/explain', { certificate })).body
    return [data.accepted, data.accepted_by, warnings]
  }
  const told = [expect.stringMatching(/undecided whether 'b' would accept/)]
  await own.role('b', { certificate: own.ca.pem, ocsp_enabled: true })
  expect(await explain()).toEqual([null, '', told])
  await own.role('c', { certificate: own.ca.pem })
  expect(await explain()).toEqual([true, '', told])
  await own.role('a', { certificate: own.ca.pem })
  expect(await explain()).toEqual([true, 'a', null])
})

test('explain: a role that matches but issues no token ends the login, as other roles are not tried', async () => {
  const own = await ownCertApp()
  const client = own.leaf({ commonName: 'web-1' })
  await own.role('a', { certificate: own.ca.pem, token_policies: 'root' })
  await own.role('b', { certificate: own.ca.pem })
  const { data } = (await own.root.post('/v1/auth/cert/explain', { certificate: client.pem })).body
  expect((await own.login(client)).status).toBe(400)
  expect(data).toMatchObject({ accepted: false, accepted_by: '' })
  expect(data.roles.map(({ role, accepted }: { role: string; accepted: boolean }) => [role, accepted])).toEqual([
    ['a', false],
    ['b', true],
  ])
})

test('explain: of 5000 roles the matching one is found without blocking the event loop for long', async () => {
  const own = await ownCertApp()
  const mount = await own.deps.mounts.find('auth/cert/')
  const count = 5_000
  await storeRoles(own.deps.db, mount?.id ?? '', count, (index) => ({
    certificate: own.ca.pem,
    allowedCommonNames: [`client-${index}`],
  }))
  const certificate = own.leaf({ commonName: 'client-4321' }).pem
  if (!mount) throw new Error('no mount')
  const requested = { chain: readChain(certificate), remoteAddress: '', askOcsp: false, maySeeCalls: true }
  // Others get a turn after each twenty roles.
  expect(await turnsDuring(() => explainLogin(own.deps, mount, '', requested))).toBeGreaterThan(count / 20 - 10)
  const { data } = (await own.root.post('/v1/auth/cert/explain', { certificate })).body
  expect(data).toMatchObject({ accepted_by: 'role-004321', roles_total: count })
  expect(data.roles).toHaveLength(50)
})
