import type { Exchange } from './exchange.ts'
import type { Wire } from './send.ts'

/** Pages load nothing from elsewhere and run no inline script. */
const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
} as const

/** The answer of a page or of a plain site route. */
export function renderSite(exchange: Exchange): Wire {
  const { reply, status, facts } = exchange
  const extra = { 'X-Request-Id': facts.id, ...(reply?.headers ?? {}) }
  switch (reply?.kind) {
    case 'bytes':
      return { status, headers: { ...pageHeaders, 'Content-Type': reply.contentType, ...extra }, body: reply.body }
    case 'bare':
      return {
        status,
        headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...extra },
        body: JSON.stringify(reply.body),
      }
    case 'document':
    case 'data':
      throw new Error(`Site routes do not answer with a ${reply.kind}`)
    default:
      return { status, headers: extra }
  }
}
