import {
  type Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import { problem } from './problems.ts'
import { type HostAddress, pinnedLookup } from './resolve.ts'

/** Headers by lower-case name. */
export type HeaderMap = Readonly<Record<string, string>>

/** A request as it goes out to one host. */
export type Request = { method: 'GET' | 'POST'; url: URL; headers: HeaderMap; body: Uint8Array | string | undefined }

/** One request to one host, without redirects, and the way it takes. */
export type Hop = Request & {
  /** The addresses of the host, or the proxy that connects to it. */
  route: { readonly addresses: readonly HostAddress[] } | { readonly proxy: Agent }
  ca: string | undefined
  maxBytes: number
  signal: AbortSignal
}

/** What came back: a redirect, or an answer with its whole body. */
export type HopResult =
  | { status: number; headers: HeaderMap; location: string }
  | { status: number; headers: HeaderMap; body: Buffer }

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Sends one request and reads the answer within its byte cap. */
export async function exchange(hop: Hop): Promise<HopResult> {
  const request = start(hop)
  try {
    const response = await responseTo(request, hop.body)
    const status = response.statusCode ?? 0
    const headers = flatten(response)
    const { location } = headers
    if (redirects.has(status) && location !== undefined) return { status, headers, location }
    return { status, headers, body: await readBody(response, headers, hop) }
  } finally {
    request.destroy()
  }
}

function start({ method, url, headers, route, ca, body, signal }: Hop): ClientRequest {
  const options: RequestOptions & { ca?: string } = {
    method,
    // Basic credentials of the URL travel as a header, set by the caller of this function.
    auth: null,
    headers: {
      ...headers,
      'accept-encoding': 'identity',
      ...(body === undefined ? {} : { 'content-length': sizeOf(body) }),
    },
    ...('proxy' in route ? { agent: route.proxy } : { agent: false, lookup: pinnedLookup(route.addresses) }),
    maxHeaderSize: 16 * 1024,
    signal,
    ca,
  }
  return url.protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options)
}

const sizeOf = (body: Uint8Array | string): number => (typeof body === 'string' ? Buffer.byteLength(body) : body.length)

function responseTo(request: ClientRequest, body: Uint8Array | string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', resolve)
    request.on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(problem('protocol', 'The host switched to another protocol.'))
    })
    request.end(body)
  })
}

async function readBody(response: IncomingMessage, headers: HeaderMap, hop: Hop): Promise<Buffer> {
  const { url, maxBytes, signal } = hop
  // Nothing is decompressed, since a few bytes can expand to gigabytes; nor is compressed data returned as if it were
  // the content.
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw problem('encoded', `The answer of ${url.origin} has a content encoding that was not requested.`)
  }
  const tooLarge = () => problem('too-large', `The answer of ${url.origin} is larger than ${maxBytes} bytes.`)
  const declared = Number(headers['content-length'] ?? 0)
  if (declared > maxBytes) throw tooLarge()
  // With a declared length the body is written into one buffer instead of being held twice.
  const whole = Buffer.allocUnsafeSlow(declared)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    const bytes: Buffer = chunk
    if (length + bytes.length > maxBytes) throw tooLarge()
    if (declared > 0) bytes.copy(whole, length)
    else chunks.push(bytes)
    length += bytes.length
  }
  // A body without a declared length ends with its connection, also if it was the deadline that ended that.
  signal.throwIfAborted()
  return declared > 0 ? whole.subarray(0, length) : Buffer.concat(chunks, length)
}

function flatten(response: IncomingMessage): HeaderMap {
  const entries = Object.entries(response.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ])
  return Object.fromEntries(entries)
}
