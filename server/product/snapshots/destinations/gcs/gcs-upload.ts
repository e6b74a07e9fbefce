import { Readable } from 'node:stream'
import { failure } from '../../../../kernel/failure.ts'
import { chunksOf, partBytesFor, processInParts } from '../destination.ts'
import {
  type GcsAnswer,
  type GcsBucket,
  isRetryable,
  isSuccess,
  notAStoreFailure,
  refusalOf,
  retries,
  sendOnce,
  sendUntilDone,
  waitForRetry,
} from './gcs-api.ts'

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
