import { Readable } from 'node:stream'
import { failure } from '../../kernel/failure.ts'
import type { Call } from '../../kit/endpoint.ts'
import type { Exchange, Step } from '../exchange.ts'
import { streamBody } from '../listener/index.ts'

/** Step 4 under `/v1`: the policies of the token decide, also about paths nobody serves. */
export const authorizeByPolicy: Step = async (exchange) => {
  const { endpoint, match, caller, facts, deps } = exchange
  const access = (endpoint ?? match?.siblings[0])?.access
  if (access && access.kind !== 'acl') return checkRule(exchange)
  if (caller.kind !== 'token') throw failure('forbidden', 'acl.denied', 'permission denied')
  if (endpoint?.exists && exchange.operation === 'update') {
    const found = await endpoint.exists({ deps, request: facts, params: match?.params ?? {} })
    if (!found) exchange.operation = 'create'
  }
  const verdict = await deps.hooks.authorize(caller, {
    path: facts.path,
    operation: exchange.operation,
    sudo: access?.kind === 'acl' && access.sudo,
    fields: facts.fields,
    wrapTtl: exchange.wrapTtl,
  })
  exchange.verdict = verdict
  if (!verdict.allowed) throw failure('forbidden', 'acl.denied', 'permission denied')
}

/** Step 4 elsewhere: the endpoint's own rule over caller and resource. */
export const checkRule: Step = async (exchange) => {
  const access = exchange.endpoint?.access
  if (access?.kind === 'rule') exchange.subject = await access.check(callOf(exchange))
}

/** What rules and handlers are given. */
export function callOf(exchange: Exchange): Call {
  return {
    deps: exchange.deps,
    caller: exchange.caller,
    request: exchange.facts,
    params: exchange.match?.params ?? {},
    query: exchange.query as Record<string, unknown>,
    body: exchange.body,
    get signal() {
      return exchange.deadline.signal
    },
    warn: (text) => void exchange.warnings.push(text),
    stream: bodyStream(exchange),
    subject: exchange.subject,
  }
}

/** The body of an endpoint that reads it as a stream; it may take long in all, but not pause for long. */
function bodyStream({ endpoint, incoming, limits }: Exchange): Readable {
  if (endpoint?.body?.kind !== 'stream') return incoming
  const { maxBytes } = endpoint.body
  return Readable.from(streamBody(incoming, { maxBytes, idleMs: limits.bodyDeadlineMs }), { objectMode: false })
}
