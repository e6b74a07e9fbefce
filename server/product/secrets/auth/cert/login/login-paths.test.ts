import { type ConnectionOptions, connect, type SecureVersion, type TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { ownCertApp, sharedCertApp } from '../../../../../../test/support/cert-login.ts'
import {
  type Minted,
  mintCa,
  mintCrl,
  mintIntermediate,
  mintLeaf,
  usage,
} from '../../../../../../test/support/certificates.ts'

const app = sharedCertApp()

const day = 86_400_000
const daysFromNow = (days: number): Date => new Date(Date.now() + days * day)

/** Logs in by a role that trusts these. */
async function statusOf(trusted: string, identity: Pick<Minted, 'chainPem' | 'keyPem'>): Promise<number> {
  await app.root.delete('/v1/auth/cert/certs/web')
  await app.role('web', { certificate: trusted })
  const [named, unnamed] = [await app.login(identity, { name: 'web' }), await app.login(identity)]
  expect(unnamed.status, unnamed.text).toBe(named.status)
  expect(named.status, named.text).not.toBe(500)
  return named.status
}

const sending = (leaf: Minted, ...others: Minted[]): Pick<Minted, 'chainPem' | 'keyPem'> => ({
  chainPem: [leaf, ...others].map(({ pem }) => pem).join(''),
  keyPem: leaf.keyPem,
})

test('paths: an intermediate has to be sent unless the role trusts it', async () => {
  const intermediate = mintIntermediate(app.ca)
  const leaf = mintLeaf(intermediate)
  expect(await statusOf(app.ca.pem, sending(leaf, intermediate))).toBe(200)
  expect(await statusOf(app.ca.pem, sending(leaf))).toBe(400)
  expect(await statusOf(intermediate.pem, sending(leaf))).toBe(200)
  expect(await statusOf(intermediate.pem, sending(leaf, intermediate, app.ca))).toBe(200)
})

test('paths: wrong order, unrelated and repeated certificates in the sent chain do not matter', async () => {
  const upper = mintIntermediate(app.ca, { commonName: 'Upper' })
  const lower = mintIntermediate(upper, { commonName: 'Lower' })
  const leaf = mintLeaf(lower)
  expect(await statusOf(app.ca.pem, sending(leaf, app.ca, upper, mintCa(), lower, upper))).toBe(200)
})

test('paths: a self-signed certificate in the sent chain is not trusted', async () => {
  const own = mintCa({ commonName: 'Own' })
  expect(await statusOf(app.ca.pem, sending(mintLeaf(own), own))).toBe(400)
})

test('paths: a CA certificate can log in by its own role only with digitalSignature usage', async () => {
  const signing = mintCa({ keyUsage: [usage.keyCertSign, usage.digitalSignature] })
  expect(await statusOf(signing.pem, sending(signing))).toBe(200)
  expect(await statusOf(app.ca.pem, sending(app.ca))).toBe(400)
})

test('paths: a leaf without digitalSignature is refused, and one reissued for the same key logs in', async () => {
  const old = mintLeaf(app.ca, { commonName: 'old', keyUsage: [usage.keyEncipherment] })
  const reissued = mintLeaf(app.ca, { commonName: 'old', key: old.key })
  const without = mintLeaf(app.ca, { commonName: 'old', key: old.key, keyUsage: null })
  for (const trusted of [app.ca, old]) expect(await statusOf(trusted.pem, sending(old))).toBe(400)
  for (const leaf of [reissued, without]) {
    for (const trusted of [app.ca, leaf]) expect(await statusOf(trusted.pem, sending(leaf))).toBe(200)
  }
  const { body } = await app.root.post('/v1/auth/cert/explain', { certificate: old.pem })
  expect(JSON.stringify(body.data)).toContain('Issue it with digitalSignature.')
})

test('paths: a CA whose certificate may not log in can issue one that does, for the same role', async () => {
  const own = mintCa({ commonName: 'Own client' })
  expect(await statusOf(own.pem, sending(own))).toBe(400)
  expect(await statusOf(own.pem, sending(mintLeaf(own, { key: own.key })))).toBe(200)
  const any = mintCa({ commonName: 'Own client', keyUsage: null })
  expect(await statusOf(any.pem, sending(any))).toBe(200)
})

test('paths: ocsp_ca_certificates of a role are not trusted for logins', async () => {
  const responders = mintCa({ commonName: 'Responders' })
  await app.role('web', { certificate: app.ca.pem, ocsp_ca_certificates: responders.pem })
  for (const body of [{}, { name: 'web' }]) expect((await app.login(mintLeaf(responders), body)).status).toBe(400)
})

test('paths: a role with two CAs accepts certificates of either, even if one CA has expired', async () => {
  const old = mintCa({ commonName: 'Root', notBefore: daysFromNow(-20), notAfter: daysFromNow(-1) })
  const renewed = mintCa({ commonName: 'Root', key: old.key })
  const other = mintCa({ commonName: 'Other' })
  expect(await statusOf(old.pem + other.pem, mintLeaf(other))).toBe(200)
  expect(await statusOf(old.pem, mintLeaf(old))).toBe(400)
  expect(await statusOf(renewed.pem, mintLeaf(old))).toBe(200)
  expect(await statusOf(old.pem + renewed.pem, mintLeaf(old))).toBe(200)
})

test('paths: a cross-signed CA is followed to the root that is still valid, and loops get 400', async () => {
  const expired = mintCa({ commonName: 'Expired', notAfter: daysFromNow(-1), notBefore: daysFromNow(-9) })
  const crossed = mintCa({ commonName: 'Crossed' })
  const byExpired = mintIntermediate(expired, { commonName: 'Crossed', key: crossed.key })
  const byGood = mintIntermediate(app.ca, { commonName: 'Crossed', key: crossed.key })
  expect(await statusOf(app.ca.pem + expired.pem, sending(mintLeaf(crossed), byExpired, byGood))).toBe(200)
  const [one, two] = [mintCa({ commonName: 'One' }), mintCa({ commonName: 'Two' })]
  const oneByTwo = mintIntermediate(two, { commonName: 'One', key: one.key })
  const twoByOne = mintIntermediate(one, { commonName: 'Two', key: two.key })
  expect(await statusOf(app.ca.pem, sending(mintLeaf(one), oneByTwo, twoByOne))).toBe(400)
})

test('paths: twenty intermediates of one name with other keys are refused in bounded time', async () => {
  const twins = Array.from({ length: 20 }, () => mintIntermediate(app.ca, { commonName: 'Twin' }))
  const leaf = mintLeaf(mintIntermediate(app.ca, { commonName: 'Twin' }))
  const began = performance.now()
  expect(await statusOf(app.ca.pem, sending(leaf, ...twins))).toBe(400)
  expect(performance.now() - began).toBeLessThan(4_000)
})

test.each([
  ['within the names of its CA', { dns: ['a.example.com'] }, 200],
  ['outside them', { dns: ['a.other.com'] }, 400],
  ['with one name inside and one outside', { dns: ['a.example.com', 'a.other.com'] }, 400],
  ['with a common name outside, which is no host name', { commonName: 'a.other.com' }, 200],
  ['with an excluded e-mail address', { emails: ['a@bad.example.com'] }, 400],
  ['with an address outside the range', { ips: ['192.0.2.1'] }, 400],
  ['with an address inside the range', { ips: ['10.1.2.3'] }, 200],
])('name constraints of the CA: accepted or refused: a certificate %s', async (_what, names, status) => {
  const constrained = {
    commonName: 'Constrained',
    permitted: { dns: ['example.com'], ip: ['10.0.0.0/8'] },
    excluded: { email: ['bad.example.com'] },
  }
  const intermediate = mintIntermediate(app.ca, constrained)
  expect(await statusOf(app.ca.pem, mintLeaf(intermediate, { commonName: 'x', ...names }))).toBe(status)
  expect(await statusOf(intermediate.pem, mintLeaf(intermediate, { commonName: 'x', ...names }))).toBe(status)
})

const refused: [
  string,
  () => [trusted: string, identity: Pick<Minted, 'chainPem' | 'keyPem'>, told: RegExp | undefined],
][] = [
  [
    'an expired leaf',
    () => [app.ca.pem, app.leaf({ notAfter: daysFromNow(-1), notBefore: daysFromNow(-2) }), /expired/],
  ],
  ['a leaf not yet valid', () => [app.ca.pem, app.leaf({ notBefore: daysFromNow(1) }), /not valid before/]],
  ['a leaf for servers', () => [app.ca.pem, app.leaf({ extendedKeyUsage: ['serverAuth'] }), /clientAuth/]],
  ['a leaf signed with SHA-1', () => [app.ca.pem, app.leaf({ signWith: 'sha1' }), /signed with/]],
  [
    'an unknown critical extension',
    () => [
      app.ca.pem,
      app.leaf({ extensions: [{ oid: '1.2.3.4', critical: true, value: Buffer.from('0500', 'hex') }] }),
      /critical/,
    ],
  ],
  [
    'a CA for servers only',
    () => {
      const ca = mintCa({ extendedKeyUsage: ['serverAuth'] })
      return [ca.pem, mintLeaf(ca), undefined]
    },
  ],
  [
    'a path longer than the anchor allows',
    () => {
      const ca = mintCa({ pathLength: 0 })
      return [ca.pem, mintLeaf(mintIntermediate(ca)), undefined]
    },
  ],
  ['an intermediate that is no CA', () => [app.ca.pem, mintLeaf(mintIntermediate(app.ca, { ca: false })), undefined]],
  [
    'an intermediate that may not sign certificates',
    () => [app.ca.pem, mintLeaf(mintIntermediate(app.ca, { keyUsage: [usage.crlSign] })), undefined],
  ],
  [
    'an expired intermediate',
    () => [
      app.ca.pem,
      mintLeaf(mintIntermediate(app.ca, { notAfter: daysFromNow(-1), notBefore: daysFromNow(-2) })),
      undefined,
    ],
  ],
  [
    'a forged issuer name',
    () => [app.ca.pem, mintLeaf(mintCa({ commonName: 'Client CA', subjectKeyId: app.ca.subjectKeyId })), undefined],
  ],
]

test.each(refused)('paths: %s gets 400, with its reason if it concerns the leaf alone', async (_what, make) => {
  const [trusted, identity, told] = make()
  expect(await statusOf(trusted, identity)).toBe(400)
  const { errors } = (await app.login(identity)).body
  if (told) expect(errors[0]).toMatch(told)
  else expect(errors[0]).toContain('does not satisfy')
})

test.each([
  ['a leaf for any purpose', () => [app.ca.pem, app.leaf({ extendedKeyUsage: ['any'] })] as const],
  ['a leaf without purposes', () => [app.ca.pem, app.leaf({ extendedKeyUsage: null })] as const],
  [
    'a root that signed itself with SHA-1',
    () => {
      const ca = mintCa({ signWith: 'sha1' })
      return [ca.pem, mintLeaf(ca)] as const
    },
  ],
  [
    'RSA',
    () => {
      const ca = mintCa({ keyKind: 'rsa2048' })
      return [ca.pem, mintLeaf(ca, { keyKind: 'rsa2048' })] as const
    },
  ],
  [
    'Ed25519',
    () => {
      const ca = mintCa({ keyKind: 'ed25519' })
      return [ca.pem, mintLeaf(ca, { keyKind: 'ed25519' })] as const
    },
  ],
])('paths: %s is accepted', async (_what, make) => {
  const [trusted, identity] = make()
  expect(await statusOf(trusted, identity)).toBe(200)
})

test('paths: a role can store an expired CA, and its certificates get 400', async () => {
  const ca = mintCa({ notBefore: daysFromNow(-9), notAfter: daysFromNow(-1) })
  expect(await statusOf(ca.pem, mintLeaf(ca))).toBe(400)
})

test('paths: a certificate that expires between two logins gets 400 at the second', async () => {
  const own = await ownCertApp()
  const leaf = own.leaf({ notAfter: new Date(Date.now() + 60_000) })
  await own.role('pinned', { certificate: leaf.pem })
  await own.role('ca', { certificate: own.ca.pem })
  const client = own.with(leaf)
  for (const name of ['pinned', 'ca', '']) expect((await client.post('/v1/auth/cert/login', { name })).status).toBe(200)
  own.clock.advance('2m')
  for (const name of ['pinned', 'ca', '']) expect((await client.post('/v1/auth/cert/login', { name })).status).toBe(400)
})

test.each(['TLSv1.2', 'TLSv1.3'] as const)(
  '%s: logins over a resumed session and a kept-alive connection see the whole chain',
  async (version) => {
    const issuing = mintIntermediate(app.ca, { commonName: `Issuing ${version}` })
    const leaf = mintLeaf(issuing)
    await app.root.delete('/v1/auth/cert/certs/web')
    await app.role('web', { certificate: app.ca.pem })
    const first = await open(leaf, version)
    expect(await loginOn(first.socket)).toBe(200)
    expect(await loginOn(first.socket)).toBe(200)
    const ticket = await first.session
    first.socket.destroy()
    const { socket } = await open(leaf, version, ticket)
    expect(socket.isSessionReused()).toBe(true)
    expect(await loginOn(socket)).toBe(200)
    await app.root.post('/v1/auth/cert/crls/issuing', { crl: mintCrl(issuing, { revoked: [leaf.serial] }).pem })
    expect(await loginOn(socket)).toBe(400)
    socket.destroy()
    await app.root.delete('/v1/auth/cert/crls/issuing')
  },
)

type Opened = { socket: TLSSocket; session: Promise<Buffer> }

function open(leaf: Minted, version: SecureVersion, session?: Buffer): Promise<Opened> {
  const options: ConnectionOptions = {
    host: '127.0.0.1',
    port: Number(new URL(app.httpsUrl).port),
    servername: 'localhost',
    ca: app.serverCa.pem,
    cert: leaf.chainPem,
    key: leaf.keyPem,
    minVersion: version,
    maxVersion: version,
    ...(session ? { session } : {}),
  }
  return new Promise((resolve, reject) => {
    const socket = connect(options, () => resolve({ socket, session: known }))
    const known = new Promise<Buffer>((got) => socket.once('session', got))
    socket.once('error', reject)
  })
}

function loginOn(socket: TLSSocket): Promise<number> {
  return new Promise((resolve) => {
    socket.once('data', (chunk: Buffer) => resolve(Number(chunk.toString('latin1', 9, 12))))
    socket.write('POST /v1/auth/cert/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}')
  })
}
