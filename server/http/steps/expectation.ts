import { failure } from '../../kernel/failure.ts'
import type { Step } from '../exchange.ts'

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
