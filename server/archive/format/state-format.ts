import { createHash } from 'node:crypto'
import type { Column } from '../../storage/bulk/table-shape.ts'
import type { TableSummaries, TableSummary } from '../types.ts'

/**
 * The layout of `state.bin`: `magic | u32 length | header | sha256`, then frames of `u8 type | u32 raw length |
 * u32 stored length | bytes | sha256`. Each hash covers the one before it, so frames cannot be changed, dropped or
 * reordered, and the last frame must be the trailer. Bytes are compressed by the codec the header names.
 */
export const magic: Buffer = Buffer.from('HFSTATE1')

/** The format this program writes, and the newest it reads. */
export const formatVersion = 1

/** The one codec there is. */
export const codec = 'zstd'

/** Rows in one frame, before compression. */
export const frameBytes = 1024 * 1024

/** What a frame may hold once compressed: incompressible bytes grow a little. */
export const storedLimit: number = frameBytes + 64 * 1024

/** Headers hold a name for each migration. */
export const headerLimit = 1024 * 1024

/** Bytes before a frame's content. */
export const frameHead = 9

/** Bytes of the SHA-256 behind it. */
export const hashBytes = 32

/** The kinds of frames. Those that are not rows hold JSON. */
export const frameTypes = { tableBegin: 1, rows: 2, tableEnd: 3, trailer: 4 } as const

/** What the beginning of `state.bin` says. */
export type StateHeader = {
  readonly format: number
  readonly codec: string
  readonly engine: 'sqlite' | 'postgres'
  readonly created: number
  readonly version: string
  readonly cluster_id: string
  readonly keyring_id: string
  /** The migrations that made the tables, in order. */
  readonly migrations: readonly string[]
}

/** Announces a table. */
export type TableBegin = { readonly name: string; readonly columns: readonly Column[] }

/** Ends a table. */
export type TableEnd = TableSummary & { readonly name: string }

/** Ends everything. */
export type Trailer = { readonly tables: TableSummaries }

/** The hash that ends the header. */
export const firstLink = (head: Buffer): Buffer => createHash('sha256').update(head).digest()

/** The hash that ends a frame. */
export const nextLink = (previous: Buffer, head: Buffer, stored: Buffer): Buffer =>
  createHash('sha256').update(previous).update(head).update(stored).digest()
