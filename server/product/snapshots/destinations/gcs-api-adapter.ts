import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AuthClient } from 'google-auth-library'
import { failure } from '../../../kernel/failure.ts'
import type { GuardedAgents } from '../../../outbound/agents.ts'
import { deniedAddress } from '../../../outbound/problems.ts'
import { chunksOf, partBytesFor, processInParts } from './destination-adapter.ts'

/** A bucket: where its API is, the client that authenticates requests, and the connections it is called by. */
export type GcsBucket = {
  readonly client: AuthClient
  readonly agents: GuardedAgents
  readonly api: string
  readonly bucket: string
}

/** An answer of any status; 0 for a connection that broke. */
type GcsAnswer = { readonly status: number; readonly headers: Headers; readonly data: unknown }

/** A request in the form of the library that handles credentials. */
type GcsRequest = Parameters<AuthClient['request']>[0]

/** How often a request is retried, and how long to wait before the first retry; each further wait is twice as long. */
const retries = 3
const firstPause = 500

/** The address of the objects of a bucket. */
export const objectsUrl = ({ api, bucket }: GcsBucket): string => `${api}/storage/v1/b/${encodeURIComponent(bucket)}/o`

/** True for a request that succeeded. */
export const isSuccess = ({ status }: GcsAnswer): boolean => status >= 200 && status < 300

/** True if the service may have done what was asked, or may do it at the next try. */
const isRetryable = ({ status }: GcsAnswer): boolean =>
  status === 0 || status === 408 || status === 429 || status >= 500

/** The error for an answer that no store of this kind would give. */
export const notAStoreFailure = () =>
  failure('unavailable', 'snapshot.no-store', 'the endpoint is not a store of this kind')

/** Sends a request once. The library handles the credentials; the answer is handled here. */
export async function sendOnce({ client, agents }: GcsBucket, request: GcsRequest): Promise<GcsAnswer> {
  try {
    const options = { ...request, agent: agents.of, validateStatus: () => true, retry: false }
    const { status, headers, data } = await client.request(options)
    return { status, headers, data }
  } catch (thrown) {
    request.signal?.throwIfAborted()
    const { response, code, message } = thrown as { response?: unknown; code?: unknown; message: string }
    // An answer of the service that issues tokens is a refusal.
    if (response || typeof code !== 'string') throw thrown
    if (code === deniedAddress) throw failure('upstream', code, withoutAddress(message))
    return { status: 0, headers: new Headers(), data: Object.assign(new Error(withoutAddress(message)), { code }) }
  }
}

/** Everybody who knows the address of an upload can write to it, so it must not appear in error texts. */
const withoutAddress = (message: string): string => message.replace(/^request to \S+ failed, reason: /, '')

/** Sends a request until it succeeds; throws if it cannot. */
export async function sendUntilDone(
  bucket: GcsBucket,
  request: GcsRequest & { signal: AbortSignal },
): Promise<GcsAnswer> {
  for (let turn = 0; ; turn++) {
    const answer = await sendOnce(bucket, request)
    if (isSuccess(answer)) return answer
    await waitForRetry(answer, turn, request.signal)
  }
}

/** Waits before the next try, or throws if another try would not help. */
export async function waitForRetry(answer: GcsAnswer, turn: number, signal: AbortSignal): Promise<void> {
  if (!isRetryable(answer) || turn >= retries) throw await refusalOf(answer)
  await sleep(firstPause * 2 ** turn, undefined, { signal })
}

/** A refusal with the status and the text of the service. */
async function refusalOf({ status, data }: GcsAnswer): Promise<Error> {
  if (data instanceof Error) return data
  const { error } = Object(isStream(data) ? await documentIn(data) : data) as { error?: unknown }
  const { message } = Object(error) as { message?: unknown }
  return Object.assign(new Error(typeof message === 'string' ? message : 'it tells no reason'), { code: status })
}

const isStream = (data: unknown): data is Readable => typeof (data as Readable | null)?.pipe === 'function'

const maxRefusalLength = 65_536

/** The document in the stream of a refusal. */
async function documentIn(stream: Readable): Promise<unknown> {
  try {
    let text = ''
    for await (const piece of stream as AsyncIterable<Buffer>) {
      text += piece.toString('utf8')
      if (text.length > maxRefusalLength) break
    }
    return JSON.parse(text)
  } catch {
    // A refusal whose text cannot be read.
    return undefined
  }
}

/**
 * For each byte, the remainder after eight steps of the division by the Castagnoli polynomial, with its bits reversed.
 */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0x82f6_3b78 : 0)
  return rest
})

/** The checksum CRC-32C (RFC 3720, appendix B.4) of bytes that come in pieces. */
export class Crc32c {
  #rest = -1

  /** Takes the next bytes. */
  update(bytes: Uint8Array): void {
    let rest = this.#rest
    for (let at = 0; at < bytes.length; at++) {
      rest = (rest >>> 8) ^ (table[(rest ^ (bytes[at] as number)) & 0xff] as number)
    }
    this.#rest = rest
  }

  /** The checksum of all bytes so far, in the form that stores use: four bytes, big-endian, in base64. */
  base64(): string {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(~this.#rest >>> 0)
    return bytes.toString('base64')
  }
}

/** An object to be stored. */
type GcsObject = {
  readonly name: string
  readonly size: number
  readonly metadata: Readonly<Record<string, string>>
}

/** What the service reports about an object that is complete. */
type Stored = { readonly crc32c?: unknown }

/**
 * Stores an object in chunks, which stay invisible until the last has arrived; false when what was stored is not what
 * was sent.
 */
export async function uploadInChunks(
  bucket: GcsBucket,
  object: GcsObject,
  bytes: Readable,
  signal: AbortSignal,
): Promise<boolean> {
  const session: Session = { bucket, url: await begin(bucket, object, signal), total: object.size, signal }
  const sum = new Crc32c()
  let stored: Stored | undefined
  let at = 0
  for await (const chunk of chunksOf(bytes, partBytesFor(object.size))) {
    await processInParts(chunk, (part) => sum.update(part))
    stored = await sendChunk(session, chunk, at)
    at += chunk.length
  }
  return stored?.crc32c === sum.base64()
}

/** Asks for an address to send the bytes to; an object that exists already is refused. */
async function begin(bucket: GcsBucket, { name, size, metadata }: GcsObject, signal: AbortSignal): Promise<string> {
  const { headers } = await sendUntilDone(bucket, {
    method: 'POST',
    url: `${bucket.api}/upload/storage/v1/b/${encodeURIComponent(bucket.bucket)}/o`,
    params: { uploadType: 'resumable', name, ifGenerationMatch: 0 },
    headers: { 'X-Upload-Content-Type': 'application/gzip', 'X-Upload-Content-Length': String(size) },
    data: { metadata },
    signal,
  })
  const address = headers.get('location')
  if (address === null || !URL.canParse(address)) throw notAStoreFailure()
  return address
}

/** An upload in progress. */
type Session = {
  readonly bucket: GcsBucket
  readonly url: string
  readonly total: number
  readonly signal: AbortSignal
}

/** Sends a chunk, or the part of it that the service lacks; the last one is answered with what was stored. */
async function sendChunk(session: Session, chunk: Buffer, start: number): Promise<Stored | undefined> {
  const end = start + chunk.length
  let from = start
  for (let turn = 0; ; turn++) {
    const range = `bytes ${from}-${end - 1}/${session.total}`
    let answer = await put(session, range, chunk.subarray(from - start))
    if (isRetryable(answer)) {
      await waitForRetry(answer, turn, session.signal)
      answer = await put(session, `bytes */${session.total}`)
    }
    if (isSuccess(answer)) return Object(answer.data) as Stored
    // The next try shows whether the problem is over.
    if (isRetryable(answer)) continue
    if (answer.status !== incompleteStatus) throw await refusalOf(answer)
    from = receivedOf(answer)
    if (from === end) return undefined
    if (from < start || from > end) throw uploadLost(session, from)
    if (turn >= retries) throw await refusalOf(answer)
  }
}

/**
 * The bytes are sent as a stream: the library would copy a buffer, byte by byte, into the error of a broken connection.
 */
const put = ({ bucket, url, signal }: Session, range: string, bytes: Buffer = Buffer.alloc(0)): Promise<GcsAnswer> =>
  sendOnce(bucket, {
    method: 'PUT',
    url,
    headers: { 'Content-Range': range, 'Content-Length': String(bytes.length) },
    ...(bytes.length > 0 && { data: Readable.from([bytes], { objectMode: false }) }),
    signal,
  })

const incompleteStatus = 308

/** How many bytes of the object have arrived, according to an answer. */
function receivedOf({ headers }: GcsAnswer): number {
  const [, last] = /^bytes=0-(\d+)$/.exec(headers.get('range') ?? '') ?? []
  return last === undefined ? 0 : Number(last) + 1
}

const uploadLost = ({ total }: Session, received: number) =>
  failure(
    'unavailable',
    'snapshot.upload-lost',
    `the service says that it has ${received} bytes of ${total}, and lost some`,
  )
