import type { Acceptance } from '../../kernel/acceptance.ts'
import type { Awaitable } from '../../kernel/awaitable.ts'
import { runAfterPendingInput } from '../../kernel/event-loop.ts'
import { Failure, failure, textOf } from '../../kernel/failure.ts'
import type { AuditEvent } from '../../kit/audit-trail.ts'
import type { Exchange, GiveUp, Step } from '../exchange.ts'

const eventOf = (exchange: Exchange): AuditEvent => ({
  request: exchange.facts,
  endpoint: exchange.endpoint ??
    exchange.secretEndpoint ?? { api: exchange.address.api, path: `/${exchange.address.path}` },
  operation: exchange.operation,
  caller: exchange.caller,
  verdict: exchange.verdict,
  wrapTtl: exchange.facts.wrapTtl ?? 0,
  memo: exchange.auditMemo,
  reply: exchange.reply,
  warnings: exchange.warnings,
})

const isAudited = ({ deps, endpoint }: Exchange): boolean => deps.audit.active && !endpoint?.unaudited

type Recording = 'request' | 'response' | 'both'

function record(exchange: Exchange, what: Recording, event: AuditEvent): Acceptance {
  noteRecorded(exchange, what, 'given')
  return exchange.deps.audit[what](event).orElse((cause) => {
    noteRecorded(exchange, what, 'none')
    exchange.deps.log.error({ request: exchange.facts.id, error: textOf(cause) }, 'no audit device accepted the record')
    throw failure('internal', 'audit.not-recorded', 'internal error', { cause })
  })
}

function noteRecorded(exchange: Exchange, what: Recording, record: 'given' | 'none'): void {
  if (what !== 'response') exchange.requestRecord = record
  if (what !== 'request') exchange.isResponseAudited = record === 'given'
}

/**
 * Step 6: no record, no action. A request that only reads is recorded together with its answer, in one write, or at the end
 * of this turn of the event loop if it has not been answered by then.
 */
export const auditRequest = (giveUp: GiveUp): Step => {
  const recordByEndOfTurn = createRecordHolder(giveUp)
  return (exchange) => {
    if (!isAudited(exchange)) return
    if (!isPureRead(exchange)) return record(exchange, 'request', eventOf(exchange))
    recordByEndOfTurn(exchange)
  }
}

/** Nothing has changed and nothing will: no use of a token was counted, no wrapping token is made. */
const isPureRead = ({ operation, caller, facts }: Exchange): boolean =>
  (operation === 'read' || operation === 'list') &&
  facts.wrapTtl === undefined &&
  !(caller.kind === 'token' && caller.limitedUses)

function createRecordHolder(giveUp: GiveUp): (exchange: Exchange) => void {
  let held: Exchange[] = []
  const release = (): void => {
    const late = held.filter(({ requestRecord }) => requestRecord === 'held')
    held = []
    for (const exchange of late) {
      const recorded = record(exchange, 'request', eventOf(exchange)).promise()
      recorded.catch((thrown) => giveUp(exchange, thrown))
    }
  }
  return (exchange) => {
    exchange.requestRecord = 'held'
    if (held.push(exchange) === 1) runAfterPendingInput(release)
  }
}

/** Step 8, first half: no record, no answer. */
export const auditResponse: Step = (exchange) => {
  if (isAudited(exchange)) return recordAnswer(exchange, eventOf(exchange))
}

const recordAnswer = (exchange: Exchange, event: AuditEvent): Acceptance =>
  record(exchange, exchange.requestRecord === 'held' ? 'both' : 'response', event)

/** Records a request that was refused or failed, at whatever step. */
export function auditFailure(exchange: Exchange, thrown: unknown): Awaitable<void> {
  if (isAudited(exchange) && !exchange.isResponseAudited) return recordFailure(exchange, thrown)
}

async function recordFailure(exchange: Exchange, thrown: unknown): Promise<void> {
  const known = thrown instanceof Failure
  const error = known ? textWithCause(thrown) : 'internal error'
  const errorData = known ? thrown.extras.data : undefined
  const event = { ...eventOf(exchange), reply: undefined, warnings: undefined, error, errorData }
  if (exchange.requestRecord === 'none') await record(exchange, 'request', event).promise()
  await recordAnswer(exchange, event).promise()
}

/** The message for the caller, then its cause. */
function textWithCause({ message, cause }: Failure): string {
  const behind = textOf(cause ?? '')
  if (behind === '') return message
  return `${message}${message.endsWith('.') ? '' : ':'} ${behind}`
}
