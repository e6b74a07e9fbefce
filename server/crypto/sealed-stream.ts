import type { Sealed } from './sealed.ts'
import { fixedHeaderBytes, nonceBytes, viewOf } from './sealed.ts'

/** The largest sealed chunk, which is also the largest blob row. */
export const maxSealedChunk = 256 * 1024

const streamIdBytes = 16
const extraBytes = streamIdBytes + 4 + 1
const headerBytes = fixedHeaderBytes + extraBytes
const tagBytes = 16

/** Plain bytes that fit into one chunk. */
export const chunkBytes: number = maxSealedChunk - headerBytes - nonceBytes - tagBytes

type Source = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/**
 * Seals a stream chunk by chunk. Each header holds the stream's random id, the chunk's number and whether it is the
 * last, all authenticated: chunks cannot be reordered, dropped, or taken from an older version of the same row.
 */
export async function* sealChunks(
  seal: (plain: Uint8Array, extra: Buffer) => Sealed,
  streamId: Buffer,
  source: Source,
): AsyncGenerator<Sealed> {
  let index = 0
  let waiting: Buffer | undefined
  for await (const piece of evenPieces(source)) {
    if (waiting) yield seal(waiting, chunkHeader(streamId, index++, false))
    waiting = piece
  }
  yield seal(waiting ?? Buffer.alloc(0), chunkHeader(streamId, index, true))
}

/** Opens the chunks of one stream, in order and to its end. */
export async function* openChunks(
  open: (sealed: Buffer, headerBytes: number) => Buffer,
  chunks: Source,
  damaged: () => Error,
): AsyncGenerator<Buffer> {
  let index = 0
  let streamId: Buffer | undefined
  let ended = false
  for await (const bytes of chunks) {
    const sealed = viewOf(bytes)
    if (ended || sealed.length < headerBytes) throw damaged()
    const extra = sealed.subarray(fixedHeaderBytes, headerBytes)
    streamId ??= Buffer.from(extra.subarray(0, streamIdBytes))
    const last = extra.readUInt8(streamIdBytes + 4) === 1
    if (!extra.equals(chunkHeader(streamId, index++, last))) throw damaged()
    const plain = open(sealed, headerBytes)
    ended = last
    yield plain
  }
  if (!ended) throw damaged()
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
    let rest = viewOf(bytes)
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
