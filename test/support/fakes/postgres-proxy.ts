import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A proxy to PostgreSQL that can be disturbed. */
export type PostgresProxy = {
  /** The address of the database through this proxy. */
  url: string
  /** Passes on the next COMMIT, or whatever contains this text, and loses its answer together with the connection. */
  loseNextCommitAnswer(sign?: string): void
  /** Loses the connection instead of passing on the next COMMIT, or whatever contains this text. */
  loseNextCommit(sign?: string): void
  /** Cuts every connection, and refuses new ones until `mend`. */
  cut(): void
  /** Keeps every connection, and passes nothing on until `mend`. */
  freeze(): void
  mend(): void
}

/** What a pooler may do with the options that a connection begins with. */
type OptionsHandling = 'pass' | 'ignore' | 'refuse'

type Disturbance = 'answer' | 'commit' | undefined

/** Ends the text of a COMMIT as well as the name it is prepared under. */
const commitSign = 'commit\0'

/** Stands between a store and PostgreSQL for one test. */
export async function postgresProxy(target: string, options: OptionsHandling = 'pass'): Promise<PostgresProxy> {
  const { hostname, port } = new URL(target)
  let disturbance: Disturbance
  let awaited = commitSign
  let isCut = false
  let isFrozen = false
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    let losesAnswer = false
    let isBegun = options === 'pass'
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', end)
      socket.on('close', () => sockets.delete(socket))
    }
    if (isCut) end()
    if (isFrozen) client.pause()
    client.on('data', (received: Buffer) => {
      const bytes = isBegun ? received : withoutOptions(received)
      isBegun = true
      if (options === 'refuse' && bytes !== received) return void client.end(optionsRefusal)
      const isCommit = disturbance !== undefined && bytes.includes(awaited)
      if (isCommit && disturbance === 'commit') end()
      else upstream.write(bytes)
      losesAnswer ||= isCommit && disturbance === 'answer'
      if (isCommit) disturbance = undefined
    })
    upstream.on('data', (bytes: Buffer) => {
      if (losesAnswer) end()
      else client.write(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    endAll()
    server.close()
  })
  const address = server.address()
  const own = address !== null && typeof address === 'object' ? address.port : 0
  return {
    url: target.replace(`:${port}/`, `:${own}/`),
    loseNextCommitAnswer: (sign = commitSign) => {
      awaited = sign
      disturbance = 'answer'
    },
    loseNextCommit: (sign = commitSign) => {
      awaited = sign
      disturbance = 'commit'
    },
    cut: () => {
      isCut = true
      endAll()
    },
    freeze: () => {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    mend: () => {
      isCut = false
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
  }
}

/** A start-up message: length, protocol, and pairs of names and values. */
function withoutOptions(message: Buffer): Buffer {
  const words = message.toString('latin1', 8).split('\0')
  const at = words.indexOf('options')
  if (at < 0 || at % 2 === 1) return message
  const rest = Buffer.from(words.toSpliced(at, 2).join('\0'), 'latin1')
  const head = Buffer.from(message.subarray(0, 8))
  head.writeInt32BE(head.length + rest.length)
  return Buffer.concat([head, rest])
}

const refusalFields = Buffer.from('SFATAL\0C08P01\0Munsupported startup parameter: options\0\0')

/** What PgBouncer answers unless it was told to ignore them. */
const optionsRefusal = Buffer.concat([Buffer.from('E\0\0\0\0'), refusalFields])
optionsRefusal.writeInt32BE(optionsRefusal.length - 1, 1)
