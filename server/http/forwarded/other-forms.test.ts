import { hash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { sharedCertApp } from '../../../test/support/cert-login.ts'
import { type Minted, mintIntermediate, mintLeaf } from '../../../test/support/certificates.ts'
import type { ForwardedForm } from '../../kit/request.ts'

const trust = (form: ForwardedForm, trustedProxies = ['127.0.0.1/32']) =>
  new Map([
    [
      'http',
      { trustedProxies, forwardedClientCertificate: form, forwardedClientCertificateHeader: 'X-Client-Cert' } as const,
    ],
  ])

const apps = {
  pem: sharedCertApp({ proxies: trust('pem') }),
  xfcc: sharedCertApp({ proxies: trust('xfcc') }),
  stranger: sharedCertApp({ proxies: trust('pem', ['192.0.2.0/24']) }),
  off: sharedCertApp({ proxies: trust('off') }),
}
const headers = {
  pem: 'x-client-cert',
  xfcc: 'x-forwarded-client-cert',
  stranger: 'x-client-cert',
  off: 'x-client-cert',
}

beforeAll(async () => {
  for (const app of Object.values(apps)) await app.role('web', { certificate: app.ca.pem })
})

type Outcome = { readonly status: number; readonly name: string | undefined; readonly error: string | undefined }

/** Logs in with these lines of the header. */
async function login(way: keyof typeof apps, ...lines: readonly string[]): Promise<Outcome> {
  const sent = request(new URL('/v1/auth/cert/login', apps[way].url), {
    method: 'POST',
    headers: { [headers[way]]: [...lines] },
  })
  sent.end('{}')
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const { auth, errors } = JSON.parse(await text(answer))
  return { status: answer.statusCode ?? 0, name: auth?.metadata.common_name, error: errors?.[0] }
}

const accepted = { status: 200, name: 'web-1', error: undefined }
const encoded = (text: string) => encodeURIComponent(text)
const base64 = ({ der }: Minted) => der.toString('base64')
/** Some proxies leave these three as they are. */
const halfEncoded = (text: string) => encoded(text).replaceAll('%2B', '+').replaceAll('%3D', '=').replaceAll('%2F', '/')
const inOneLine = ({ pem }: Minted) => pem.trim().replaceAll('\n', ' ')

test.each<[string, (leaf: Minted) => string]>([
  ['percent-encoded PEM', ({ pem }) => encoded(pem)],
  ['PEM of which only some characters are encoded', ({ pem }) => halfEncoded(pem)],
  ['PEM with blanks in place of line breaks', inOneLine],
  ['base64', base64],
  ['percent-encoded base64', (leaf) => encoded(base64(leaf))],
])('forwarded certificate, pem: %s logs its client in', async (_name, write) => {
  expect(await login('pem', write(apps.pem.leaf({ commonName: 'web-1' })))).toEqual(accepted)
})

test.each<[string, (chain: readonly Minted[]) => string]>([
  ['percent-encoded PEM', (chain) => encoded(chain.map(({ pem }) => pem).join(''))],
  ['PEM in one line', (chain) => chain.map(inOneLine).join(' ')],
  ['base64 between commas', (chain) => chain.map(base64).join(',')],
])('forwarded certificate, pem: intermediates come after the leaf as %s', async (_name, write) => {
  const intermediate = mintIntermediate(apps.pem.ca, { commonName: 'Regional CA' })
  const leaf = mintLeaf(intermediate, { commonName: 'web-1' })
  expect(await login('pem', write([leaf, intermediate]))).toEqual(accepted)
  expect((await login('pem', write([leaf]))).status).toBe(400)
  expect((await login('pem', write([intermediate, leaf]))).status).toBe(400)
})

test.each<[string, (leaf: Minted) => string | string[]]>([
  ['twice', (leaf) => [base64(leaf), base64(leaf)]],
  ['as words', () => 'hello'],
  ['with a bad escape', (leaf) => `${encoded(leaf.pem)}%zz`],
  ['as a PEM block of another kind', (leaf) => encoded(leaf.pem.replaceAll('CERTIFICATE', 'PRIVATE KEY'))],
  ['as PEM without its end', (leaf) => encoded(leaf.pem.slice(0, 300))],
  ['beside a broken block', (leaf) => encoded(`${leaf.pem}${leaf.pem.replace('MI', '!!')}`)],
  ['with a comma behind', (leaf) => `${base64(leaf)},`],
  ['as more than eleven certificates', (leaf) => new Array<string>(12).fill(base64(leaf)).join()],
])(
  'forwarded certificate, pem: a certificate that is sent %s is refused with what is expected',
  async (_name, write) => {
    const { status, error } = await login('pem', ...[write(apps.pem.leaf({ commonName: 'web-1' }))].flat())
    expect([status, error]).toEqual([400, expect.stringContaining('as PEM')])
  },
)

test.each(['', ' ', '(null)', '{tls.client.certificate}'])(
  'forwarded certificate, pem: the header %j means that there is none',
  async (value) => {
    expect(await login('pem', value)).toMatchObject({ status: 400, error: expect.stringContaining('TLS connection') })
  },
)

test('forwarded certificate, pem: from strangers, or where forwarding is off, the header is ignored', async () => {
  for (const way of ['stranger', 'off'] as const) {
    const answer = await login(way, base64(apps[way].leaf({ commonName: 'web-1' })))
    expect(answer).toMatchObject({ status: 400, error: expect.stringContaining('TLS connection') })
  }
})

test('forwarded certificate: a listener reads no other form than its own', async () => {
  const leaf = apps.pem.leaf({ commonName: 'web-1' })
  const standard = {
    headers: { 'client-cert': `:${base64(leaf)}:`, 'x-forwarded-client-cert': `Cert=${encoded(leaf.pem)}` },
  }
  expect((await apps.pem.anonymous.post('/v1/auth/cert/login', {}, standard)).status).toBe(400)
})

const digestOf = ({ der }: Minted) => hash('sha256', der, 'hex')
const about = (leaf: Minted) => `By=spiffe://a/b;Hash=${digestOf(leaf)}`

test.each<[string, (leaf: Minted) => string]>([
  ['its certificate', ({ pem }) => `Cert="${encoded(pem)}"`],
  ['its certificate without quotation marks', ({ pem }) => `Cert=${encoded(pem)}`],
  ['other keys around', (leaf) => `${about(leaf)};Cert="${encoded(leaf.pem)}";Subject="CN=\\"a, b\\";O=c";URI=`],
  [
    'keys in capitals and blanks',
    (leaf) => `HASH=${digestOf(leaf).toUpperCase()} ; CERT="${encoded(leaf.pem)}" ;DNS=a;DNS=b`,
  ],
  ['a chain of one', ({ pem }) => `Chain="${encoded(pem)}"`],
  ['both', ({ pem }) => `Cert="${encoded(pem)}";Chain="${encoded(pem)}"`],
])('forwarded certificate, xfcc: an element with %s logs the client in', async (_name, write) => {
  expect(await login('xfcc', write(apps.xfcc.leaf({ commonName: 'web-1' })))).toEqual(accepted)
})

/** What a client could add to what the proxy says, by a name in its certificate or by a header of its own. */
test.each<[string, (own: Minted, forged: string) => string]>([
  ['a comma in a name', (own, forged) => `${about(own)};Cert="${encoded(own.pem)}";URI=a,Cert="${forged}"`],
  ['a semicolon in a name', (own, forged) => `${about(own)};Chain="${encoded(own.pem)}";URI=a;Cert="${forged}"`],
  [
    'a certificate and its digest in a name',
    (own, forged) => `${about(own)};Chain="${encoded(own.pem)}";URI=a;Hash=${'0'.repeat(64)};Cert="${forged}"`,
  ],
  ['an element before', (own, forged) => `Cert="${forged}",${about(own)};Cert="${encoded(own.pem)}"`],
  [
    'a quotation mark left open',
    (own, forged) => `Cert="${forged}";Subject=",${about(own)};Chain="${encoded(own.pem)}";Subject="CN=a\\"b"`,
  ],
])('forwarded certificate, xfcc: with %s nobody logs in', async (_name, write) => {
  const [own, other] = ['web-1', 'forged'].map((commonName) => apps.xfcc.leaf({ commonName })) as [Minted, Minted]
  const { status, error } = await login('xfcc', write(own, encoded(other.pem)))
  expect([status, error]).toEqual([400, expect.stringContaining("'Cert'")])
})

test('forwarded certificate, xfcc: a value of many blanks takes no longer than others', async () => {
  const begun = performance.now()
  expect((await login('xfcc', `By=${' '.repeat(30_000)}"x"`)).status).toBe(400)
  expect(performance.now() - begun).toBeLessThan(1_000)
})

test('forwarded certificate, xfcc: intermediates come from the chain, with the leaf or without it', async () => {
  const intermediate = mintIntermediate(apps.xfcc.ca, { commonName: 'Regional CA' })
  const leaf = mintLeaf(intermediate, { commonName: 'web-1' })
  const chain = encoded(leaf.pem + intermediate.pem)
  expect(await login('xfcc', `Chain="${chain}"`)).toEqual(accepted)
  expect(await login('xfcc', `Chain="${chain}";Cert="${encoded(leaf.pem)}"`)).toEqual(accepted)
  expect(await login('xfcc', `Cert="${encoded(leaf.pem)}";Chain="${encoded(intermediate.pem)}"`)).toEqual(accepted)
  expect((await login('xfcc', `Cert="${encoded(leaf.pem)}"`)).status).toBe(400)
})

test.each<[string, (leaf: Minted) => string | string[]]>([
  ['in two lines', ({ pem }) => [`Cert=${encoded(pem)}`, `Cert=${encoded(pem)}`]],
  ['with its certificate twice', ({ pem }) => `Cert=${encoded(pem)};Cert=${encoded(pem)}`],
  ['with two certificates as its own', ({ pem }) => `Cert=${encoded(pem + pem)}`],
  ['with a hash alone', (leaf) => about(leaf)],
  ['with the hash of another', ({ pem }) => `Hash=${'0'.repeat(64)};Cert=${encoded(pem)}`],
  ['with an open quotation mark', ({ pem }) => `Cert="${encoded(pem)}`],
  ['with something that is no pair', ({ pem }) => `Cert="${encoded(pem)}";what`],
  ['with a comma behind', ({ pem }) => `Cert="${encoded(pem)}",`],
  ['with a broken chain', ({ pem }) => `Cert="${encoded(pem)}";Chain="x"`],
  ['without anything', () => ''],
])('forwarded certificate, xfcc: a header %s is refused with what is expected', async (_name, write) => {
  const { status, error } = await login('xfcc', ...[write(apps.xfcc.leaf({ commonName: 'web-1' }))].flat())
  expect([status, error]).toEqual([400, expect.stringContaining("'Cert'")])
})
