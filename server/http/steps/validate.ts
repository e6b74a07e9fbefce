import type { TObject } from 'typebox'
import { parseFields } from '../../kit/fields.ts'
import type { Step } from '../exchange.ts'

const noQuery: Record<string, unknown> = {}

/** Step 5: query and body into the types the endpoint declares. */
export const validate: Step = (exchange) => {
  const { endpoint, facts } = exchange
  if (!endpoint) return
  const query = endpoint.query as TObject | undefined
  exchange.query = query ? parseFields(query, Object.fromEntries(facts.query)).value : noQuery
  if (endpoint.body?.kind !== 'json') return
  exchange.body = endpoint.body.parse(facts.fields as Record<string, unknown>, {
    warn: (text) => void exchange.warnings.push(text),
  })
}
