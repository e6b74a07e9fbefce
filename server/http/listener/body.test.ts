import { createHash } from 'node:crypto'
import { Agent, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { openRaw } from '../../../test/support/raw-connection.ts'
import { Failure, failure, textOf } from '../../kernel/failure.ts'
import {
  defaultListenerLimits,
  type Listener,
  type ListenerLimits,
  openListener,
  readBody,
  streamBody,
} from './index.ts'

const listeners: Listener[] = []
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close(0)
})

const statuses: Record<string, number> = { 'too-large': 413, 'too-slow': 408, malformed: 400 }

/** A listener that reads each body and answers its text, or its failure the way a pipeline would. */
async function listen(read: (request: IncomingMessage) => Promise<string>, limits: Partial<ListenerLimits> = {}) {
  const outcomes: string[] = []
  const begun = Promise.withResolvers<void>()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    begun.resolve()
    try {
      response.end(await read(request))
      outcomes.push('read')
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      outcomes.push(error.code)
      response.writeHead(statuses[error.kind] ?? 500).end(textOf(error))
    }
  }
  const place = { name: 'test', host: '127.0.0.1', port: 0, limits: { ...defaultListenerLimits, ...limits } }
  const listener = await openListener(place, (request, response) => void answer(request, response))
  listeners.push(listener)
  return { port: listener.address.port, outcomes, begun: begun.promise }
}

const whole =
  (maxBytes: number, deadlineMs = 5_000) =>
  async (request: IncomingMessage): Promise<string> =>
    (await readBody(request, { maxBytes, deadlineMs })).toString()

const streamed =
  (maxBytes: number, idleMs = 5_000) =>
  async (request: IncomingMessage): Promise<string> => {
    let text = ''
    for await (const chunk of streamBody(request, { maxBytes, idleMs })) text += chunk.toString()
    return text
  }

const head = (...lines: string[]): string => ['POST / HTTP/1.1', 'Host: x', ...lines, '', ''].join('\r\n')
const chunked = (...parts: string[]): string =>
  head('Transfer-Encoding: chunked') +
  [...parts, ''].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')

const ways = [
  ['whole', whole],
  ['streamed', streamed],
] as const

test.each(ways)(
  'body %s: a body up to the limit is read, with a length or in chunks; a missing body is empty',
  async (_name, way) => {
    const { port } = await listen(way(10))
    const connection = await openRaw(port)
    connection.write(
      `${head('Content-Length: 10')}0123456789${chunked('01234', '56789')}${head()}${head('Content-Length: 0')}`,
    )
    for (const body of ['0123456789', '0123456789', '', '']) {
      expect(await connection.next()).toMatchObject({ status: 200, body })
    }
    connection.close()
  },
)

test.each(ways)('body %s: a body over the limit is 413, and the connection stays usable', async (_name, way) => {
  const { port } = await listen(way(10))
  const connection = await openRaw(port)
  connection.write(
    `${head('Content-Length: 11')}01234567890${chunked('012345', '67890')}${head('Content-Length: 2')}ok`,
  )
  expect((await connection.next()).status).toBe(413)
  expect((await connection.next()).status).toBe(413)
  expect(await connection.next()).toMatchObject({ status: 200, body: 'ok' })
  connection.close()
})

test.each(ways)('body %s: a client that stops in the middle gets 408 and is disconnected', async (_name, way) => {
  const { port, outcomes } = await listen(way(100, 30))
  const connection = await openRaw(port)
  connection.write(`${head('Content-Length: 50')}not all`)
  expect((await connection.next()).status).toBe(408)
  await connection.closed()
  expect(outcomes).toEqual(['body.too-slow'])
})

test('body whole: the deadline covers the whole body, so a client that drips bytes gets 408', async () => {
  const { port } = await listen(whole(1000, 60))
  const connection = await openRaw(port)
  connection.write(head('Content-Length: 900'))
  const drip = setInterval(() => connection.write('x'), 5)
  expect((await connection.next()).status).toBe(408)
  clearInterval(drip)
  connection.close()
})

test('body streamed: a slow upload that never goes idle is read to its end, past the request timeout', async () => {
  const { port } = await listen(streamed(1000, 2_000), { headersTimeoutMs: 40, requestTimeoutMs: 40 })
  const connection = await openRaw(port)
  connection.write(head('Content-Length: 30'))
  let sent = 0
  const drip = setInterval(() => {
    connection.write('x')
    if (++sent === 30) clearInterval(drip)
  }, 5)
  expect(await connection.next()).toMatchObject({ status: 200, body: 'x'.repeat(30) })
  connection.close()
})

test.each(ways)('body %s: a client that disconnects in the middle is reported as body.cut-off', async (_name, way) => {
  const { port, outcomes, begun } = await listen(way(100))
  const connection = await openRaw(port)
  connection.write(`${head('Content-Length: 50')}not all`)
  await begun
  connection.socket.resetAndDestroy()
  await expect.poll(() => outcomes, { interval: 5 }).toEqual(['body.cut-off'])
})

test.each(ways)('body %s: in many tiny chunks it is 400, and nothing more of it is read', async (_name, way) => {
  const { port, outcomes } = await listen(way(100_000))
  const connection = await openRaw(port)
  connection.socket.on('error', () => undefined)
  connection.write(head('Transfer-Encoding: chunked') + '1\r\nx\r\n'.repeat(30_000))
  expect(await connection.next()).toMatchObject({ status: 400, body: expect.stringContaining('tiny chunks') })
  await connection.closed()
  expect(outcomes).toEqual(['body.scattered'])
})

test.each(ways)('body %s: some tiny chunks, and many small ones, are accepted', async (_name, way) => {
  const { port } = await listen(way(100_000))
  const connection = await openRaw(port)
  for (const [text, count] of [
    ['x', 900],
    ['a chunk of some thirty-two bytes.', 2_500],
  ] as const) {
    connection.write(chunked(...Array.from({ length: count }, () => text)))
    expect(await connection.next()).toMatchObject({ status: 200, body: text.repeat(count) })
  }
  connection.close()
})

test('body whole: an invalid chunk is 400 and the connection is closed', async () => {
  const { port } = await listen(whole(100))
  const connection = await openRaw(port)
  connection.write(`${head('Transfer-Encoding: chunked')}5\r\nhello\r\nnonsense\r\n`)
  expect((await connection.next()).status).toBe(400)
  expect(await connection.closed()).toBe('')
})

test('body: an invalid chunk after the answer has begun closes the connection and adds nothing to it', async () => {
  const place = { name: 'test', host: '127.0.0.1', port: 0, limits: defaultListenerLimits }
  const listener = await openListener(place, (request, response) => {
    request.on('error', () => undefined).resume()
    response.writeHead(200, { 'Content-Length': 10 }).write('begun')
  })
  listeners.push(listener)
  const connection = await openRaw(listener.address.port)
  const raw: string[] = []
  connection.socket.on('data', (chunk) => raw.push(String(chunk)))
  connection.write(head('Transfer-Encoding: chunked'))
  await expect.poll(() => raw.join(''), { interval: 5 }).toMatch(/begun$/)
  connection.write('nonsense\r\n')
  await connection.closed()
  expect(raw.join('')).toMatch(/begun$/)
})

test('continue: 100 Continue is sent once the handler reads the body, and the body then arrives', async () => {
  const { port } = await listen(whole(10))
  const connection = await openRaw(port)
  const raw: string[] = []
  connection.socket.on('data', (chunk) => raw.push(String(chunk)))
  connection.write(head('Content-Length: 5', 'Expect: 100-continue'))
  await expect.poll(() => raw.join(''), { interval: 5 }).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  connection.write('hello')
  expect(await connection.next()).toMatchObject({ status: 200, body: 'hello' })
  connection.close()
})

test('continue: a body announced over the limit is 413 without 100 Continue', async () => {
  const { port } = await listen(whole(10))
  const connection = await openRaw(port)
  const raw: string[] = []
  connection.socket.on('data', (chunk) => raw.push(String(chunk)))
  connection.write(head('Content-Length: 5000000', 'Expect: 100-continue'))
  expect(await connection.next()).toMatchObject({ status: 413, headers: { connection: 'close' } })
  expect(raw.join('')).not.toContain('100 Continue')
  await connection.closed()
})

test('continue: any other Expect value is passed on to the handler', async () => {
  const { port } = await listen(async (request) => `expects ${request.headers.expect}`)
  const connection = await openRaw(port)
  connection.write(head('Expect: tea'))
  expect(await connection.next()).toMatchObject({ status: 200, body: 'expects tea' })
  connection.close()
})

test.each(['keep-alive', 'close'])(
  'body: a client that sends megabytes before it reads still receives the 413, with Connection: %s',
  async (connectionHeader) => {
    const { port } = await listen(whole(1_000))
    const connection = await openRaw(port)
    connection.socket.pause()
    connection.write(head('Content-Length: 8388608', `Connection: ${connectionHeader}`))
    await new Promise<void>((resolve, reject) => {
      connection.socket.write(Buffer.alloc(8 * 1024 * 1024), (error) => (error ? reject(error) : resolve()))
    })
    connection.socket.resume()
    expect((await connection.next()).status).toBe(413)
    connection.close()
  },
)

test.each([
  ['with a length', 'Content-Length: 8388608', ''],
  ['in chunks', 'Transfer-Encoding: chunked', '800000\r\n'],
])(
  'body streamed: when the handler stops reading, a client still sending megabytes gets the answer, %s',
  async (_name, length, chunk) => {
    const { port } = await listen(async (request) => {
      for await (const _piece of streamBody(request, { maxBytes: 1e9, idleMs: 5_000 }))
        throw failure('malformed', 'test.stopped', 'stopped')
      return ''
    })
    const connection = await openRaw(port)
    connection.socket.pause()
    connection.write(head(length) + chunk)
    await new Promise<void>((resolve, reject) => {
      connection.socket.write(Buffer.alloc(8 * 1024 * 1024), (error) => (error ? reject(error) : resolve()))
    })
    connection.socket.resume()
    expect(await connection.next()).toMatchObject({ status: 400, body: 'stopped' })
    connection.close()
  },
)

test('body streamed: a 64 MiB upload is read completely with under 1 MB buffered', async () => {
  const { port } = await listen(async (request) => {
    const hash = createHash('sha256')
    let largest = 0
    for await (const chunk of streamBody(request, { maxBytes: 1e9, idleMs: 5_000 })) {
      hash.update(chunk)
      largest = Math.max(largest, request.readableLength)
    }
    return `${largest < 1_000_000} ${hash.digest('hex')}`
  })
  const part = Buffer.alloc(1024 * 1024, 'x')
  const expected = createHash('sha256')
  const agent = new Agent()
  const answer = await new Promise<string>((resolve, reject) => {
    const outgoing = send({ port, host: '127.0.0.1', method: 'POST', agent }, (incoming) => {
      incoming.setEncoding('utf8').once('data', resolve)
    })
    outgoing.on('error', reject)
    for (let i = 0; i < 64; i++) {
      expected.update(part)
      outgoing.write(part)
    }
    outgoing.end()
  })
  agent.destroy()
  expect(answer).toBe(`true ${expected.digest('hex')}`)
})
