import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'

/** The target and shape of a load. The client does as little as it can, so that the server is what is measured. */
type Load = {
  port: number
  /** Bytes of the requests, sent in turn; a function is asked for the n-th one. */
  requests: readonly Buffer[] | ((n: number) => Buffer)
  /** Concurrent connections. */
  connections: number
  /** Requests in flight on each connection; 1 by default. */
  pipelined?: number
  /** A new connection for every request, as for logins. */
  fresh?: boolean
  tls?: ConnectionOptions
  /** The status every answer must have; 200 by default. */
  status?: number
}

/** Connections that wait for work. */
type Client = {
  /** Works for this many milliseconds and returns how many requests were answered. */
  run(ms: number): Promise<number>
  close(): void
}

/** A request as bytes, with a body if there is one. */
export function requestBytes(verb: string, path: string, headers: Record<string, string> = {}, body = ''): Buffer {
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ host: 'localhost', ...length, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`${verb} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

/** Makes the connections of a load; each is opened when it first has work to do. */
export function openClient(load: Load): Client {
  let sent = 0
  const { requests } = load
  const next =
    typeof requests === 'function'
      ? () => requests(sent++)
      : () => requests[sent++ % requests.length] ?? Buffer.alloc(0)
  const open = new Set<Socket>()
  const lanes = load.fresh === true ? [] : Array.from({ length: load.connections }, () => laneOf(load, open))
  return {
    run: async (ms) => {
      const until = performance.now() + ms
      const counts =
        load.fresh === true
          ? await Promise.all(Array.from({ length: load.connections }, () => sendOnNewSockets(load, open, next, until)))
          : await Promise.all(lanes.map((lane) => lane(next, until)))
      return counts.reduce((sum, count) => sum + count, 0)
    },
    close: () => {
      for (const socket of open) socket.destroy()
    },
  }
}

async function openSocket(load: Load, open: Set<Socket>): Promise<Socket> {
  const place = { host: '127.0.0.1', port: load.port }
  const socket =
    load.tls === undefined
      ? connect({ ...place, noDelay: true })
      : connectTls({ ...place, servername: 'localhost', ...load.tls })
  open.add(socket)
  socket.once('close', () => open.delete(socket))
  await once(socket, load.tls === undefined ? 'connect' : 'secureConnect')
  return socket
}

type Lane = (next: () => Buffer, until: number) => Promise<number>

/** A connection for several rounds. Servers close connections that idle too long, soonest those that sent nothing. */
function laneOf(load: Load, open: Set<Socket>): Lane {
  let socket: Socket | undefined
  return async (next, until) => {
    if (socket === undefined || socket.destroyed || socket.readableEnded) socket = await openSocket(load, open)
    return await sendOnSocket(load, socket, next, until)
  }
}

/** Sends the next request as soon as one is answered. */
function sendOnSocket(load: Load, socket: Socket, next: () => Buffer, until: number): Promise<number> {
  const depth = load.pipelined ?? 1
  return new Promise((resolve, reject) => {
    let done = 0
    let underWay = 0
    const send = (): void => {
      underWay++
      socket.write(next())
    }
    const answers = new AnswerReader(load.status ?? 200, () => {
      done++
      underWay--
      if (performance.now() < until) send()
      else if (underWay === 0) finish()
    })
    const onData = (chunk: Buffer): void => {
      const fault = answers.take(chunk)
      if (fault !== undefined) fail(new Error(fault))
    }
    const fail = (error?: Error): void => {
      stop()
      reject(error ?? new Error('The server closed a connection under load.'))
    }
    const onClose = (): void => fail()
    const stop = (): void => void socket.off('data', onData).off('error', fail).off('close', onClose)
    const finish = (): void => {
      stop()
      resolve(done)
    }
    socket.on('data', onData).on('error', fail).on('close', onClose)
    for (let i = 0; i < depth; i++) send()
  })
}

/** Opens a connection for every single request. */
async function sendOnNewSockets(load: Load, open: Set<Socket>, next: () => Buffer, until: number): Promise<number> {
  let done = 0
  while (performance.now() < until) {
    const socket = await openSocket(load, open)
    await new Promise<void>((resolve, reject) => {
      const answers = new AnswerReader(load.status ?? 200, resolve)
      socket.on('error', reject).on('close', () => reject(new Error('The server closed a connection unanswered.')))
      socket.on('data', (chunk: Buffer) => {
        const fault = answers.take(chunk)
        if (fault !== undefined) reject(new Error(fault))
      })
      socket.write(next())
    })
    socket.destroy()
    done++
  }
  return done
}

/** Finds the ends of answers by their length, which is all a load needs. */
class AnswerReader {
  #rest: Buffer = Buffer.alloc(0)
  readonly #status: string
  readonly #onAnswer: () => void

  constructor(status: number, onAnswer: () => void) {
    this.#status = ` ${status} `
    this.#onAnswer = onAnswer
  }

  /** Takes bytes, and returns what is wrong with them. */
  take(chunk: Buffer): string | undefined {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    for (;;) {
      const end = bytes.indexOf('\r\n\r\n')
      if (end < 0) break
      const head = bytes.toString('latin1', 0, end)
      if (!head.startsWith(this.#status, 8))
        return `Expected${this.#status}but got: ${bytes.toString('latin1', 0, 500)}`
      const length = /content-length: *(\d+)/i.exec(head)?.[1] ?? (head.startsWith(' 204 ', 8) ? '0' : undefined)
      if (length === undefined) return `An answer without a length: ${head}`
      const size = end + 4 + Number(length)
      if (bytes.length < size) break
      bytes = bytes.subarray(size)
      this.#onAnswer()
    }
    this.#rest = bytes
    return undefined
  }
}
