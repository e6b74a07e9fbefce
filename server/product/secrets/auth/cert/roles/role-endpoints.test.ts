import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { ownCertApp, sharedCertApp } from '../../../../../../test/support/cert-login.ts'
import { mintCa, mintLeaf, mintSelfSigned } from '../../../../../../test/support/certificates.ts'
import { eachEngine } from '../../../../../../test/support/databases.ts'
import { inTransaction } from '../../../../../storage/transaction.ts'
import { checkRole } from './role-check.ts'
import { findRoleVersion, swapRole } from './role-store.ts'

const path = '/v1/auth/cert/certs'

eachEngine((engine) => {
  const app = sharedCertApp({ engine })
  const read = async (name: string) => (await app.root.get(`${path}/${name}`)).body.data

  test('roles: without a token they get 403; writing needs the update capability, create is not enough', async () => {
    for (const verb of ['GET', 'POST', 'DELETE'])
      expect(await app.anonymous.send(verb, `${path}/web`)).toMatchObject({
        status: 403,
        body: { errors: ['permission denied', expect.stringContaining('no token')] },
      })
    const as = async (capability: string) => {
      const policy = `path "auth/cert/certs/*" { capabilities = ["${capability}"] }`
      await app.root.post(`/v1/sys/policies/acl/${capability}`, { policy })
      const token = await app.root.post('/v1/auth/token/create', { policies: [capability] })
      return app.anonymous.as(token.body.auth.client_token)
    }
    const creator = await as('create')
    const updater = await as('update')
    expect((await creator.post(`${path}/acl`, { certificate: app.ca.pem })).status).toBe(403)
    expect((await updater.post(`${path}/acl`, { certificate: app.ca.pem })).status).toBe(204)
    expect((await updater.get(`${path}/acl`)).status).toBe(403)
    expect((await (await as('read')).get(`${path}/acl`)).status).toBe(200)
    await app.root.delete(`${path}/acl`)
  })

  test('roles: listing or reading a missing role gets 404, deleting it gets 204', async () => {
    const app = await ownCertApp({ engine })
    expect(await app.root.list(path)).toMatchObject({ status: 404, body: { errors: [] } })
    expect(await app.root.get(`${path}/none`)).toMatchObject({ status: 404, body: { errors: [] } })
    expect(await app.root.delete(`${path}/none`)).toMatchObject({ status: 204, text: '' })
  })

  test('roles: a CA with a key identifier of 3000 bytes is trusted', async () => {
    const ca = mintCa({ subjectKeyId: randomBytes(3_000) })
    expect((await app.root.post(`${path}/identified`, { certificate: ca.pem })).status).toBe(204)
    for (const body of [{}, { name: 'identified' }]) expect((await app.login(mintLeaf(ca), body)).status).toBe(200)
    await app.root.delete(`${path}/identified`)
  })

  test('roles: POST and PUT write the same', async () => {
    const fields = { certificate: app.ca.pem, allowed_common_names: 'a,b' }
    expect(await app.root.post(`${path}/posted`, fields)).toMatchObject({ status: 204, text: '' })
    expect(await app.root.put(`${path}/put`, fields)).toMatchObject({ status: 204, text: '' })
    const { name: _posted, display_name: _one, ...posted } = await read('posted')
    const { name: _put, display_name: _two, ...put } = await read('put')
    expect(put).toEqual(posted)
  })

  test('roles: names are case-insensitive and listed sorted, in the spelling first written', async () => {
    const app = await ownCertApp({ engine })
    await app.role('posted', { certificate: app.ca.pem })
    await app.role('put', { certificate: app.ca.pem })
    await app.role('Web', { certificate: app.ca.pem })
    await app.role('wEB', { display_name: 'shown' })
    await app.role('a-b.c_d', { certificate: app.ca.pem })
    expect((await app.root.get(`${path}/web`)).body.data).toMatchObject({ name: 'Web', display_name: 'shown' })
    const { keys } = (await app.root.list(path)).body.data
    expect(keys).toEqual(['a-b.c_d', 'posted', 'put', 'Web'])
    expect((await app.root.get(`${path}?list=true`)).body.data.keys).toEqual(keys)
    expect((await app.root.list(`${path}/`)).body.data.keys).toEqual(keys)
    expect(await app.root.get(`${path}?list=maybe`)).toMatchObject({ status: 400, body: { errors: [] } })
    expect((await app.root.list(`${path}?after=POSTED&limit=1`)).body.data.keys).toEqual(['put'])
    expect((await app.root.delete(`${path}/WEB`)).status).toBe(204)
    expect((await app.root.get(`${path}/web`)).status).toBe(404)
  })

  test.each([
    ['GET', `${path}`, 405],
    ['PUT', `${path}/-a`, 404],
    ['POST', `${path}/a.`, 404],
    ['POST', `${path}/a%20b`, 404],
    ['POST', `${path}/a/b`, 404],
    ['GET', `${path}/web/`, 404],
    ['POST', `${path}/web/`, 400],
    ['PATCH', `${path}/web`, 415],
    ['DELETE', '/v1/auth/cert/config', 405],
  ])('roles: %s %s gets %i', async (verb, address, status) => {
    expect((await app.root.send(verb, address, verb === 'GET' ? undefined : {})).status).toBe(status)
  })

  test('roles: a minimal role reads with every field at its default', async () => {
    await app.role('minimal', { certificate: app.ca.pem })
    expect(await read('minimal')).toEqual({
      name: 'minimal',
      certificate: app.ca.pem,
      display_name: 'minimal',
      allowed_names: [],
      allowed_common_names: [],
      allowed_dns_sans: [],
      allowed_email_sans: [],
      allowed_uri_sans: [],
      allowed_organizational_units: [],
      allowed_organizations: [],
      required_extensions: [],
      allowed_metadata_extensions: [],
      ocsp_enabled: false,
      ocsp_ca_certificates: '',
      ocsp_servers_override: [],
      ocsp_fail_open: false,
      ocsp_this_update_max_age: 0,
      ocsp_max_retries: 4,
      ocsp_query_all_servers: false,
      token_ttl: 0,
      token_max_ttl: 0,
      token_explicit_max_ttl: 0,
      token_period: 0,
      token_policies: [],
      token_bound_cidrs: [],
      token_strictly_bind_ip: false,
      token_no_default_policy: false,
      token_num_uses: 0,
      token_type: 'default',
      token_bind_certificate: false,
      alias_source: 'common_name',
      alias_metadata: {},
      platform_team: '',
      platform_user: '',
      policies: [],
      ttl: 0,
      max_ttl: 0,
      period: 0,
      ca_info: [expect.objectContaining({ subject: 'CN=Client CA', is_ca: true })],
    })
  })

  test('roles: a write keeps the fields it does not send, and a refused one changes nothing', async () => {
    await app.role('kept', { certificate: app.ca.pem, allowed_dns_sans: ['a', 'b'], token_policies: ['x'] })
    await app.role('kept', { display_name: 'Name', name: 'ignored' })
    expect(await read('kept')).toMatchObject({
      name: 'kept',
      certificate: app.ca.pem,
      allowed_dns_sans: ['a', 'b'],
      token_policies: ['x'],
      display_name: 'Name',
    })
    const before = await read('kept')
    for (const certificate of ['', null])
      expect((await app.root.post(`${path}/kept`, { certificate, display_name: 'Other' })).status).toBe(400)
    expect(await read('kept')).toEqual(before)
    await app.role('kept', { display_name: '', allowed_dns_sans: [] })
    expect(await read('kept')).toMatchObject({ display_name: 'kept', allowed_dns_sans: [] })
  })

  test('roles: unknown fields are ignored, with a warning that lists them sorted', async () => {
    const answer = await app.root.post(`${path}/unknown`, { certificate: app.ca.pem, zeta: 1, alpha: 2 })
    expect(answer).toMatchObject({ status: 200, body: { data: {}, auth: null } })
    expect(answer.body.warnings).toEqual([expect.stringContaining('[alpha zeta]')])
    expect((await app.root.get(`${path}/unknown`)).status).toBe(200)
  })

  test('roles: counted uses at a mount that issues batch tokens are stored with a warning', async () => {
    const write = () => app.root.post(`${path}/counted`, { certificate: app.ca.pem, token_num_uses: 3 })
    expect((await write()).status).toBe(204)
    await app.root.post('/v1/sys/auth/cert/tune', { token_type: 'batch' })
    expect((await write()).body.warnings).toEqual([
      "'token_num_uses' has no effect: this mount issues batch tokens, whose uses cannot be counted.",
    ])
    await app.root.post('/v1/sys/auth/cert/tune', { token_type: 'default-service' })
    await app.root.delete(`${path}/counted`)
  })

  test('roles: lifetimes above those of the mount are stored with a warning for each', async () => {
    await app.root.post('/v1/sys/auth/cert/tune', { default_lease_ttl: '1h', max_lease_ttl: '2h' })
    const fields = { certificate: app.ca.pem, token_ttl: 3601, token_max_ttl: 7201, token_period: 7202 }
    const answer = await app.root.post(`${path}/long`, fields)
    expect(answer.status).toBe(200)
    expect(answer.body.warnings).toEqual([
      expect.stringMatching(/'token_ttl' is 3601 .* 3600 /),
      expect.stringMatching(/'token_max_ttl' is 7201 .* 7200 /),
      expect.stringMatching(/'token_period' is 7202 .* 7200 /),
    ])
    expect(await read('long')).toMatchObject({ token_ttl: 3601, token_max_ttl: 7201, token_period: 7202 })
    await app.root.post('/v1/sys/auth/cert/tune', { default_lease_ttl: 'system', max_lease_ttl: 'system' })
  })

  test('roles: concurrent writes of different fields are all kept', async () => {
    await app.role('race', { certificate: app.ca.pem })
    const fields = [{ allowed_names: 'a' }, { allowed_dns_sans: 'b' }, { token_ttl: 60 }, { display_name: 'c' }]
    const answers = await Promise.all(fields.map((each) => app.root.post(`${path}/race`, each)))
    expect(answers.map((answer) => answer.status)).toEqual([204, 204, 204, 204])
    const role = await read('race')
    expect(role).toMatchObject({ allowed_names: ['a'], allowed_dns_sans: ['b'], token_ttl: 60, display_name: 'c' })
  })

  test('roles: 30 concurrent writes of one role all get 204', async () => {
    const writes = Array.from({ length: 30 }, (_, turn) =>
      app.root.post(`${path}/crowd`, { certificate: app.ca.pem, token_ttl: 60 + turn }),
    )
    expect(new Set((await Promise.all(writes)).map(({ status }) => status))).toEqual(new Set([204]))
  })

  test('roles: each mount has its own roles, and they are deleted together with it', async () => {
    await app.root.post('/v1/sys/auth/team/a', { type: 'cert' })
    const other = '/v1/auth/team/a/certs'
    expect((await app.root.list(other)).status).toBe(404)
    expect((await app.root.post(`${other}/own`, { certificate: app.ca.pem })).status).toBe(204)
    expect((await app.root.get(`${path}/own`)).status).toBe(404)
    await app.root.delete('/v1/sys/auth/team/a')
    await app.root.post('/v1/sys/auth/team/a', { type: 'cert' })
    expect((await app.root.list(other)).status).toBe(404)
  })

  test('roles: changing or deleting a role leaves one of the same name at another mount alone', async () => {
    await app.root.post('/v1/sys/auth/twin', { type: 'cert' })
    const twin = '/v1/auth/twin/certs/same'
    await app.role('same', { certificate: app.ca.pem })
    await app.root.post(twin, { certificate: app.ca.pem })
    const before = await read('same')
    const anchors = () =>
      app.deps.db.selectFrom('cert_role_anchors').selectAll().where('name_key', '=', 'same').execute()
    expect(await anchors()).toHaveLength(2)
    expect((await app.root.post(twin, { display_name: 'changed' })).status).toBe(204)
    expect(await read('same')).toEqual(before)
    expect(await anchors()).toHaveLength(2)
    expect((await app.root.delete(twin)).status).toBe(204)
    expect(await read('same')).toEqual(before)
    expect(await anchors()).toHaveLength(1)
  })

  test('roles: swapRole writes nothing and returns false if the role changed since it was read', async () => {
    await app.role('read', { certificate: app.ca.pem })
    const mount = await app.deps.mounts.find('auth/cert/')
    const found = mount && (await findRoleVersion(app.deps.db, mount.id, 'read'))
    if (!found) throw new Error('There is no role.')
    await app.role('read', { display_name: 'newer' })
    const write = { ...found, trust: checkRole(found.role), at: app.clock.now() }
    expect(await inTransaction(app.deps.db, (tx) => swapRole(tx, mount.id, write))).toBe(false)
    expect(await read('read')).toMatchObject({ display_name: 'newer' })
  })
})

test('roles: CAs and client certificates are accepted; what can never log in gets 400', async () => {
  const app = await ownCertApp()
  const ca = mintCa()
  const taken = [ca.pem, mintLeaf(ca).pem, mintLeaf(ca, { extendedKeyUsage: null }).pem, mintSelfSigned().pem]
  taken.push(mintLeaf(ca, { extendedKeyUsage: ['any'] }).pem, mintCa({ extendedKeyUsage: ['serverAuth'] }).pem)
  taken.push(`comment\n${ca.pem}${mintCa().pem}`)
  for (const certificate of taken)
    expect((await app.root.post(`${path}/ok`, { certificate })).status, certificate).toBe(204)
  const refused = ['', 'garbage', mintLeaf(ca).keyPem, ca.der.toString('base64')]
  refused.push(mintLeaf(ca, { extendedKeyUsage: ['serverAuth'] }).pem)
  refused.push(mintLeaf(ca, { extendedKeyUsage: ['1.3.6.1.4.1.99999.1'] }).pem)
  for (const certificate of refused) {
    const answer = await app.root.post(`${path}/bad`, { certificate })
    expect(answer.status, certificate).toBe(400)
    expect(answer.body.errors[0]).toContain("'certificate'")
  }
  expect((await app.root.get(`${path}/bad`)).status).toBe(404)
})

test('roles: a broken PEM block beside a good one is skipped with a warning, and the good one works', async () => {
  const app = await ownCertApp()
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
  const answer = await app.root.post(`${path}/web`, { certificate: `${broken}${app.ca.pem}` })
  expect(answer).toMatchObject({ status: 200, body: { warnings: [expect.stringContaining('Block 1')] } })
  expect((await app.root.get(`${path}/web`)).body.data.certificate).toBe(`${broken}${app.ca.pem}`)
  expect((await app.login(app.leaf())).status).toBe(200)
})

test('roles: a private key in place of a certificate is refused for what it is, and not stored', async () => {
  const app = await ownCertApp()
  const { keyPem } = mintLeaf(app.ca)
  const answer = await app.root.post(`${path}/web`, { certificate: keyPem })
  expect([answer.status, answer.body.errors]).toEqual([
    400,
    [expect.stringMatching(/'certificate'.* it is a private key, .*not stored/)],
  ])
  expect(answer.text).not.toContain('BEGIN')
})

test('roles: a private key sent with a certificate is dropped with a warning', async () => {
  const app = await ownCertApp()
  const { keyPem } = mintLeaf(app.ca)
  const [bundle, encoded] = [app.ca.pem + keyPem, Buffer.from(keyPem + app.ca.pem).toString('base64')]
  const answer = await app.root.post(`${path}/web`, { certificate: bundle, ocsp_ca_certificates: encoded })
  expect(answer).toMatchObject({
    status: 200,
    body: { warnings: [expect.stringMatching(/key in 'certificate'/), expect.stringMatching(/'ocsp_ca_cert/)] },
  })
  const { data } = (await app.root.get(`${path}/web`)).body
  expect(data).toMatchObject({ certificate: app.ca.pem, ocsp_ca_certificates: app.ca.pem })
  expect((await app.login(app.leaf())).status).toBe(200)
})

test('roles: OCSP on a pinned certificate whose issuer is not in the role is stored with a warning', async () => {
  const app = await ownCertApp()
  const pinned = app.leaf()
  const alone = await app.root.post(`${path}/pinned`, { certificate: pinned.pem, ocsp_enabled: true })
  expect(alone).toMatchObject({ status: 200, body: { warnings: [expect.stringContaining('issuer')] } })
  const stranger = await app.root.post(`${path}/pinned`, { certificate: pinned.pem + mintCa().pem })
  expect(stranger.body.warnings).toEqual(alone.body.warnings)
  expect((await app.root.post(`${path}/pinned`, { certificate: pinned.pem + app.ca.pem })).status).toBe(204)
  expect((await app.root.post(`${path}/ca`, { certificate: app.ca.pem, ocsp_enabled: true })).status).toBe(204)
})

test('roles: expired and soon expiring CAs are shown in ca_info, warned of and measured', async () => {
  const app = await ownCertApp()
  const inDays = (days: number): Date => new Date(app.clock.now() + days * 86_400_000 + 60_000)
  const soon = mintCa({ commonName: 'Soon', notAfter: inDays(12) })
  const late = mintCa({ commonName: 'Late', notAfter: inDays(400) })
  const gone = mintCa({ commonName: 'Gone', notBefore: inDays(-9), notAfter: inDays(-2) })
  expect((await app.root.post(`${path}/late`, { certificate: late.pem })).status).toBe(204)
  const answer = await app.root.post(`${path}/mixed`, { certificate: gone.pem + late.pem + soon.pem })
  expect(answer.body.warnings).toEqual([
    expect.stringMatching(/CN=Gone.* expired at/),
    expect.stringMatching(/CN=Soon.* expires at/),
  ])
  const pinned = mintLeaf(late, { notAfter: inDays(3) })
  expect((await app.root.post(`${path}/pinned`, { certificate: pinned.pem })).status).toBe(204)
  await app.root.delete(`${path}/pinned`)
  expect((await app.root.get(`${path}/mixed`)).body.data.ca_info).toMatchObject([
    { subject: 'CN=Gone', days_left: -2 },
    { subject: 'CN=Late', days_left: 400 },
    { subject: 'CN=Soon', days_left: 12, serial_number: String(soon.serial), fingerprint_sha256: expect.any(String) },
  ])
  await app.root.delete(`${path}/mixed`)
  await app.root.post(`${path}/mixed`, { certificate: soon.pem })
  await expect.poll(() => app.deps.metrics.render()).toContain('holdfast_cert_trust_days_left{mount="auth/cert/"} 12')
})
