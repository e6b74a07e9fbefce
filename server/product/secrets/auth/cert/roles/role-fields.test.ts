import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sharedCertApp } from '../../../../../../test/support/cert-login.ts'
import { organization, person, team } from '../../../../../../test/support/platform.ts'
import { RoleBody } from './role-fields.ts'

const path = '/v1/auth/cert/certs/web'

const app = sharedCertApp()

const write = async (fields: Record<string, unknown>) => await app.root.post(path, fields)

/** Writes a role from nothing and reads it back. */
async function roleWith(...writes: Record<string, unknown>[]): Promise<Record<string, unknown>> {
  await app.root.delete(path)
  expect((await write({ certificate: app.ca.pem })).status).toBe(204)
  for (const fields of writes) {
    const answer = await write(fields)
    expect([200, 204], answer.text).toContain(answer.status)
  }
  return (await app.root.get(path)).body.data
}

test.each([
  [3600, 3600],
  ['3600', 3600],
  ['1h', 3600],
  ['90m', 5400],
  ['1h30m', 5400],
  ['1.5h', 5400],
  ['1500ms', 1],
  ['500ms', 0],
  ['2d', 172_800],
  ['', 0],
])('durations: %j is %i seconds', async (sent, seconds) => {
  expect(await roleWith({ ocsp_this_update_max_age: sent })).toMatchObject({ ocsp_this_update_max_age: seconds })
})

test.each([-1, '-1', '-1h', 'abc', '1w', '1 h', '3600.5', 1.5, true, [], '1d12h'])(
  'durations: %j gets 400 naming the field',
  async (sent) => {
    const answer = await write({ certificate: app.ca.pem, token_ttl: sent })
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0]).toContain("'token_ttl'")
  },
)

test('durations: null keeps the stored value', async () => {
  expect(await roleWith({ token_ttl: 60 }, { token_ttl: null })).toMatchObject({ token_ttl: 60 })
})

test.each([
  ['a,b', ['a', 'b']],
  [' a , b ', ['a', 'b']],
  [
    ['a,b', ' c '],
    ['a,b', 'c'],
  ],
  ['a,,b', ['a', '', 'b']],
  ['', []],
  [null, []],
  [7, ['7']],
  [
    [1, true],
    ['1', '1'],
  ],
])('lists: %j reads back as %j', async (sent, stored) => {
  expect(await roleWith({ allowed_dns_sans: ['x'] }, { allowed_dns_sans: sent })).toMatchObject({
    allowed_dns_sans: stored,
  })
})

test.each([
  ['true', true],
  ['1', true],
  [1, true],
  ['F', false],
  ['', false],
  [null, false],
])('flags: %j is stored as %j', async (sent, stored) => {
  expect(await roleWith({ ocsp_enabled: sent, ocsp_fail_open: sent })).toMatchObject({
    ocsp_enabled: stored,
    ocsp_fail_open: stored,
  })
})

test.each([
  [0, 0],
  ['0x10', 16],
  ['010', 8],
  [null, 0],
])('retries: %j is stored as %i, and a later write of another field keeps it', async (sent, stored) => {
  expect(await roleWith({ ocsp_max_retries: sent }, { display_name: 'x' })).toMatchObject({ ocsp_max_retries: stored })
})

test.each([
  ['policies under both names: the new one wins', [{ policies: 'Old', token_policies: 'foo,Bar' }], ['foo', 'Bar']],
  ['policies under the new name are kept as written', [{ token_policies: 'foo,Bar' }], ['foo', 'Bar']],
  ['policies under the old name get their one spelling', [{ policies: 'foo,Bar,foo' }], ['bar', 'foo']],
  ['root under the old name is alone', [{ policies: 'root,web' }], ['root']],
])('%s', async (_what, writes, policies) => {
  expect(await roleWith(...writes)).toMatchObject({ token_policies: policies, policies })
})

test.each([
  ['both names', [{ ttl: 10, token_ttl: 20 }], 20],
  ['the old name', [{ ttl: 10 }], 10],
  ['the oldest name', [{ lease: 30 }], 30],
  ['the oldest and the old name', [{ lease: 30, ttl: 10 }], 10],
  ['the old name after the new one', [{ token_ttl: 20 }, { ttl: 5 }], 5],
])('ttl: seconds stored when written by %s', async (_what, writes, seconds) => {
  expect(await roleWith(...writes)).toMatchObject({ token_ttl: seconds, ttl: seconds })
})

test('max_ttl and period written by their old names read back under old and new names', async () => {
  expect(await roleWith({ max_ttl: '1h', period: '10m' })).toMatchObject({
    token_max_ttl: 3600,
    max_ttl: 3600,
    token_period: 600,
    period: 600,
  })
})

test('bound_cidrs reads back under old and new names, single addresses without a mask', async () => {
  const old = await roleWith({ bound_cidrs: ['127.0.0.1/32', '10.0.0.0/8', '::1/128'] })
  expect(old).toMatchObject({
    token_bound_cidrs: ['127.0.0.1', '10.0.0.0/8', '::1'],
    bound_cidrs: ['127.0.0.1', '10.0.0.0/8', '::1'],
  })
  const renamed = await roleWith({ bound_cidrs: '127.0.0.1' }, { token_bound_cidrs: '10.0.0.0/8' })
  expect(renamed).toMatchObject({ token_bound_cidrs: ['10.0.0.0/8'] })
  expect(renamed).not.toHaveProperty('bound_cidrs')
  const both = { token_bound_cidrs: ['10.0.0.0/8'], bound_cidrs: ['10.0.0.0/8'] }
  expect(await roleWith({ bound_cidrs: '127.0.0.1', token_bound_cidrs: '10.0.0.0/8' })).toMatchObject(both)
})

test('token_strictly_bind_ip and token_bound_cidrs exclude each other in the merged role', async () => {
  expect(await roleWith({ token_strictly_bind_ip: 'true' })).toMatchObject({ token_strictly_bind_ip: true })
  const refused = await write({ token_bound_cidrs: '10.0.0.0/8' })
  expect(refused.status).toBe(400)
  expect(refused.body.errors[0]).toContain("'token_strictly_bind_ip' conflicts with 'token_bound_cidrs'")
  expect((await write({ token_bound_cidrs: '10.0.0.0/8', token_strictly_bind_ip: false })).status).toBe(204)
  expect((await write({ token_strictly_bind_ip: true })).status).toBe(400)
  expect((await write({ token_bound_cidrs: '', token_strictly_bind_ip: true })).status).toBe(204)
})

test('token_ttl above token_max_ttl of the merged role gets 400', async () => {
  await roleWith({ token_max_ttl: 60 })
  expect((await write({ token_ttl: 120 })).status).toBe(400)
  expect((await write({ token_ttl: 120, token_max_ttl: 240 })).status).toBe(204)
  expect((await write({ token_max_ttl: 100 })).status).toBe(400)
  expect((await write({ token_max_ttl: 0 })).status).toBe(204)
})

test.each([
  ['token_type', { token_type: 'default-batch' }],
  ['token_type', { token_type: 'default-service' }],
  ['token_type', { token_type: 'Service' }],
  ['token_period', { token_type: 'batch', token_period: 60 }],
  ['token_num_uses', { token_type: 'batch', token_num_uses: 1 }],
  ['token_num_uses', { token_num_uses: -1 }],
  ['token_num_uses', { token_num_uses: 1.5 }],
  ['ocsp_max_retries can not be a negative number', { ocsp_max_retries: -1 }],
  ['ocsp_enabled', { ocsp_enabled: 'yes' }],
  ['ocsp_ca_certificates', { ocsp_ca_certificates: 'no certificate' }],
  ['ocsp_servers_override', { ocsp_servers_override: ['ocsp example'] }],
  ['ocsp_servers_override', { ocsp_servers_override: ['me:secret@ocsp.example.com'] }],
  ['ocsp_servers_override', { ocsp_servers_override: [''] }],
  ['ocsp_servers_override', { ocsp_servers_override: ['ldap://ocsp.example.com'] }],
  ['ocsp_servers_override', { ocsp_servers_override: ['http:ocsp.example.com'] }],
  ['ocsp_servers_override', { ocsp_servers_override: ['http:///ocsp.example.com'] }],
  ['required_extensions', { required_extensions: ['1.2.3'] }],
  ['required_extensions', { required_extensions: ['no-oid:value'] }],
  ['required_extensions', { required_extensions: ['1.40.3:value'] }],
  ['required_extensions', { required_extensions: ['hex:1.2.3'] }],
  ['required_extensions', { required_extensions: ['1.2.3:a', ''] }],
  ['allowed_metadata_extensions', { allowed_metadata_extensions: ['1.02.3'] }],
  ['allowed_metadata_extensions', { allowed_metadata_extensions: '1.2.3,x' }],
  ['token_bound_cidrs', { token_bound_cidrs: ['10.0.0.0/33'] }],
  ['token_bound_cidrs', { token_bound_cidrs: ['example.com'] }],
  ['allowed_names', { allowed_names: { a: 1 } }],
  ['allowed_names', { allowed_names: [['a']] }],
  ['certificate', { certificate: ['a'] }],
  ['alias_source', { alias_source: 'subject' }],
  ['alias_metadata', { alias_metadata: { team: 'x'.repeat(513) } }],
  ['alias_metadata', { alias_metadata: Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`k${at}`, ''])) }],
  ['platform_team', { platform_team: 'team' }],
  ['platform_team', { platform_team: 'demo//team' }],
  ['platform_user', { platform_user: 'ann smith' }],
])('a bad %s gets 400 naming the field and stores nothing', async (field, fields) => {
  const before = await roleWith({ display_name: 'before' })
  const answer = await write({ display_name: 'after', ...fields })
  expect(answer.status).toBe(400)
  expect(answer.body.errors[0]).toContain(field)
  expect((await app.root.get(path)).body.data).toEqual(before)
})

test('all other fields read back as they were written', async () => {
  await team(await organization(await person(app, 'ann'), 'demo'), 'ops/night')
  const responder = Buffer.from(app.ca.pem).toString('base64')
  const fields = {
    allowed_names: ['*.example.com'],
    allowed_common_names: ['a*'],
    allowed_dns_sans: ['b*'],
    allowed_email_sans: ['*@example.com'],
    allowed_uri_sans: ['spiffe://*'],
    allowed_organizational_units: ['Eng'],
    allowed_organizations: ['Org'],
    required_extensions: ['1.2.3:a,b', 'hex:1.2.4:0c*'],
    allowed_metadata_extensions: ['1.2.3'],
    ocsp_ca_certificates: responder,
    ocsp_servers_override: ['http://ocsp.example.com/x', 'ocsp.example.com', '[::1]:8080/ocsp'],
    ocsp_query_all_servers: true,
    token_explicit_max_ttl: 7200,
    token_no_default_policy: true,
    token_num_uses: 3,
    token_type: 'service',
    token_bind_certificate: true,
    alias_source: 'uri_san',
    alias_metadata: { team: 'a' },
    platform_team: 'demo/ops/night',
    platform_user: 'ann',
  }
  expect(await roleWith(fields)).toMatchObject(fields)
  expect(await roleWith({ token_type: '' })).toMatchObject({ token_type: 'default' })
})

test('random role bodies get 200, 204 or 400, and the role stays readable', async () => {
  await roleWith()
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxLength: 4 }),
    fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
  )
  const names = Object.keys(RoleBody.properties)
  const body = fc.dictionary(fc.constantFrom(...names, 'unknown'), value, { maxKeys: 5 })
  await fc.assert(
    fc.asyncProperty(body, async (fields) => {
      const { status } = await write(fields)
      expect([200, 204, 400]).toContain(status)
      expect((await app.root.get(path)).status).toBe(200)
    }),
    { numRuns: 150 },
  )
  await app.root.delete(path)
}, 30_000)

test.each(['root', 'web,ROOT', 'response-wrapping'])('policies: %s is stored with a warning', async (sent) => {
  const answer = await write({ certificate: app.ca.pem, token_policies: sent })
  expect(answer).toMatchObject({ status: 200, body: { warnings: [expect.stringMatching(/no login can grant/)] } })
  await app.root.delete(path)
})

test('certificate: a pinned one that has expired is stored with a warning', async () => {
  const ago = (days: number): Date => new Date(app.clock.now() - days * 86_400_000)
  const pinned = app.leaf({ commonName: 'old', notBefore: ago(9), notAfter: ago(1) })
  const answer = await write({ certificate: pinned.pem })
  expect(answer).toMatchObject({ status: 200, body: { warnings: [expect.stringMatching(/CN=old.* expired at/)] } })
  await app.root.delete(path)
})
