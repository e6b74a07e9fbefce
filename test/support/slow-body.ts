import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** A write whose body comes late. */
type SlowWrite = {
  readonly url: string
  readonly token: string
  readonly body: object
  /** What happens while the server waits for the body. */
  readonly meanwhile?: () => Promise<unknown>
}

/** Sends a write; its body follows a while after `meanwhile` is done. Returns the status of the answer. */
export async function sendSlowly({ url, token, body, meanwhile }: SlowWrite): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', expect: '100-continue' }
  const outgoing = request(url, { method: 'POST', headers })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  outgoing.flushHeaders()
  await once(outgoing, 'continue')
  await meanwhile?.()
  await sleep(150)
  outgoing.end(JSON.stringify(body))
  const [answer] = await answered
  answer.resume()
  return answer.statusCode ?? 0
}
