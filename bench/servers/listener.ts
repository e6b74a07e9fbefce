import { defaultListenerLimits, openListener } from '../../server/http/listener/index.ts'
import type { ServerFacts } from '../harness/child-server.ts'

/** Our listener in front of a handler that answers every request with the same bytes. */
export async function serve(options: { body: string; tls?: { cert: string; key: string } }): Promise<ServerFacts> {
  const body = Buffer.from(options.body)
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  const tls = options.tls && { ...options.tls, clientCertificate: 'request' as const }
  const listener = await openListener(
    { name: 'bench', host: '127.0.0.1', port: 0, tls, limits: defaultListenerLimits },
    (_request, response) => {
      response.writeHead(200, headers)
      response.end(body)
    },
  )
  return { port: listener.address.port }
}
