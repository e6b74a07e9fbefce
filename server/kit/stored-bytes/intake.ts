import { createHash, type Hash, hash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createZstdCompress, zstdCompress, zstdCompressSync } from 'node:zlib'
import type { Awaitable } from '../../kernel/awaitable.ts'
import { Failure, failure, textOf } from '../../kernel/failure.ts'
import {
  claimBlob,
  deleteUpload,
  insertBlob,
  nameUpload,
  newUpload,
  type WrittenUpload,
  writeUpload,
} from '../../storage/blob-store.ts'
import { isUniqueViolation } from '../../storage/database-errors.ts'
import type { Db, Tx } from '../../storage/open.ts'
import { inTransaction } from '../../storage/transaction.ts'
import type { Deps } from '../deps.ts'
import { placeOfContent } from './outlet.ts'

/** Finds something out about a file while it is stored. */
export type Inspection<Info> = {
  /** Examines a small file that is in memory as a whole. */
  whole(bytes: Buffer): Awaitable<Info>
  /** Begins to examine a larger one, piece by piece. */
  begin(): Inspector<Info>
}

/** Examines one file as it passes through. */
export type Inspector<Info> = {
  /** Takes the next piece, which nobody else uses any more. It throws if the file is not wanted. */
  push(bytes: Uint8Array): Awaitable<void>
  /** What was found out; called after the last piece. */
  end(): Promise<Info>
  /** Stops reading. */
  close(): void
}

/**
 * Passes the pieces on. Each must be used before the next one is asked for: its memory then belongs to the inspector.
 */
async function* inspected(
  source: AsyncIterable<Uint8Array>,
  inspector: Pick<Inspector<unknown>, 'push'>,
): AsyncGenerator<Uint8Array> {
  for await (const bytes of source) {
    yield bytes
    await inspector.push(bytes)
  }
}

/** Bytes that are given to the compressor at once: each time costs a round trip to another thread. */
const groupBytes = 512 * 1024

/**
 * Cuts a file into groups of one size, so that the compressed bytes depend only on its content, however it arrived. Two
 * buffers take turns: a group must have been used before the next but one is asked for.
 */
async function* grouped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let [group, spare] = [Buffer.allocUnsafeSlow(groupBytes), Buffer.allocUnsafeSlow(groupBytes)]
  let filled = 0
  for await (const bytes of source) {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + groupBytes - filled)
      group.set(part, filled)
      at += part.length
      filled += part.length
      if (filled < groupBytes) continue
      yield group
      ;[group, spare] = [spare, group]
      filled = 0
    }
  }
  if (filled > 0) yield group.subarray(0, filled)
}

type Source = AsyncIterable<Uint8Array> | Iterable<Uint8Array>
type IntakeDeps = Pick<Deps, 'db' | 'keyring' | 'clock' | 'ids' | 'log'>

/** Content that arrived: what was found out about it, and how to store it for good. */
export type TakenContent<Info = unknown> = Info & {
  /** Its name within the scope. */
  readonly blobId: string
  /** Stores it together with the row that refers to it. */
  keep(tx: Tx): Promise<void>
  /** Removes what was written of it, unless it has been kept. */
  drop(): Promise<void>
}

/** A file up to this size is read and compressed at once; a larger one outside the main thread, while it arrives. */
const smallBytes = 128 * 1024

/** A file up to this size is stored in the same commit as the row that refers to it. */
const wholeBytes = 2 * 1024 * 1024

const compressInThread = promisify(zstdCompress)

/** States are so repetitive that the fastest level compresses them as well as the default one, in half the time. */
const params = { [constants.ZSTD_c_compressionLevel]: 1 }

const packing = (bytes: Buffer) => ({
  params,
  pledgedSrcSize: bytes.length,
  chunkSize: Math.max(bytes.length >> 3, 4096),
})

/**
 * Compresses and seals a file, and learns what is in it on the way. Of a large one no more than a few pieces are in
 * memory: it is written as it arrives. Equal files of one scope are kept once. Their name is a keyed hash of the
 * compressed bytes, so that nobody who sees the store can tell whether a file they know is in it. The caller hands the
 * pieces over and must not use their memory afterwards.
 */
export async function takeContent<Info>(
  deps: IntakeDeps,
  scope: string,
  source: AsyncIterable<Uint8Array>,
  inspection: Inspection<Info>,
): Promise<TakenContent<Info>> {
  const pieces = source[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  for (let size = 0; size <= smallBytes; ) {
    const next = await pieces.next()
    if (next.done) return await takeSmall(deps, scope, joinPieces(first), inspection)
    first.push(next.value)
    size += next.value.length
  }
  const inspector = inspection.begin()
  try {
    const rest = { [Symbol.asyncIterator]: () => pieces }
    return await takeLarge(deps, scope, inspected(concatSources(first, rest), inspector), inspector)
  } finally {
    inspector.close()
  }
}

/** The same for a file that is in memory as a whole; the caller hands it over, too. */
export const takeWhole = async <Info>(
  deps: IntakeDeps,
  scope: string,
  bytes: Buffer,
  inspection: Inspection<Info>,
): Promise<TakenContent<Info>> =>
  bytes.length <= smallBytes
    ? await takeSmall(deps, scope, bytes, inspection)
    : await takeContent(deps, scope, concatSources([bytes]), inspection)

/** These pieces, and then those that are still to come. */
async function* concatSources(first: Uint8Array[], rest: Source = []): AsyncGenerator<Uint8Array> {
  yield* first.splice(0)
  yield* rest
}

/** A single piece is not copied. */
function joinPieces(pieces: readonly Uint8Array[]): Buffer {
  const [only] = pieces
  return pieces.length === 1 && Buffer.isBuffer(only) ? only : Buffer.concat(pieces)
}

async function takeSmall<Info>(
  deps: IntakeDeps,
  scope: string,
  bytes: Buffer,
  inspection: Inspection<Info>,
): Promise<TakenContent<Info>> {
  const sealed = sealWhole(deps, scope, zstdCompressSync(bytes, packing(bytes)))
  return toTakenContent(deps, sealed, await inspection.whole(bytes))
}

async function takeLarge<Info>(
  deps: IntakeDeps,
  scope: string,
  pieces: AsyncGenerator<Uint8Array>,
  inspector: Inspector<Info>,
): Promise<TakenContent<Info>> {
  const buffer = acquireBuffer()
  let size = 0
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    const bytes = next.value
    if (size + bytes.length > wholeBytes) {
      return await takeStream(deps, scope, concatSources([buffer.subarray(0, size), bytes], pieces), inspector)
    }
    buffer.set(bytes, size)
    size += bytes.length
  }
  const bytes = buffer.subarray(0, size)
  // Examining a file may take longer than compressing it; this thread seals it meanwhile.
  const sealing = compressInThread(bytes, packing(bytes)).then((packed) => sealWhole(deps, scope, packed))
  const [sealed, info] = await Promise.all([sealing, inspector.end()])
  releaseBuffer(buffer)
  return toTakenContent(deps, sealed, info)
}

const spareBuffers: Buffer[] = []
const maxSpareBuffers = 4

/** Memory for a whole file. It is reused: V8 runs full collections when much memory outside its heap comes and goes. */
const acquireBuffer = (): Buffer => spareBuffers.pop() ?? Buffer.allocUnsafeSlow(wholeBytes)

function releaseBuffer(buffer: Buffer): void {
  if (spareBuffers.length < maxSpareBuffers) spareBuffers.push(buffer)
}

/** A file that is sealed and named, but not stored yet. */
type SealedFile = Omit<Parameters<typeof insertBlob>[1], 'createdAt'>

function sealWhole(deps: IntakeDeps, scope: string, packed: Buffer): SealedFile {
  const upload = newUpload(deps.ids)
  const chunks = deps.keyring.sealWhole(packed, placeOfContent(upload))
  return { scope, upload, id: nameOf(deps, scope, hash('sha256', packed)), chunks }
}

function toTakenContent<Info>({ clock }: IntakeDeps, file: SealedFile, info: Info): TakenContent<Info> {
  const { scope, id } = file
  return {
    ...info,
    blobId: id,
    keep: async (tx) => {
      const now = clock.now()
      const insert = () => insertBlob(tx, { ...file, createdAt: now })
      // Equal content may be stored already, and yet be deleted before it can be claimed: then the second insert
      // succeeds.
      if ((await insert()) || (await claimBlob(tx, { scope, id }, now)) || (await insert())) return
      throw contentSwept()
    },
    drop: async () => undefined,
  }
}

const streamOptions = { params, chunkSize: groupBytes, writableHighWaterMark: 2 * groupBytes }

async function takeStream<Info>(
  deps: IntakeDeps,
  scope: string,
  source: AsyncIterable<Uint8Array>,
  inspector: Inspector<Info>,
): Promise<TakenContent<Info>> {
  const upload = newUpload(deps.ids)
  const packed = createZstdCompress(streamOptions)
  // Errors reach whoever reads the stream. Before and after that nobody listens, and an error would end the process.
  packed.on('error', () => undefined)
  void feed(packed, grouped(source))
  const sha256 = createHash('sha256')
  const chunks = deps.keyring.sealStream(hashThrough(packed, sha256), placeOfContent(upload))
  const written = await writeOrDelete(deps, { scope, upload, createdAt: deps.clock.now(), chunks }).finally(() =>
    packed.destroy(),
  )
  const id = nameOf(deps, scope, sha256.digest('hex'))
  const info = await inspector.end().catch((broken) => deleteAndThrow(deps, upload, broken))
  return {
    ...info,
    blobId: id,
    keep: async (tx) => {
      if (await claimBlob(tx, { scope, id }, deps.clock.now())) await deleteUpload(tx, upload)
      else if (!(await nameUpload(tx, id, written))) throw contentSwept()
    },
    drop: () => deleteUpload(deps.db, upload),
  }
}

/** An interrupted upload is removed at once, for it may be large; if that fails too, it is swept a day later. */
async function writeOrDelete(deps: IntakeDeps, blob: Parameters<typeof writeUpload>[1]): Promise<WrittenUpload> {
  try {
    return await writeUpload(deps.db, blob)
  } catch (broken) {
    return await deleteAndThrow(deps, blob.upload, broken)
  }
}

async function deleteAndThrow({ db, log }: IntakeDeps, upload: string, broken: unknown): Promise<never> {
  await deleteUpload(db, upload).catch((error) =>
    log.warn({ error: textOf(error) }, 'could not remove the remains of a failed upload; they are removed later'),
  )
  throw broken
}

const nameOf = ({ keyring }: IntakeDeps, scope: string, sha256: string): string =>
  keyring.keyedHash('state-content', `${scope}:${sha256}`)

async function* hashThrough(source: AsyncIterable<Buffer>, sum: Hash): AsyncGenerator<Buffer> {
  for await (const bytes of source) {
    sum.update(bytes)
    yield bytes
  }
}

/**
 * Gives each group to the compressor while the next one is read. The end is given separately, so that the compressed
 * bytes, and with them the name, depend on the file alone. Errors reach whoever reads the compressed side.
 */
async function feed(packed: Writable, groups: AsyncIterable<Buffer>): Promise<void> {
  const write = (group: Buffer): Promise<void> =>
    new Promise((resolve, reject) => packed.write(group, (error) => (error ? reject(error) : resolve())))
  let writing: Promise<void> | undefined
  try {
    for await (const group of groups) {
      await writing
      writing = write(group)
      // A failure is thrown where this is awaited, which may be a while later.
      writing.catch(() => undefined)
    }
    await writing
    packed.end()
  } catch (error) {
    packed.destroy(error as Error)
  }
}

/** Keeps content that is already stored for another row. */
export const keepStoredContent =
  (deps: Pick<Deps, 'clock'>, scope: string, id: string) =>
  async (tx: Tx): Promise<void> => {
    if (!(await claimBlob(tx, { scope, id }, deps.clock.now()))) throw contentSwept()
  }

const contentSwept = () => failure('unavailable', 'content.swept', 'The content was not stored; send it again.')

/** Runs the work that refers to content. If it is refused, the content is removed. */
export async function discardOnError<T>(
  content: Pick<TakenContent, 'drop'> | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure) await content?.drop()
    throw error
  }
}

/** If two requests store the same file at the same moment, the second finds it stored when it tries again. */
export async function inTransactionRetriedOnce<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await inTransaction(db, work)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return await inTransaction(db, work)
  }
}
