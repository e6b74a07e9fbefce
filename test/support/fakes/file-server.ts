import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a server of files answers next. */
export type ServedFile = { status?: number; body: Buffer | string; location?: string }

/** A web server on loopback whose one file a test changes at will. */
export type FileServer = {
  readonly url: string
  /** How often it was asked. */
  readonly hits: number
  serve(file: ServedFile): void
  /** Stops answering; connections are refused from now on. */
  close(): Promise<void>
}

/** Starts a server that answers every request with the file it was given last. */
export async function fileServer(first: ServedFile = { status: 404, body: '' }): Promise<FileServer> {
  let file = first
  let hits = 0
  const server: Server = createServer((_request, response) => {
    hits++
    response.writeHead(file.status ?? 200, file.location ? { location: file.location } : {})
    response.end(file.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/list.crl`,
    get hits() {
      return hits
    },
    serve: (next) => {
      file = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
