import type { RequestFacts } from '../../../kit/endpoint.ts'

/**
 * Sets a cookie; with an empty text it is removed. Only our own pages send it (SameSite), scripts cannot read it, and it
 * stays on TLS if people use TLS.
 */
export function cookieFor(
  request: Pick<RequestFacts, 'tls' | 'origin'>,
  name: string,
  text: string,
  seconds: number,
): string {
  const secure = isOverTls(request) ? '; Secure' : ''
  return `${name}=${text}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}

/** A proxy in front of us may terminate TLS; then the configured address decides. */
const isOverTls = ({ tls, origin }: Pick<RequestFacts, 'tls' | 'origin'>): boolean => tls || origin.startsWith('https:')

/** The text of a cookie of a request; empty if there is none. */
export function readCookie(request: Pick<RequestFacts, 'headers'>, name: string): string {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const mark = pair.indexOf('=')
    if (mark > 0 && pair.slice(0, mark).trim() === name) return pair.slice(mark + 1).trim()
  }
  return ''
}
