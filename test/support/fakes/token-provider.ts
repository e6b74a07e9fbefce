import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CompactSign, exportJWK, exportSPKI, generateKeyPair, type JWK } from 'jose'

type Keys = Awaited<ReturnType<typeof generateKeyPair>>

/** A key of the provider. */
export type ProviderKey = { readonly kid: string; readonly alg: string; readonly pair: Keys; readonly jwk: JWK }

/** What a test says of a token; its claims are sent as they are. */
export type TokenTerms = { readonly key?: ProviderKey; readonly header?: object }

/** A provider of tokens on the loopback, with discovery and a key set. */
export type TokenProvider = {
  readonly url: string
  readonly jwksUrl: string
  /** What a test may change. */
  readonly state: {
    /** The keys that it publishes, of which the first signs. */
    keys: ProviderKey[]
    /** Further entries of its key set. */
    extraKeys: object[]
    /** How often its key set was asked for. */
    fetches: number
    /** While true it answers with 503. */
    isDown: boolean
    issuer: string
  }
  newKey(kid: string, alg?: string): Promise<ProviderKey>
  sign(claims: object | string, terms?: TokenTerms): Promise<string>
  /** The public half of a key in PEM. */
  pem(key?: ProviderKey): Promise<string>
  close(): Promise<void>
}

/** Makes a key pair; each takes a moment, so tests share them. */
export async function providerKey(kid: string, alg = 'ES256'): Promise<ProviderKey> {
  const pair = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, pair, jwk: { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' } }
}

/** Starts a provider with one key. */
export async function tokenProvider(): Promise<TokenProvider> {
  const server = createServer((request, response) => {
    const send = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (state.isDown) return send(503, {})
    if (request.url === '/.well-known/openid-configuration')
      return send(200, { issuer: state.issuer, jwks_uri: provider.jwksUrl })
    if (request.url !== '/keys') return send(404, {})
    state.fetches += 1
    return send(200, { keys: [...state.keys.map(({ jwk }) => jwk), ...state.extraKeys] })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const first = await providerKey('first')
  const state: TokenProvider['state'] = { keys: [first], extraKeys: [], fetches: 0, isDown: false, issuer: url }
  const signing = (key: ProviderKey | undefined): ProviderKey => key ?? state.keys[0] ?? first
  const provider: TokenProvider = {
    url,
    jwksUrl: `${url}/keys`,
    state,
    newKey: providerKey,
    sign: async (claims, { key, header } = {}) => {
      const { kid, alg, pair } = signing(key)
      const payload = Buffer.from(typeof claims === 'string' ? claims : JSON.stringify(claims))
      return await new CompactSign(payload).setProtectedHeader({ alg, kid, ...header }).sign(pair.privateKey)
    },
    pem: async (key) => await exportSPKI(signing(key).pair.publicKey),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return provider
}
