import { type ClientRequest, type IncomingMessage, request } from 'node:http'

/** An event as received. */
type ServerEvent = {
  readonly id: string
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  readonly data: any
}

/** A stream of events that a test follows. */
export type EventSource = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** What else was received: comments, and the id the stream began with. */
  readonly opening: () => string
  /** The id to continue from: that of the last event taken, or of the beginning. */
  readonly lastId: () => string
  /** The next event; fails if the stream ends or nothing arrives for a while. */
  next(): Promise<ServerEvent>
  /** How many received events have not been taken yet. */
  readonly waiting: () => number
  /** Reads nothing from the connection until it is resumed. */
  pause(): void
  resume(): void
  /** Settles when the stream has ended. */
  readonly ended: Promise<void>
  close(): void
}

type Target = { readonly url: string; readonly token: string; readonly lastId?: string }

/** Opens a stream of events; it is ready once the first bytes have arrived. */
export function openEvents({ url, token, lastId }: Target): Promise<EventSource> {
  const headers = {
    accept: 'text/event-stream',
    authorization: `Bearer ${token}`,
    ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
  }
  const { promise, resolve, reject } = Promise.withResolvers<EventSource>()
  const outgoing = request(url, { headers, agent: false }, (incoming) => {
    const source = readEvents(outgoing, incoming)
    incoming.once('data', () => resolve(source))
    incoming.once('end', () => resolve(source))
  })
  outgoing.on('error', reject)
  outgoing.end()
  return promise
}

function readEvents(outgoing: ClientRequest, incoming: IncomingMessage): EventSource {
  const waiting: ServerEvent[] = []
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let [buffer, opening, lastId, wake] = ['', '', '', (): void => undefined]
  incoming.setEncoding('utf8').on('data', (text: string) => {
    buffer += text
    const blocks = buffer.split('\n\n')
    buffer = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = readBlock(block)
      if (event.event) waiting.push(event)
      else {
        opening += `${block}\n`
        lastId = event.id || lastId
      }
    }
    wake()
  })
  const stop = () => {
    end()
    wake()
  }
  // A cut connection is an end like any other.
  incoming.on('close', stop).on('error', stop)
  const next = async (): Promise<ServerEvent> => {
    const until = performance.now() + 10_000
    for (;;) {
      const event = waiting.shift()
      if (event) {
        lastId = event.id
        return event
      }
      if (incoming.destroyed || performance.now() > until) throw new Error('no event came')
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      const timer = setTimeout(resolve, 10_000)
      await promise
      clearTimeout(timer)
    }
  }
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    opening: () => opening,
    lastId: () => lastId,
    next,
    waiting: () => waiting.length,
    pause: () => void incoming.pause(),
    resume: () => void incoming.resume(),
    ended,
    close: () => void outgoing.destroy(),
  }
}

function readBlock(block: string): ServerEvent {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ')
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2))
  }
  const data = fields.get('data')
  return {
    id: fields.get('id') ?? '',
    event: fields.get('event') ?? '',
    data: data === undefined ? undefined : JSON.parse(data),
  }
}
