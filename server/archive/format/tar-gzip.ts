import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
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
/** What comes before each run. */
const runHead = 5
/** Whole runs that are read at once. */
const pieceBytes = 4 * storedRun
/** No name, no time, unknown system (RFC 1952 §2.3): the same content gives the same bytes. */
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
const gzipTail = 8
const tarEnd = Buffer.alloc(2 * block)

/** The size of the archive that `packArchive` makes of these members. */
export function packedSize(members: readonly Member[]): number {
  const pieces = members.flatMap(({ size }) => [block, size, padding(size)])
  const stored = [...pieces, tarEnd.length].reduce((sum, size) => sum + storedSize(size), 0)
  return gzipHead.length + stored + gzipTail
}

const storedSize = (size: number): number => size + Math.ceil(size / storedRun) * runHead

/**
 * Packs members into a tar archive (POSIX ustar) inside gzip. What is inside is compressed already, so gzip stores it as
 * it is: its size is known beforehand, and any tool still opens it.
 */
export const packArchive = (members: readonly Member[], modifiedAt: number): Readable =>
  Readable.from(packMembers(members, modifiedAt, Buffer.allocUnsafe), { objectMode: false, highWaterMark: pieceBytes })

/**
 * The same in memory that is used again, for those who are done with a piece before they read the next, as `pipeline` into
 * a file or an answer is. New memory for each piece would have V8 collect all its garbage every few dozen of them, and
 * every request would wait for that.
 */
export const lendArchive = (members: readonly Member[], modifiedAt: number): Readable =>
  // Of the pieces, one is in use, one waits in the stream, and one is being read.
  Readable.from(packMembers(members, modifiedAt, rotateBuffers(3)), { objectMode: true, highWaterMark: 1 })

/** The SHA-256 of the archive that `packArchive` makes of these members. */
export async function digestArchive(
  members: readonly Member[],
  modifiedAt: number,
  signal?: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of packMembers(members, modifiedAt, rotateBuffers(1))) {
    signal?.throwIfAborted()
    hash.update(piece)
  }
  return hash.digest('hex')
}

/** Where the next piece goes: into memory of its own, or over the one before. */
type Allocate = (size: number) => Buffer

/** So many buffers, one after the other and then from the first again. */
function rotateBuffers(count: number): Allocate {
  const buffers = Array.from({ length: count }, () => Buffer.allocUnsafeSlow(storedSize(pieceBytes)))
  let turn = 0
  return (size) => (buffers[turn++ % count] as Buffer).subarray(0, size)
}

async function* packMembers(
  members: readonly Member[],
  modifiedAt: number,
  allocate: Allocate,
): AsyncGenerator<Buffer> {
  const gzip = new StoredGzip()
  yield gzipHead
  for (const member of members) {
    yield gzip.store(tarHead(member, modifiedAt))
    if (!Buffer.isBuffer(member.content)) yield* storedFile(member.content.file, member, gzip, allocate)
    else if (member.content.length > 0) yield gzip.store(member.content)
    if (padding(member.size) > 0) yield gzip.store(Buffer.alloc(padding(member.size)))
  }
  yield gzip.store(tarEnd, true)
  yield gzip.tail()
}

const padding = (size: number): number => (block - (size % block)) % block

/** A file in pieces that fill their runs: other cuts would change the size. */
async function* storedFile(
  path: string,
  { name, size }: Member,
  gzip: StoredGzip,
  allocate: Allocate,
): AsyncGenerator<Buffer> {
  const file = await open(path)
  try {
    for (let at = 0; at < size; at += pieceBytes) {
      const length = Math.min(pieceBytes, size - at)
      const out = allocate(storedSize(length))
      const read = await readFully(file, out.subarray(out.length - length))
      if (read !== length) throw new Error(`The spool file of ${name} has ${at + read} bytes instead of ${size}.`)
      yield gzip.storeIn(out, length)
    }
  } finally {
    await file.close()
  }
}

async function readFully(file: FileHandle, into: Buffer): Promise<number> {
  let read = 0
  while (read < into.length) {
    const { bytesRead } = await file.read(into, read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return read
}

/** Writes deflate's stored blocks and keeps what the end of gzip needs. */
class StoredGzip {
  #crc = 0
  #length = 0

  store(bytes: Buffer, isLast = false): Buffer {
    const out = Buffer.allocUnsafe(storedSize(bytes.length))
    bytes.copy(out, out.length - bytes.length)
    return this.storeIn(out, bytes.length, isLast)
  }

  /** The bytes stand at the end of the buffer, which has just the room they need when stored. */
  storeIn(out: Buffer, length: number, isLast = false): Buffer {
    const begin = out.length - length
    this.#crc = crc32(out.subarray(begin), this.#crc)
    this.#length += length
    let at = 0
    for (let from = begin; from < out.length; from += storedRun) {
      const run = Math.min(storedRun, out.length - from)
      out.copyWithin(at + runHead, from, from + run)
      at = out.writeUInt8(isLast && from + run === out.length ? 1 : 0, at)
      at = out.writeUInt16LE(run, at)
      at = out.writeUInt16LE(run ^ 0xffff, at) + run
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
  // User and group.
  octal(0, 108, 8)
  octal(0, 116, 8)
  if (size <= largestOctal) octal(size, 124, 12)
  else {
    // Sizes of 8 GiB and more are written in binary, marked by the highest bit; every tar of today reads them.
    head.writeUInt8(0x80, 124)
    head.writeBigUInt64BE(BigInt(size), 128)
  }
  octal(Math.floor(modifiedAt / 1000), 136, 12)
  // The checksum counts its own place as blanks.
  head.fill(0x20, 148, 156)
  head.write('0', 156, 'latin1')
  head.write('ustar\x0000', 257, 'latin1')
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return head
}
