import { createVerify, generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bodyOf, listenOnLoopback } from './loopback.ts'

/** What a fault does to one request: refuses it, answers it with something else, or worse. */
type GcsFault = { status: number; reason: string } | { instead: string } | 'reset' | 'silence' | 'corrupt'

/** A request as tests look at it. */
type GcsRequest = { readonly operation: string; readonly name: string; readonly range: string }

/** An object in the fake. */
type GcsObject = {
  readonly body: Buffer
  readonly contentType: string
  readonly metadata: Record<string, string>
}

/**
 * A Google Cloud Storage in memory: resumable uploads in chunks, and tokens only for its own service account. An open
 * one needs no token at all, like emulators.
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

const token = 'token-of-the-fake'

/** Starts a store with one bucket on the loopback. */
export async function gcsFake(options: { bucket: string; pageSize?: number; isOpen?: boolean }): Promise<GcsFake> {
  const bucket = new Bucket(options.pageSize ?? 1000)
  const requests: GcsRequest[] = []
  const server = await listenOnLoopback((incoming, outgoing) => {
    answer(incoming).then(
      (outcome) => outcome && send(outgoing, outcome),
      (thrown) => (thrown instanceof Refusal ? send(outgoing, refusalAt(incoming, thrown)) : outgoing.destroy()),
    )
  })
  const origin = `http://127.0.0.1:${server.port}`

  /** Undefined leaves the caller without an answer. */
  async function answer(incoming: IncomingMessage): Promise<Outcome | undefined> {
    const body = await bodyOf(incoming)
    const { pathname: path, searchParams: query } = new URL(incoming.url ?? '/', origin)
    if (path === '/token') return { json: issueToken(origin, body.toString()) }
    if (path === '/exchange') return { json: exchangeToken(body.toString()) }
    const operation = operationOf(incoming.method ?? '', path, query)
    const id = path.split('/').at(-1) ?? ''
    const name = operation === 'chunk' ? bucket.nameOf(id) : (query.get('name') ?? decodeURIComponent(id))
    const request = { operation, name, range: String(incoming.headers['content-range'] ?? '') }
    requests.push(request)
    const wanted = options.isOpen ? undefined : `Bearer ${token}`
    if (incoming.headers.authorization !== wanted) throw new Refusal(401, 'authError')
    if (!path.includes(`/b/${options.bucket}/`) && operation !== 'chunk') throw new Refusal(404, 'notFound')
    const fault = fake.fault(request)
    if (fault === 'reset') return void incoming.socket.resetAndDestroy()
    if (fault === 'silence') return undefined
    if (typeof fault === 'object' && 'instead' in fault) return { body: Buffer.from(fault.instead) }
    if (typeof fault === 'object') throw new Refusal(fault.status, fault.reason)
    return bucket.carryOut({ ...request, id, origin, query, body, isSpoiled: fault === 'corrupt' })
  }

  const key = { type: 'service_account', project_id: 'p', client_email: 'robot@fake', private_key: privateKey }
  const fake: GcsFake = {
    endpoint: `127.0.0.1:${server.port}`,
    serviceKey: JSON.stringify({ ...key, token_uri: `${origin}/token` }),
    objects: bucket.objects,
    openUploads: () => bucket.openUploads(),
    requests,
    fault: () => undefined,
    close: server.close,
  }
  return fake
}

class Refusal extends Error {
  readonly status: number
  constructor(status: number, reason: string) {
    super(reason)
    this.status = status
  }
}

type Outcome = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: object
  readonly body?: Buffer
}

function send(outgoing: ServerResponse, { status = 200, headers = {}, json, body }: Outcome): void {
  outgoing.writeHead(status, { ...headers, ...(json ? { 'Content-Type': 'application/json' } : {}) })
  outgoing.end(json ? JSON.stringify(json) : body)
}

function refusalAt({ url }: IncomingMessage, { status, message }: Refusal): Outcome {
  if (url === '/token') return { status: 400, json: { error: message, error_description: 'no' } }
  return {
    status,
    json: { error: { code: status, message: `${message} from the fake`, errors: [{ reason: message }] } },
  }
}

function issueToken(origin: string, body: string): object {
  const [head = '', claims = '', signature = ''] = new URLSearchParams(body).get('assertion')?.split('.') ?? []
  const isSigned = createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(publicKey, signature, 'base64url')
  const { iss, aud } = JSON.parse(Buffer.from(claims || 'e30', 'base64url').toString())
  if (!isSigned || iss !== 'robot@fake' || aud !== `${origin}/token`) throw new Refusal(400, 'invalid_grant')
  return { access_token: token, expires_in: 3600, token_type: 'Bearer' }
}

/** Workload identity (RFC 8693): exchanges a token of another issuer for one of ours. */
function exchangeToken(body: string): object {
  if (new URLSearchParams(body).get('subject_token') !== 'proof-of-the-machine') throw new Refusal(400, 'invalid_grant')
  const kind = 'urn:ietf:params:oauth:token-type:access_token'
  return { access_token: token, issued_token_type: kind, expires_in: 3600, token_type: 'Bearer' }
}

function operationOf(method: string, path: string, query: URLSearchParams): string {
  if (path.startsWith('/upload/session/')) return 'chunk'
  if (path.startsWith('/upload/')) return 'begin'
  if (path.endsWith('/o')) return 'list'
  return { GET: query.get('alt') === 'media' ? 'get' : 'describe', DELETE: 'delete' }[method] ?? 'unknown'
}

const describe = (name: string, object: GcsObject): object => ({
  name,
  size: String(object.body.length),
  updated: '2026-11-15T12:00:00.000Z',
  crc32c: crc32c(object.body),
  generation: '1',
  metadata: object.metadata,
})

type Upload = Omit<GcsObject, 'body'> & { readonly name: string; received: Buffer }

type Task = GcsRequest & {
  /** The last part of the path: for a chunk, the upload it belongs to. */
  readonly id: string
  readonly origin: string
  readonly query: URLSearchParams
  readonly body: Buffer
  /** Whether a byte changes on the way into the store. */
  readonly isSpoiled: boolean
}

/** What is stored, and what is being uploaded in chunks. */
class Bucket {
  readonly objects = new Map<string, GcsObject>()
  readonly #uploads = new Map<string, Upload>()
  readonly #pageSize: number
  #begun = 0

  constructor(pageSize: number) {
    this.#pageSize = pageSize
  }

  openUploads(): string[] {
    return [...this.#uploads.keys()]
  }

  /** The name that the object of an upload will have. */
  nameOf(uploadId: string): string {
    return this.#uploads.get(uploadId)?.name ?? ''
  }

  carryOut(task: Task): Outcome {
    const { operation, name } = task
    if (operation === 'chunk') return this.#take(task)
    if (operation === 'begin') return this.#begin(task)
    if (operation === 'list') return { json: this.#list(task.query) }
    const found = this.objects.get(name)
    if (!found) throw new Refusal(404, 'notFound')
    if (operation === 'describe') return { json: describe(name, found) }
    if (operation === 'get') return { headers: { 'Content-Type': found.contentType }, body: found.body }
    this.objects.delete(name)
    return { status: 204 }
  }

  #list(query: URLSearchParams): object {
    const prefix = query.get('prefix') ?? ''
    const after = query.get('pageToken') ?? ''
    const isDirect = (name: string) => !query.has('delimiter') || !name.slice(prefix.length).includes('/')
    const isAsked = (name: string) => name.startsWith(prefix) && isDirect(name) && name > after
    const names = [...this.objects.keys()].filter(isAsked).sort()
    const page = names.slice(0, this.#pageSize)
    const items = page.map((name) => describe(name, this.objects.get(name) as GcsObject))
    return { items, ...(names.length > page.length ? { nextPageToken: page.at(-1) } : {}) }
  }

  #begin({ query, body, origin }: Task): Outcome {
    const { metadata = {}, contentType = '' } = JSON.parse(body.toString() || '{}')
    const name = query.get('name') ?? ''
    if (query.get('ifGenerationMatch') === '0' && this.objects.has(name)) throw new Refusal(412, 'conditionNotMet')
    const id = `u${++this.#begun}`
    this.#uploads.set(id, { name, received: Buffer.alloc(0), contentType, metadata })
    return { headers: { Location: `${origin}/upload/session/${id}` } }
  }

  #take({ id, range, body, isSpoiled }: Task): Outcome {
    const upload = this.#uploads.get(id)
    if (!upload) throw new Refusal(404, 'noSuchUpload')
    const [, from, , total] = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/.exec(range) ?? []
    if (from !== undefined && Number(from) === upload.received.length) {
      upload.received = Buffer.concat([upload.received, body])
    }
    const { name, contentType, metadata, received } = upload
    if (total === undefined || total === '*' || Number(total) > received.length) {
      return { status: 308, headers: received.length > 0 ? { Range: `bytes=0-${received.length - 1}` } : {} }
    }
    if (isSpoiled) received[0] = (received[0] ?? 0) ^ 1
    const object = { body: received, contentType, metadata }
    this.objects.set(name, object)
    this.#uploads.delete(id)
    return { json: describe(name, object) }
  }
}
