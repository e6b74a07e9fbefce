import type { Replacement, ReplacementPlan } from '../../storage/bulk/replacement.ts'
import type { TableChanges } from '../../storage/bulk/sqlite-compare.ts'
import type { BulkTarget } from '../../storage/bulk/table-shape.ts'
import type { ReadArchive } from '../format/archive-reader.ts'
import type { StateHeader } from '../format/state-format.ts'
import type { WrittenState } from '../format/state-writer.ts'
import type { SealRow } from '../seal-store.ts'
import type { TableSummaries } from '../types.ts'
import type { Load } from './load-archive.ts'
import type { Latch } from './uninterrupted.ts'

/** What takes the place of what. */
type Swap = { readonly live: BulkTarget; readonly scratch: BulkTarget; readonly plan: ReplacementPlan }

/** What a thread is asked to do, and what it answers. Everything here is copied between threads. */
export type Tasks = {
  /** Reads a whole database at one moment into a `state.bin`. */
  take: {
    task: { target: BulkTarget; file: string; facts: Omit<StateHeader, 'format' | 'codec' | 'engine' | 'migrations'> }
    result: WrittenState & { header: StateHeader }
  }
  /** Reads an archive from end to end. Without its rows, only their bytes are checked: those who load them do the rest. */
  check: { task: { file: string; withRows: boolean }; result: CheckedArchive }
  /** Fills a scratch database from an archive and reads it back. */
  load: { task: Load; result: TableSummaries }
  /** Brings the tables of a scratch database to the present version. */
  migrate: { task: { target: BulkTarget }; result: undefined }
  /** Does to a scratch database what can be done before its tables are put in place. */
  prepare: { task: Swap; result: undefined }
  /** Puts a scratch file in the place of that of a store; undefined where that is not possible. */
  swap: { task: Swap; result: Replacement | undefined }
  /** Puts the tables of a scratch database in the place of those of a store. */
  replace: { task: Swap; result: Replacement }
  /** Copies a store into a scratch file and compares that with another. */
  compare: { task: { live: BulkTarget; current: string; archived: string }; result: Record<string, TableChanges> }
}

/** A whole archive, with the keys it holds (wrapped, as in the store). */
export type CheckedArchive = ReadArchive & { readonly seal: SealRow | undefined }

/** The kinds of work. */
export type TaskName = keyof Tasks

/** A piece of work, as it is sent to the thread. */
export type Task<N extends TaskName = TaskName> = { [K in N]: { name: K; latch: Latch } & Tasks[K]['task'] }[N]

/** What a thread sends back. */
export type Message =
  | { kind: 'result'; value: unknown }
  | { kind: 'failure'; failureKind: string; code: string; text: string; stack: string; retryAfter: number | undefined }
