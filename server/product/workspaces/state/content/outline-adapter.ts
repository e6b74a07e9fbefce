import { MessageChannel, type MessagePort, parentPort, type Worker, workerData } from 'node:worker_threads'
import { failure } from '../../../../kernel/failure.ts'
import { startThread } from '../../../../kernel/threads.ts'
import { type Finding, StateOutline } from '../analysis/state-outline.ts'

/** A message about a state: how many more of its bytes were read, and at the end what was found or went wrong. */
type Progress = { readonly read: number } | { readonly finding: Finding } | { readonly problem: string }

/** What the thread is started with, so that this file knows that it is the program of the thread. */
const task = 'read states'

/** Bytes of one state that may wait for the thread. */
const maxUnread = 2 * 1024 * 1024

/** Bytes that are sent at once to a thread that is still reading: each message wakes both threads. */
const groupBytes = 256 * 1024

let thread: Worker | undefined

/**
 * The only thread that reads large states. It starts with the first of them and stays, but does not keep the process
 * alive.
 */
export function outlineThread(): Worker {
  if (thread) return thread
  const started = startThread(new URL(import.meta.url), {
    workerData: task,
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
  })
  const forget = (): void => {
    if (thread === started) thread = undefined
  }
  // The states it was reading learn of this by their ports.
  started.on('error', forget)
  started.on('exit', forget)
  started.unref()
  thread = started
  return started
}

/** Reads a large state in another thread, while this one receives and stores it. */
export class OutlineReader {
  readonly #port: MessagePort
  readonly #outcome = Promise.withResolvers<Finding>()
  #group: Uint8Array<ArrayBuffer>[] = []
  #grouped = 0
  #unread = 0
  #progress = Promise.withResolvers<void>()

  constructor() {
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    // A failure is thrown where the outcome is awaited, if it ever is.
    this.#outcome.promise.catch(() => undefined)
    port1.on('message', (message: Progress) => this.#handleProgress(message))
    port1.on('close', () => this.#end(readingFailed()))
    outlineThread().postMessage(port2, [port2])
  }

  /** Takes the next piece, whose memory the caller must not use afterwards; waits while too many bytes are unread. */
  async push(bytes: Uint8Array): Promise<void> {
    const given = ownsBuffer(bytes) ? bytes : new Uint8Array(bytes)
    this.#group.push(given)
    this.#grouped += given.length
    this.#unread += given.length
    const isIdle = this.#unread === this.#grouped
    if (isIdle || this.#grouped >= groupBytes) this.#sendGroup()
    while (this.#unread > maxUnread) await this.#progress.promise
  }

  /** What was found; called after the last piece. */
  end(): Promise<Finding> {
    this.#sendGroup()
    this.#port.postMessage('end')
    return this.#outcome.promise
  }

  /** Stops reading. */
  close(): void {
    this.#port.close()
  }

  #sendGroup(): void {
    const buffers = this.#group.map(({ buffer }) => buffer)
    this.#port.postMessage(this.#group, buffers)
    this.#group = []
    this.#grouped = 0
  }

  #handleProgress(message: Progress): void {
    if ('finding' in message) this.#outcome.resolve(message.finding)
    else if ('problem' in message) this.#end(readingFailed(message.problem))
    else {
      this.#unread -= message.read
      this.#progress.resolve()
      this.#progress = Promise.withResolvers()
    }
  }

  /** Releases those who wait for progress, which will not come; awaiting the outcome throws the error. */
  #end(error: Error): void {
    this.#unread = Number.NEGATIVE_INFINITY
    this.#progress.resolve()
    this.#outcome.reject(error)
  }
}

/** True if nothing else lies in the same memory, so that it can be transferred to the other thread without a copy. */
const ownsBuffer = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength

const readingFailed = (cause?: string) =>
  failure('internal', 'state.reading-ended', 'The state could not be read.', { cause })

function serve(port: MessagePort): void {
  const outline = new StateOutline()
  port.on('message', (group: readonly Uint8Array[] | 'end') => {
    postResult(port, () => {
      if (group === 'end') return { finding: withOwnBuffer(outline.end()) }
      for (const piece of group) outline.push(piece)
      return { read: group.reduce((sum, { length }) => sum + length, 0) }
    })
  })
}

function postResult(port: MessagePort, work: () => Progress): void {
  try {
    port.postMessage(work())
  } catch (error) {
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error)
    port.postMessage({ problem } satisfies Progress)
    port.close()
  }
}

/** Copies the summary into memory of its own: otherwise the whole buffer around it would be sent. */
const withOwnBuffer = (finding: Finding): Finding =>
  finding.ok ? { ok: true, facts: { ...finding.facts, summary: new Uint8Array(finding.facts.summary) } } : finding

if (workerData === task) parentPort?.on('message', serve)
