import { expect } from 'vitest'
import { type CertificateOptions, type Minted, mintCa, mintLeaf, mintServer } from './certificates.ts'
import type { Answer, Client } from './client.ts'
import { testClock } from './clock.ts'
import { closedAfterTest, sharedUntilClosed } from './shared.ts'
import { type TestApp, type TestAppOptions, testApp } from './test-app.ts'

/** A server with a cert mount, an HTTPS listener and a CA whose certificates it is to trust. */
export type CertApp = TestApp & {
  /** Issues client certificates; no role trusts it yet. */
  readonly ca: Minted
  /** Issued the server's own certificate. */
  readonly serverCa: Minted
  /** A caller who presents this certificate, with the intermediates above it. */
  with(identity: Pick<Minted, 'chainPem' | 'keyPem'>, token?: string): Client
  /** Writes a role and expects that to work. */
  role(name: string, fields: Record<string, unknown>): Promise<Answer>
  /** Logs in with a certificate over a fresh connection. */
  login(identity: Pick<Minted, 'chainPem' | 'keyPem'>, body?: Record<string, unknown>): Promise<Answer>
  /** A fresh certificate of the CA. */
  leaf(options?: CertificateOptions): Minted
}

type CertAppOptions = TestAppOptions & { readonly beside?: CertApp }

/** Starts such a server; its clock shows the real time, since certificates are minted for it. */
export async function certApp(options: CertAppOptions = {}): Promise<CertApp> {
  const serverCa = mintCa({ commonName: 'Server CA' })
  const server = mintServer(serverCa)
  const clock = options.clock ?? options.beside?.clock ?? testClock(new Date().toISOString())
  const app = await testApp({ ...options, clock, tls: { cert: server.chainPem, key: server.keyPem } })
  if (!options.beside) expect((await app.root.post('/v1/sys/auth/cert', { type: 'cert' })).status).toBe(204)
  const ca = options.beside?.ca ?? mintCa({ commonName: 'Client CA' })
  const using = (identity: Pick<Minted, 'chainPem' | 'keyPem'>, token?: string): Client =>
    app.overTls({ ca: serverCa.pem, cert: identity.chainPem, key: identity.keyPem }, token)
  return {
    ...app,
    ca,
    serverCa,
    with: using,
    role: async (name, fields) => {
      const answer = await app.root.post(`/v1/auth/cert/certs/${name}`, fields)
      expect(answer.status, answer.text).toBeLessThan(300)
      return answer
    },
    login: async (identity, body = {}) => {
      const client = using(identity)
      const answer = await client.post('/v1/auth/cert/login', body)
      client.close()
      return answer
    },
    leaf: (leafOptions) => mintLeaf(ca, leafOptions),
  }
}

/** Such a server for all tests of a block, closed after the last one. */
export const sharedCertApp = (options?: CertAppOptions): CertApp => sharedUntilClosed(() => certApp(options))

/** Such a server for the running test alone, closed when the test has finished. */
export const ownCertApp = (options?: CertAppOptions): Promise<CertApp> => closedAfterTest(certApp(options))
