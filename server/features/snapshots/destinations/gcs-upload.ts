import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { CRC32C } from '@google-cloud/storage'
import type { AuthClient } from 'google-auth-library'
import { failure } from '../../../kernel/failure.ts'
import { partBytesFor } from './destination.ts'

/** An object to be stored: where the API is, in which bucket and under which name, and who asks. */
export type GcsObject = {
  readonly client: AuthClient
  readonly api: string
  readonly bucket: string
  readonly name: string
  readonly size: number
  readonly metadata: Readonly<Record<string, string>>
}

/** What the service tells of an object that is whole. */
type Stored = { readonly crc32c?: unknown }

type Answer = { readonly status: number; readonly headers: Headers; readonly data: unknown }
type Request = Parameters<AuthClient['request']>[0]

const retries = 3
const firstPause = 1_000

/** The error of an answer that no store of this kind gives. */
export const notAStore = () => failure('unavailable', 'snapshot.no-store', 'what answers is not a store of this kind')

/**
 * Stores an object in chunks, of which the service shows nothing until the last has come; false when what it has stored is
 * not what was sent. The uploads of its library end the process when the service has forgotten what it was sent, or gives
 * another answer that is not foreseen there, so the few requests are made here.
 */
export async function uploadInChunks(object: GcsObject, bytes: Readable, signal: AbortSignal): Promise<boolean> {
  const session: Session = { client: object.client, url: await begin(object, signal), total: object.size, signal }
  const sum = new CRC32C()
  let stored: Stored | undefined
  let at = 0
  for await (const chunk of chunksOf(bytes, partBytesFor(object.size))) {
    sum.update(chunk)
    stored = await sendChunk(session, chunk, at)
    at += chunk.length
  }
  return stored?.crc32c === sum.toString()
}

/** Asks for an address to send the bytes to; an object that exists already is refused. */
async function begin({ client, api, bucket, name, size, metadata }: GcsObject, signal: AbortSignal): Promise<string> {
  for (let turn = 0; ; turn++) {
    const answer = await ask(client, {
      method: 'POST',
      url: `${api}/upload/storage/v1/b/${encodeURIComponent(bucket)}/o`,
      params: { uploadType: 'resumable', name, ifGenerationMatch: 0 },
      headers: { 'X-Upload-Content-Type': 'application/gzip', 'X-Upload-Content-Length': String(size) },
      data: { metadata },
      signal,
    })
    const address = isDone(answer) ? answer.headers.get('location') : undefined
    if (address && URL.canParse(address)) return address
    if (isDone(answer)) throw notAStore()
    await pauseOrRefuse(answer, turn, signal)
  }
}

/** An upload in progress. */
type Session = {
  readonly client: AuthClient
  readonly url: string
  readonly total: number
  readonly signal: AbortSignal
}

async function* chunksOf(bytes: Readable, length: number): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let gathered = 0
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    parts.push(piece)
    gathered += piece.length
    if (gathered < length) continue
    const all = Buffer.concat(parts, gathered)
    const whole = gathered - (gathered % length)
    for (let at = 0; at < whole; at += length) yield all.subarray(at, at + length)
    parts = [all.subarray(whole)]
    gathered -= whole
  }
  if (gathered > 0) yield Buffer.concat(parts, gathered)
}

/** Sends a chunk, or what the service lacks of it; the last one is answered with what was stored. */
async function sendChunk(session: Session, chunk: Buffer, start: number): Promise<Stored | undefined> {
  const end = start + chunk.length
  let from = start
  for (let turn = 0; ; turn++) {
    const range = `bytes ${from}-${end - 1}/${session.total}`
    let answer = await put(session, range, chunk.subarray(from - start))
    if (isUncertain(answer)) {
      await pauseOrRefuse(answer, turn, session.signal)
      answer = await put(session, `bytes */${session.total}`)
    }
    if (isDone(answer)) return Object(answer.data) as Stored
    // Whether that is over by the next try shows then.
    if (isUncertain(answer)) continue
    if (answer.status !== incomplete) throw refusalOf(answer)
    from = receivedOf(answer)
    if (from === end) return undefined
    if (from < start || from > end) throw lost(session, from)
    if (turn >= retries) throw refusalOf(answer)
  }
}

/** The bytes go as a stream: of a buffer the library would make a copy, byte by byte, for the error of a broken connection. */
const put = ({ client, url, signal }: Session, range: string, bytes: Buffer = Buffer.alloc(0)): Promise<Answer> =>
  ask(client, {
    method: 'PUT',
    url,
    headers: { 'Content-Range': range, 'Content-Length': String(bytes.length) },
    ...(bytes.length > 0 && { data: Readable.from([bytes], { objectMode: false }) }),
    signal,
  })

const incomplete = 308
const isDone = ({ status }: Answer): boolean => status >= 200 && status < 300

/** True where the service may have taken what was sent, or may take it the next time. */
const isUncertain = ({ status }: Answer): boolean => status === 0 || status === 408 || status === 429 || status >= 500

/** How many bytes of the object have come, as an answer tells. */
function receivedOf({ headers }: Answer): number {
  const [, last] = /^bytes=0-(\d+)$/.exec(headers.get('range') ?? '') ?? []
  return last === undefined ? 0 : Number(last) + 1
}

const lost = ({ total }: Session, received: number) =>
  failure(
    'unavailable',
    'snapshot.upload-lost',
    `the service says that it has ${received} bytes of ${total}, and lost some`,
  )

/** One request. An answer of any status is one; a connection that broke is told as status 0. */
async function ask(client: AuthClient, request: Request): Promise<Answer> {
  try {
    const { status, headers, data } = await client.request({ ...request, validateStatus: () => true, retry: false })
    return { status, headers, data }
  } catch (thrown) {
    request.signal?.throwIfAborted()
    // What the service that gives out tokens answers is a refusal.
    const { response, code, message } = thrown as { response?: unknown; code?: unknown; message: string }
    if (response || typeof code !== 'string') throw thrown
    return { status: 0, headers: new Headers(), data: Object.assign(new Error(withoutAddress(message)), { code }) }
  }
}

/** Whoever knows the address of an upload may write it, so it stands in no text. */
const withoutAddress = (message: string): string => message.replace(/^request to \S+ failed, reason: /, '')

async function pauseOrRefuse(answer: Answer, turn: number, signal: AbortSignal): Promise<void> {
  if (!isUncertain(answer) || turn >= retries) throw refusalOf(answer)
  await sleep(firstPause * 2 ** turn, undefined, { signal })
}

/** A refusal with the status and the words of the service. */
function refusalOf({ status, data }: Answer): Error {
  if (data instanceof Error) return data
  const { message } = Object(Object(data).error) as { message?: unknown }
  const text = typeof message === 'string' ? message : 'it tells no reason'
  return Object.assign(new Error(text), { code: status })
}
