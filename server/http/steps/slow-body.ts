import { Acceptance } from '../../kernel/acceptance.ts'
import { failure } from '../../kernel/failure.ts'
import { isOutdated } from '../../kit/still-allowed.ts'
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

const continueExpectation = /(?:^|\W)100-continue(?:$|\W)/i

/**
 * RFC 9110 §10.1.1: the only expectation that is met here is `100-continue`; HTTP/1.0 has none. Checked once the route is
 * known, since a refusal is logged, and logs must not show the path of a route that holds a secret.
 */
export const requireKnownExpectation: Step = ({ incoming }) => {
  const { expect } = incoming.headers
  if (expect === undefined || continueExpectation.test(expect) || incoming.httpVersion === '1.0') return
  throw failure('unmet-expectation', 'request.expectation', 'The header Expect can contain only 100-continue.')
}
