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
})

const isAudited = ({ deps, endpoint }: Exchange): boolean => deps.hooks.audit.active && !endpoint?.unaudited

function notRecorded(exchange: Exchange, cause: unknown): never {
  exchange.deps.log.error({ request: exchange.facts.id, error: textOf(cause) }, 'audit record was taken by no device')
  throw failure('internal', 'audit.not-recorded', 'internal error', { cause })
}

/** Step 6: no record, no action. */
export const auditRequest: Step = (exchange) => {
  if (!isAudited(exchange)) return
  const recorded = () => {
    exchange.auditedRequest = true
  }
  return exchange.deps.hooks.audit.request(eventOf(exchange)).then(recorded, (thrown) => notRecorded(exchange, thrown))
}

/** Step 8, first half: no record, no answer. */
export const auditResponse: Step = (exchange) => {
  if (!isAudited(exchange)) return
  const { reply, status, warnings } = exchange
  const recorded = () => {
    exchange.auditedResponse = true
  }
  return exchange.deps.hooks.audit
    .response({ ...eventOf(exchange), reply, status, warnings })
    .then(recorded, (thrown) => notRecorded(exchange, thrown))
}

/** Records a request that was refused or failed, at whatever step. */
export async function auditFailure(exchange: Exchange, thrown: unknown): Promise<void> {
  if (!isAudited(exchange) || exchange.auditedResponse) return
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
