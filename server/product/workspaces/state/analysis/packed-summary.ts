import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { StateSummary } from './resource-count.ts'

/** Longer summaries are compressed: they repeat the same types, modules and providers. */
const plainLength = 4096

const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** The first byte of every summary that is not compressed, and never of a compressed one. */
const openObject = 0x7b

/** A summary as rows keep it. */
export function packSummary(summary: StateSummary): Uint8Array {
  const text = Buffer.from(JSON.stringify(summary))
  return text.length <= plainLength ? text : zstdCompressSync(text, { ...options, chunkSize: 16 * 1024 })
}

/** The summary that a row keeps. */
export function unpackSummary(packed: Buffer): StateSummary {
  const text = packed[0] === openObject ? packed : zstdDecompressSync(packed)
  return JSON.parse(text.toString('utf8')) as StateSummary
}
