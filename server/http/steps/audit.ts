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

async function write(exchange: Exchange, record: () => Promise<void>): Promise<void> {
  try {
    await record()
  } catch (error) {
    exchange.deps.log.error({ request: exchange.facts.id, error: textOf(error) }, 'audit record was taken by no device')
    throw failure('internal', 'audit.not-recorded', 'internal error', { cause: error })
  }
}

/** Step 6: no record, no action. */
export const auditRequest: Step = async (exchange) => {
  if (!isAudited(exchange)) return
  await write(exchange, () => exchange.deps.hooks.audit.request(eventOf(exchange)))
  exchange.auditedRequest = true
}

/** Step 8, first half: no record, no answer. */
export const auditResponse: Step = async (exchange) => {
  if (!isAudited(exchange)) return
  const { reply, status, warnings } = exchange
  await write(exchange, () => exchange.deps.hooks.audit.response({ ...eventOf(exchange), reply, status, warnings }))
  exchange.auditedResponse = true
}

/** Records a request that was refused or failed, at whatever step. */
export async function auditFailure(exchange: Exchange, thrown: unknown): Promise<void> {
  if (!isAudited(exchange) || exchange.auditedResponse) return
  const known = thrown instanceof Failure
  const error = known ? [thrown.message, textOf(thrown.cause ?? '')].filter(Boolean).join(': ') : 'internal error'
  const event: AuditEvent = { ...eventOf(exchange), error, errorData: known ? thrown.extras.data : undefined }
  await write(exchange, async () => {
    if (!exchange.auditedRequest) await exchange.deps.hooks.audit.request(event)
    await exchange.deps.hooks.audit.response(event)
  })
  exchange.auditedResponse = true
}
