import { expect, test } from 'vitest'
import { sharedCertApp } from '../../../../test/support/cert-login.ts'
import { type CertificateOptions, mintCa, mintLeaf } from '../../../../test/support/certificates.ts'
import { readCertificate } from '../../../pki/index.ts'
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
  ['the common name, whatever else there is', {}, { commonName: 'web-1', uris }, 'web-1'],
])('alias: %s names the holder', (_what, role, options, name) => {
  expect(aliasBy(role, options)).toEqual({ name })
})

test.each<[string, Partial<CertRole>, CertificateOptions]>([
  ['URIs', { aliasSource: 'uri_san' }, { uris }],
  ['allowed URIs', { aliasSource: 'uri_san', allowedUriSans: ['spiffe://td/*'] }, { uris }],
  ['URIs of which another constraint allows one', { aliasSource: 'uri_san', allowedNames: [uris[1] ?? ''] }, { uris }],
  ['DNS names', { aliasSource: 'dns_san' }, { dns: ['a', 'b'] }],
  ['e-mail addresses', { aliasSource: 'email_san' }, { emails: ['a@a', 'b@b'] }],
  ['units', { aliasSource: 'ou' }, { organizationalUnits: ['a', 'b'] }],
])('alias: several %s name nobody', (_what, role, options) => {
  expect(aliasBy(role, options)).toMatchObject({ name: undefined, why: 'several', values: { length: 2 } })
})

const app = sharedCertApp()

test('alias: a login with several names of its holder gets 400 and is told so', async () => {
  await app.role('team', { certificate: app.ca.pem, alias_source: 'uri_san' })
  const { status, body } = await app.login(app.leaf({ uris }), { name: 'team' })
  expect([status, body.errors]).toEqual([400, [expect.stringContaining('several names')]])
})
