import { unescape as percentDecoded } from 'node:querystring'
import type { HeaderMap, Request } from './exchange.ts'
import { problem } from './problems.ts'

/** Headers that may follow a redirect to another origin; all others could be credentials. */
const safeHeaders: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type', 'user-agent'])

/** Reads a URL and removes the credentials from it: they become a header, and appear in no text. */
export function readUrl(text: string, given: Readonly<Record<string, string>> = {}): { url: URL; headers: HeaderMap } {
  const url = parse(text)
  const headers: Record<string, string> = { 'user-agent': 'holdfast' }
  for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = value
  if (url.username !== '' || url.password !== '') {
    const pair = `${percentDecoded(url.username)}:${percentDecoded(url.password)}`
    headers.authorization ??= `Basic ${Buffer.from(pair).toString('base64')}`
  }
  return { url: withoutCredentials(url), headers }
}

/** The next request of a redirect (RFC 9110 §15.4). The address of its host is checked like that of the first. */
export function nextRequest(from: Request, { status, location }: { status: number; location: string }): Request {
  const url = withoutCredentials(parse(location, from.url))
  if (from.url.protocol === 'https:' && url.protocol === 'http:') {
    throw problem('downgrade', `${from.url.origin} redirects from https to http, which is not followed.`)
  }
  const keeps = status === 307 || status === 308 || from.method === 'GET'
  const sameOrigin = url.origin === from.url.origin
  const headers = Object.entries(from.headers).filter(([name]) => sameOrigin || safeHeaders.has(name))
  return {
    url,
    method: keeps ? from.method : 'GET',
    body: keeps ? from.body : undefined,
    headers: Object.fromEntries(headers.filter(([name]) => keeps || name !== 'content-type')),
  }
}

/** The thrown TypeError would carry the whole text, so it is not kept as the cause. */
function parse(text: string, base?: URL): URL {
  if (!URL.canParse(text, base)) {
    const text = 'This is not a URL. Write the whole address, such as https://example.com/list.crl.'
    throw problem('bad-url', base ? `${base.origin} redirects to something that is not a URL.` : text)
  }
  const url = new URL(text, base)
  if (url.protocol === 'http:' || url.protocol === 'https:') return url
  throw problem('scheme', `Only http and https are called, not '${url.protocol.slice(0, -1).slice(0, 20)}'.`)
}

function withoutCredentials(url: URL): URL {
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  return bare
}
