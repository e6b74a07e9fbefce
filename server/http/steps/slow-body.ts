import { Acceptance } from '../../kernel/acceptance.ts'
import { isOutdated } from '../../kit/freshness.ts'
import type { Exchange, Step } from '../exchange.ts'

/**
 * Makes checks once more if the body was slow. Meanwhile, another process may have revoked the token, rotated keys or
 * enabled an audit device, and the request would be handled as of the time when it began.
 */
export const afterSlowBody =
  (...checks: readonly Step[]): Step =>
  (exchange) =>
    isOutdated(exchange.deps.clock, exchange.startedAt) ? repeat(checks, exchange) : undefined

async function repeat(checks: readonly Step[], exchange: Exchange): Promise<void> {
  for (const check of checks) {
    const pending = check(exchange)
    await (pending instanceof Acceptance ? pending.promise() : pending)
  }
}
