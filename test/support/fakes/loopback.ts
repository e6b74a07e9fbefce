import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A web server on the loopback, on a port that the system chose. */
type LoopbackServer = {
  readonly port: number
  /** Ends its connections too; new ones are refused from now on. */
  close(): Promise<void>
}

/** Starts a server that answers like this; with a certificate it speaks https. */
export async function listenOnLoopback(
  answer: RequestListener,
  tls?: { readonly cert: string; readonly key: string },
): Promise<LoopbackServer> {
  const server = tls ? createTlsServer(tls, answer) : createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { port, close }
}

/** Starts a server that answers like this until the test is over; its address, without a slash at the end. */
export async function serveDuringTest(answer: RequestListener): Promise<string> {
  const { port, close } = await listenOnLoopback(answer)
  onTestFinished(close)
  return `http://127.0.0.1:${port}`
}

/** The body of a request, read to its end. */
export async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
