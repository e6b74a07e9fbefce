import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

/** An answer. `body` is parsed if it is JSON, else undefined. */
export type Answer = {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
}

/** What a test sends in addition to verb, path and body. */
type SendOptions = { readonly headers?: Record<string, string>; readonly raw?: string | Buffer }

/** What a client presents. */
export type ClientIdentityFiles = { readonly ca?: string; readonly cert?: string; readonly key?: string }

/** A caller of the server under test. */
export type Client = {
  send(verb: string, path: string, body?: unknown, options?: SendOptions): Promise<Answer>
  get(path: string, options?: SendOptions): Promise<Answer>
  list(path: string, options?: SendOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: SendOptions): Promise<Answer>
  put(path: string, body?: unknown, options?: SendOptions): Promise<Answer>
  patch(path: string, body?: unknown, options?: SendOptions): Promise<Answer>
  delete(path: string, body?: unknown, options?: SendOptions): Promise<Answer>
  /** The same caller with another token. */
  as(token: string): Client
  close(): void
}

type ClientOptions = { readonly url: string; readonly token?: string; readonly identity?: ClientIdentityFiles }

/** Makes a client over kept-alive connections. Paths start with a slash. */
export function testClient(options: ClientOptions): Client {
  const secure = options.url.startsWith('https:')
  const tls = { ...options.identity, servername: 'localhost' }
  const agent = secure ? new HttpsAgent({ keepAlive: true, ...tls }) : new HttpAgent({ keepAlive: true })
  return clientOver(options, agent)
}

function clientOver(options: ClientOptions, agent: HttpAgent): Client {
  const send: Client['send'] = (verb, path, body, sendOptions = {}) =>
    exchange(options, agent, { verb, path, body, ...sendOptions })
  return {
    send,
    get: (path, sent) => send('GET', path, undefined, sent),
    list: (path, sent) => send('LIST', path, undefined, sent),
    post: (path, body, sent) => send('POST', path, body, sent),
    put: (path, body, sent) => send('PUT', path, body, sent),
    patch: (path, body, sent) => send('PATCH', path, body, sent),
    delete: (path, body, sent) => send('DELETE', path, body, sent),
    as: (token) => clientOver({ ...options, token }, agent),
    close: () => agent.destroy(),
  }
}

type Sent = SendOptions & { verb: string; path: string; body: unknown }

function exchange(options: ClientOptions, agent: HttpAgent, sent: Sent): Promise<Answer> {
  const payload = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
  const v2 = sent.path.startsWith('/api/v2')
  const headers: Record<string, string> = {
    ...(options.token
      ? v2
        ? { authorization: `Bearer ${options.token}` }
        : { 'x-service-token': options.token }
      : {}),
    ...(payload === undefined ? {} : { 'content-type': v2 ? 'application/vnd.api+json' : 'application/json' }),
    // Node adds the length of a body by itself, but not to DELETE.
    ...(payload === undefined ? {} : { 'content-length': String(Buffer.byteLength(payload)) }),
    ...sent.headers,
  }
  const request = options.url.startsWith('https:') ? httpsRequest : httpRequest
  const details: RequestOptions = { method: sent.verb, agent, headers }
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(sent.path, options.url), details, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, body: parsed(text) })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(payload)
  })
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
