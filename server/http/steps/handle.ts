import { failure } from '../../kernel/failure.ts'
import type { Deadline } from '../deadline.ts'
import type { Step } from '../exchange.ts'
import { callOf } from './authorize.ts'

/** Step 7: the endpoint's handler, within the time a request may take. */
export const handle: Step = async (exchange) => {
  const { endpoint, deadline, limits } = exchange
  if (!endpoint) throw failure('missing', 'route.missing', 'There is nothing at this address.')
  const milliseconds = endpoint.deadline ?? limits.requestDeadlineMs
  const answer = endpoint.handle(callOf(exchange))
  exchange.reply =
    answer instanceof Promise && milliseconds > 0 ? await within(answer, milliseconds, deadline) : await answer
}

/** Gives a handler its time, then tells it to stop and answers without it. */
function within<T>(work: Promise<T>, milliseconds: number, deadline: Deadline): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const late = tooLong()
      deadline.abort(late)
      reject(late)
    }, milliseconds)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

const tooLong = () =>
  failure('unavailable', 'request.deadline', 'The request took too long and was given up.', { retryAfter: 5 })
