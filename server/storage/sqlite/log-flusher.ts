import { close, fdatasync, open } from 'node:fs'
import { promisify } from 'node:util'

const [openFile, flushFile, closeFile] = [promisify(open), promisify(fdatasync), promisify(close)]

/**
 * Makes commits durable beside the event loop. A commit with `synchronous = normal` has written its pages to the
 * write-ahead log and synced what keeps the file whole; once the log itself is flushed it survives a power cut, as with
 * `full`, where SQLite flushes inside the commit and everybody waits. The log is never replaced while a connection is
 * open, and SQLite takes no locks on it that closing a second descriptor could lose.
 */
export class LogFlusher {
  readonly #file: string
  #descriptor: Promise<number> | undefined

  constructor(databaseFile: string) {
    this.#file = `${databaseFile}-wal`
  }

  /** Resolves when everything committed so far is on disk. */
  async flush(): Promise<void> {
    this.#descriptor ??= this.#open()
    await flushFile(await this.#descriptor)
  }

  async close(): Promise<void> {
    const descriptor = this.#descriptor
    this.#descriptor = undefined
    if (descriptor) await closeFile(await descriptor)
  }

  /** A failure, such as too many open files, is not kept: the next flush tries again. */
  async #open(): Promise<number> {
    try {
      return await openFile(this.#file, 'r+')
    } catch (thrown) {
      this.#descriptor = undefined
      throw thrown
    }
  }
}
