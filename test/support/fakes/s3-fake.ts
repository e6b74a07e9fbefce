import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Awaitable } from '../../../server/kernel/awaitable.ts'
import { signatureOf } from './sigv4.ts'

/** What a fault does to one request: an error answer, a torn connection, silence, or bytes changed on the way. */
export type S3Fault = { status: number; code: string } | 'reset' | 'silence' | 'corrupt'

/** A request as tests look at it. */
export type S3Request = {
  readonly operation: string
  readonly key: string
  readonly host: string
  readonly headers: IncomingMessage['headers']
}

/** An object in the fake. */
export type S3Object = { readonly body: Buffer; readonly headers: IncomingMessage['headers'] }

/** An S3 store in memory that judges every signature by an implementation of its own. */
export type S3Fake = {
  readonly endpoint: string
  readonly port: number
  /** What a configuration has to say to store here. */
  readonly settings: Readonly<Record<string, string | boolean>>
  readonly objects: Map<string, S3Object>
  /** Uploads that were begun and neither completed nor given up. */
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

type Upload = { key: string; headers: IncomingMessage['headers']; parts: Map<number, Buffer> }

const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex')

class Refusal extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

/** Starts a store with one bucket on the loopback; path style and virtual hosts both work. */
export async function s3Fake(options: FakeOptions): Promise<S3Fake> {
  const objects = new Map<string, S3Object>()
  const uploads = new Map<string, Upload>()
  const requests: S3Request[] = []
  let count = 0

  function judge(incoming: IncomingMessage, body: Buffer): void {
    const header = (name: string): string => String(incoming.headers[name] ?? '')
    const [, key, day, region, service, names = '', given] =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d+)\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
        header('authorization'),
      ) ?? []
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
    if (
      !signedHeaders.includes('host') ||
      region !== options.region ||
      service !== 's3' ||
      !time.startsWith(day ?? '-')
    ) {
      throw new Refusal(403, 'AuthorizationHeaderMalformed')
    }
    const scope = { secret: options.secret, region, service, time, signedHeaders }
    if (signatureOf(request, scope) !== given) throw new Refusal(403, 'SignatureDoesNotMatch')
  }

  function locate(incoming: IncomingMessage): { key: string; query: URLSearchParams } {
    const url = new URL(incoming.url ?? '/', 'http://x')
    const path = decodeURIComponent(url.pathname.slice(1))
    if (incoming.headers.host?.startsWith(`${options.bucket}.`)) return { key: path, query: url.searchParams }
    const [bucket, ...rest] = path.split('/')
    if (bucket !== options.bucket) throw new Refusal(404, 'NoSuchBucket')
    return { key: rest.join('/'), query: url.searchParams }
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

  function list(query: URLSearchParams): string {
    const prefix = query.get('prefix') ?? ''
    const delimiter = query.get('delimiter') ?? ''
    const after = query.get('continuation-token') ?? ''
    const isDirect = (key: string) => delimiter === '' || !key.slice(prefix.length).includes(delimiter)
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && isDirect(key) && key > after).sort()
    const page = keys.slice(0, options.pageSize ?? 1000)
    const contents = page.map(
      (key) =>
        `<Contents><Key>${key}</Key><Size>${objects.get(key)?.body.length}</Size><LastModified>2026-11-15T12:00:00.000Z</LastModified></Contents>`,
    )
    const isCut = keys.length > page.length
    const next = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return `<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`
  }

  function carryOut(operation: string, key: string, query: URLSearchParams, incoming: IncomingMessage, body: Buffer) {
    const upload = uploads.get(query.get('uploadId') ?? '')
    const etag = { ETag: `"${md5(body)}"` }
    switch (operation) {
      case 'CreateMultipartUpload': {
        const id = `upload-${++count}`
        uploads.set(id, { key, headers: incoming.headers, parts: new Map() })
        const xml = `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`
        return { body: xml }
      }
      case 'UploadPart':
        if (!upload) throw new Refusal(404, 'NoSuchUpload')
        upload.parts.set(Number(query.get('partNumber')), body)
        return { headers: etag }
      case 'CompleteMultipartUpload': {
        if (!upload) throw new Refusal(404, 'NoSuchUpload')
        const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map((match) => Number(match[1]))
        const parts = named.sort((a, b) => a - b).map((number) => upload.parts.get(number) ?? Buffer.alloc(0))
        objects.set(key, { body: Buffer.concat(parts), headers: upload.headers })
        uploads.delete(query.get('uploadId') ?? '')
        return { body: '<CompleteMultipartUploadResult><ETag>"x-2"</ETag></CompleteMultipartUploadResult>' }
      }
      case 'AbortMultipartUpload':
        uploads.delete(query.get('uploadId') ?? '')
        return { status: 204 }
      case 'PutObject':
        objects.set(key, { body, headers: incoming.headers })
        return { headers: etag }
      case 'ListObjectsV2':
        return { body: list(query) }
      case 'DeleteObject':
        objects.delete(key)
        return { status: 204 }
      default: {
        const found = objects.get(key)
        if (!found) throw new Refusal(404, 'NoSuchKey')
        return { body: found.body, headers: { ETag: `"${md5(found.body)}"` } }
      }
    }
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    let body = Buffer.concat(chunks)
    const { key, query } = locate(incoming)
    const operation = operationOf(incoming.method ?? '', key, query)
    const request = { operation, key, host: incoming.headers.host ?? '', headers: incoming.headers }
    requests.push(request)
    judge(incoming, body)
    const fault = await fake.fault(request)
    if (fault === 'reset') return void incoming.socket.resetAndDestroy()
    if (fault === 'silence') return
    if (fault === 'corrupt') body = Buffer.from(body.map((byte, index) => (index === 100 ? byte ^ 1 : byte)))
    else if (fault) throw new Refusal(fault.status, fault.code)
    const {
      status = 200,
      headers = {},
      body: content = '',
    } = carryOut(operation, key, query, incoming, body) as {
      status?: number
      headers?: Record<string, string>
      body?: string | Buffer
    }
    outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(content) })
    outgoing.end(incoming.method === 'HEAD' ? undefined : content)
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((thrown) => {
      if (!(thrown instanceof Refusal)) return void outgoing.destroy()
      outgoing.writeHead(thrown.status, { 'Content-Type': 'application/xml' })
      outgoing.end(`<Error><Code>${thrown.code}</Code><Message>${thrown.code} from the fake</Message></Error>`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const endpoint = `127.0.0.1:${port}`
  const fake: S3Fake = {
    endpoint,
    port,
    settings: {
      cloudA_bucket: options.bucket,
      cloudA_region: options.region,
      cloudA_endpoint: endpoint,
      cloudA_disable_tls: true,
      cloudA_force_path_style: true,
      cloudA_access_key_id: options.accessKey,
      cloudA_secret_access_key: options.secret,
    },
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
