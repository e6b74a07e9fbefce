import { createHash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { basename, dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CliFailure, fileFailure, type Io } from '../io.ts'
import { startProgress } from '../output/progress.ts'
import type { Client } from './client.ts'

/** A snapshot that was written to a file. */
type Downloaded = { readonly file: string; readonly size: number; readonly sha256: string }

/**
 * Writes an answer to a file that gets its name only when it is complete: its length and checksum are compared with
 * what the server announced.
 */
export async function download(io: Io, open: () => Promise<IncomingMessage>, file: string): Promise<Downloaded> {
  if (existsSync(file)) throw new CliFailure(`The file ${file} exists already; it is not overwritten.`)
  const folder = statSync(dirname(file), { throwIfNoEntry: false })
  if (!folder?.isDirectory()) throw fileFailure(file, 'written', { code: folder ? 'ENOTDIR' : 'ENOENT' })
  const incoming = requireSnapshot(await open())
  const partial = `${file}.partial`
  const total = Number(incoming.headers['content-length'] ?? 0)
  const progress = startProgress(io, `Saving ${basename(file)}`, total)
  const hash = createHash('sha256')
  let size = 0
  const counted = async function* (bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of bytes) {
      hash.update(piece)
      size += piece.length
      progress.add(piece.length)
      yield piece
    }
  }
  try {
    await pipeline(incoming, counted, createWriteStream(partial, { mode: 0o600, flush: true }))
    const digest = hash.digest()
    requireComplete(incoming, { size, total, digest: digest.toString('base64') })
    renameSync(partial, file)
    return { file, size, sha256: digest.toString('hex') }
  } catch (thrown) {
    rmSync(partial, { force: true })
    throw saveFailure(thrown, partial)
  } finally {
    progress.done()
  }
}

/** A redirect from a proxy, or a sign-in page, must not be saved as if it were a snapshot. */
function requireSnapshot(incoming: IncomingMessage): IncomingMessage {
  const { statusCode, headers } = incoming
  const type = headers['content-type']
  if (statusCode === 200 && type?.startsWith('application/gzip')) return incoming
  incoming.destroy()
  const what = `The answer with status ${statusCode} and ${type ?? 'no type'} is not a snapshot`
  throw new CliFailure(`${what}; nothing was saved. Is it the right address?`, 2)
}

/** Errors about the file have it as their path; all others are about the transfer. */
function saveFailure(thrown: unknown, file: string): CliFailure {
  if (thrown instanceof CliFailure) return thrown
  const { path, message } = thrown as NodeJS.ErrnoException
  return path === undefined
    ? new CliFailure(`The snapshot was not saved: ${message}`)
    : fileFailure(file, 'written', thrown)
}

type Received = { size: number; total: number; digest: string }

function requireComplete({ headers }: IncomingMessage, { size, total, digest }: Received): void {
  if (size === 0) throw new CliFailure('The answer is empty; nothing was saved.')
  if (total > 0 && size !== total) throw new CliFailure(`Only ${size} of ${total} bytes arrived; nothing was saved.`)
  const announced = /sha-256=([A-Za-z0-9+/=]+)/.exec(String(headers.digest ?? ''))?.[1]
  if (announced && announced !== digest) throw new CliFailure('The snapshot was damaged in transit; nothing was saved.')
}

/** Sends a file to the server and returns its answer. */
export async function upload(
  io: Io,
  client: Client,
  call: { path: string; file: string; label: string; headers?: Record<string, string> },
): Promise<{ data: Record<string, unknown>; warnings: string[] }> {
  const size = sizeOf(call.file)
  const progress = startProgress(io, `${call.label} ${basename(call.file)}`, size)
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of createReadStream(call.file, { highWaterMark: 256 * 1024 })) {
      yield piece as Buffer
      progress.add((piece as Buffer).length)
    }
  }
  const headers = { 'content-type': 'application/gzip', 'content-length': String(size), ...call.headers }
  const body = Readable.from(counted(), { objectMode: false })
  const { body: answer } = await client
    .call({ method: 'POST', path: call.path, body, headers })
    .finally(() => progress.done())
  const { data, warnings } = Object(answer) as { data?: Record<string, unknown>; warnings?: string[] | null }
  return { data: data ?? {}, warnings: warnings ?? [] }
}

function sizeOf(file: string): number {
  try {
    // Opened, not only checked: a folder, or a file that this user may not read, must not fail in the middle of an
    // upload.
    const opened = openSync(file, 'r')
    const facts = fstatSync(opened)
    closeSync(opened)
    if (!facts.isDirectory()) return facts.size
  } catch (thrown) {
    throw fileFailure(file, 'read', thrown)
  }
  throw fileFailure(file, 'read', { code: 'EISDIR' })
}
