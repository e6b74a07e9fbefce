import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { rootCertificates } from 'node:tls'
import { systemClock } from '../../server/kernel/clock.ts'
import { randomIds } from '../../server/kernel/ids.ts'
import { protocolVersion } from './messages.ts'

/** One request. A path is below the address of the server; an address is used as it is. */
export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly token?: string | undefined
  readonly fence?: number | undefined
  readonly body?: object | Buffer | { readonly file: string } | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number
}

/** An answer that was read to its end. */
export type Answer = { readonly status: number; readonly headers: IncomingMessage['headers']; readonly body: unknown }

/** An answer that says no, in the words of the server. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>

  constructor({ method, path }: Call, status: number, body: unknown) {
    const error = errorOf(body)
    super(`${method} ${path.replace(/\?.*/, '')}: ${status} ${error.code} ${error.message}`.trim())
    this.status = status
    this.code = error.code
    this.details = error.details
  }
}

/** A request that could not be carried out now, and may be later. */
export class Unreachable extends Error {}

/** How long to go on trying: true as long as it makes sense. */
export type KeepTrying = (error: Unreachable | Refused) => boolean

const usualTimeoutMs = 60_000

/** The server, for all calls of a runner. */
export class Client {
  readonly #base: URL
  readonly #agent: HttpAgent | HttpsAgent

  constructor(address: URL, ca: string | undefined) {
    this.#base = address
    this.#agent =
      address.protocol === 'https:'
        ? new HttpsAgent({ keepAlive: true, ...(ca !== undefined && { ca: [...rootCertificates, ca] }) })
        : new HttpAgent({ keepAlive: true })
  }

  /** Sends a call once. Answers of 400 and above are thrown, as is a connection that fails. */
  async call(call: Call): Promise<Answer> {
    const incoming = await this.#send(call)
    const body = bodyOf(incoming, await whole(incoming))
    const status = incoming.statusCode ?? 0
    if (status >= 500 || status === 429) throw unavailable(call, status, body)
    if (status >= 400) throw new Refused(call, status, body)
    return { status, headers: incoming.headers, body }
  }

  /** Sends a call until it is answered, with longer and longer pauses. */
  async persist(call: Call, keepTrying: KeepTrying): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.call(call)
      } catch (error) {
        if (!(error instanceof Unreachable) || !keepTrying(error)) throw error
        await delay(pauseMs(attempt), undefined, { signal: call.signal })
      }
    }
  }

  /** Reads the answer into a stream; one redirect is followed, without the token. */
  async download(call: Call, into: NodeJS.WritableStream): Promise<IncomingMessage['headers']> {
    let incoming = await this.#send(call)
    if (incoming.statusCode === 302 && incoming.headers.location !== undefined) {
      incoming.resume()
      incoming = await this.#send({ method: 'GET', path: incoming.headers.location, signal: call.signal })
    }
    const status = incoming.statusCode ?? 0
    if (status !== 200) {
      const body = bodyOf(incoming, await whole(incoming))
      throw status >= 500 || status === 429 ? unavailable(call, status, body) : new Refused(call, status, body)
    }
    await pipeline(incoming, into).catch((error) => {
      throw new Unreachable(textOf(error))
    })
    return incoming.headers
  }

  /** Ends connections that are kept for later calls. */
  close(): void {
    this.#agent.destroy()
  }

  async #send(call: Call): Promise<IncomingMessage> {
    const url = new URL(call.path, this.#base)
    const isOurs = url.origin === this.#base.origin
    const { body } = call
    const file = body !== undefined && 'file' in body ? body.file : undefined
    const bytes =
      body === undefined || file !== undefined
        ? undefined
        : Buffer.isBuffer(body)
          ? body
          : Buffer.from(JSON.stringify(body))
    const length = file === undefined ? bytes?.length : (await stat(file)).size
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const outgoing = request(url, {
      method: call.method,
      ...(url.protocol === this.#base.protocol && { agent: this.#agent }),
      ...(call.signal && { signal: call.signal }),
      timeout: call.timeoutMs ?? usualTimeoutMs,
      headers: {
        'Holdfast-Runner-Protocol': protocolVersion,
        ...(call.token !== undefined && isOurs && { Authorization: `Bearer ${call.token}` }),
        ...(call.fence !== undefined && { 'Holdfast-Fence': String(call.fence) }),
        ...(length !== undefined && { 'Content-Length': String(length) }),
        ...(length !== undefined && {
          'Content-Type': Buffer.isBuffer(body) || file !== undefined ? 'application/octet-stream' : 'application/json',
        }),
        ...call.headers,
      },
    })
    outgoing.once('response', resolve)
    outgoing.once('timeout', () => outgoing.destroy(new Error('no answer in time')))
    outgoing.on('error', (error) =>
      reject(call.signal?.aborted ? error : new Unreachable(`${url.origin}: ${error.message}`)),
    )
    if (file !== undefined)
      createReadStream(file)
        .on('error', (error) => outgoing.destroy(error))
        .pipe(outgoing)
    else outgoing.end(bytes)
    return await promise
  }
}

const unavailable = (call: Call, status: number, body: unknown): Unreachable =>
  new Unreachable(new Refused(call, status, body).message)

async function whole(incoming: IncomingMessage): Promise<Buffer> {
  try {
    return await buffer(incoming)
  } catch (error) {
    throw new Unreachable(textOf(error))
  }
}

function bodyOf({ headers }: IncomingMessage, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (!/json/.test(headers['content-type'] ?? '')) return bytes
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return bytes.toString()
  }
}

/** `{error: {code, message}}`, or the errors of the API for people. */
function errorOf(body: unknown): { code: string; message: string; details: Record<string, unknown> } {
  const { error, errors } = (body ?? {}) as { error?: Record<string, unknown>; errors?: unknown[] }
  if (error) return { code: String(error.code ?? ''), message: String(error.message ?? ''), details: error }
  const first = errors?.[0] as { title?: string; detail?: string } | string | undefined
  const message = typeof first === 'object' ? (first.detail ?? first.title ?? '') : (first ?? '')
  return { code: '', message, details: {} }
}

/** Half a second, doubled with each attempt up to fifteen, and of that a random half. */
export function pauseMs(attempt: number): number {
  const most = Math.min(15_000, 500 * 2 ** attempt)
  return most / 2 + (randomIds.bytes(1)[0] ?? 0) * (most / 2 / 256)
}

/** Keeps trying until so much time has gone by. */
export function untilPassed(ms: number): KeepTrying {
  const end = systemClock.monotonic() + ms
  return () => systemClock.monotonic() < end
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
