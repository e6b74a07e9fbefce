import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Archive } from '../../../archive/index.ts'
import type { Instant } from '../../../kernel/clock.ts'
import type { Deps } from '../../../kit/deps.ts'

/** What destinations are made with. */
export type DestinationDeps = Pick<Deps, 'clock' | 'ids' | 'settings'> & {
  readonly outbound: Deps['outbound']['withLoopback']
}

/** An object in a destination whose name has our form. */
export type StoredObject = { readonly name: string; readonly size: number; readonly modifiedAt: Instant | undefined }

/** What is stored: bytes that can be read from the start as often as needed. */
export type Content = Pick<Archive, 'open' | 'lend'> & {
  readonly summary: Pick<Archive['summary'], 'size' | 'sha256'> &
    Partial<Pick<Archive['summary'], 'index' | 'clusterId'>>
}

/** How storing is stopped and confirmed. */
export type PutOptions = {
  readonly signal: AbortSignal
  /** Called right before the bytes become visible under their name; throws if they must not. */
  readonly confirm: () => Promise<void>
}

/**
 * A place for snapshots. Names are those of files or objects, without the prefix of the configuration. Nothing partial is
 * ever visible under a name.
 */
export type Destination = {
  /** What storing is called in error texts. */
  readonly stage: 'writing' | 'uploading'
  /** Where an object of this name lies, without credentials. */
  urlOf(name: string): string
  put(name: string, content: Content, options: PutOptions): Promise<void>
  /** Everything directly below the prefix whose name begins with `start`, page after page. */
  list(start: string, signal: AbortSignal): AsyncIterable<StoredObject>
  get(name: string, signal: AbortSignal): Promise<Readable>
  /** Removes an object, if it exists. */
  delete(name: string, signal: AbortSignal): Promise<void>
  /** Closes connections. */
  close(): void
}

/** The largest parts that are kept in memory while storing. */
const partBytes: number = 8 * 1024 * 1024

/** The size of the parts of an upload, in steps of 256 KiB: such that there are at most 9,000, which all services allow. */
export const partBytesFor = (size: number): number => Math.max(partBytes, Math.ceil(size / 9_000 / 262_144) * 262_144)

/** The bytes in pieces of one length, but for the last. */
export async function* chunksOf(bytes: Readable, length: number): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let gathered = 0
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    parts.push(piece)
    gathered += piece.length
    if (gathered < length) continue
    const all = Buffer.concat(parts, gathered)
    const whole = gathered - (gathered % length)
    for (let at = 0; at < whole; at += length) yield all.subarray(at, at + length)
    parts = [all.subarray(whole)]
    gathered -= whole
  }
  if (gathered > 0) yield Buffer.concat(parts, gathered)
}

/** How many bytes are processed before other requests get a turn. */
const bytesPerTurn = 1024 * 1024

/** Processes bytes part by part, and lets other requests run in between. */
export async function processInParts(bytes: Buffer, work: (part: Buffer) => void): Promise<void> {
  for (let at = 0; at < bytes.length; at += bytesPerTurn) {
    work(bytes.subarray(at, at + bytesPerTurn))
    await nextTurn()
  }
}

/** Metadata that is stored with an object. */
export const metadataOf = ({ summary }: Content, version: string): Record<string, string> => ({
  'holdfast-sha256': summary.sha256,
  'holdfast-version': version,
  ...(summary.clusterId === undefined ? {} : { 'holdfast-cluster-id': summary.clusterId }),
  ...(summary.index === undefined ? {} : { 'holdfast-index': String(summary.index) }),
})

/**
 * Starts work that cannot always be stopped, and waits for its end or for the signal, whichever comes first. Nothing is
 * started after the signal.
 */
export async function withAbort<T>(begin: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const stop = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([begin(), aborted.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
