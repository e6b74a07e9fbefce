import type { Worker as Child } from 'node:cluster'

/**
 * The messages of `node:cluster` about a connection: the supervisor hands it over, the worker confirms. They are not
 * documented, so check them with every new Node, like the parts of it in `http/listener/node-internals.ts`.
 */
type ClusterMessage = { readonly act?: unknown; readonly seq?: unknown; readonly ack?: unknown } | null

type Handed = { close?: () => void } | undefined

/**
 * Closes the connections that a worker was given and had not confirmed when it ended. The cluster would wait for the
 * confirmation for ever: the client would get neither an answer nor an end, and the supervisor would keep a file open.
 */
export function closeUnconfirmed({ process: channel }: Child): void {
  const handed = new Map<unknown, Handed>()
  const send = channel.send
  channel.send = (...sent: unknown[]): boolean => {
    const [message, connection] = sent as [ClusterMessage, Handed]
    if (message?.act === 'newconn') handed.set(message.seq, connection)
    return Reflect.apply(send, channel, sent)
  }
  channel.on('internalMessage', (message: ClusterMessage) => void handed.delete(message?.ack))
  // A confirmation that it sent in time is read first.
  channel.once('exit', () =>
    setImmediate(() => {
      for (const connection of handed.values()) connection?.close?.()
    }),
  )
}
