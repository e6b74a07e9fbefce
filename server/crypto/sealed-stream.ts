import type { Sealed } from './sealed.ts'
import { asBuffer, fixedHeaderBytes, nonceBytes } from './sealed.ts'

/** The largest sealed chunk, which is also the largest blob row. */
export const maxSealedChunk = 256 * 1024

const streamIdBytes = 16
const extraBytes = streamIdBytes + 4 + 1
const headerBytes = fixedHeaderBytes + extraBytes
const tagBytes = 16

/** Plain bytes that fit into one chunk. */
export const chunkBytes: number = maxSealedChunk - headerBytes - nonceBytes - tagBytes

/** How chunks of one place are sealed and opened one by one, and what is thrown for one that does not belong there. */
export type ChunkKeys = {
  newStreamId(length: number): Buffer
  seal(plain: Uint8Array, extra: Buffer): Sealed
  open(sealed: Buffer, headerBytes: number): Buffer
  damaged(): Error
}

type Source = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/**
 * Seals a stream chunk by chunk. Each header holds the stream's random id, the chunk's number and whether it is the
 * last, all authenticated: chunks cannot be reordered, dropped, or taken from an older version of the same row.
 */
export async function* sealChunks({ seal, newStreamId }: ChunkKeys, source: Source): AsyncGenerator<Sealed> {
  const streamId = newStreamId(streamIdBytes)
  let index = 0
  let waiting: Buffer | undefined
  for await (const piece of evenPieces(source)) {
    if (waiting) yield seal(waiting, chunkHeader(streamId, index++, false))
    waiting = piece
  }
  yield seal(waiting ?? Buffer.alloc(0), chunkHeader(streamId, index, true))
}

/** Seals bytes that are at hand, as a stream of them would be. */
export function sealWhole({ seal, newStreamId }: ChunkKeys, bytes: Uint8Array): Sealed[] {
  const streamId = newStreamId(streamIdBytes)
  const chunks: Sealed[] = []
  for (let at = 0; chunks.length === 0 || at < bytes.length; at += chunkBytes) {
    const isLast = at + chunkBytes >= bytes.length
    chunks.push(seal(bytes.subarray(at, at + chunkBytes), chunkHeader(streamId, chunks.length, isLast)))
  }
  return chunks
}

/** Opens the chunks of one stream, in order and to its end. */
export async function* openChunks(keys: ChunkKeys, chunks: Source): AsyncGenerator<Buffer> {
  const opened = new OpenedStream(keys)
  for await (const bytes of chunks) yield opened.next(bytes)
  opened.end()
}

/** Opens a stream whose chunks are all at hand. */
export function openWhole(keys: ChunkKeys, chunks: readonly Uint8Array[]): Buffer {
  const opened = new OpenedStream(keys)
  const parts = chunks.map((bytes) => opened.next(bytes))
  opened.end()
  const [only] = parts
  return parts.length === 1 && only ? only : Buffer.concat(parts)
}

/** How far a stream has been opened. */
class OpenedStream {
  readonly #keys: ChunkKeys
  #index = 0
  #streamId: Buffer | undefined
  #ended = false

  constructor(keys: ChunkKeys) {
    this.#keys = keys
  }

  next(bytes: Uint8Array): Buffer {
    const sealed = asBuffer(bytes)
    if (this.#ended || sealed.length < headerBytes) throw this.#keys.damaged()
    const extra = sealed.subarray(fixedHeaderBytes, headerBytes)
    this.#streamId ??= Buffer.from(extra.subarray(0, streamIdBytes))
    const last = extra.readUInt8(streamIdBytes + 4) === 1
    if (!extra.equals(chunkHeader(this.#streamId, this.#index++, last))) throw this.#keys.damaged()
    const plain = this.#keys.open(sealed, headerBytes)
    this.#ended = last
    return plain
  }

  end(): void {
    if (!this.#ended) throw this.#keys.damaged()
  }
}

function chunkHeader(streamId: Buffer, index: number, last: boolean): Buffer {
  const extra = Buffer.alloc(extraBytes)
  streamId.copy(extra)
  extra.writeUInt32BE(index, streamIdBytes)
  extra.writeUInt8(last ? 1 : 0, streamIdBytes + 4)
  return extra
}

/** Cuts a stream into pieces of `chunkBytes`; the last one may be shorter. */
async function* evenPieces(source: Source): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = []
  let length = 0
  for await (const bytes of source) {
    let rest = asBuffer(bytes)
    while (rest.length > 0) {
      const part = rest.subarray(0, chunkBytes - length)
      gathered.push(part)
      length += part.length
      rest = rest.subarray(part.length)
      if (length === chunkBytes) {
        yield Buffer.concat(gathered)
        gathered = []
        length = 0
      }
    }
  }
  if (length > 0) yield Buffer.concat(gathered)
}
