import { parentPort, workerData } from 'node:worker_threads'
import { textOf } from '../../kernel/failure.ts'
import { SqliteConnection, type Table } from './connection.ts'

/** What the thread is started with. */
export type ReaderData = { readonly file: string; readonly cacheBytes?: number | undefined }

/** A statement for the thread. */
export type ReadMessage = { readonly sql: string; readonly parameters: readonly unknown[] }

/** What it found, or what SQLite said: sent as it is, an error would lose its number. */
export type FoundMessage = { readonly table: Table } | { readonly problem: { readonly text: string; errcode: unknown } }

// A thread of its own for `ReaderThreads`: each message is a statement, each answer its rows or why there are none.
const port = parentPort
if (!port) throw new Error('This program runs as a thread.')
const { file, cacheBytes } = workerData as ReaderData
const connection = new SqliteConnection(file, { readOnly: true, durable: true, mayBlock: true, cacheBytes })

function read({ sql, parameters }: ReadMessage): FoundMessage {
  try {
    return { table: connection.table(sql, parameters) }
  } catch (thrown) {
    return { problem: { text: textOf(thrown), errcode: (thrown as { errcode?: unknown }).errcode } }
  }
}

port.on('message', (message: ReadMessage) => port.postMessage(read(message)))
