import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { Answer, Call, Client } from '../client.ts'

/** How often one call is sent when the server says each time that it comes too soon. */
const mostTries = 100

/** A client that slows down when a server limits how often it may be asked, instead of giving up. */
export function patient(client: Client): Client {
  const ask = async (call: Call): Promise<Answer> => {
    for (let tries = 1; ; tries++) {
      const answer = await client.ask(call)
      // A stream that was sent cannot be sent again.
      if (answer.status !== 429 || tries === mostTries || call.body instanceof Readable) return answer
      await wait(pauseBefore(answer))
    }
  }
  return { ...client, ask, call: async (call) => client.accept(call, await ask(call)) }
}

/** Servers of this API tell parts of a second in one header and whole seconds in the other. */
function pauseBefore({ headers }: Answer): number {
  const seconds = Number(headers['x-ratelimit-reset'] ?? headers['retry-after'] ?? 1)
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0.01), 60) * 1000 : 1000
}
