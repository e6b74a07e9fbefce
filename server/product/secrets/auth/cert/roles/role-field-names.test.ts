import { describe, expect, test } from 'vitest'
import { sharedCertApp } from '../../../../../../test/support/cert-login.ts'

const app = sharedCertApp()

const tokenFields = [
  'token_bound_cidrs',
  'token_explicit_max_ttl',
  'token_no_default_policy',
  'token_num_uses',
  'token_period',
  'token_type',
]

/** What clients may send, by the documents of the servers of this family and the sources of their clients. */
const certificateRoles = [
  ...tokenFields,
  'alias_metadata',
  'allowed_common_names',
  'allowed_dns_sans',
  'allowed_email_sans',
  'allowed_metadata_extensions',
  'allowed_names',
  'allowed_organization_units',
  'allowed_organizational_units',
  'allowed_organizations',
  'allowed_uri_sans',
  'bound_cidrs',
  'certificate',
  'display_name',
  'lease',
  'max_ttl',
  'name',
  'ocsp_ca_certificates',
  'ocsp_enabled',
  'ocsp_fail_open',
  'ocsp_max_retries',
  'ocsp_query_all_servers',
  'ocsp_servers_override',
  'ocsp_this_update_max_age',
  'period',
  'policies',
  'required_extensions',
  'token_max_ttl',
  'token_policies',
  'token_strictly_bind_ip',
  'token_ttl',
  'ttl',
]

const tokenRoles = [
  ...tokenFields,
  'allowed_entity_aliases',
  'allowed_policies',
  'allowed_policies_glob',
  'bound_cidrs',
  'disallowed_policies',
  'disallowed_policies_glob',
  'explicit_max_ttl',
  'orphan',
  'path_suffix',
  'period',
  'renewable',
]

/** Sent by clients too, and ignored with a warning: they have no meaning for token roles here. */
const ignoredInTokenRoles = [
  'name',
  'role_name',
  'token_max_ttl',
  'token_policies',
  'token_ttl',
  'token_strictly_bind_ip',
]

const writeCertRole = (fields: object) =>
  app.root.post('/v1/auth/cert/certs/names', { certificate: app.ca.pem, ...fields })
const writeTokenRole = (fields: object) => app.root.post('/v1/auth/token/roles/names', fields)

const ignored = expect.stringContaining('ignored these unrecognized parameters')

describe('names of fields that clients of this family send', () => {
  test.each(certificateRoles)('certificate role: %s is known', async (name) => {
    const value = name === 'certificate' ? app.ca.pem : null
    const { status, body } = await writeCertRole({ [name]: value })
    expect(status).toBeLessThan(300)
    expect(body?.warnings ?? []).not.toContainEqual(ignored)
  })

  test.each(tokenRoles)('token role: %s is known', async (name) => {
    const { status, body } = await writeTokenRole({ [name]: name === 'token_type' ? '' : null })
    expect(status).toBeLessThan(300)
    expect(body?.warnings ?? []).not.toContainEqual(ignored)
  })

  test.each(ignoredInTokenRoles)('token role: %s is ignored with a warning', async (name) => {
    expect((await writeTokenRole({ [name]: null })).body.warnings).toEqual([ignored])
  })

  test('certificate role: units are read by the name of a published provider', async () => {
    expect((await writeCertRole({ allowed_organization_units: ['ops'] })).status).toBe(204)
    const { data } = (await app.root.get('/v1/auth/cert/certs/names')).body
    expect(data.allowed_organizational_units).toEqual(['ops'])
    const login = await app.login(app.leaf({ organizationalUnits: ['dev'] }), { name: 'names' })
    expect(login.status).toBe(400)
  })
})

describe('names that are almost those of a limit', () => {
  test.each([
    ['allowed_comon_names', 'allowed_common_names'],
    ['Allowed_Name', 'allowed_names'],
    ['allowed_organizational_unit', 'allowed_organizational_units'],
    ['allowed_organisation_units', 'allowed_organization_units'],
    ['allowed-dns-sans', 'allowed_dns_sans'],
    ['required_extension', 'required_extensions'],
    ['token_bound_cidr', 'token_bound_cidrs'],
    ['bound_cidr', 'bound_cidrs'],
  ])('certificate role: %s is refused, names %s, and stores nothing', async (sent, meant) => {
    const { status, body } = await app.root.post('/v1/auth/cert/certs/misspelt', {
      certificate: app.ca.pem,
      [sent]: 'x',
    })
    expect([status, body.errors[0]]).toEqual([400, expect.stringContaining(`'${sent}'. Is '${meant}' meant?`)])
    expect((await app.root.get('/v1/auth/cert/certs/misspelt')).status).toBe(404)
  })

  test.each([
    ['allowed_policie', 'allowed_policies'],
    ['disalowed_policies', 'disallowed_policies'],
    ['allowed_policies_globs', 'allowed_policies_glob'],
    ['token_bound_cird', 'token_bound_cidrs'],
  ])('token role: %s is refused, names %s, and stores nothing', async (sent, meant) => {
    const { status, body } = await app.root.post('/v1/auth/token/roles/misspelt', { [sent]: 'x' })
    expect([status, body.errors[0]]).toEqual([400, expect.stringContaining(`'${sent}'. Is '${meant}' meant?`)])
    expect((await app.root.get('/v1/auth/token/roles/misspelt')).status).toBe(404)
  })

  test.each(['allowed', 'allowed_things', 'bound', 'displayname', 'token_bound'])(
    'other unknown fields stay a warning: %s',
    async (name) => {
      expect((await writeCertRole({ [name]: 'x' })).body.warnings).toContainEqual(ignored)
    },
  )
})
