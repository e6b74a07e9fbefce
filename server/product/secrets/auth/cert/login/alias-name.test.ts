import { expect, test } from 'vitest'
import { sharedCertApp } from '../../../../../../test/support/cert-login.ts'
import { type CertificateOptions, mintCa, mintLeaf } from '../../../../../../test/support/certificates.ts'
import { readCertificate } from '../../../../../pki/index.ts'
import { blankRole, type CertRole } from '../roles/role.ts'
import { aliasNameOf } from './alias-name.ts'

const ca = mintCa({ commonName: 'Alias CA' })

const aliasBy = (role: Partial<CertRole>, options: CertificateOptions) =>
  aliasNameOf(readCertificate(mintLeaf(ca, options).der), { ...blankRole('web'), ...role })

const uris = ['spiffe://td/admin', 'spiffe://td/team-a/x']

test.each<[string, Partial<CertRole>, CertificateOptions, string]>([
  [
    'the URI that the role allows',
    { aliasSource: 'uri_san', allowedUriSans: ['spiffe://td/team-a/*'] },
    { uris },
    uris[1] ?? '',
  ],
  ['the only URI', { aliasSource: 'uri_san' }, { uris: ['spiffe://td/a'] }, 'spiffe://td/a'],
  ['a URI given twice', { aliasSource: 'uri_san' }, { uris: ['spiffe://td/a', 'spiffe://td/a'] }, 'spiffe://td/a'],
  [
    'a URI that is allowed in its normal form',
    { aliasSource: 'uri_san', allowedUriSans: ['spiffe://td/a'] },
    { uris: ['SPIFFE://td/a', 'x:y'] },
    'SPIFFE://td/a',
  ],
  [
    'the DNS name that the role allows in any case',
    { aliasSource: 'dns_san', allowedDnsSans: ['WEB.*'] },
    { dns: ['db.example', 'Web.Example'] },
    'web.example',
  ],
  [
    'the e-mail address that the role allows',
    { aliasSource: 'email_san', allowedEmailSans: ['*@b.example'] },
    { emails: ['x@a.example', 'x@b.example'] },
    'x@b.example',
  ],
  [
    'the unit that the role allows',
    { aliasSource: 'ou', allowedOrganizationalUnits: ['Eng'] },
    { organizationalUnits: ['Eng', 'Admin'] },
    'Eng',
  ],
  [
    'the unit under the long name of the source',
    { aliasSource: 'organizational_unit', allowedOrganizationalUnits: ['Eng'] },
    { organizationalUnits: ['Eng', 'Admin'] },
    'Eng',
  ],
  ['the first of several URIs', { aliasSource: 'uri_san' }, { uris }, uris[0] ?? ''],
  ['the first of several DNS names', { aliasSource: 'dns_san' }, { dns: ['a', 'b'] }, 'a'],
  ['the last of several units', { aliasSource: 'ou' }, { organizationalUnits: ['a', 'b'] }, 'b'],
  ['the common name, whatever else there is', {}, { commonName: 'web-1', uris }, 'web-1'],
])('alias: %s names the holder', (_what, role, options, name) => {
  expect(aliasBy(role, options)).toBe(name)
})

test('alias: a certificate without a value that the role allows names nobody', () => {
  expect(aliasBy({ aliasSource: 'uri_san', allowedUriSans: ['spiffe://other/*'] }, { uris })).toBeUndefined()
  expect(aliasBy({ aliasSource: 'email_san' }, { uris })).toBeUndefined()
})

const app = sharedCertApp()

test('alias: a login is the entity of the URI that the role allows, not of another one in the certificate', async () => {
  const role = { certificate: app.ca.pem, alias_source: 'uri_san', allowed_uri_sans: ['spiffe://td/team-a/*'] }
  await app.role('team', role)
  const { body } = await app.login(app.leaf({ uris }), { name: 'team' })
  const aliases = app.deps.db.selectFrom('entity_aliases').select('name')
  expect(await aliases.where('entity_id', '=', body.auth.entity_id).execute()).toEqual([{ name: uris[1] }])
})
