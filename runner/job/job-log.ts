import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, Refused } from '../protocol/client.ts'
import type { Job } from '../protocol/messages.ts'
import type { SecretFilter, SecretStream } from '../secrets/secret-filter.ts'

/** How long what may be the beginning of a secret is held back when nothing follows. */
const holdMs = 2_000

const maxLineBytes = 1024 * 1024

/** A short wait that lets lines that come together travel together. */
const gatherMs = 30

type Options = {
  readonly client: Client
  readonly job: Job
  readonly file: string
  readonly filter: SecretFilter
  readonly maxBytes: number
  readonly chunkBytes: number
  /** Told once when the server does not take the log any more. */
  readonly onRefused: (error: Error) => void
}

/**
 * The log of a phase. What is written is filtered, goes to a file at once and from there to the server, so that a server
 * that is away holds up no tool and costs no memory.
 */
export class JobLog {
  readonly #options: Options
  readonly #fd: number
  readonly #streams: Readonly<Record<'out' | 'err', SecretStream>>
  readonly #stop = new AbortController()
  readonly #sending: Promise<void>
  #size = 0
  #sent = 0
  #lineBytes = 0
  #isFull = false
  #isEnded = false
  #release: NodeJS.Timeout | undefined
  #wake: () => void = () => undefined

  constructor(options: Options) {
    this.#options = options
    this.#fd = openSync(options.file, 'w+', 0o600)
    this.#streams = { out: options.filter.stream(), err: options.filter.stream() }
    this.#sending = this.#send()
  }

  /** Bytes that belong to the log so far. */
  get length(): number {
    return this.#size
  }

  /** Output of the tool. */
  write(bytes: Buffer, stream: 'out' | 'err'): void {
    if (this.#isFull) return
    this.#append(this.#streams[stream].push(bytes))
    clearTimeout(this.#release)
    if (this.#streams.out.heldBytes + this.#streams.err.heldBytes > 0) {
      this.#release = setTimeout(() => this.#releaseAll(), holdMs)
    }
  }

  /** A line of the runner itself, on a line of its own. */
  line(text: string): void {
    this.#releaseAll()
    const filtered = this.#options.filter.text(text)
    this.#append(Buffer.from(`${this.#lineBytes > 0 ? '\n' : ''}${filtered}\n`), true)
  }

  /** Waits until all has been sent. */
  async end(): Promise<void> {
    this.#releaseAll()
    this.#isEnded = true
    this.#wake()
    await this.#sending
  }

  /** Gives up: what was not sent stays unsent. */
  close(): void {
    clearTimeout(this.#release)
    this.#isEnded = true
    this.#stop.abort()
    this.#wake()
    void this.#sending.finally(() => closeSync(this.#fd))
  }

  #releaseAll(): void {
    clearTimeout(this.#release)
    for (const stream of [this.#streams.out, this.#streams.err]) this.#append(stream.release())
  }

  #append(bytes: Buffer, isOurs = false): void {
    if (bytes.length === 0 || (this.#isFull && !isOurs)) return
    const { maxBytes } = this.#options
    if (!isOurs && this.#size + bytes.length > maxBytes) {
      this.#store(bytes.subarray(0, Math.max(0, maxBytes - this.#size)))
      this.#isFull = true
      this.line(`The log has reached ${maxBytes} bytes; the rest of the output was dropped.`)
      return
    }
    this.#store(bytes)
  }

  #store(bytes: Buffer): void {
    const split = splitLines(bytes, this.#lineBytes)
    const lastBreak = split.lastIndexOf(0x0a)
    this.#lineBytes = lastBreak < 0 ? this.#lineBytes + split.length : split.length - lastBreak - 1
    writeSync(this.#fd, split, 0, split.length, this.#size)
    this.#size += split.length
    this.#wake()
  }

  async #send(): Promise<void> {
    const { client, job, chunkBytes, onRefused } = this.#options
    const chunk = Buffer.alloc(chunkBytes)
    try {
      while (!(this.#isEnded && this.#sent >= this.#size) && !this.#stop.signal.aborted) {
        if (this.#sent >= this.#size) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve
          })
          if (!this.#isEnded) await delay(gatherMs)
          continue
        }
        const length = readSync(this.#fd, chunk, 0, chunk.length, this.#sent)
        await this.#put(client, job, Buffer.from(chunk.subarray(0, length)))
      }
    } catch (error) {
      if (!this.#stop.signal.aborted) onRefused(error instanceof Error ? error : new Error(String(error)))
    }
  }

  async #put(client: Client, job: Job, body: Buffer): Promise<void> {
    const path = `/api/runner/v1/jobs/${job.job_id}/log?offset=${this.#sent}`
    const call = { method: 'PUT', path, token: job.token, fence: job.fence, body, signal: this.#stop.signal } as const
    try {
      await client.persist(call, () => !this.#stop.signal.aborted)
      this.#sent += body.length
    } catch (error) {
      const length = error instanceof Refused && error.code === 'offset' ? Number(error.details.length) : Number.NaN
      if (!Number.isInteger(length) || length > this.#size) throw error
      this.#sent = length
    }
  }
}

/** Bytes with a line break wherever a line would grow too long. */
function splitLines(bytes: Buffer, before: number): Buffer {
  const parts: Buffer[] = []
  let [start, lineBytes, isCut] = [0, before, false]
  while (start < bytes.length) {
    const found = bytes.indexOf(0x0a, start)
    const end = found < 0 ? bytes.length : found + 1
    const room = Math.max(0, maxLineBytes - lineBytes)
    if (end - start > room) {
      parts.push(bytes.subarray(start, start + room), Buffer.from('\n'))
      start += room
      lineBytes = 0
      isCut = true
    } else {
      parts.push(bytes.subarray(start, end))
      lineBytes = found < 0 ? lineBytes + end - start : 0
      start = end
    }
  }
  return isCut ? Buffer.concat(parts) : bytes
}
