import { failure } from '../../kernel/failure.ts'
import type { Step } from '../exchange.ts'

const toGoOn = /(?:^|\W)100-continue(?:$|\W)/i

/**
 * RFC 9110 §10.1.1: what a client expects beside being told to go on is not met here; HTTP/1.0 knows no expectations. Asked
 * when the route is known, since paths with secrets are not written down as they are.
 */
export const requireKnownExpectation: Step = ({ incoming }) => {
  const { expect } = incoming.headers
  if (expect === undefined || toGoOn.test(expect) || incoming.httpVersion === '1.0') return
  throw failure(
    'unmet-expectation',
    'request.expectation',
    'The header Expect can ask for 100-continue and nothing else.',
  )
}
