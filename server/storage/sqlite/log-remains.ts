import { type FileHandle, open } from 'node:fs/promises'
import { ifAbsent } from '../../kernel/system-errors.ts'
import { SqliteConnection } from './connection.ts'

/** What an unclean stop left in the log of a database, in frames: each is one page of the database. */
export type LogRemains = {
  /** Those that the next start takes over: all up to the last commit that can be read. */
  readonly recovered: number
  /** Those that belong to later commits and cannot be read, because one of them or the header is damaged. */
  readonly lost: number
}

// The format is described in "WAL-mode File Format", sqlite.org/walformat.html.
const headerBytes = 32
const frameHeaderBytes = 24
const magic = 0x377f0682
const nothing: LogRemains = { recovered: 0, lost: 0 }

/**
 * Reads the log of a database that nobody has open. SQLite ignores everything after the first frame that is wrong, and
 * says nothing. Frames of an unfinished transaction are no loss: nobody was told that they are stored.
 */
export async function examineLog(databaseFile: string): Promise<LogRemains> {
  const file = await open(`${databaseFile}-wal`, 'r').catch(ifAbsent)
  if (!file) return nothing
  try {
    return await examine(file)
  } finally {
    await file.close()
  }
}

async function examine(file: FileHandle): Promise<LogRemains> {
  const header = await readAt(file, 0, headerBytes)
  // A log that has been emptied, or never held anything.
  if (header.length < headerBytes || header.every((byte) => byte === 0)) return nothing
  const sums = checksum(header.subarray(0, 24), [0, 0], isBigEndian(header))
  const isSound = (header.readUInt32BE(0) & ~1) === magic && endsWith(header, sums)
  const { size } = await file.stat()
  if (!isSound) return { recovered: 0, lost: Math.floor((size - headerBytes) / (frameHeaderBytes + 4096)) }
  return await countFrames(file, header, sums)
}

type Sums = readonly [number, number]

async function countFrames(file: FileHandle, header: Buffer, start: Sums): Promise<LogRemains> {
  const salts = header.subarray(16, 24)
  const length = frameHeaderBytes + header.readUInt32BE(8)
  let sums = start
  let firstBad: number | undefined
  let recovered = 0
  let last = 0
  for (let number = 1; ; number++) {
    const frame = await readAt(file, headerBytes + (number - 1) * length, length)
    // Frames of an earlier round have other salts: the log is written over from its beginning.
    if (frame.length < length || !frame.subarray(8, 16).equals(salts)) break
    if (firstBad === undefined) {
      sums = checksum(frame.subarray(0, 8), sums, isBigEndian(header))
      sums = checksum(frame.subarray(frameHeaderBytes), sums, isBigEndian(header))
      if (frame.readUInt32BE(16) !== sums[0] || frame.readUInt32BE(20) !== sums[1]) firstBad = number
    }
    // The last frame of each commit has the size of the database.
    if (frame.readUInt32BE(4) === 0) continue
    if (firstBad === undefined) recovered = number
    // The bad one itself may have been cut off while it was written, before anybody was told.
    else if (number > firstBad) last = number
  }
  return { recovered, lost: Math.max(0, last - recovered) }
}

const isBigEndian = (header: Buffer): boolean => (header.readUInt32BE(0) & 1) === 1

const endsWith = (header: Buffer, [first, second]: Sums): boolean =>
  header.readUInt32BE(24) === first && header.readUInt32BE(28) === second

function checksum(bytes: Buffer, [before0, before1]: Sums, bigEndian: boolean): Sums {
  const read = (at: number): number => (bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at))
  let [first, second] = [before0, before1]
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + read(at) + second) >>> 0
    second = (second + read(at + 4) + first) >>> 0
  }
  return [first, second]
}

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at)
  return buffer.subarray(0, bytesRead)
}

/** Takes over what can be read and removes the log, so that what is lost is told once. */
export function settleLog(databaseFile: string): void {
  const connection = new SqliteConnection(databaseFile, { readOnly: false, durable: true, mayBlock: true })
  try {
    connection.run('pragma wal_checkpoint(truncate)')
  } finally {
    connection.close()
  }
}
