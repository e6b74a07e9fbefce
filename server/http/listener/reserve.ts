import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { ListenerLimits } from './limits.ts'
import { tcpSocketOf } from './node-internals.ts'

/** Where those who watch a server ask how it is. */
const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/v1/sys/health'])

/** What is kept for probes when all other connections are taken. */
export type Reserve = {
  /** True if the connection of this request is one of the reserve; each of them carries one request. */
  holds(request: IncomingMessage): boolean
}

/**
 * What a connection is for shows only once it was accepted. So a few more than allowed are, for a moment and one request
 * each: a server at its limit would otherwise be taken for dead and restarted.
 */
export function keepReserve(
  server: HttpServer,
  connections: ReadonlySet<Socket>,
  limits: Pick<ListenerLimits, 'maxConnections' | 'probeConnections' | 'probeTimeoutMs'>,
): Reserve {
  const reserved = new Map<Socket, NodeJS.Timeout>()
  server.maxConnections = limits.maxConnections + limits.probeConnections
  // Without this a worker at its limit hands the connection back, and workers that are all full pass it round for ever.
  Object.assign(server, { dropMaxConnection: true })
  server.on('connection', (socket: Socket) => {
    if (connections.size <= limits.maxConnections) return
    const tooLate = setTimeout(() => socket.destroy(), limits.probeTimeoutMs)
    reserved.set(socket, tooLate)
    socket.once('close', () => {
      clearTimeout(tooLate)
      reserved.delete(socket)
    })
  })
  return {
    holds: ({ socket }) => {
      if (reserved.size === 0) return false
      const timer = reserved.get(tcpSocketOf(socket) ?? socket)
      // From now on the limits of every request apply.
      clearTimeout(timer)
      return timer !== undefined
    },
  }
}

/** True if a request asks how the server is. */
export const isProbe = ({ url = '', method }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && probes.has(url.split('?', 1)[0] ?? '')
