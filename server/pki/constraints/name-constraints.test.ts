import { expect, test } from 'vitest'
import type { Subtrees } from '../../../test/support/certificate-parts.ts'
import { type CertificateOptions, mintCa, mintLeaf } from '../../../test/support/certificates.ts'
import { readCertificate } from '../certificates/certificate.ts'
import * as der from '../der-writer.ts'
import { findViolation } from './name-constraints.ts'

const issuer = mintCa()

type Limits = { permitted?: Subtrees; excluded?: Subtrees }

function judge(limits: Limits, names: CertificateOptions, comparisons = 1000): string {
  const ca = readCertificate(mintCa(limits).der)
  const leaf = readCertificate(mintLeaf(issuer, { commonName: 'x', ...names }).der)
  if (ca.nameConstraints === undefined) throw new Error('the CA has no constraints')
  return findViolation(leaf, ca.nameConstraints, { comparisons })?.why ?? 'fine'
}

const permitDns = (...dns: string[]): Limits => ({ permitted: { dns } })
const excludeDns = (...dns: string[]): Limits => ({ excluded: { dns } })

test.each<[string, Limits, string, string]>([
  ['the host itself', permitDns('example.com'), 'example.com', 'fine'],
  ['a host below', permitDns('example.com'), 'a.b.example.com', 'fine'],
  ['another case', permitDns('Example.COM'), 'A.example.com', 'fine'],
  ['a suffix that is not a domain', permitDns('example.com'), 'badexample.com', 'not-permitted'],
  ['another host', permitDns('example.com'), 'example.org', 'not-permitted'],
  ['one of several trees', permitDns('a.com', 'b.com'), 'x.b.com', 'fine'],
  ['any host under the empty tree', permitDns(''), 'example.com', 'fine'],
  ['any host excluded by the empty tree', excludeDns(''), 'example.com', 'excluded'],
  ['only hosts below, with a leading period', permitDns('.example.com'), 'a.example.com', 'fine'],
  ['not the host itself, with a leading period', permitDns('.example.com'), 'example.com', 'not-permitted'],
  ['an excluded host', excludeDns('bad.example.com'), 'x.bad.example.com', 'excluded'],
  ['a host beside an excluded one', excludeDns('bad.example.com'), 'good.example.com', 'fine'],
  ['a wildcard inside the tree', permitDns('example.com'), '*.example.com', 'fine'],
  ['a wildcard of the tree with a leading period', permitDns('.example.com'), '*.example.com', 'fine'],
  ['a wildcard that reaches beyond', permitDns('a.example.com'), '*.example.com', 'not-permitted'],
  ['a wildcard over an excluded host', excludeDns('a.example.com'), '*.example.com', 'excluded'],
  ['a wildcard inside an excluded tree', excludeDns('example.com'), '*.a.example.com', 'excluded'],
  ['a wildcard that cannot reach that deep', excludeDns('a.b.example.com'), '*.example.com', 'fine'],
  ['a wildcard beside an excluded host', excludeDns('a.example.org'), '*.example.com', 'fine'],
  ['a star inside a label', permitDns('example.com'), 'a*.example.com', 'unreadable-name'],
  ['a star further in', permitDns('example.com'), 'a.*.example.com', 'unreadable-name'],
  ['an empty label', permitDns('example.com'), 'a..example.com', 'unreadable-name'],
  ['a period at the end', permitDns('example.com'), 'a.example.com.', 'unreadable-name'],
  ['a space', permitDns('example.com'), 'a b.example.com', 'unreadable-name'],
  ['an empty name', permitDns('example.com'), '', 'unreadable-name'],
  ['a constraint with a star', permitDns('*.example.com'), 'a.example.com', 'unreadable-constraint'],
  ['a good constraint beside a bad one', permitDns('example.com', 'a..b'), 'a.example.com', 'unreadable-constraint'],
])('DNS name constraints: %s', (_name, limits, dns, expected) => {
  expect(judge(limits, { dns: [dns] })).toBe(expected)
})

test.each<[string, Subtrees, string, string]>([
  ['the mailbox', { email: ['a@example.com'] }, 'a@EXAMPLE.com', 'fine'],
  ['the mailbox in another case', { email: ['a@example.com'] }, 'A@example.com', 'not-permitted'],
  ['a mailbox of the host', { email: ['example.com'] }, 'any@example.com', 'fine'],
  ['a mailbox below the host', { email: ['example.com'] }, 'any@mail.example.com', 'not-permitted'],
  ['a mailbox below the domain', { email: ['.example.com'] }, 'any@mail.example.com', 'fine'],
  ['a mailbox of the domain itself', { email: ['.example.com'] }, 'any@example.com', 'not-permitted'],
  ['a literal star', { email: ['*@example.com'] }, 'user@example.com', 'not-permitted'],
  ['any mailbox under the empty tree', { email: [''] }, 'any@example.com', 'fine'],
  ['two at signs', { email: ['example.com'] }, 'a@b@example.com', 'unreadable-name'],
  ['a quoted local part', { email: ['a b@example.com', 'example.com'] }, '"a b"@example.com', 'unreadable-constraint'],
  ['a quoted at sign', { email: ['example.com'] }, '"a@b"@example.com', 'fine'],
  ['no local part', { email: ['example.com'] }, '@example.com', 'unreadable-name'],
  ['no domain', { email: ['example.com'] }, 'a@', 'unreadable-name'],
  ['no at sign', { email: ['example.com'] }, 'example.com', 'unreadable-name'],
  ['a constraint with two at signs', { email: ['a@b@example.com'] }, 'a@example.com', 'unreadable-constraint'],
])('e-mail name constraints: %s', (_name, permitted, email, expected) => {
  expect(judge({ permitted }, { emails: [email] })).toBe(expected)
})

test.each<[string, CertificateOptions, string]>([
  [
    'counts even if it is not text',
    { subject: [['emailAddress', 'x', () => der.octetString(Buffer.from('a@good.com'))]] },
    'unreadable-name',
  ],
  ['counts if there is no other', { subject: [['emailAddress', 'a@bad.com']] }, 'not-permitted'],
  [
    'does not count beside an alternative name',
    { subject: [['emailAddress', 'a@bad.com']], emails: ['a@good.com'] },
    'fine',
  ],
])('e-mail name constraints: an address in the subject %s', (_name, names, expected) => {
  expect(judge({ permitted: { email: ['good.com'] } }, names)).toBe(expected)
})

test.each<[string, string, string, string]>([
  ['the host', 'example.com', 'https://example.com/path', 'fine'],
  ['the host in another case, with a port', 'example.com', 'https://EXAMPLE.com:8443', 'fine'],
  ['the host behind user information', 'example.com', 'ftp://user:pw@example.com/', 'fine'],
  ['a host that poses as user information', 'example.com', 'https://example.com@evil.org/', 'not-permitted'],
  ['a host that poses as a path', 'example.com', 'https://evil.org/example.com', 'not-permitted'],
  ['a host below the host', 'example.com', 'https://a.example.com', 'not-permitted'],
  ['a host below the domain', '.example.com', 'spiffe://a.example.com/x', 'fine'],
  ['the domain itself', '.example.com', 'spiffe://example.com/x', 'not-permitted'],
  ['any host under the empty tree', '', 'https://example.com', 'fine'],
  ['no authority', 'example.com', 'urn:uuid:1', 'unreadable-name'],
  ['a blank before the scheme', 'example.com', ' https://example.com', 'unreadable-name'],
  ['an IPv4 host', 'example.com', 'https://10.0.0.1/', 'unreadable-name'],
  ['an IPv4 host in hex', 'example.com', 'https://0x7f000001/', 'unreadable-name'],
  ['an IPv6 host', 'example.com', 'https://[::1]/', 'unreadable-name'],
  ['a backslash', 'example.com', 'https://evil.org\\@example.com/', 'unreadable-name'],
  ['an escaped host', 'example.com', 'https://ex%61mple.com/', 'unreadable-name'],
  ['a constraint that is a URI', 'https://example.com', 'https://example.com', 'unreadable-constraint'],
])('URI name constraints: %s', (_name, base, uri, expected) => {
  expect(judge({ permitted: { uri: [base] } }, { uris: [uri] })).toBe(expected)
})

test.each<[string, Limits, string, string]>([
  ['inside', { permitted: { ip: ['10.0.0.0/8'] } }, '10.9.8.7', 'fine'],
  ['outside', { permitted: { ip: ['10.0.0.0/8'] } }, '11.0.0.1', 'not-permitted'],
  ['IPv6 under IPv4 ranges', { permitted: { ip: ['10.0.0.0/8'] } }, '::1', 'not-permitted'],
  ['IPv6 inside', { permitted: { ip: ['2001:db8::/32'] } }, '2001:db8:1::1', 'fine'],
  ['excluded', { excluded: { ip: ['10.0.0.0/8'] } }, '10.0.0.1', 'excluded'],
  ['IPv6 beside an excluded IPv4 range', { excluded: { ip: ['0.0.0.0/0'] } }, '::1', 'fine'],
  [
    'a range of half the length',
    { permitted: { raw: [der.implicitTag(7, Buffer.from([10, 0, 0, 0]))] } },
    '10.0.0.1',
    'unreadable-constraint',
  ],
  [
    'a mask with holes',
    { permitted: { raw: [der.implicitTag(7, Buffer.from([10, 0, 0, 0, 255, 0, 255, 0]))] } },
    '10.0.0.1',
    'unreadable-constraint',
  ],
])('IP name constraints: %s', (_name, limits, ip, expected) => {
  expect(judge(limits, { ips: [ip] })).toBe(expected)
})

const broken = (): Buffer => der.tlv(der.tag.utf8String, Buffer.from([0xff]))
const bits = (): Buffer => der.bitString(Buffer.from([1]))

test.each<[string, Limits, CertificateOptions, string]>([
  [
    'the subject inside',
    { permitted: { directory: [[['O', 'Acme']]] } },
    {
      subject: [
        ['O', 'ACME'],
        ['CN', 'x'],
      ],
    },
    'fine',
  ],
  [
    'the subject outside',
    { permitted: { directory: [[['O', 'Acme']]] } },
    { subject: [['O', 'Evil']] },
    'not-permitted',
  ],
  [
    'an alternative name outside',
    { permitted: { directory: [[['O', 'Acme']]] } },
    { subject: [['O', 'Acme']], directoryNames: [[['O', 'Evil']]] },
    'not-permitted',
  ],
  [
    'the subject excluded',
    { excluded: { directory: [[['O', 'Acme']]] } },
    {
      subject: [
        ['O', 'acme'],
        ['CN', 'x'],
      ],
    },
    'excluded',
  ],
  [
    'an unreadable subject',
    { excluded: { directory: [[['O', 'Acme']]] } },
    { subject: [['O', '', broken]] },
    'unreadable-name',
  ],
  [
    'an unreadable tree',
    { excluded: { directory: [[['O', '', broken]]] } },
    { subject: [['O', 'Evil']] },
    'unreadable-constraint',
  ],
  [
    'a value that is not text at all',
    { excluded: { directory: [[['O', 'Acme']]] } },
    { subject: [['O', '', bits]] },
    'fine',
  ],
  ['an empty subject', { permitted: { directory: [[['O', 'Acme']]] } }, { subject: [], dns: ['x'] }, 'fine'],
])('directory name constraints: %s', (_name, limits, names, expected) => {
  expect(judge(limits, names)).toBe(expected)
})

const otherName = [{ oid: '1.2.3', value: der.utf8String('x') }]
const otherTree = der.explicitTag(0, der.oid('1.2.3'), der.explicitTag(0, der.utf8String('y')))

test.each<[string, Limits, CertificateOptions, string]>([
  ['every name must be inside', permitDns('a.com'), { dns: ['x.a.com', 'b.com'] }, 'not-permitted'],
  [
    'excluded wins over permitted',
    { permitted: { dns: ['a.com'] }, excluded: { dns: ['x.a.com'] } },
    { dns: ['x.a.com'] },
    'excluded',
  ],
  ['a kind without constraint is free', permitDns('a.com'), { emails: ['a@b.com'], ips: ['10.0.0.1'] }, 'fine'],
  ['the common name is not a host name', permitDns('a.com'), { commonName: 'b.com' }, 'fine'],
  [
    'a kind that cannot be compared, below such a constraint',
    { excluded: { raw: [otherTree] } },
    { otherNames: otherName },
    'unsupported-kind',
  ],
  ['a kind that cannot be compared, not below one', permitDns('a.com'), { otherNames: otherName }, 'fine'],
  [
    'a constraint that cannot be compared, over other names',
    { excluded: { raw: [otherTree] } },
    { dns: ['a.com'] },
    'fine',
  ],
  ['a bad constraint over other kinds', { permitted: { email: ['a@b@c'] } }, { dns: ['a.com'] }, 'fine'],
])('name constraints: %s', (_name, limits, names, expected) => {
  expect(judge(limits, names)).toBe(expected)
})

test('name constraints: running out of comparisons gives the violation limit', () => {
  const dns = Array.from({ length: 20 }, (_, index) => `h${index}.example.com`)
  expect(judge(permitDns(...dns), { dns }, 399)).toBe('limit')
  expect(judge(permitDns(...dns), { dns }, 400)).toBe('fine')
})
