import { html } from '../kit/html.ts'
import { page, pagePolicy, startAddress } from '../kit/page.ts'
import type { Exchange } from './exchange.ts'
import type { WireResponse } from './send.ts'

const pageHeaders = {
  'Content-Security-Policy': pagePolicy(),
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
} as const

/** The answer of a page or of a plain site route. */
export function renderSite(exchange: Exchange): WireResponse {
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

const failureTitles: Readonly<Record<number, string>> = {
  403: 'This was refused',
  404: 'There is nothing here',
  429: 'Too many requests',
  503: 'Not available at the moment',
}

/** True if a browser asks for something to show: people read pages, not JSON. */
export const wantsPage = ({ address, facts }: Exchange): boolean =>
  address.api === 'site' && /\btext\/html\b/.test(facts.headers.accept ?? '')

/** The page in place of one that cannot be shown. */
export function renderFailurePage(
  status: number,
  texts: readonly string[],
  headers: WireResponse['headers'],
): WireResponse {
  const { contentType, body } = page(
    failureTitles[status] ?? 'This did not work',
    html`${texts.map((text) => html`<p>${text}</p>`)}<p><a href="${startAddress}">Go to the start page</a></p>`,
  )
  return { status, headers: { ...headers, ...pageHeaders, 'Content-Type': contentType }, body }
}
