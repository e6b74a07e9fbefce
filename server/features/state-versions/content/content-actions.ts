import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { failure, textOf } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import { type BlobName, type BlobUpload, getBlob, newUpload, putBlob } from '../../../storage/blob-store.ts'
import { isUniqueViolation } from '../../../storage/errors.ts'
import type { Db } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { JsonScanner, NotJson, type Prune } from '../analysis/json-scan.ts'

type ContentDeps = Pick<Deps, 'db' | 'keyring' | 'clock' | 'ids'>
type Source = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** What was stored: its name within the workspace, and what was learned while it passed by. */
export type StoredContent = {
  readonly blobId: string
  readonly size: number
  readonly md5: string
  /** The parts of the JSON document that were not pruned; what is no JSON is told in `broken`. */
  readonly document: unknown
  readonly broken: string | undefined
}

const placeOf = (upload: string) => ({ table: 'blob_chunks', column: 'bytes', row: upload })

/**
 * Compresses, seals and stores a file as it arrives, and reads its outline on the way: whatever its size, no more than
 * a few pieces are in memory. Equal files of one workspace are kept once; their name is a keyed hash, so that nobody
 * who sees the store can tell whether a file he knows is in it.
 */
export async function storeContent(
  deps: ContentDeps,
  scope: string,
  source: Source,
  prune: Prune,
): Promise<StoredContent> {
  const passing = new Passing(prune)
  const upload = newUpload(deps.ids)
  const compressed = createZstdCompress()
  // Errors of the source reach whoever reads the compressed end.
  pipeline(Readable.from(passing.through(source)), compressed, () => undefined)
  let contentId: string | undefined
  const id = await writeChunks(deps.db, deps.keyring.sealStream(compressed, placeOf(upload)), {
    scope,
    upload,
    createdAt: deps.clock.now(),
    contentId: () => {
      contentId ??= deps.keyring.keyedHash(`state-content:${scope}`, passing.sha256())
      return contentId
    },
  })
  return { blobId: id, size: passing.size, md5: passing.md5(), ...passing.outline() }
}

/** Sealed bytes that are written in one transaction; most states are smaller. */
const atOnceBytes = 1024 * 1024

/** Writes a small file with one durable commit, a large one chunk by chunk as it arrives. */
async function writeChunks(
  db: Db,
  sealed: AsyncGenerator<Uint8Array>,
  blob: Omit<BlobUpload, 'chunks'>,
): Promise<string> {
  const first: Uint8Array[] = []
  let bytes = 0
  let next = await sealed.next()
  while (!next.done && bytes < atOnceBytes) {
    first.push(next.value)
    bytes += next.value.length
    next = await sealed.next()
  }
  if (next.done) return await writeSmall(db, { ...blob, chunks: first })
  const held = next.value
  const chunks = (async function* () {
    yield* first.splice(0)
    yield held
    yield* sealed
  })()
  return (await putBlob(db, { ...blob, chunks })).id
}

/** Of two who store the same file at the same moment, the second finds it stored when it looks again. */
async function writeSmall(db: Db, blob: BlobUpload): Promise<string> {
  const write = async () => (await inTransaction(db, (tx) => putBlob(tx, blob))).id
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return await write()
  }
}

/** Watches bytes pass by. */
class Passing {
  readonly #md5 = createHash('md5')
  readonly #sha256 = createHash('sha256')
  readonly #scanner: JsonScanner
  #broken: string | undefined
  size = 0

  constructor(prune: Prune) {
    this.#scanner = new JsonScanner(prune)
  }

  async *through(source: Source): AsyncGenerator<Uint8Array> {
    for await (const bytes of source) {
      this.size += bytes.length
      this.#md5.update(bytes)
      this.#sha256.update(bytes)
      if (this.#broken === undefined) this.#scan(() => this.#scanner.push(bytes))
      yield bytes
    }
  }

  #scan<T>(read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof NotJson)) throw error
      this.#broken = textOf(error)
      return undefined
    }
  }

  md5(): string {
    return this.#md5.digest('hex')
  }

  sha256(): string {
    return this.#sha256.digest('hex')
  }

  outline(): Pick<StoredContent, 'document' | 'broken'> {
    const document = this.#broken === undefined ? this.#scan(() => this.#scanner.end()) : undefined
    return { document, broken: this.#broken }
  }
}

/** A stored file as a stream of its original bytes. */
export async function openContent(deps: Pick<ContentDeps, 'db' | 'keyring'>, name: BlobName): Promise<Readable> {
  const blob = await getBlob(deps.db, name)
  if (!blob) throw failure('missing', 'state-content.missing', 'The content of this state version is gone.')
  const plain = createZstdDecompress()
  pipeline(Readable.from(deps.keyring.openStream(blob.chunks, placeOf(blob.upload))), plain, () => undefined)
  return plain
}
