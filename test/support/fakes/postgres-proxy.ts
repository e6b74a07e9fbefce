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

type Disturbance = 'answer' | 'commit' | undefined

/** Ends the text of a COMMIT as well as the name it is prepared under. */
const commitSign = 'commit\0'

/** Stands between a store and PostgreSQL for one test. */
export async function postgresProxy(target: string): Promise<PostgresProxy> {
  const { hostname, port } = new URL(target)
  let disturbance: Disturbance
  let awaited = commitSign
  let isCut = false
  let isFrozen = false
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    let losesAnswer = false
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
    client.on('data', (bytes: Buffer) => {
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
