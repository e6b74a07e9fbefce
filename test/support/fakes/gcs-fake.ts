import { createVerify, generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a fault does to one request. */
export type GcsFault = { status: number; reason: string } | 'reset' | 'silence' | 'corrupt'

/** A request as tests look at it. */
export type GcsRequest = { readonly operation: string; readonly name: string; readonly range: string }

/** An object in the fake. */
export type GcsObject = {
  readonly body: Buffer
  readonly contentType: string
  readonly metadata: Record<string, string>
}

/**
 * A Google Cloud Storage in memory: resumable uploads in chunks, and tokens only for its own service account. One that is open
 * wants no token at all, as emulators do.
 */
export type GcsFake = {
  readonly endpoint: string
  /** The key of the service account that may do everything. */
  readonly serviceKey: string
  readonly objects: Map<string, GcsObject>
  readonly openUploads: () => string[]
  readonly requests: GcsRequest[]
  fault: (request: GcsRequest) => GcsFault | undefined
  close(): Promise<void>
}

type Upload = { name: string; received: Buffer; contentType: string; metadata: Record<string, string> }

/** CRC-32C (RFC 3720 appendix B.4), which the service reports for every object. */
export function crc32c(bytes: Buffer): string {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (table[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE((crc ^ 0xffffffff) >>> 0)
  return sum.toString('base64')
}

const table = Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1
  return value >>> 0
})

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

class Refusal extends Error {
  readonly status: number
  constructor(status: number, reason: string) {
    super(reason)
    this.status = status
  }
}

/** Starts a store with one bucket on the loopback. */
export async function gcsFake(options: { bucket: string; pageSize?: number; isOpen?: boolean }): Promise<GcsFake> {
  const objects = new Map<string, GcsObject>()
  const uploads = new Map<string, Upload>()
  const requests: GcsRequest[] = []
  const token = 'token-of-the-fake'
  let count = 0
  let origin = ''

  function giveToken(body: string): object {
    const [head = '', claims = '', signature = ''] = new URLSearchParams(body).get('assertion')?.split('.') ?? []
    const isSigned = createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(publicKey, signature, 'base64url')
    const { iss, aud } = JSON.parse(Buffer.from(claims || 'e30', 'base64url').toString())
    if (!isSigned || iss !== 'robot@fake' || aud !== `${origin}/token`) throw new Refusal(400, 'invalid_grant')
    return { access_token: token, expires_in: 3600, token_type: 'Bearer' }
  }

  /** Workload identity (RFC 8693): a token of elsewhere for one of ours. */
  function exchangeToken(body: string): object {
    if (new URLSearchParams(body).get('subject_token') !== 'proof-of-the-machine')
      throw new Refusal(400, 'invalid_grant')
    const kind = 'urn:ietf:params:oauth:token-type:access_token'
    return { access_token: token, issued_token_type: kind, expires_in: 3600, token_type: 'Bearer' }
  }

  const describe = (name: string, object: GcsObject): object => ({
    name,
    size: String(object.body.length),
    updated: '2026-11-15T12:00:00.000Z',
    crc32c: crc32c(object.body),
    generation: '1',
    metadata: object.metadata,
  })

  function list(query: URLSearchParams): object {
    const prefix = query.get('prefix') ?? ''
    const after = query.get('pageToken') ?? ''
    const isDirect = (name: string) => !query.has('delimiter') || !name.slice(prefix.length).includes('/')
    const names = [...objects.keys()].filter((name) => name.startsWith(prefix) && isDirect(name) && name > after).sort()
    const page = names.slice(0, options.pageSize ?? 1000)
    const items = page.map((name) => describe(name, objects.get(name) as GcsObject))
    return { items, ...(names.length > page.length ? { nextPageToken: page.at(-1) } : {}) }
  }

  function begin(query: URLSearchParams, body: Buffer): string {
    const { metadata = {}, contentType = '' } = JSON.parse(body.toString() || '{}')
    const name = query.get('name') ?? ''
    if (query.get('ifGenerationMatch') === '0' && objects.has(name)) throw new Refusal(412, 'conditionNotMet')
    const id = `u${++count}`
    uploads.set(id, { name, received: Buffer.alloc(0), contentType, metadata })
    return `${origin}/upload/session/${id}`
  }

  function take(id: string, range: string, body: Buffer, outgoing: ServerResponse, corrupt: boolean): void {
    const upload = uploads.get(id)
    if (!upload) throw new Refusal(404, 'noSuchUpload')
    const [, from, , total] = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/.exec(range) ?? []
    if (from !== undefined && Number(from) === upload.received.length)
      upload.received = Buffer.concat([upload.received, body])
    if (total === undefined || total === '*' || Number(total) > upload.received.length) {
      const got = upload.received.length
      outgoing.writeHead(308, got > 0 ? { Range: `bytes=0-${got - 1}` } : {})
      return void outgoing.end()
    }
    const { name, contentType, metadata, received } = upload
    if (corrupt) received[0] = (received[0] ?? 0) ^ 1
    const object = { body: received, contentType, metadata }
    objects.set(name, object)
    uploads.delete(id)
    json(outgoing, describe(name, object))
  }

  const json = (outgoing: ServerResponse, body: object, status = 200): void => {
    outgoing.writeHead(status, { 'Content-Type': 'application/json' })
    outgoing.end(JSON.stringify(body))
  }

  function operationOf(method: string, path: string, query: URLSearchParams): string {
    if (path.startsWith('/upload/session/')) return 'chunk'
    if (path.startsWith('/upload/')) return 'begin'
    if (path.endsWith('/o')) return 'list'
    return { GET: query.get('alt') === 'media' ? 'get' : 'describe', DELETE: 'delete' }[method] ?? 'unknown'
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { pathname: path, searchParams: query } = new URL(incoming.url ?? '/', 'http://x')
    if (path === '/token') return json(outgoing, giveToken(body.toString()))
    if (path === '/exchange') return json(outgoing, exchangeToken(body.toString()))
    const operation = operationOf(incoming.method ?? '', path, query)
    const id = path.split('/').at(-1) ?? ''
    const name = operation === 'chunk' ? (uploads.get(id)?.name ?? '') : (query.get('name') ?? decodeURIComponent(id))
    const request = { operation, name, range: String(incoming.headers['content-range'] ?? '') }
    requests.push(request)
    const wanted = options.isOpen ? undefined : `Bearer ${token}`
    if (incoming.headers.authorization !== wanted) throw new Refusal(401, 'authError')
    if (!path.includes(`/b/${options.bucket}/`) && operation !== 'chunk') throw new Refusal(404, 'notFound')
    const fault = fake.fault(request)
    if (fault === 'reset') return void incoming.socket.resetAndDestroy()
    if (fault === 'silence') return
    if (fault && fault !== 'corrupt') throw new Refusal(fault.status, fault.reason)
    if (operation === 'chunk') return take(id, request.range, body, outgoing, fault === 'corrupt')
    if (operation === 'begin') {
      outgoing.writeHead(200, { Location: begin(query, body) })
      return void outgoing.end()
    }
    if (operation === 'list') return json(outgoing, list(query))
    const found = objects.get(name)
    if (!found) throw new Refusal(404, 'notFound')
    if (operation === 'describe') return json(outgoing, describe(name, found))
    if (operation === 'get') {
      outgoing.writeHead(200, { 'Content-Length': found.body.length, 'Content-Type': found.contentType })
      return void outgoing.end(found.body)
    }
    objects.delete(name)
    outgoing.writeHead(204)
    outgoing.end()
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((thrown) => {
      if (!(thrown instanceof Refusal)) return void outgoing.destroy()
      if (incoming.url === '/token') return json(outgoing, { error: thrown.message, error_description: 'no' }, 400)
      const error = {
        code: thrown.status,
        message: `${thrown.message} from the fake`,
        errors: [{ reason: thrown.message }],
      }
      json(outgoing, { error }, thrown.status)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
  const key = { type: 'service_account', project_id: 'p', client_email: 'robot@fake', private_key: privateKey }
  const fake: GcsFake = {
    endpoint: `127.0.0.1:${port}`,
    serviceKey: JSON.stringify({ ...key, token_uri: `${origin}/token` }),
    objects,
    openUploads: () => [...uploads.keys()],
    requests,
    fault: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return fake
}
