import { createHash } from 'node:crypto'
import { createGunzip } from 'node:zlib'
import { Parser } from 'tar/parse'
import type { ReadEntry } from 'tar/read-entry'
import { type ArchiveFault, addEntry, archiveLimits, emptyTree, treeFault } from '../../../kernel/archive-tree.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Inspection, Inspector } from '../../../kit/stored-bytes/index.ts'

/** What is found out about an archive while it is stored. */
export type ArchiveInfo = { readonly size: number; readonly sha256: string; readonly fileCount: number }

const refusal = ({ text }: ArchiveFault) => failure('invalid', 'configuration.archive', text)

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Checks an archive piece by piece without writing any of it anywhere. Whoever sends a broken one learns which entry is
 * wrong. Later bytes of a refused archive are not read.
 */
class ArchiveInspector implements Inspector<ArchiveInfo> {
  readonly #sha256 = createHash('sha256')
  readonly #tree = emptyTree()
  readonly #gunzip = createGunzip({ chunkSize: 64 * 1024 })
  readonly #tar = new Parser({ strict: true, brotli: false, zstd: false })
  #packed = 0
  #unpacked = 0
  #isOver = false
  #fault: ArchiveFault | undefined

  constructor() {
    this.#gunzip.on('error', (error) => this.#refuse(`The archive is not gzip, or is damaged: ${wordsOf(error)}.`))
    this.#gunzip.on('data', (bytes: Buffer) => this.#read(bytes))
    this.#tar.on('error', (error) => this.#refuse(`The archive is not tar, or is damaged: ${wordsOf(error)}.`))
    this.#tar.on('entry', (entry: ReadEntry) => this.#add(entry))
    this.#tar.on('ignoredEntry', (entry: ReadEntry) => this.#add(entry))
    this.#tar.on('eof', () => {
      this.#isOver = true
    })
  }

  async push(bytes: Uint8Array): Promise<void> {
    if (this.#fault) throw refusal(this.#fault)
    this.#packed += bytes.length
    this.#sha256.update(bytes)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#gunzip.once('close', resolve)
    this.#gunzip.write(bytes, () => resolve())
    await promise
    this.#gunzip.off('close', resolve)
    if (this.#fault) throw refusal(this.#fault)
  }

  async end(): Promise<ArchiveInfo> {
    if (this.#packed === 0) this.#refuse('The archive is empty; even one without files has a header.')
    if (!this.#fault) {
      const closed = new Promise<void>((resolve) => this.#gunzip.once('close', () => resolve()))
      this.#gunzip.end()
      await closed
    }
    if (this.#unpacked % 512 !== 0) this.#refuse('The archive is not tar, or is cut off: it ends within a block.')
    // The parser would not accept an archive that holds nothing, as that of a folder without files may.
    if (!this.#fault && !this.#isOver) this.#tar.end()
    this.#fault ??= treeFault(this.#tree)
    if (this.#fault) throw refusal(this.#fault)
    return { size: this.#packed, sha256: this.#sha256.digest('hex'), fileCount: this.#tree.fileCount }
  }

  close(): void {
    this.#gunzip.destroy()
  }

  #read(bytes: Buffer): void {
    if (this.#fault) return
    const text = this.#reasonToRefuse(bytes)
    if (text !== undefined) this.#refuse(text)
    // Behind its end the parser would keep all that comes.
    else if (!this.#isOver) this.#tar.write(bytes)
  }

  #reasonToRefuse(bytes: Buffer): string | undefined {
    const { unpackedBytes, ratio, ratioFromBytes } = archiveLimits
    // The parser would unpack it once more, uncounted.
    if (this.#unpacked === 0 && bytes[0] === 0x1f && bytes[1] === 0x8b) return 'The archive is packed twice.'
    this.#unpacked += bytes.length
    if (this.#unpacked > unpackedBytes) return `The archive unpacks to more than ${unpackedBytes} bytes.`
    return this.#unpacked > ratioFromBytes && this.#unpacked > ratio * this.#packed
      ? `The archive unpacks to more than ${ratio} times its size.`
      : undefined
  }

  #add(entry: ReadEntry): void {
    entry.resume()
    if (this.#fault) return
    const fault = entry.meta
      ? { text: `The header before the entry '${entry.path}' is too long.` }
      : addEntry(this.#tree, entry)
    if (fault) this.#refuse(fault.text)
  }

  #refuse(text: string): void {
    this.#fault ??= { text }
    this.#gunzip.destroy()
  }
}

/** Checks archives of configurations while they are stored. */
export const archiveInspection: Inspection<ArchiveInfo> = {
  whole: async (bytes) => {
    const inspector = new ArchiveInspector()
    await inspector.push(bytes)
    return await inspector.end()
  },
  begin: () => new ArchiveInspector(),
}
