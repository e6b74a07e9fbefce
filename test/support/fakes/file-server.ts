import { listenOnLoopback } from './loopback.ts'

/** What a server of files answers next. */
export type ServedFile = { status?: number; body: Buffer | string; location?: string }

/** A web server on loopback whose one file a test changes at will. */
export type FileServer = {
  readonly url: string
  /** How many requests it got. */
  readonly hits: number
  serve(file: ServedFile): void
  /** Stops answering; connections are refused from now on. */
  close(): Promise<void>
}

/** Starts a server that answers every request with the file it was given last. */
export async function fileServer(first: ServedFile = { status: 404, body: '' }): Promise<FileServer> {
  let file = first
  let hits = 0
  const server = await listenOnLoopback((_request, response) => {
    hits++
    response.writeHead(file.status ?? 200, file.location ? { location: file.location } : {})
    response.end(file.body)
  })
  return {
    url: `http://127.0.0.1:${server.port}/list.crl`,
    get hits() {
      return hits
    },
    serve: (next) => {
      file = next
    },
    close: server.close,
  }
}
