import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'

/** A file of the archive: bytes in memory, or a file on disk. */
export type Member = {
  readonly name: string
  readonly size: number
  readonly content: Buffer | { readonly file: string }
}

const block = 512
const largestOctal = 8 ** 11 - 1
/** The longest run of bytes deflate stores as they are (RFC 1951 §3.2.4). */
const storedRun = 65_535
/** No name, no time, unknown system (RFC 1952 §2.3): the same content gives the same bytes. */
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
const gzipTail = 8
const tarEnd = Buffer.alloc(2 * block)

/** The size of the archive that `packArchive` makes of these members. */
export function packedSize(members: readonly Member[]): number {
  const pieces = members.flatMap(({ size }) => [block, size, padding(size)])
  const stored = [...pieces, tarEnd.length].reduce((sum, size) => sum + size + Math.ceil(size / storedRun) * 5, 0)
  return gzipHead.length + stored + gzipTail
}

/**
 * Packs members into a tar archive (POSIX ustar) inside gzip. What is inside is compressed already, so gzip stores it as
 * it is: its size is known beforehand, and any tool still opens it.
 */
export const packArchive = (members: readonly Member[], modifiedAt: number): Readable =>
  Readable.from(packed(members, modifiedAt), { objectMode: false, highWaterMark: 16 * storedRun })

async function* packed(members: readonly Member[], modifiedAt: number): AsyncGenerator<Buffer> {
  const gzip = new StoredGzip()
  yield gzipHead
  for (const member of members) {
    yield gzip.store(tarHead(member, modifiedAt))
    for await (const bytes of contentOf(member)) yield gzip.store(bytes)
    if (padding(member.size) > 0) yield gzip.store(Buffer.alloc(padding(member.size)))
  }
  yield gzip.store(tarEnd, true)
  yield gzip.tail()
}

const padding = (size: number): number => (block - (size % block)) % block

/** Content in pieces that fill their runs: other cuts would change the size. */
async function* contentOf({ name, size, content }: Member): AsyncGenerator<Buffer> {
  if (Buffer.isBuffer(content)) {
    if (content.length > 0) yield content
    return
  }
  let read = 0
  for await (const bytes of wholeRuns(createReadStream(content.file, { highWaterMark: 16 * storedRun }))) {
    read += bytes.length
    yield bytes
  }
  if (read !== size) throw new Error(`The spool file of ${name} has ${read} bytes in place of ${size}.`)
}

async function* wholeRuns(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const bytes of source) {
    const all = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes
    const whole = all.length - (all.length % storedRun)
    if (whole > 0) yield all.subarray(0, whole)
    rest = all.subarray(whole)
  }
  if (rest.length > 0) yield rest
}

/** Writes deflate's stored blocks and keeps what the end of gzip needs. */
class StoredGzip {
  #crc = 0
  #length = 0

  store(bytes: Buffer, isLast = false): Buffer {
    this.#crc = crc32(bytes, this.#crc)
    this.#length += bytes.length
    const out = Buffer.allocUnsafe(bytes.length + Math.ceil(bytes.length / storedRun) * 5)
    let at = 0
    for (let from = 0; from < bytes.length; from += storedRun) {
      const run = Math.min(storedRun, bytes.length - from)
      at = out.writeUInt8(isLast && from + run === bytes.length ? 1 : 0, at)
      at = out.writeUInt16LE(run, at)
      at = out.writeUInt16LE(run ^ 0xffff, at)
      at += bytes.copy(out, at, from, from + run)
    }
    return out
  }

  tail(): Buffer {
    const tail = Buffer.alloc(gzipTail)
    tail.writeUInt32LE(this.#crc, 0)
    tail.writeUInt32LE(this.#length % 2 ** 32, 4)
    return tail
  }
}

/** A ustar header: readable by its owner alone, of nobody in particular. */
function tarHead({ name, size }: Member, modifiedAt: number): Buffer {
  const head = Buffer.alloc(block)
  const octal = (value: number, at: number, length: number) =>
    head.write(value.toString(8).padStart(length - 1, '0'), at, 'latin1')
  head.write(name, 0, 'latin1')
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  if (size <= largestOctal) octal(size, 124, 12)
  else {
    // Sizes of 8 GiB and more are written in binary, marked by the highest bit; every tar of today reads them.
    head.writeUInt8(0x80, 124)
    head.writeBigUInt64BE(BigInt(size), 128)
  }
  octal(Math.floor(modifiedAt / 1000), 136, 12)
  head.fill(0x20, 148, 156)
  head.write('0', 156, 'latin1')
  head.write('ustar\x0000', 257, 'latin1')
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return head
}
