import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { ServerFacts } from '../harness/child-server.ts'

/** A bare Node server that answers every request with the same bytes. */
export async function serve(options: {
  body: string
  /** The headers of the answer; by default type and length. */
  headers?: Record<string, string>
  tls?: { cert: string; key: string }
}): Promise<ServerFacts> {
  const body = Buffer.from(options.body)
  const headers = options.headers ?? { 'content-type': 'application/json', 'content-length': body.length }
  const answer = createAnswer(headers, body)
  const server = options.tls
    ? createTlsServer({ ...options.tls, requestCert: true, rejectUnauthorized: false }, answer)
    : createServer(answer)
  // Connections wait while the others are measured.
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0 }
}

const createAnswer =
  (headers: Record<string, string | number>, body: Buffer) =>
  (_request: unknown, response: import('node:http').ServerResponse): void => {
    response.writeHead(200, headers)
    response.end(body)
  }
