import { beforeAll, expect, test } from 'vitest'
import { ownCertApp, sharedCertApp } from '../../../../../../test/support/cert-login.ts'
import { mintCa, mintIntermediate, mintLeaf } from '../../../../../../test/support/certificates.ts'
import { eachEngine } from '../../../../../../test/support/databases.ts'

const path = '/v1/auth/cert/login'

eachEngine((engine) => {
  const app = sharedCertApp({ engine })
  beforeAll(async () => {
    await app.role('web', { certificate: app.ca.pem, token_policies: 'web', token_ttl: '1h' })
  })
  const lookup = async (token: string) => (await app.root.post('/v1/auth/token/lookup', { token })).body.data
  const entityOf = async (token: string): Promise<string> => (await lookup(token)).entity_id

  test('login: a certificate of a trusted CA gets a token with the terms and metadata of the role', async () => {
    const leaf = app.leaf({ commonName: 'web-1' })
    const answer = await app.login(leaf, { name: 'WEB' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ lease_id: '', renewable: false, data: {}, warnings: null, wrap_info: null })
    expect(answer.body.auth).toMatchObject({
      client_token: expect.stringMatching(/^hfs\./),
      policies: ['default', 'web'],
      token_policies: ['default', 'web'],
      lease_duration: 3600,
      renewable: true,
      token_type: 'service',
      orphan: true,
      num_uses: 0,
      mfa_requirement: null,
      metadata: {
        cert_name: 'web',
        common_name: 'web-1',
        serial_number: String(leaf.serial),
        subject_key_id: leaf.subjectKeyId.toString('hex').replace(/..(?=.)/g, '$&:'),
        authority_key_id: app.ca.subjectKeyId.toString('hex').replace(/..(?=.)/g, '$&:'),
      },
    })
    const self = await app.anonymous.as(answer.body.auth.client_token).get('/v1/auth/token/lookup-self')
    expect(self.body.data).toMatchObject({
      path: 'auth/cert/login',
      display_name: 'cert-web',
      meta: { cert_name: 'web' },
    })
  })

  test('login: a common name or unit that contains NUL counts as absent', async () => {
    const answer = await app.login(app.leaf({ commonName: 'web-1\0.example.com', organizationalUnits: ['a\0b'] }))
    expect(answer).toMatchObject({ status: 200, body: { auth: { metadata: { common_name: '' } } } })
    await app.role('unit', { certificate: app.ca.pem, allowed_organizational_units: 'a*' })
    const unit = await app.login(app.leaf({ organizationalUnits: ['a\0b'] }), { name: 'unit' })
    expect(unit.status).toBe(400)
    await app.root.delete('/v1/auth/cert/certs/unit')
  })

  test('login: PUT, an empty body, a form content type and unknown fields work; a bad name gets 400', async () => {
    const client = app.with(app.leaf())
    expect((await client.put(path)).status).toBe(200)
    expect((await client.post(path, undefined, { raw: '' })).status).toBe(200)
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    expect((await client.post(path, { name: 'web' }, form)).status).toBe(200)
    const extra = await client.post(path, { name: 'web', certificate: 'x', role: 'y' })
    expect(extra).toMatchObject({ status: 200, body: { warnings: null } })
    expect((await client.post(path, { name: ['web'] })).status).toBe(400)
    expect((await client.post(path, undefined, { raw: '{' })).status).toBe(400)
  })

  test('login: a token that is sent along is ignored, even an invalid one', async () => {
    expect((await app.with(app.leaf(), 'hfs.nonsense').post(path)).status).toBe(200)
  })

  test('login: GET without a token gets 405', async () => {
    expect(await app.anonymous.get(path)).toMatchObject({
      status: 405,
      body: { errors: ['unsupported operation', 'what works here: POST, PUT'] },
    })
  })

  test('login: without TLS or a client certificate it gets 400, even with a certificate in the body', async () => {
    const leaf = app.leaf()
    const body = { name: 'web', certificate: leaf.pem, client_cert: leaf.pem }
    const plain = await app.anonymous.post(path, body)
    expect(plain.status).toBe(400)
    expect(plain.body.errors[0]).toContain('TLS')
    const bare = app.overTls({ ca: app.serverCa.pem })
    expect(await bare.post(path, body)).toMatchObject({
      status: 400,
      body: { errors: ['client certificate must be supplied'] },
    })
  })

  test('login: an unknown CA, an unknown role and a failed constraint get the same 400 message', async () => {
    await app.role('narrow', { certificate: app.ca.pem, allowed_common_names: 'nobody' })
    const stranger = mintLeaf(mintCa({ commonName: 'Stranger' }))
    const refused = [
      await app.login(stranger),
      await app.login(stranger, { name: 'web' }),
      await app.login(app.leaf(), { name: 'narrow' }),
      await app.login(app.leaf(), { name: 'unknown' }),
      await app.login(mintLeaf(mintCa({ commonName: 'Client CA' })), { name: 'web' }),
    ]
    expect(refused.map((answer) => answer.status)).toEqual([400, 400, 400, 400, 400])
    expect(new Set(refused.map((answer) => answer.text)).size).toBe(1)
    expect(refused[0]?.body).not.toHaveProperty('data')
    expect(refused[0]?.text).not.toMatch(/narrow|web|unknown|nobody/)
    await app.root.delete('/v1/auth/cert/certs/narrow')
  })

  test('login: a refused login creates neither a token nor an entity', async () => {
    const { db } = app.deps
    const kept = async () => [
      (await db.selectFrom('tokens').select('id').execute()).length,
      (await db.selectFrom('entities').select('id').execute()).length,
    ]
    const dead = { ocsp_enabled: true, ocsp_max_retries: 0, ocsp_servers_override: 'http://127.0.0.1:9' }
    const roles = {
      'r-constraint': { allowed_common_names: 'nobody' },
      'r-address': { token_bound_cidrs: '10.0.0.0/8' },
      'r-root': { token_policies: 'root' },
      'r-ocsp': dead,
      'r-alias': { alias_source: 'uri_san' },
    }
    for (const [name, fields] of Object.entries(roles)) await app.role(name, { certificate: app.ca.pem, ...fields })
    const fresh = () => app.leaf({ commonName: 'refused' })
    const before = await kept()
    const answers = [
      await app.login(mintLeaf(mintCa(), { commonName: 'refused' })),
      ...(await Promise.all(Object.keys(roles).map((name) => app.login(fresh(), { name })))),
      await app.with(fresh()).post(path, { name: 'web' }, { headers: { 'x-service-wrap-ttl': 'soon' } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 403, 400, 400, 400, 400])
    for (const { body } of answers) expect(body.auth ?? body.wrap_info ?? null).toBeNull()
    expect(await kept()).toEqual(before)
    for (const name of Object.keys(roles)) await app.root.delete(`/v1/auth/cert/certs/${name}`)
  })

  test('login: a role with a pinned certificate accepts only that certificate', async () => {
    const issuer = mintCa({ commonName: 'Pinned issuer' })
    const pinned = mintLeaf(issuer, { commonName: 'pinned', serial: 1n })
    await app.role('pinned', { certificate: pinned.pem })
    expect((await app.login(pinned, { name: 'pinned' })).status).toBe(200)
    const others = [
      mintLeaf(issuer, { commonName: 'other', serial: 1n, key: pinned.key }),
      mintLeaf(issuer, { commonName: 'pinned', serial: 1n }),
      mintLeaf(mintCa({ commonName: 'Pinned issuer', key: issuer.key }), { commonName: 'pinned', key: pinned.key }),
    ]
    for (const other of others) expect((await app.login(other, { name: 'pinned' })).status).toBe(400)
    const sameSerial = app.leaf({ serial: 1n })
    expect((await app.login(sameSerial)).body.auth.metadata.cert_name).toBe('web')
    await app.root.delete('/v1/auth/cert/certs/pinned')
  })

  test('login: a role with the pinned certificate is preferred to one with its CA, whatever their names', async () => {
    const leaf = app.leaf()
    await app.role('zz-pinned', { certificate: leaf.pem })
    expect((await app.login(leaf)).body.auth.metadata.cert_name).toBe('zz-pinned')
    await app.root.delete('/v1/auth/cert/certs/zz-pinned')
  })

  test('login: without a role name the first matching role by name is used', async () => {
    await app.role('2matching', { certificate: app.ca.pem, allowed_common_names: 'client.example.com' })
    await app.role('1unconstrained', { certificate: app.ca.pem })
    await app.role('3invalid', { certificate: app.ca.pem, allowed_common_names: 'invalid' })
    const leaf = app.leaf()
    expect((await app.login(leaf)).body.auth.metadata.cert_name).toBe('1unconstrained')
    expect((await app.login(leaf, { name: '2matching' })).body.auth.metadata.cert_name).toBe('2matching')
    expect((await app.login(leaf, { name: '3invalid' })).status).toBe(400)
    await app.role('1unconstrained', { allowed_common_names: 'x' })
    expect((await app.login(leaf)).body.auth.metadata.cert_name).toBe('2matching')
    for (const name of ['1unconstrained', '2matching', '3invalid']) await app.root.delete(`/v1/auth/cert/certs/${name}`)
  })

  test('login: an address outside token_bound_cidrs gets 403; without a role name another role is used', async () => {
    await app.role('bound', { certificate: app.ca.pem, token_bound_cidrs: '10.0.0.0/8' })
    const leaf = app.leaf()
    expect(await app.login(leaf, { name: 'bound' })).toMatchObject({
      status: 403,
      body: { errors: ['permission denied'] },
    })
    expect((await app.login(leaf)).body.auth.metadata.cert_name).toBe('web')
    await app.role('bound', { token_bound_cidrs: '127.0.0.0/8' })
    const answer = await app.login(leaf, { name: 'bound' })
    expect((await lookup(answer.body.auth.client_token)).bound_cidrs).toEqual(['127.0.0.0/8'])
    await app.root.delete('/v1/auth/cert/certs/bound')
  })

  test('login: a role that grants the root policy gets 400', async () => {
    await app.role('rooted', { certificate: app.ca.pem, token_policies: ['Root'] })
    expect((await app.login(app.leaf(), { name: 'rooted' })).status).toBe(400)
    await app.root.delete('/v1/auth/cert/certs/rooted')
  })

  test('login: certificates with the same common name share one entity, also across roles', async () => {
    await app.role('second', { certificate: app.ca.pem })
    const tokens = await Promise.all(
      ['web', 'second', 'web', 'second'].map(async (name) => {
        const answer = await app.login(app.leaf({ commonName: 'shared' }), { name })
        return answer.body.auth.client_token as string
      }),
    )
    expect(new Set(await Promise.all(tokens.map(entityOf))).size).toBe(1)
    await app.root.delete('/v1/auth/cert/certs/second')
  })

  test('login: a disabled entity gets 403', async () => {
    const answer = await app.login(app.leaf({ commonName: 'disabled' }))
    const id = answer.body.auth.entity_id
    await app.deps.db.updateTable('entities').set({ disabled: 1 }).where('id', '=', id).execute()
    expect(await app.login(app.leaf({ commonName: 'disabled' }))).toMatchObject({
      status: 403,
      body: { errors: ['permission denied'] },
    })
  })

  test('login: changes to a role or its CAs take effect at the next login, also on the other node', async () => {
    const other = await ownCertApp({ beside: app })
    const leaf = app.leaf()
    const hold = async (status: number) => {
      expect((await app.login(leaf, { name: 'moving' })).status).toBe(status)
      expect((await other.login(leaf, { name: 'moving' })).status).toBe(status)
    }
    await hold(400)
    await app.role('moving', { certificate: app.ca.pem })
    await hold(200)
    await app.role('moving', { certificate: mintCa().pem })
    await hold(400)
    await app.role('moving', { certificate: `${mintCa().pem}${app.ca.pem}` })
    await hold(200)
    await app.root.delete('/v1/auth/cert/certs/moving')
    await hold(400)
  })

  test('login: display_name and path of the token name the mount it was issued at', async () => {
    await app.root.post('/v1/sys/auth/team/edge', { type: 'cert' })
    await app.root.post('/v1/auth/team/edge/certs/web', { certificate: app.ca.pem, display_name: 'Edge' })
    const answer = await app.with(app.leaf()).post('/v1/auth/team/edge/login')
    expect(await lookup(answer.body.auth.client_token)).toMatchObject({
      display_name: 'team-edge-Edge',
      path: 'auth/team/edge/login',
    })
  })
})

test('login: 64 concurrent logins over one intermediate all succeed, with one entity per common name', async () => {
  const app = await ownCertApp()
  await app.role('web', { certificate: app.ca.pem })
  const intermediate = mintIntermediate(app.ca)
  const leaves = Array.from({ length: 64 }, (_, index) => mintLeaf(intermediate, { commonName: `c-${index % 8}` }))
  const answers = await Promise.all(leaves.map((leaf) => app.login(leaf)))
  expect(answers.map((answer) => answer.status)).toEqual(leaves.map(() => 200))
  expect(new Set(answers.map((answer) => answer.body.auth.client_token)).size).toBe(64)
  expect(new Set(answers.map((answer) => answer.body.auth.entity_id)).size).toBe(8)
})
