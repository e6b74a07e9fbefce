import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

// A thread of its own for `Checkpointer`: each message asks for a checkpoint, `close` for the end.

const port = parentPort
if (!port) throw new Error('This program runs as a thread.')
const database = new DatabaseSync(String(workerData))
// Before anything was read, SQLite does not know that there is a log.
database.exec('pragma journal_mode = wal')
// The log is flushed before pages are copied from it, and the database before the log starts over.
database.exec('pragma synchronous = normal')
const checkpoint = database.prepare('pragma wal_checkpoint(passive)')

port.on('message', (wish: 'checkpoint' | 'close') => {
  if (wish === 'checkpoint') {
    port.postMessage(checkpoint.get())
    return
  }
  database.close()
  port.close()
})
