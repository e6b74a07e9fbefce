import { html } from '../kit/html.ts'
import { navigationFor, page, pagePolicy, startAddress } from '../kit/page.ts'
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

/** Why a page cannot be shown for lack of keys. */
export type SealedPage = 'uninitialised' | 'sealed'

const docsText = html`<p>The <a href="/docs">documentation of the API</a> is shown meanwhile.</p>`

/** Nobody but an operator can do anything about it. */
const sealedTexts = {
  uninitialised: {
    title: 'Holdfast is not initialised',
    text: html`<p>It has neither keys nor data yet. An operator creates the keys with <code>PUT /v1/sys/init</code> and unseals
it with the key shares of the answer.</p>${docsText}`,
  },
  sealed: {
    title: 'Holdfast is sealed',
    text: html`<p>It cannot read its own data until an operator unseals it with key shares, or restarts it if it unseals
itself. Nothing is lost. Try again later.</p>${docsText}`,
  },
}

/** The page in place of one that cannot be shown. */
export function renderFailurePage(
  status: number,
  texts: readonly string[],
  headers: WireResponse['headers'],
  sealed?: SealedPage,
): WireResponse {
  const told = html`${texts.map((text) => html`<p>${text}</p>`)}`
  // Whether somebody is signed in is not looked up for a refusal; the links lead there by way of the sign-in page.
  const { contentType, body } = sealed
    ? page(sealedTexts[sealed].title, sealedTexts[sealed].text)
    : page(
        failureTitles[status] ?? 'This did not work',
        html`${told}<p><a href="${startAddress}">Go to the start page</a></p>`,
        status < 500 ? { navigation: navigationFor() } : {},
      )
  return { status, headers: { ...headers, ...pageHeaders, 'Content-Type': contentType }, body }
}
