import { Failure, failure, textOf } from '../../kernel/failure.ts'
import type { AuditEvent } from '../../kit/audit-trail.ts'
import type { Exchange, Step } from '../exchange.ts'

const eventOf = (exchange: Exchange): AuditEvent => ({
  request: exchange.facts,
  endpoint: exchange.endpoint ?? { api: exchange.address.api, path: `/${exchange.address.path}` },
  operation: exchange.operation,
  caller: exchange.caller,
  verdict: exchange.verdict,
  wrapTtl: exchange.wrapTtl ?? 0,
  memo: exchange.auditMemo,
})

const isAudited = ({ deps, endpoint }: Exchange): boolean => deps.hooks.audit.active && !endpoint?.unaudited

function notRecorded(exchange: Exchange, cause: unknown): never {
  exchange.deps.log.error({ request: exchange.facts.id, error: textOf(cause) }, 'audit record was taken by no device')
  throw failure('internal', 'audit.not-recorded', 'internal error', { cause })
}

/** Most devices take a record at once, so that nobody waits; what has to be waited for is waited for. */
function record(exchange: Exchange, write: () => Promise<void> | void, recorded: () => void): Promise<void> | void {
  let pending: Promise<void> | void
  try {
    pending = write()
  } catch (thrown) {
    notRecorded(exchange, thrown)
  }
  if (pending) return pending.then(recorded, (thrown) => notRecorded(exchange, thrown))
  recorded()
}

/** Step 6: no record, no action. */
export const auditRequest: Step = (exchange) => {
  if (!isAudited(exchange)) return
  const write = () => exchange.deps.hooks.audit.request(eventOf(exchange))
  return record(exchange, write, () => {
    exchange.auditedRequest = true
  })
}

/** Step 8, first half: no record, no answer. */
export const auditResponse: Step = (exchange) => {
  if (!isAudited(exchange)) return
  const { reply, status, warnings } = exchange
  const write = () => exchange.deps.hooks.audit.response({ ...eventOf(exchange), reply, status, warnings })
  return record(exchange, write, () => {
    exchange.auditedResponse = true
  })
}

/** Records a request that was refused or failed, at whatever step. */
export function auditFailure(exchange: Exchange, thrown: unknown): Promise<void> | void {
  if (isAudited(exchange) && !exchange.auditedResponse) return recordFailure(exchange, thrown)
}

async function recordFailure(exchange: Exchange, thrown: unknown): Promise<void> {
  const known = thrown instanceof Failure
  const error = known ? [thrown.message, textOf(thrown.cause ?? '')].filter(Boolean).join(': ') : 'internal error'
  const event: AuditEvent = { ...eventOf(exchange), error, errorData: known ? thrown.extras.data : undefined }
  try {
    if (!exchange.auditedRequest) await exchange.deps.hooks.audit.request(event)
    await exchange.deps.hooks.audit.response(event)
  } catch (unrecorded) {
    notRecorded(exchange, unrecorded)
  }
  exchange.auditedResponse = true
}
