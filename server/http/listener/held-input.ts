import type { Socket } from 'node:net'
import { isPausedByServer, type ParseError, parserOf } from './node-internals.ts'

/** Keeps bytes that came while the server was not reading, and has them parsed when it reads again. */
export type HoldInput = (socket: Socket, bytes: Buffer) => void

/**
 * When answers pile up the server stops reading. A TLS connection may all the same hand over what it has already
 * decrypted, the parser reports that as the error HPE_PAUSED, and a client that pipelines some hundred requests would be
 * answered with 400. TLS decrypts no more than one read of the connection ahead, so what is held stays small.
 */
export function holdInput(onError: (error: ParseError, socket: Socket) => void): HoldInput {
  const held = new WeakMap<Socket, Buffer[]>()
  return (socket, bytes) => {
    const waiting = held.get(socket)
    if (waiting !== undefined) {
      waiting.push(bytes)
      return
    }
    const packets = [bytes]
    held.set(socket, packets)
    const onResume = (): void => {
      // Somebody who reads a body may resume a connection that the server still holds.
      if (isPausedByServer(socket)) return
      socket.off('resume', onResume)
      held.delete(socket)
      parse(socket, Buffer.concat(packets), onError)
    }
    socket.on('resume', onResume)
  }
}

function parse(socket: Socket, bytes: Buffer, onError: (error: ParseError, socket: Socket) => void): void {
  const parser = parserOf(socket)
  if (parser === undefined || socket.destroyed) return
  const result = parser.execute(bytes)
  if (result instanceof Error) onError(Object.assign(result, { rawPacket: bytes }), socket)
  else parser[parser.constructor.kOnExecute]?.(result)
}
