import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Contender } from '../harness/compare-rates.ts'
import { sharedCommits } from '../harness/shared-commits.ts'
import { ownCpu } from '../harness/usage.ts'
import { repeat } from './repeat.ts'

const chunkBytes = 255 * 1024
const key = randomBytes(32)

/** Digests, compresses and encrypts a state. */
export function seal(state: Buffer): Buffer {
  createHash('md5').update(state).digest()
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(zstdCompressSync(state)), cipher.final()])
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()])
}

function unseal(bytes: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(-16))
  return zstdDecompressSync(Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]))
}

/** A file that stores states, and announcements of states. */
type RawFile = {
  /** Stores a sealed state, within a transaction. */
  put(sealed: Buffer): void
  /** Stores an announcement. */
  announce(note: string): void
  /** Commits a write durably. */
  commit(write: () => void): void
  /** The same, together with the other writes of the same turn of the event loop. */
  share(write: () => void): Promise<void>
  /** Reads the last state. */
  read(): Buffer
  close(): void
}

/** The baseline: raw SQLite without a server around it. */
type RawStore = { readonly writes: Contender; readonly reads: Contender; close(): void }

/** Raw SQLite that checks no permissions, parses nothing in the state and keeps no history. */
export function openRawFile(file: string): RawFile {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec('create table chunks (name integer, seq integer, bytes blob, primary key (name, seq))')
  database.exec('create table notes (note text)')
  const note = database.prepare('insert into notes values (?)')
  const insert = database.prepare('insert into chunks values (?, ?, ?)')
  const select = database.prepare('select bytes from chunks where name = ? order by seq')
  let name = 0
  return {
    put: (sealed) => {
      name += 1
      for (let at = 0, seq = 0; at < sealed.length; at += chunkBytes, seq++) {
        insert.run(name, seq, sealed.subarray(at, at + chunkBytes))
      }
    },
    commit: (write) => {
      database.exec('begin immediate')
      write()
      database.exec('commit')
    },
    share: sharedCommits(database),
    announce: (text) => void note.run(text),
    read: () => unseal(Buffer.concat(select.all(name).map((row) => row.bytes as Uint8Array))),
    close: () => database.close(),
  }
}

/**
 * The baseline within the measuring process, without any requests: the least work that stores a state safely, which is to
 * digest, compress and seal it, with one durable commit for each; and reading it back.
 */
export function openRawStore(file: string, state: Buffer): RawStore {
  const raw = openRawFile(file)
  const store = (): void => {
    const sealed = seal(state)
    raw.commit(() => raw.put(sealed))
  }
  store()
  const write = async (): Promise<void> => store()
  const read = async (): Promise<void> => void raw.read()
  return {
    writes: { name: 'raw SQLite, a durable write each', run: (ms) => repeat(ms, write), cpu: ownCpu },
    reads: { name: 'raw SQLite, a read each', run: (ms) => repeat(ms, read), cpu: ownCpu },
    close: raw.close,
  }
}
