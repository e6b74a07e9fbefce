import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { KeyKind } from '../../test/support/certificate-parts.ts'
import { type Minted, mintCa, mintIntermediate, mintLeaf } from '../../test/support/certificates.ts'
import { benchRootToken } from '../servers/holdfast.ts'
import type { ChildServer } from './child-server.ts'
import { openClient, requestBytes } from './raw-load.ts'

/** The certificates of a login bench: clients below one intermediate. */
export type BenchClients = { readonly root: Minted; readonly leaf: Minted; readonly chainPem: string }

/** Mints a root, an intermediate and one client certificate below it. */
export function mintClients(keyKind: KeyKind): BenchClients {
  const root = mintCa({ commonName: `Bench root ${keyKind}`, keyKind })
  const issuing = mintIntermediate(root, { commonName: `Bench issuing ${keyKind}`, keyKind })
  const leaf = mintLeaf(issuing, { commonName: 'bench.example.com', keyKind })
  return { root, leaf, chainPem: leaf.chainPem }
}

/** A client's side of TLS, prepared once: a real client does not read its key again for every connection. */
export const clientTls = ({ chainPem, leaf }: BenchClients) => ({
  secureContext: createSecureContext({ cert: chainPem, key: leaf.keyPem, minVersion: 'TLSv1.3' }),
  rejectUnauthorized: false,
})

/** The certificate of the server under test, so that the baselines do the same handshake. */
export async function serverTls(server: ChildServer): Promise<{ cert: string; key: string }> {
  const file = (name: string): Promise<string> => readFile(`${server.facts.dataDir}/tls/${name}`, 'utf8')
  return { cert: await file('server.pem'), key: await file('server-key.pem') }
}

/** Calls the server as root and expects success. */
export async function asRoot(server: ChildServer, path: string, body: object): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${server.facts.port}/v1/${path}`, {
    method: 'POST',
    headers: { 'x-service-token': benchRootToken },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`)
}

/** Writes this many roles for the root CA, of which only the last accepts the client. */
export async function writeRoles(server: ChildServer, { root }: BenchClients, count: number): Promise<void> {
  await asRoot(server, 'sys/auth/cert', { type: 'cert' })
  const others = count - 1
  const write = (n: number): Buffer => {
    const fields = { certificate: root.pem, allowed_common_names: `host-${n}.example.com`, token_ttl: 3600 }
    const headers = { 'x-service-token': benchRootToken, 'content-type': 'application/json' }
    return requestBytes('POST', `/v1/auth/cert/certs/role-${n % others}`, headers, JSON.stringify(fields))
  }
  if (others > 0) {
    const client = openClient({ port: server.facts.port, requests: write, connections: 16, status: 204 })
    for (let done = 0; done < others; ) done += await client.run(200)
    client.close()
  }
  await asRoot(server, 'auth/cert/certs/zz-bench', {
    certificate: root.pem,
    allowed_common_names: 'bench.example.com',
    token_policies: 'bench',
    token_ttl: 3600,
  })
}
