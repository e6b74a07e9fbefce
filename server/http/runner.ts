import { type Failure, failure } from '../kernel/failure.ts'
import { Type } from '../kit/endpoint.ts'
import { failureShapes } from '../kit/jsonapi/index.ts'
import type { Exchange, Step } from './exchange.ts'
import type { WireResponse } from './send.ts'

/** The header by which both sides say which version of the protocol they speak. */
const protocolHeader = 'Holdfast-Runner-Protocol'
const protocol = '1'

/** Refuses runners that speak a version which this server does not know. A client that says nothing speaks ours. */
export const requireProtocol: Step = ({ facts }) => {
  const sent = facts.headers[protocolHeader.toLowerCase()]?.toString().trim() ?? protocol
  if (sent.split('.', 1)[0] === protocol) return
  const text = `This server speaks version ${protocol} of the protocol of runners, not ${sent.slice(0, 20)}: use a runner of its release.`
  throw failure('other-protocol', 'protocol', text, { data: { supported: { from: protocol, to: protocol } } })
}

/** The body of a refusal of `/api/runner/v1`. */
export const RunnerRefusal = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.String({ description: 'For programs.' }),
        message: Type.String({ description: 'For people: what was wrong, and what to do.' }),
        retry_after_ms: Type.Optional(Type.Integer({ description: 'When to try again, in milliseconds.' })),
      },
      { additionalProperties: true },
    ),
  },
  { title: 'RunnerRefusal' },
)

/** Bodies that cannot be read as what they should be are the same to a runner, whatever is wrong with them. */
const statusOf = ({ kind }: Failure): number =>
  kind === 'no-space' ? 503 : kind === 'unsupported-operation' ? 405 : failureShapes[kind].status

/** The status and body of a failure; what a program has to know besides its code stands beside it. */
export function renderRunnerFailure(failed: Failure): { status: number; body: object } {
  const { data, retryAfter } = failed.extras
  const message =
    failed.kind === 'internal' ? 'Something went wrong here; the request id helps to find it.' : failed.message
  const wait = retryAfter === undefined ? {} : { retry_after_ms: retryAfter * 1_000 }
  return { status: statusOf(failed), body: { error: { code: failed.code, message, ...wait, ...data } } }
}

const headersOf = ({ facts }: Exchange): Record<string, string> => ({
  [protocolHeader]: protocol,
  'X-Request-Id': facts.id,
  'Cache-Control': 'no-store',
})

/** A refusal as it goes over the wire. */
export function runnerRefusal(exchange: Exchange, failed: Failure): WireResponse {
  const { status, body } = renderRunnerFailure(failed)
  const headers = {
    ...headersOf(exchange),
    'Content-Type': 'application/json',
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...(failed.extras.retryAfter ? { 'Retry-After': String(failed.extras.retryAfter) } : {}),
  }
  return { status, headers, body: JSON.stringify(body) }
}

/** An answer as it goes over the wire: plain JSON, or bytes. */
export function renderRunner(exchange: Exchange): WireResponse {
  const { reply, status } = exchange
  const headers = { ...headersOf(exchange), ...reply?.headers }
  if (reply?.kind === 'bytes')
    return { status, headers: { ...headers, 'Content-Type': reply.contentType }, body: reply.body }
  if (reply?.kind === 'bare')
    return { status, headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(reply.body) }
  if (reply && reply.kind !== 'nothing') throw new Error(`Runners are not answered with a ${reply.kind}`)
  return { status, headers }
}
