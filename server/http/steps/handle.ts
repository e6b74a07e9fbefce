import { runAfterPendingInput } from '../../kernel/event-loop.ts'
import { failure } from '../../kernel/failure.ts'
import type { Endpoint } from '../../kit/endpoint.ts'
import { type Reply, streamOf } from '../../kit/reply.ts'
import { rehearse } from '../../storage/rehearsal.ts'
import { callOf } from '../call.ts'
import type { Exchange, GiveUp, Step } from '../exchange.ts'

/** Step 7: the endpoint's handler, within the time a request may take. */
export const handleWithDeadline = (giveUp: GiveUp): Step => {
  const limit = createDeadlineTimers(giveUp)
  return (exchange) => {
    const { endpoint } = exchange
    if (!endpoint) throw failure('missing', 'route.missing', 'There is nothing at this address.')
    const answer = isTrial(exchange) ? handleOnTrial(exchange, endpoint) : endpoint.handle(callOf(exchange))
    if (!(answer instanceof Promise)) return setReply(exchange, answer)
    limit(exchange, endpoint.deadline ?? exchange.limits.requestDeadlineMs)
    return answer.then((reply) => setReply(exchange, reply))
  }
}

/** The header by which callers ask what a write would do (RFC 7240, section 4.4 has other values of `handling`). */
const preference = 'handling=validate'

/** True for a write under `/api/v2` that is to be tried only. */
const isTrial = ({ address, operation, facts }: Exchange): boolean =>
  operation !== 'read' &&
  address.api === 'api/v2' &&
  /(^|[,;])\s*handling\s*=\s*"?validate"?\s*($|[,;])/i.test(facts.headers.prefer?.toString() ?? '')

/** Answers what the endpoint would answer, and changes nothing. */
async function handleOnTrial(exchange: Exchange, endpoint: Endpoint): Promise<Reply> {
  const { deps, address } = exchange
  const why = whyNotOnTrial(endpoint, address.query)
  if (why !== undefined) {
    const text = `This cannot be tried with 'Prefer: ${preference}', since ${why}. Nothing was changed.`
    throw failure('malformed', 'prefer.unsupported', text)
  }
  const reply = await rehearse(deps.store, (store) =>
    endpoint.handle(callOf(exchange, { ...deps, store, db: store.db, reads: store.reads })),
  )
  exchange.warnings.push(`Nothing was changed: 'Prefer: ${preference}' only asks what would happen.`)
  return { ...reply, headers: { ...reply.headers, 'Preference-Applied': preference } }
}

function whyNotOnTrial({ body, waits, notRehearsed }: Endpoint, query: URLSearchParams): string | undefined {
  if (body?.kind === 'stream') return 'it stores what is uploaded'
  return waits && query.has('wait') ? 'it waits for others' : notRehearsed
}

function setReply(exchange: Exchange, reply: Reply): void {
  exchange.reply = reply
  if (reply.kind === 'bare') exchange.refusal = reply.refusal
  const stream = streamOf(reply)
  // Sending may have to wait for the audit record. Until it begins nobody else listens, and an error would end the process.
  stream?.on('error', () => undefined)
  if (exchange.isAnswered) stream?.destroy()
}

/**
 * Most handlers are done within the turn of the event loop they began in. Only for those that are not, a timer is set; when
 * it runs out, the handler is told to stop and the request is answered without it.
 */
function createDeadlineTimers(giveUp: GiveUp): (exchange: Exchange, milliseconds: number) => void {
  let begun: { exchange: Exchange; milliseconds: number }[] = []
  const watch = (): void => {
    const batch = begun
    begun = []
    for (const { exchange, milliseconds } of batch) {
      if (exchange.reply || exchange.isAnswered) continue
      const timer = setTimeout(() => {
        if (!exchange.reply && !exchange.isAnswered) giveUp(exchange, deadlineExceeded())
      }, milliseconds)
      exchange.outgoing.once('close', () => clearTimeout(timer))
    }
  }
  return (exchange, milliseconds) => {
    if (milliseconds > 0 && begun.push({ exchange, milliseconds }) === 1) runAfterPendingInput(watch)
  }
}

const deadlineExceeded = () =>
  failure(
    'unavailable',
    'request.deadline',
    'The request took too long and was cancelled; try again later, or request less.',
    { retryAfter: 5 },
  )
