import { write, writeSync } from 'node:fs'
import { systemCode } from '../kernel/system-errors.ts'

/** So many characters are written at once; fewer are gathered for this many milliseconds. */
const gatheredChars = 4096
const pauseMs = 200
/** Milliseconds until a full pipe is tried again. */
const fullPipeMs = 10
/** Lines that would wait beyond this many characters are lost. */
const waitingChars = 8 * 1024 * 1024
/** How often a full pipe is tried before a process that ends gives up. */
const flushTries = 100

/**
 * Writes lines to a file descriptor. They are gathered for a moment: one write per request would cost more than the
 * request's own work. A full disk or a pipe that nobody reads must not stop the server: what cannot be written is tried
 * again later, and what exceeds the limit is lost.
 */
export class LineOutput {
  readonly #fd: number
  readonly #lostLine: (lines: number) => string
  #waiting = ''
  #leaving = Buffer.alloc(0)
  #isWriting = false
  #isStuck = false
  #isPausing = false
  #lost = 0
  #lostInAll = 0

  constructor(fd: number, lostLine: (lines: number) => string) {
    this.#fd = fd
    this.#lostLine = lostLine
  }

  /** How many lines were lost since the start. */
  get lostInAll(): number {
    return this.#lostInAll
  }

  write(line: string): void {
    if (this.#waiting.length + line.length > waitingChars) {
      this.#lost += 1
      this.#lostInAll += 1
      return
    }
    this.#waiting += line
    this.#schedule()
  }

  /** Writes all waiting lines now, for a process that is about to end; gives up if the output does not take them. */
  flush(): void {
    // The bytes of a write in progress are left to that write.
    if (this.#isWriting) this.#leaving = Buffer.alloc(0)
    let tries = 0
    while (tries < flushTries && this.#fillBuffer()) {
      try {
        this.#leaving = this.#leaving.subarray(writeSync(this.#fd, this.#leaving))
      } catch (thrown) {
        if (systemCode(thrown) !== 'EAGAIN') return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fullPipeMs)
        tries += 1
      }
    }
  }

  #schedule(): void {
    if (this.#isStuck || this.#isWriting) return
    if (this.#leaving.length > 0 || this.#waiting.length >= gatheredChars) this.#send()
    else if (this.#waiting !== '' && !this.#isPausing) this.#pause()
  }

  #pause(): void {
    this.#isPausing = true
    const end = (): void => {
      this.#isPausing = false
      if (!this.#isStuck) this.#send()
    }
    setTimeout(end, pauseMs).unref()
  }

  #send(): void {
    if (this.#isWriting || !this.#fillBuffer()) return
    const bytes = this.#leaving
    this.#isWriting = true
    write(this.#fd, bytes, (error, written) => {
      this.#isWriting = false
      this.#isStuck = error !== null
      if (error) setTimeout(() => this.#send(), systemCode(error) === 'EAGAIN' ? fullPipeMs : pauseMs).unref()
      else if (this.#leaving === bytes) this.#leaving = bytes.subarray(written)
      this.#schedule()
    })
  }

  #fillBuffer(): boolean {
    if (this.#leaving.length > 0) return true
    if (this.#lost > 0) this.#waiting += this.#lostLine(this.#lost)
    this.#leaving = Buffer.from(this.#waiting)
    this.#waiting = ''
    this.#lost = 0
    return this.#leaving.length > 0
  }
}
