import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { ListenerLimits } from './listener-limits.ts'
import { connectionsListOf, type ParseError, type Parser, parserOf } from './node-internals.ts'

/**
 * The verb LIST, which clients of the `/v1` family send literally, is not in the method table of Node's HTTP/1.1 parser.
 *
 * The parser stops on the `S` (it waits for LINK) and the server reports that as `clientError` with the packet and the
 * offset. If the bytes there spell `LIST `, the connection's own parser is started again, told `GET`, and given the
 * rest of the packet; the request that comes out is named LIST before anybody sees it. The connection keeps its state, so
 * pipelined answers stay in order, time-outs and keep-alive work, and requests with other verbs cost nothing extra.
 *
 * What lies in an earlier packet is not seen again: `MO` and `ST /` in two packets read as LIST. That is harmless, for
 * the request is then authorized as LIST.
 */
export function listVerbOf(server: HttpServer, limits: Pick<ListenerLimits, 'maxHeaderBytes'>): ResumeAsList {
  const verbs = new WeakMap<Socket, VerbState>()
  let connections: object | undefined
  return (error, socket) => {
    const parser = error.code === 'HPE_INVALID_METHOD' ? parserOf(socket) : undefined
    connections ??= connectionsListOf(server)
    if (parser === undefined || connections === undefined || error.rawPacket === undefined) return error
    let state = verbs.get(socket)
    if (state === undefined) {
      state = renameAhead(parser)
      verbs.set(socket, state)
    }
    const restarting = { maxHeaderBytes: limits.maxHeaderBytes, connections }
    return readLists({ socket, parser, state, restarting }, error, error.rawPacket)
  }
}

/** Goes on with a connection whose parser stopped at a LIST, and returns what is really wrong with it, if anything. */
export type ResumeAsList = (error: ParseError, socket: Socket) => ParseError | undefined

/** `seen`: characters of an unfinished `LIST ` at the end of the last packet. `rename`: the next request is a LIST. */
type VerbState = { seen: number; rename: boolean }

type RestartOptions = { maxHeaderBytes: number; connections: object }
type ResumedConnection = { socket: Socket; parser: Parser; state: VerbState; restarting: RestartOptions }

const verb = Buffer.from('LIST ')
const substituteVerb = Buffer.from('GET')
const offsetOfS = 2
const lineFeed = 0x0a

/** Makes the parser of a connection hand out LIST requests under their own name. */
function renameAhead(parser: Parser): VerbState {
  const state: VerbState = { seen: 0, rename: false }
  const hand = parser.onIncoming
  const handRenamed: typeof hand = (request, keepAlive) => {
    if (state.rename) {
      state.rename = false
      request.method = 'LIST'
    }
    return hand(request, keepAlive)
  }
  // Not written as one assignment: see docs/decisions/0012.
  parser.onIncoming = handRenamed
  return state
}

/** Reads LIST after LIST from a packet until it is used up; a loop, since one packet may hold a thousand of them. */
function readLists(at: ResumedConnection, first: ParseError, bytes: Buffer): ParseError | undefined {
  let packet = bytes
  let error = first
  for (;;) {
    const end = endOfVerb(at, packet, error.bytesParsed ?? 0)
    if (end === 'bogus') return error
    if (end === 'unfinished') return undefined
    try {
      restartParser(at)
    } catch (cause) {
      return Object.assign(error, { cause })
    }
    at.state.rename = true
    at.parser.execute(substituteVerb)
    packet = packet.subarray(end)
    const result = packet.length === 0 ? 0 : at.parser.execute(packet)
    // A handler may have closed the connection on the way.
    if (at.socket.destroyed || parserOf(at.socket) !== at.parser) return undefined
    if (!(result instanceof Error)) {
      // What the server itself does after each packet, such as pausing a client that does not read.
      at.parser[at.parser.constructor.kOnExecute]?.(result)
      return undefined
    }
    error = Object.assign(result, { rawPacket: packet })
    if (error.code !== 'HPE_INVALID_METHOD') return error
  }
}

/** Offset behind the letters LIST in a packet whose offset `stop` the parser did not like. */
function endOfVerb(
  { parser, state }: ResumedConnection,
  packet: Buffer,
  stop: number,
): number | 'bogus' | 'unfinished' {
  // A parser that failed reports the same error for the next packet; its offset then means nothing.
  const start = state.seen > 0 ? -state.seen : stop - offsetOfS
  const from = Math.max(0, start)
  if (state.seen === 0 && from > 0 && packet[from - 1] !== lineFeed && !hasBody(parser.incoming)) return 'bogus'
  const there = packet.subarray(from, start + verb.length)
  if (!there.equals(verb.subarray(from - start, from - start + there.length))) return 'bogus'
  const seen = from - start + there.length
  if (seen < verb.length) {
    state.seen = seen
    return 'unfinished'
  }
  state.seen = 0
  return start + verb.length - 1
}

/** A body may end in any byte, everything else before a verb ends in a line feed: that distinguishes UNLIST from LIST. */
const hasBody = (request: IncomingMessage | null): boolean =>
  request !== null &&
  (request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0)

/**
 * Starts a failed parser again with the arguments the server gives it for a new connection. Nothing of this is documented:
 * whether it works is tried before a port is opened ([`self-tests.ts`](./self-tests.ts)).
 */
function restartParser({ parser, socket, restarting }: ResumedConnection): void {
  const { REQUEST, kLenientNone } = parser.constructor
  parser.remove()
  const resource = { type: 'HTTPINCOMINGMESSAGE', socket }
  parser.initialize(REQUEST, resource, restarting.maxHeaderBytes, kLenientNone | 0, restarting.connections)
}
