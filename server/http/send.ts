import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { headerNames } from '../compat/vendor-names.ts'
import type { Awaitable } from '../kernel/awaitable.ts'
import type { Exchange } from './exchange.ts'
import type { Outbox } from './outbox.ts'
import { strictTransport } from './strict-transport.ts'

/** An answer ready for the wire. Its headers are its own, so that later steps add theirs without a copy. */
export type WireResponse = {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body?: Buffer | string | Readable | undefined
}

/** An unread body of at most this size is read to its end and thrown away, which costs less than a new connection. */
const maxDiscardedBytes = 64 * 1024

/** Adds the headers that protect browsers, and closes the connection after a long body that nobody has read. */
export function addSafetyHeaders({ facts, incoming, deps }: Exchange, { headers }: WireResponse): void {
  headers.Server = `Holdfast/${deps.settings.version}`
  headers['X-Content-Type-Options'] = 'nosniff'
  if (facts.tls) headers['Strict-Transport-Security'] = strictTransport
  for (const name of headerNames.namespace) {
    const namespace = facts.headers[name]
    if (typeof namespace === 'string') headers[name] = namespace
  }
  if (!incoming.complete && Number(facts.headers['content-length'] ?? 0) > maxDiscardedBytes)
    headers.Connection = 'close'
}

/** Writes an answer. A client that went away is not an error; a stream that breaks ends the connection. */
export function send(outbox: Outbox, outgoing: ServerResponse, wire: WireResponse, headOnly: boolean): Awaitable<void> {
  const { status, headers, body } = wire
  if (outgoing.destroyed || outgoing.headersSent) return discard(body)
  if (typeof body === 'string') {
    const encoding = writeTextHead(outgoing, wire, body)
    return headOnly ? void outgoing.end() : outbox.end(outgoing, body, encoding)
  }
  if (body instanceof Readable && !headOnly) {
    outgoing.writeHead(status, headers)
    return pipeline(body, outgoing)
  }
  discard(body)
  const bytes = body instanceof Readable ? undefined : body
  if (bytes !== undefined) headers['Content-Length'] = String(bytes.length)
  else if (body === undefined && mayHaveContent(status)) headers['Content-Length'] = '0'
  outgoing.writeHead(status, headers)
  outgoing.end(headOnly ? undefined : bytes)
}

/** RFC 9110 §8.6: an answer that never has content must not state its length. */
const mayHaveContent = (status: number): boolean => status >= 200 && status !== 204 && status !== 304

/** Text of plain ASCII, as most is, has as many bytes as characters and needs no encoder. */
function writeTextHead(outgoing: ServerResponse, { status, headers }: WireResponse, text: string): BufferEncoding {
  const length = Buffer.byteLength(text)
  headers['Content-Length'] = String(length)
  outgoing.writeHead(status, headers)
  return length === text.length ? 'latin1' : 'utf8'
}

function discard(body: WireResponse['body']): void {
  if (body instanceof Readable) body.destroy()
}
