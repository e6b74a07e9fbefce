import type { TObject } from 'typebox'
import type { Endpoint, QueryShape } from '../../kit/endpoint.ts'
import { parseFields } from '../../kit/fields.ts'
import type { Step } from '../exchange.ts'

const noQuery: Readonly<Record<string, unknown>> = Object.freeze({})

/** Step 5: query and body into the types the endpoint declares. */
export const validate: Step = (exchange) => {
  const { endpoint, facts } = exchange
  if (!endpoint) return
  exchange.query = readQuery(endpoint.query, facts.query)
  if (endpoint.body?.kind !== 'json') return
  exchange.body = endpoint.body.parse(exchange.verbatimBody ?? (facts.fields as Record<string, unknown>), {
    warn: (text) => void exchange.warnings.push(text),
  })
}

function readQuery(declared: Endpoint['query'], sent: URLSearchParams): unknown {
  if (!declared) return noQuery
  if ('parse' in declared) return (declared as QueryShape<unknown>).parse(sent)
  return parseFields(declared as TObject, Object.fromEntries(sent)).value
}
