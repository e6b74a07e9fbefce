import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { json } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { type CertApp, ownCertApp } from '../support/cert-login.ts'
import { type Minted, mintIntermediate, mintLeaf, mintSelfSigned, mintServer } from '../support/certificates.ts'
import { isInstalled } from '../support/programs/programs.ts'
import { proxies, startProxy, type TlsProxy } from './proxies.ts'

type Answer = { readonly auth?: { readonly metadata: Record<string, string> }; readonly errors?: string[] }

/** A server behind a proxy, and how a client logs in through it. */
async function behind(proxy: TlsProxy) {
  const trust = {
    trustedProxies: ['127.0.0.1'],
    forwardedClientCertificate: proxy.form,
    forwardedClientCertificateHeader: 'X-SSL-Client-Cert',
  } as const
  const app = await ownCertApp({ proxies: new Map([['http', trust]]) })
  await app.role('web', { certificate: app.ca.pem })
  const { chainPem: cert, keyPem: key } = mintServer(app.serverCa)
  const port = await startProxy(proxy, app.url, { cert, key, clientCa: app.ca.pem })
  const login = async (client?: Minted, headers: Record<string, string> = {}) => {
    const sent = request({
      ...{
        host: '127.0.0.1',
        port,
        path: '/v1/auth/cert/login',
        method: 'POST',
        agent: false,
        servername: 'localhost',
      },
      headers: { host: `localhost:${port}`, ...headers },
      ...{ ca: app.serverCa.pem, cert: client?.chainPem, key: client?.keyPem },
    })
    sent.end('{}')
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const { auth, errors } = (await json(answer)) as Answer
    return { status: answer.statusCode, name: auth?.metadata.common_name, errors }
  }
  return { app, login }
}

/** Every header in which a certificate may be forwarded, with that of somebody else. */
function forged(app: CertApp): Record<string, string> {
  const { pem, der } = app.leaf({ commonName: 'forged' })
  return {
    'client-cert': `:${der.toString('base64')}:`,
    'x-ssl-client-cert': encodeURIComponent(pem),
    'x-forwarded-client-cert': `Cert="${encodeURIComponent(pem)}"`,
  }
}

describe.each(proxies.map((proxy) => [proxy.program, proxy] as const))('%s', (program, proxy) => {
  describe.skipIf(!isInstalled(program, proxy.versionFlag))('as a proxy that ends TLS', () => {
    test('forwards the certificate of its client, and nobody logs in with a header alone', async () => {
      const { app, login } = await behind(proxy)
      const leaf = app.leaf({ commonName: 'web-1' })
      expect(await login(leaf)).toEqual({ status: 200, name: 'web-1', errors: undefined })
      expect(await login(leaf, forged(app))).toMatchObject({ status: 200, name: 'web-1' })
      expect(await login(undefined, forged(app))).toMatchObject({ status: 400, name: undefined })
      expect(await login()).toMatchObject({ status: 400, errors: [expect.stringContaining('TLS connection')] })
    })

    test('a name in the certificate of a client is not read as the certificate of somebody else', async () => {
      const { app, login } = await behind(proxy)
      const somebody = encodeURIComponent(app.leaf({ commonName: 'forged' }).pem)
      for (const uri of [`a:b,Cert="${somebody}"`, `a:b;Cert="${somebody}"`, `a:b";Cert="${somebody}`])
        expect(await login(mintSelfSigned({ commonName: 'web-1', uris: [uri] }))).toMatchObject({ status: 400 })
    })

    test(`a role that trusts the root alone ${proxy.forwardsChain ? 'gets' : 'does not get'} the intermediate`, async () => {
      const { app, login } = await behind(proxy)
      const intermediate = mintIntermediate(app.ca, { commonName: 'Regional CA' })
      const leaf = mintLeaf(intermediate, { commonName: 'web-1' })
      expect((await login(leaf)).status).toBe(proxy.forwardsChain ? 200 : 400)
      await app.role('regional', { certificate: app.ca.pem + intermediate.pem })
      expect((await login(leaf)).status).toBe(200)
    })
  })
})
