import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { systemCode } from '../../kernel/system-errors.ts'
import { unreadable } from '../refusals.ts'
import { uninterrupted } from '../threads/uninterrupted.ts'
import { type Meta, parseMeta } from './meta.ts'
import { type ReadState, readState, type StateSink } from './state-reader.ts'
import { compareSums, sha256 } from './sums.ts'
import { readTar, type TarEntry } from './tar-reader.ts'

/** An archive that was read to its end and is whole. Whether it is genuine is for the keyring to say. */
export type ReadArchive = {
  readonly size: number
  readonly sha256: string
  readonly meta: Meta
  readonly state: ReadState
  readonly sums: string
  readonly sealed: Uint8Array
}

const memberNames = ['meta.json', 'state.bin', 'SHA256SUMS', 'SHA256SUMS.sealed'] as const
const smallEntryLimit = 8 * 1024

/** Reads an archive from end to end and refuses whatever is not exactly one. Memory stays bounded whatever it claims. */
export async function readArchive(source: AsyncIterable<Buffer>, sink: StateSink = {}): Promise<ReadArchive> {
  const measure = new ByteMeter()
  const gunzip = uninterrupted(() => createGunzip({ chunkSize: 256 * 1024 }))
  const feeding = pipeline(Readable.from(measure.pass(source), { objectMode: false }), gunzip, { end: true })
  // Awaited below; should the members fail first, its rejection must not end the process.
  feeding.catch(() => undefined)
  try {
    const members = await readMembers(gunzip, sink)
    await feeding.catch((thrown) => {
      if (!isAborted(thrown)) throw thrown
    })
    if (gunzip.bytesWritten !== measure.size) throw unreadable('bytes follow its end')
    return { ...members, ...measure.result() }
  } catch (thrown) {
    throw measure.size === 0 ? unreadable('it is empty') : refusalOf(thrown)
  } finally {
    gunzip.destroy()
  }
}

/** Counts and hashes the bytes that pass. */
class ByteMeter {
  readonly #hash = createHash('sha256')
  #size = 0

  get size(): number {
    return this.#size
  }

  async *pass(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const bytes of source) {
      this.#hash.update(bytes)
      this.#size += bytes.length
      yield bytes
    }
  }

  result(): { size: number; sha256: string } {
    return { size: this.#size, sha256: this.#hash.digest('hex') }
  }
}

type Members = Omit<ReadArchive, 'size' | 'sha256'>

async function readMembers(tar: AsyncIterable<Buffer>, sink: StateSink): Promise<Members> {
  const entries = readTar(tar)
  const metaBytes = await readSmallEntry(await nextEntry(entries, 0))
  const meta = parseMeta(metaBytes)
  const state = await readState((await nextEntry(entries, 1)).content(), sink)
  const sums = (await readSmallEntry(await nextEntry(entries, 2))).toString('utf8')
  const sealed = await readSmallEntry(await nextEntry(entries, 3))
  const extra = await entries.next()
  if (!extra.done) throw unreadable(`'${extra.value.name}' is not expected in it`)
  compareSums(sums, { meta: sha256(metaBytes), state: state.sha256 })
  if (meta.Size !== state.size) throw unreadable('state.bin does not have the size stated in meta.json')
  if (sealed.length === 0) throw unreadable('SHA256SUMS.sealed is empty')
  return { meta, state, sums, sealed }
}

async function nextEntry(entries: AsyncGenerator<TarEntry>, position: number): Promise<TarEntry> {
  const { done, value } = await entries.next()
  if (done) throw unreadable(`${memberNames[position]} is missing`)
  if (value.name !== memberNames[position])
    throw unreadable(`'${value.name}' is where ${memberNames[position]} should be`)
  return value
}

async function readSmallEntry(entry: TarEntry): Promise<Buffer> {
  if (entry.size > smallEntryLimit) throw unreadable(`${entry.name} claims ${entry.size} bytes`)
  const parts: Buffer[] = []
  for await (const bytes of entry.content()) parts.push(bytes)
  return Buffer.concat(parts)
}

/** Zeros after the end of gzip count as padding: it does not read them, and its source may be given up early. */
const isAborted = (thrown: unknown): boolean => thrown instanceof Error && thrown.name === 'AbortError'

/** What gzip complains about is a fault of the archive. */
function refusalOf(thrown: unknown): unknown {
  const code = systemCode(thrown)
  if (code === 'Z_BUF_ERROR') return unreadable('it ends too early', thrown)
  return code.startsWith('Z_') ? unreadable('it is not gzip, or damaged', thrown) : thrown
}
