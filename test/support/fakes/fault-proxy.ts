import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { PassThrough, Transform } from 'node:stream'

/** What happens to one request: an error answer, a connection torn in the middle of its body, silence, a changed byte. */
export type ProxyFault = { status: number; code: string } | 'reset' | 'silence' | 'corrupt'

/** A request on its way. */
export type ProxyRequest = { readonly method: string; readonly url: string }

/** A proxy between a client and a real server that injects network and service faults into single requests. */
export type FaultProxy = {
  /** `http://127.0.0.1:port` */
  readonly url: string
  readonly requests: ProxyRequest[]
  fault: (request: ProxyRequest) => ProxyFault | undefined
  close(): Promise<void>
}

/** Starts a proxy to a server on the loopback. */
export async function faultProxy(targetPort: number): Promise<FaultProxy> {
  const requests: ProxyRequest[] = []
  const sockets = new Set<Socket>()
  const server = createServer((incoming, outgoing) => {
    const seen = { method: incoming.method ?? '', url: incoming.url ?? '' }
    requests.push(seen)
    const fault = proxy.fault(seen)
    if (fault === undefined) forward(incoming, outgoing, targetPort)
    else if (fault === 'corrupt') forward(incoming, outgoing, targetPort, withChangedByte())
    else if (fault === 'reset') incoming.once('data', () => incoming.socket.resetAndDestroy())
    else if (fault !== 'silence') refuse(incoming, outgoing, fault)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    fault: () => undefined,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  port: number,
  way: Transform = new PassThrough(),
): void {
  const { method, url: path, headers } = incoming
  const onward = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    answer.pipe(outgoing)
  })
  onward.on('error', () => outgoing.destroy())
  incoming.pipe(way).pipe(onward)
}

/** A stream that changes the first byte. */
function withChangedByte(): Transform {
  let isFirst = true
  return new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      if (isFirst) piece[0] = (piece[0] ?? 0) ^ 1
      isFirst = false
      done(null, piece)
    },
  })
}

/** Reads the request to its end first, as services do before they answer with an error. */
function refuse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, code }: { status: number; code: string },
) {
  incoming.resume()
  incoming.once('end', () => {
    outgoing.writeHead(status, { 'content-type': 'application/xml', 'x-ms-error-code': code })
    outgoing.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code} from the proxy</Message></Error>`)
  })
}
