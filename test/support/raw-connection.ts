import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'

/** An answer as received. */
export type RawAnswer = { status: number; headers: Record<string, string>; body: string }

/** A client that writes whatever a test gives it and reads answers in the order they come. */
export type RawConnection = {
  socket: Socket
  write(bytes: string | Buffer): void
  /** The next answer; fails if the server closes before it is complete. */
  next(): Promise<RawAnswer>
  /** Resolves when the server has closed the connection, with the bytes that nobody read. */
  closed(): Promise<string>
  close(): void
}

/** Opens a plain connection to a local port, or a TLS one if `tls` is given. */
export async function openRaw(port: number, tls?: ConnectionOptions): Promise<RawConnection> {
  const socket =
    tls === undefined
      ? connect({ host: '127.0.0.1', port, noDelay: true })
      : connectTls({ host: '127.0.0.1', port, servername: 'localhost', ALPNProtocols: ['http/1.1'], ...tls })
  await new Promise<void>((resolve, reject) => {
    socket.once(tls === undefined ? 'connect' : 'secureConnect', resolve)
    socket.once('error', reject)
  })
  socket.setNoDelay(true)
  return readAnswers(socket)
}

function readAnswers(socket: Socket): RawConnection {
  let received = Buffer.alloc(0)
  let isClosed = false
  let wake: () => void = () => undefined
  const change = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve
    })
  // Taken at once, so that reading many pipelined answers stays linear.
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    wake()
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isClosed = true
    wake()
  })
  const gather = (): void => {
    if (chunks.length > 0) received = Buffer.concat([received, ...chunks.splice(0)])
  }
  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    close: () => void socket.destroy(),
    next: async () => {
      for (;;) {
        gather()
        const parsed = parseAnswer(received)
        if (parsed !== undefined) {
          received = received.subarray(parsed.size)
          if (parsed.answer.status !== 100) return parsed.answer
          continue
        }
        if (isClosed) throw new Error(`The server closed the connection; it had sent: ${received.toString('latin1')}`)
        await change()
      }
    },
    closed: async () => {
      while (!isClosed) await change()
      gather()
      return received.toString('latin1')
    },
  }
}

function parseAnswer(bytes: Buffer): { answer: RawAnswer; size: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines)
    headers[line.slice(0, line.indexOf(':')).toLowerCase()] = line.slice(line.indexOf(':') + 1).trim()
  const status = Number(first.split(' ')[1])
  const start = end + 4
  const body = headers['transfer-encoding'] === 'chunked' ? chunkedBody(bytes, start) : sizedBody(bytes, start, headers)
  return body && { answer: { status, headers, body: body.text }, size: body.end }
}

function sizedBody(bytes: Buffer, start: number, headers: Record<string, string>): Body | undefined {
  const end = start + Number(headers['content-length'] ?? 0)
  return bytes.length < end ? undefined : { text: bytes.toString('utf8', start, end), end }
}

function chunkedBody(bytes: Buffer, start: number): Body | undefined {
  let at = start
  let text = ''
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (bytes.length < next) return undefined
    text += bytes.toString('utf8', lineEnd + 2, lineEnd + 2 + size)
    at = next
    if (size === 0) return { text, end: at }
  }
}

type Body = { text: string; end: number }
