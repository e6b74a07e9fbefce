import { expect, test } from 'vitest'
import { sharedCertApp } from '../../../../../../test/support/cert-login.ts'
import type { CertificateOptions, RawExtension } from '../../../../../../test/support/certificates.ts'
import { ia5String, printableString } from '../../../../../../test/support/der-values.ts'
import * as der from '../../../../../pki/der-writer.ts'

const app = sharedCertApp()

/** The status of a login by a role with these constraints. */
async function statusOf(fields: Record<string, unknown>, options: CertificateOptions): Promise<number> {
  await app.root.delete('/v1/auth/cert/certs/web')
  await app.role('web', { certificate: app.ca.pem, ...fields })
  const leaf = app.leaf(options)
  const [named, unnamed] = [await app.login(leaf, { name: 'web' }), await app.login(leaf)]
  expect(unnamed.status).toBe(named.status)
  return named.status
}

const everyName: CertificateOptions = {
  commonName: 'cn.example.com',
  dns: ['dns.example.com'],
  emails: ['me@example.com'],
  uris: ['spiffe://example.com/web'],
  ips: ['192.0.2.7'],
  organizationalUnits: ['Eng', 'Ops'],
  organization: 'Acme',
}

test.each([
  ['allowed_names', 'cn.*', 200],
  ['allowed_names', 'dns.example.com', 200],
  ['allowed_names', '*@example.com', 200],
  ['allowed_names', 'spiffe://*', 200],
  ['allowed_names', '192.0.2.*', 200],
  ['allowed_names', 'Eng', 400],
  ['allowed_names', 'nothing,of,this', 400],
  ['allowed_common_names', 'cn.example.com', 200],
  ['allowed_common_names', 'dns.example.com', 400],
  ['allowed_common_names', '*', 200],
  ['allowed_dns_sans', ['other', 'dns.*.com'], 200],
  ['allowed_dns_sans', 'DNS.Example.com', 200],
  ['allowed_dns_sans', 'cn.example.com', 400],
  ['allowed_email_sans', 'me@example.com', 200],
  ['allowed_email_sans', 'ME@example.com', 400],
  ['allowed_uri_sans', 'spiffe://example.com/*', 200],
  ['allowed_uri_sans', 'spiffe://example.com', 400],
  ['allowed_organizational_units', 'Ops', 200],
  ['allowed_organizational_units', 'ops', 400],
  ['allowed_organizations', 'Acme', 200],
  ['allowed_organizations', 'Other', 400],
  ['allowed_common_names', '', 200],
  ['allowed_common_names', [''], 400],
])('constraints: %s %j gets %i for a certificate with every kind of name', async (field, patterns, status) => {
  expect(await statusOf({ [field]: patterns }, everyName)).toBe(status)
})

test.each([
  ['allowed_dns_sans'],
  ['allowed_email_sans'],
  ['allowed_uri_sans'],
  ['allowed_organizational_units'],
  ['allowed_organizations'],
])('%s: a star refuses a certificate that has no such value', async (field) => {
  expect(await statusOf({ [field]: '*' }, { commonName: 'cn' })).toBe(400)
  expect(await statusOf({ [field]: '*' }, everyName)).toBe(200)
})

test.each([
  ['SPIFFE://example.com/web', 'spiffe://example.com/web', 200],
  ['SPIFFE://example.com/web', 'SPIFFE://example.com/web', 200],
  ['spiffe://example.com/a%2fb', 'spiffe://example.com/a%2Fb', 200],
  ['spiffe://example.com/guest/../admin', 'spiffe://example.com/admin', 400],
  ['spiffe://example.com/guest/%2e%2e/admin', 'spiffe://example.com/admin', 400],
  ['https://example.com/guest/../admin', 'https://example.com/admin', 400],
  ['https:\\\\example.com\\admin', 'https://example.com/admin', 400],
  ['https://exam\nple.com/admin', 'https://example.com/admin', 400],
  ['  https://example.com/admin', 'https://example.com/admin', 400],
  ['https://example.com/guest/../admin', 'https://example.com/guest/*', 200],
])('constraints: a certificate with the URI %j and the pattern %j: %i', async (uri, pattern, status) => {
  expect(await statusOf({ allowed_uri_sans: pattern }, { uris: [uri] })).toBe(status)
})

test('constraints: a missing common name counts as the empty name, which a star matches', async () => {
  const nameless: CertificateOptions = { subject: [], uris: ['spiffe://example.com/x'] }
  expect(await statusOf({ allowed_common_names: '*' }, nameless)).toBe(200)
  expect(await statusOf({ allowed_common_names: [''] }, nameless)).toBe(200)
  expect(await statusOf({ allowed_common_names: 'a*' }, nameless)).toBe(400)
})

test('constraints: every list that is set must match', async () => {
  const fields = { allowed_common_names: 'cn.*', allowed_dns_sans: 'dns.*', allowed_organizational_units: 'Eng' }
  expect(await statusOf(fields, everyName)).toBe(200)
  for (const name of Object.keys(fields)) expect(await statusOf({ ...fields, [name]: 'x' }, everyName)).toBe(400)
})

test('constraints: of two common names the last one counts for constraints, metadata and entity', async () => {
  const twice: CertificateOptions = {
    subject: [
      ['CN', 'first'],
      ['CN', 'last'],
    ],
  }
  expect(await statusOf({ allowed_common_names: 'first' }, twice)).toBe(400)
  expect(await statusOf({ allowed_common_names: 'last' }, twice)).toBe(200)
  const [answer, plain] = [await app.login(app.leaf(twice)), await app.login(app.leaf({ commonName: 'last' }))]
  expect(answer.body.auth.metadata.common_name).toBe('last')
  expect(answer.body.auth.entity_id).toBe(plain.body.auth.entity_id)
})

test('constraints: a star in a name of the certificate is matched literally', async () => {
  expect(await statusOf({ allowed_names: '*.example.com' }, { dns: ['*.example.com'] })).toBe(200)
  expect(await statusOf({ allowed_dns_sans: 'web.example.com' }, { dns: ['*.example.com'] })).toBe(400)
  expect(await statusOf({ allowed_common_names: 'web' }, { commonName: '*' })).toBe(400)
})

test('constraints: a comma or a line break in a name of the certificate does not split it', async () => {
  expect(await statusOf({ allowed_common_names: 'web' }, { commonName: 'web,other' })).toBe(400)
  expect(await statusOf({ allowed_common_names: 'web' }, { commonName: 'web\n' })).toBe(400)
  expect(await statusOf({ allowed_common_names: ['web,other'] }, { commonName: 'web,other' })).toBe(200)
})

test.each([
  ['another case', 'WEB.Example.COM', 200],
  ['a dot behind it', 'web.example.com.', 400],
  ['a blank before it', ' web.example.com', 400],
  ['a line break behind it', 'web.example.com\n', 400],
  ['a comma and another name', 'web.example.com,other.example.com', 400],
  ['a NUL inside', 'web.example.com\0.other.example.com', 400],
  ['a letter that looks alike', 'wеb.example.com', 400],
  ['the name of a look-alike in ASCII', 'xn--wb-9kc.example.com', 400],
  ['a star in place of a label', '*.example.com', 400],
  ['a star alone', '*', 400],
])(
  'constraints: whether allowed_dns_sans web.example.com matches a DNS name with %s: %j',
  async (_what, dns, status) => {
    expect(await statusOf({ allowed_dns_sans: 'web.example.com' }, { dns: [dns] })).toBe(status)
  },
)

const text = (oid: string, value: Uint8Array, critical = false): RawExtension => ({ oid, value, critical })
const oid = '1.3.6.1.4.1.99999.1'
const second = '1.3.6.1.4.1.99999.2'

test.each([
  ['exact', [`${oid}:edge`], der.utf8String('edge')],
  ['glob', [`${oid}:e*e`], der.utf8String('edge')],
  ['PrintableString', [`${oid}:edge`], printableString('edge')],
  ['IA5String', [`${oid}:edge`], ia5String('edge')],
  ['BMPString', [`${oid}:edge`], Buffer.from('1e0800650064006700650000'.slice(0, 20), 'hex')],
  ['empty text', [`${oid}:`], der.utf8String('')],
  ['a value with colons', [`${oid}:a:b`], der.utf8String('a:b')],
  ['a value with a comma', [`${oid}:a,b`], der.utf8String('a,b')],
  ['hex, exact', [`hex:${oid}:0c0465646765`], der.utf8String('edge')],
  ['hex, upper case', [`hex:${oid}:0C0465646765`], der.utf8String('edge')],
  ['hex, glob', [`hex:${oid}:*6467*`], der.utf8String('edge')],
  ['hex of what is no string', [`hex:${oid}:020107`], der.integer(7n)],
])('required_extensions: accepted: %s', async (_what, required, value) => {
  expect(await statusOf({ required_extensions: required }, { extensions: [text(oid, value)] })).toBe(200)
})

test.each([
  ['another value', [`${oid}:edge`], der.utf8String('core')],
  ['absent', [`${second}:*`], der.utf8String('edge')],
  ['all must match', [`${oid}:edge`, `${second}:*`], der.utf8String('edge')],
  ['OCTET STRING is no text', [`${oid}:*`], der.octetString(Buffer.from('edge'))],
  ['nor empty text', [`${oid}:`], der.octetString(Buffer.from('edge'))],
  ['INTEGER is no text', [`${oid}:*`], der.integer(7n)],
  ['empty wanted, text there', [`${oid}:`], der.utf8String('edge')],
  ['garbage that is no DER', [`${oid}:*`], Buffer.from('ff', 'hex')],
  ['hex, miss', [`hex:${oid}:0c0463`], der.utf8String('edge')],
])('required_extensions: refused: %s', async (_what, required, value) => {
  expect(await statusOf({ required_extensions: required }, { extensions: [text(oid, value)] })).toBe(400)
})

test('required_extensions: standard extensions can be matched by the hex of their encoding', async () => {
  const ip: CertificateOptions = { ips: ['127.0.0.1'] }
  expect(await statusOf({ required_extensions: ['hex:2.5.29.17:*87047f000001*'] }, ip)).toBe(200)
  expect(await statusOf({ required_extensions: ['hex:2.5.29.17:*87047f000002*'] }, ip)).toBe(400)
  expect(await statusOf({ required_extensions: ['2.5.29.17:'] }, ip)).toBe(400)
})

test('required_extensions: a long value is matched in bounded time; an extension given twice gets 400', async () => {
  const huge = text(oid, der.utf8String(`${'a'.repeat(40_000)}b`))
  const began = performance.now()
  expect(await statusOf({ required_extensions: [`${oid}:${'a*'.repeat(50)}c`] }, { extensions: [huge] })).toBe(400)
  expect(performance.now() - began).toBeLessThan(10_000)
  const doubled = [text(oid, der.utf8String('edge')), text(oid, der.utf8String('edge'))]
  expect(await statusOf({ required_extensions: [`${oid}:edge`] }, { extensions: doubled })).toBe(400)
})

test('allowed_metadata_extensions: present extensions are metadata under dashed OIDs, strings as text', async () => {
  const fields = { allowed_metadata_extensions: `${oid},${second},1.2.3` }
  const options = { extensions: [text(oid, der.utf8String('edge')), text(second, der.integer(7n))] }
  expect(await statusOf(fields, options)).toBe(200)
  const { metadata } = (await app.login(app.leaf(options))).body.auth
  expect(metadata).toMatchObject({ '1-3-6-1-4-1-99999-1': 'edge', '1-3-6-1-4-1-99999-2': '' })
  expect(metadata).not.toHaveProperty('1-2-3')
})

test.each([
  ['one URI', { uris: ['spiffe://a/b'] }, 'spiffe://a/b'],
  ['one DNS name', { dns: ['a.example.com'] }, 'a.example.com'],
  ['one e-mail address', { emails: ['a@example.com'] }, 'a@example.com'],
  ['two DNS names', { dns: ['a.example.com', 'b.example.com'] }, /^serial:\d+@[0-9a-f]{64}$/],
])('alias: a certificate without a common name is named by %s', async (_what, names, alias) => {
  expect(await statusOf({}, { subject: [], ...names })).toBe(200)
  const answer = await app.login(app.leaf({ subject: [], ...names }))
  const row = await app.deps.db
    .selectFrom('entity_aliases')
    .select('name')
    .where('entity_id', '=', answer.body.auth.entity_id)
    .executeTakeFirstOrThrow()
  expect(row.name).toMatch(alias)
  expect(answer.body.auth.metadata.common_name).toBe('')
})

test.each([
  ['uri_san', { uris: ['spiffe://a/c'] }, 'spiffe://a/c'],
  ['dns_san', { dns: ['A.Example.com', 'b.example.com'] }, 'a.example.com'],
  ['email_san', { emails: ['a@example.com'] }, 'a@example.com'],
  ['organizational_unit', { commonName: 'x', organizationalUnits: ['One', 'Two'] }, 'Two'],
  ['ou', { commonName: 'x', organizationalUnits: ['Three'] }, 'Three'],
  ['fingerprint', { commonName: 'x' }, /^[0-9a-f]{64}$/],
])('alias_source %s names the entity', async (source, options, alias) => {
  expect(await statusOf({ alias_source: source }, options)).toBe(200)
  const answer = await app.login(app.leaf(options))
  const row = await app.deps.db
    .selectFrom('entity_aliases')
    .select('name')
    .where('entity_id', '=', answer.body.auth.entity_id)
    .executeTakeFirstOrThrow()
  expect(row.name).toMatch(alias)
  if (source !== 'fingerprint') expect(await statusOf({ alias_source: source }, { commonName: 'x' })).toBe(400)
})

test.each([
  ['uri_san', { uris: [''] }],
  ['dns_san', { dns: [''] }],
  ['email_san', { emails: [''] }],
  ['ou', { commonName: 'x', organizationalUnits: [''] }],
])('alias_source %s: an empty value gets 400', async (source, options) => {
  expect(await statusOf({ alias_source: source }, options)).toBe(400)
})
