import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Awaitable } from '../../../server/kernel/awaitable.ts'
import { bodyOf, listenOnLoopback } from './loopback.ts'
import { signatureOf } from './sigv4.ts'

/**
 * What a fault does to one request: an error answer, a torn connection, silence, or a byte changed, on the way to the store
 * (`garble`) or in it (`corrupt`).
 */
type S3Fault = { status: number; code: string } | 'reset' | 'silence' | 'garble' | 'corrupt'

/** A request as tests look at it. */
export type S3Request = {
  readonly operation: string
  readonly key: string
  readonly host: string
  readonly headers: IncomingMessage['headers']
}

/** An object in the fake. */
type S3Object = { readonly body: Buffer; readonly headers: IncomingMessage['headers'] }

/** An S3 store in memory that checks every signature with an implementation of its own. */
export type S3Fake = {
  readonly endpoint: string
  readonly port: number
  /** The fields of a configuration that stores here. */
  readonly settings: Readonly<Record<string, string | boolean>>
  readonly objects: Map<string, S3Object>
  /** Uploads that were begun and neither completed nor aborted. */
  readonly openUploads: () => string[]
  readonly requests: S3Request[]
  /** Asked before each request is carried out; it may take its time. */
  fault: (request: S3Request) => Awaitable<S3Fault | undefined>
  close(): Promise<void>
}

type FakeOptions = {
  readonly bucket: string
  readonly accessKey: string
  readonly secret: string
  readonly region: string
  /** When set, requests must carry it. */
  readonly sessionToken?: string
  /** Keys on one page of a list. */
  readonly pageSize?: number
}

/** The bucket of a fake, and who may use it, where a test does not care which. */
export const s3Identity = { bucket: 'snaps', accessKey: 'AKTEST', secret: 'very-secret-key', region: 'eu-1' } as const

/** Starts a store with one bucket on the loopback; path style and virtual hosts both work. */
export async function s3Fake(options: FakeOptions): Promise<S3Fake> {
  const bucket = new Bucket(options.pageSize ?? 1000)
  const requests: S3Request[] = []
  const server = await listenOnLoopback((incoming, outgoing) => {
    answer(incoming, outgoing).catch((thrown) => {
      if (!(thrown instanceof Refusal)) return void outgoing.destroy()
      outgoing.writeHead(thrown.status, { 'Content-Type': 'application/xml' })
      outgoing.end(`<Error><Code>${thrown.code}</Code><Message>${thrown.code} from the fake</Message></Error>`)
    })
  })

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming)
    const { key, query } = locate(options.bucket, incoming)
    const { headers, method = '' } = incoming
    const operation = operationOf(method, key, query)
    const request = { operation, key, host: headers.host ?? '', headers }
    requests.push(request)
    checkSignature(options, incoming, body)
    const fault = await fake.fault(request)
    if (fault === 'reset') return void incoming.socket.resetAndDestroy()
    if (fault === 'silence') return
    if (fault === 'garble') checkSignature(options, incoming, withChangedByte(body))
    if (typeof fault === 'object') throw new Refusal(fault.status, fault.code)
    const arrived = fault === 'corrupt' ? withChangedByte(body) : body
    send(outgoing, method, bucket.carryOut({ operation, key, query, headers, body: arrived }))
  }

  const endpoint = `127.0.0.1:${server.port}`
  const fake: S3Fake = {
    endpoint,
    port: server.port,
    settings: {
      cloudA_bucket: options.bucket,
      cloudA_region: options.region,
      cloudA_endpoint: endpoint,
      cloudA_disable_tls: true,
      cloudA_force_path_style: true,
      cloudA_access_key_id: options.accessKey,
      cloudA_secret_access_key: options.secret,
    },
    objects: bucket.objects,
    openUploads: () => [...bucket.uploads.keys()],
    requests,
    fault: () => undefined,
    close: server.close,
  }
  return fake
}

class Refusal extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

const withChangedByte = (body: Buffer): Buffer =>
  Buffer.from(body.map((byte, index) => (index === 100 ? byte ^ 1 : byte)))

function send(outgoing: ServerResponse, method: string, { status = 200, headers = {}, body = '' }: Outcome): void {
  outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
  outgoing.end(method === 'HEAD' ? undefined : body)
}

function locate(ours: string, { url = '/', headers }: IncomingMessage): { key: string; query: URLSearchParams } {
  const { pathname, searchParams: query } = new URL(url, 'http://x')
  const path = decodeURIComponent(pathname.slice(1))
  if (headers.host?.startsWith(`${ours}.`)) return { key: path, query }
  const [bucket, ...rest] = path.split('/')
  if (bucket !== ours) throw new Refusal(404, 'NoSuchBucket')
  return { key: rest.join('/'), query }
}

function operationOf(method: string, key: string, query: URLSearchParams): string {
  if (query.has('uploads')) return 'CreateMultipartUpload'
  if (query.has('uploadId')) {
    return { PUT: 'UploadPart', POST: 'CompleteMultipartUpload', DELETE: 'AbortMultipartUpload' }[method] ?? 'unknown'
  }
  if (key === '') return 'ListObjectsV2'
  const names = { GET: 'GetObject', PUT: 'PutObject', HEAD: 'HeadObject', DELETE: 'DeleteObject' }
  return names[method as keyof typeof names] ?? 'unknown'
}

const authorization =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d+)\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/

function checkSignature(options: FakeOptions, incoming: IncomingMessage, body: Buffer): void {
  const header = (name: string): string => String(incoming.headers[name] ?? '')
  const [, key, day = '-', region, service, names = '', given] = authorization.exec(header('authorization')) ?? []
  if (key !== options.accessKey) throw new Refusal(403, 'InvalidAccessKeyId')
  if (options.sessionToken !== undefined && header('x-amz-security-token') !== options.sessionToken) {
    throw new Refusal(400, 'ExpiredToken')
  }
  const payloadHash = header('x-amz-content-sha256')
  const isPlain = /^[0-9a-f]{64}$/.test(payloadHash)
  if (isPlain && payloadHash !== createHash('sha256').update(body).digest('hex')) {
    throw new Refusal(400, 'XAmzContentSHA256Mismatch')
  }
  const headers = Object.fromEntries(Object.keys(incoming.headers).map((name) => [name, header(name)]))
  const request = { method: incoming.method ?? '', target: incoming.url ?? '', headers, payloadHash }
  const time = header('x-amz-date')
  const signedHeaders = names.split(';')
  const isOurs = region === options.region && service === 's3'
  if (!isOurs || !signedHeaders.includes('host') || !time.startsWith(day)) {
    throw new Refusal(403, 'AuthorizationHeaderMalformed')
  }
  const scope = { secret: options.secret, region, service, time, signedHeaders }
  if (signatureOf(request, scope) !== given) throw new Refusal(403, 'SignatureDoesNotMatch')
}

type Upload = { readonly headers: IncomingMessage['headers']; readonly parts: Map<number, Buffer> }

type Task = {
  readonly operation: string
  readonly key: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

type Outcome = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

const etagOf = (bytes: Buffer) => ({ ETag: `"${createHash('md5').update(bytes).digest('hex')}"` })

/** What is stored, and what is being uploaded in parts. */
class Bucket {
  readonly objects = new Map<string, S3Object>()
  readonly uploads = new Map<string, Upload>()
  readonly #pageSize: number
  #begun = 0

  constructor(pageSize: number) {
    this.#pageSize = pageSize
  }

  carryOut(task: Task): Outcome {
    const { key, headers, body } = task
    switch (task.operation) {
      case 'CreateMultipartUpload':
        return this.#begin(task)
      case 'UploadPart':
        this.#uploadOf(task).parts.set(Number(task.query.get('partNumber')), body)
        return { headers: etagOf(body) }
      case 'CompleteMultipartUpload':
        return this.#complete(task)
      case 'AbortMultipartUpload':
        this.uploads.delete(task.query.get('uploadId') ?? '')
        return { status: 204 }
      case 'PutObject':
        this.objects.set(key, { body, headers })
        return { headers: etagOf(body) }
      case 'ListObjectsV2':
        return { body: this.#list(task.query) }
      case 'DeleteObject':
        this.objects.delete(key)
        return { status: 204 }
      default:
        return this.#read(key)
    }
  }

  #begin({ key, headers }: Task): Outcome {
    const id = `upload-${++this.#begun}`
    this.uploads.set(id, { headers, parts: new Map() })
    const inside = `<Key>${key}</Key><UploadId>${id}</UploadId>`
    return { body: `<InitiateMultipartUploadResult>${inside}</InitiateMultipartUploadResult>` }
  }

  #uploadOf({ query }: Task): Upload {
    const upload = this.uploads.get(query.get('uploadId') ?? '')
    if (!upload) throw new Refusal(404, 'NoSuchUpload')
    return upload
  }

  #complete(task: Task): Outcome {
    const { headers, parts } = this.#uploadOf(task)
    const named = [...task.body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, text]) => Number(text))
    const whole = named.sort((a, b) => a - b).map((number) => parts.get(number) ?? Buffer.alloc(0))
    this.objects.set(task.key, { body: Buffer.concat(whole), headers })
    this.uploads.delete(task.query.get('uploadId') ?? '')
    return { body: '<CompleteMultipartUploadResult><ETag>"x-2"</ETag></CompleteMultipartUploadResult>' }
  }

  #read(key: string): Outcome {
    const found = this.objects.get(key)
    if (!found) throw new Refusal(404, 'NoSuchKey')
    return { body: found.body, headers: etagOf(found.body) }
  }

  #list(query: URLSearchParams): string {
    const prefix = query.get('prefix') ?? ''
    const delimiter = query.get('delimiter') ?? ''
    const after = query.get('continuation-token') ?? ''
    const isDirect = (key: string) => delimiter === '' || !key.slice(prefix.length).includes(delimiter)
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && isDirect(key) && key > after).sort()
    const page = keys.slice(0, this.#pageSize)
    const time = '2026-11-15T12:00:00.000Z'
    const contents = page.map((key) => {
      const size = this.objects.get(key)?.body.length
      return `<Contents><Key>${key}</Key><Size>${size}</Size><LastModified>${time}</LastModified></Contents>`
    })
    const isCut = keys.length > page.length
    const next = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return `<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`
  }
}
