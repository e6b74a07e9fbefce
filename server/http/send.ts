import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** An answer ready for the wire. Its headers are its own, so that later steps add theirs without a copy. */
export type Wire = {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body?: Buffer | string | Readable | undefined
}

/** Writes an answer. A client that went away is not an error; a stream that breaks ends the connection. */
export async function send(outgoing: ServerResponse, wire: Wire, headOnly: boolean): Promise<void> {
  const { status, headers, body } = wire
  if (outgoing.destroyed || outgoing.headersSent) return discard(body)
  if (body instanceof Readable && !headOnly) {
    outgoing.writeHead(status, headers)
    await pipeline(body, outgoing)
    return
  }
  discard(body)
  const bytes = body instanceof Readable ? undefined : body
  if (bytes !== undefined) headers['Content-Length'] = String(Buffer.byteLength(bytes))
  outgoing.writeHead(status, headers)
  outgoing.end(headOnly ? undefined : bytes)
}

function discard(body: Wire['body']): void {
  if (body instanceof Readable) body.destroy()
}
