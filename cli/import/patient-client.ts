import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { type Answer, type Call, type Client, TransientFailure } from '../connection/client.ts'
import { CliFailure } from '../io.ts'

/** How often one call is sent if the server answers each time that it is rate-limited. */
const mostTries = 100

/** How often one call is sent if the server answers none of them in time. A later one may find what it had to fetch. */
const mostTimeouts = 3

/** An answer, and whether an earlier attempt, whose answer was lost, may have been carried out. */
export type PatientAnswer = Answer & { readonly isRepeated: boolean }

/** A client that does not give up while a server limits requests or restarts. */
export type PatientClient = Omit<Client, 'ask'> & {
  ask(call: Call): Promise<PatientAnswer>
  /** Repeats work that only reads while the server cannot be reached. */
  persist<T>(work: () => Promise<T>): Promise<T>
}

/** How to wait for a server. */
type WaitOptions = {
  /** What it is called: `the target`. */
  readonly name: string
  readonly say: (line: string) => void
  /** How long in total, not counting the attempts themselves. */
  readonly limitMs?: number
  /** The first pause; each is twice as long as the one before. */
  readonly firstPauseMs?: number
}

const longestPauseMs = 8000

/** Makes a client patient. A server that never answered is not waited for: its address may be wrong. */
export function makePatient(client: Client, waiting: WaitOptions): PatientClient {
  let hasAnswered = false
  const persist = async <T>(work: () => Promise<T>, cutOff: () => void = () => undefined): Promise<T> => {
    let waitedMs = 0
    for (let timeouts = 1; ; ) {
      try {
        const result = await work()
        hasAnswered = true
        if (waitedMs > 0) waiting.say(`~ ${waiting.name} answers again`)
        return result
      } catch (thrown) {
        if (!hasAnswered) throw thrown
        if (isTimeout(thrown) && timeouts++ < mostTimeouts) {
          cutOff()
          waiting.say(`~ ${waiting.name} did not answer in time; asking again`)
        } else if (thrown instanceof TransientFailure) {
          if (!thrown.isUndone) cutOff()
          waitedMs += await pauseAfter(thrown, waitedMs, waiting)
        } else throw thrown
      }
    }
  }
  const ask = async (call: Call): Promise<PatientAnswer> => {
    // A stream that was sent cannot be sent again.
    if (call.body instanceof Readable) return { ...(await client.ask(call)), isRepeated: false }
    let isRepeated = false
    const cutOff = (): void => {
      isRepeated = true
    }
    return { ...(await persist(() => askWithinRateLimit(client, call), cutOff)), isRepeated }
  }
  return { ...client, persist, ask, call: async (call) => client.requireSuccess(call, await ask(call)) }
}

const isTimeout = (thrown: unknown): boolean =>
  thrown instanceof CliFailure && thrown.message.endsWith(' did not answer in time.')

/** Waits as long as in this outage so far: each pause is twice as long as all before. Returns how long it was. */
async function pauseAfter(fault: TransientFailure, waitedMs: number, waiting: WaitOptions): Promise<number> {
  const { name, say, limitMs = 60_000, firstPauseMs = 250 } = waiting
  if (waitedMs >= limitMs) {
    const text = `${fault.message}\n  ${capitalize(name)} did not come back within ${limitMs / 1000} seconds; run the import again, and it continues where it stopped.`
    throw new TransientFailure(text, fault)
  }
  if (waitedMs === 0) say(`~ waiting for ${name}: ${firstSentence(fault.message)}`)
  const pauseMs = Math.min(waitedMs + firstPauseMs, longestPauseMs, limitMs - waitedMs)
  await wait(pauseMs)
  return pauseMs
}

const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text
const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const unavailableStatuses: readonly number[] = [502, 503, 504]

/** Sends a call, at the pace that the server allows. */
async function askWithinRateLimit(client: Client, call: Call): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await client.ask(call)
    // The answer of a proxy whose server cannot be reached counts like a failed connection.
    if (unavailableStatuses.includes(answer.status)) return client.requireSuccess(call, answer)
    if (answer.status !== 429 || tries === mostTries) return answer
    await wait(rateLimitPause(answer))
  }
}

/** Servers of this API give fractions of a second in one header and whole seconds in the other. */
function rateLimitPause({ headers }: Answer): number {
  const seconds = Number(headers['x-ratelimit-reset'] ?? headers['retry-after'] ?? 1)
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0.01), 60) * 1000 : 1000
}
