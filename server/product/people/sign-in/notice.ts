import { signForUrl, verifySignedUrl } from '../../../crypto/signed-urls.ts'
import { secret } from '../../../kernel/secret.ts'
import type { Call } from '../../../kit/endpoint.ts'
import { type Html, html } from '../../../kit/html.ts'
import type { Session } from '../users/index.ts'
import { cookieFor, readCookie } from './cookies.ts'

/** What a page says once: what a form has done, or why it has done nothing. */
export type Notice = { readonly kind: 'done' | 'problem'; readonly text: string }

/** A notice that a page shows, and the cookie that makes it the only time. */
export type ShownNotice = Notice & { readonly removal: string }

/** Where a notice is shown: on one page, and in one session; null for a page that needs none. */
type Place = { readonly path: string; readonly session: Pick<Session, 'id'> | null }

type NoticeCall = Pick<Call, 'deps' | 'request'>

const noticeCookie = 'holdfast_notice'
const purpose = 'notice'

/** A redirect is followed at once; what waits longer belongs to a page that was never shown. */
const lifetimeMs = 60_000

/** The cookie that goes with a redirect, and lets the page at its end say something once. */
export function leaveNotice({ deps, request }: NoticeCall, { path, session }: Place, { kind, text }: Notice): string {
  const subject = JSON.stringify([path, session?.id ?? '', kind, text])
  return cookieFor(
    request,
    noticeCookie,
    signForUrl(deps, { purpose, subject, lifetimeMs }).reveal(),
    lifetimeMs / 1000,
  )
}

/** The notice that was left for the page which is asked for; undefined if there is none. */
export function noticeFor({ deps, request }: NoticeCall, session: Place['session']): ShownNotice | undefined {
  const token = readCookie(request, noticeCookie)
  const verdict = token === '' ? undefined : verifySignedUrl(deps, purpose, secret(token))
  if (!verdict?.ok) return undefined
  const [path, sessionId, kind, text] = JSON.parse(verdict.claim.subject) as [string, string, Notice['kind'], string]
  if (path !== `/${request.path}` || sessionId !== (session?.id ?? '')) return undefined
  return { kind, text, removal: cookieFor(request, noticeCookie, '', 0) }
}

/**
 * A notice as pages show it. It has the focus, so that screen readers begin with it and the next key goes on from it,
 * unless the page has a field to begin with.
 */
export function noticeText(notice: Notice | undefined, focus: 'focused' | 'not focused' = 'focused'): Html | undefined {
  if (!notice) return undefined
  const role = notice.kind === 'done' ? 'status' : 'alert'
  const focused = focus === 'focused' ? html` tabindex="-1" autofocus` : undefined
  return html`<p class="notice ${notice.kind}" id="notice" role="${role}"${focused}>${notice.text}</p>
`
}

/** Ties a field to the notice of its page. */
export const describedByNotice: Html = html` aria-describedby="notice"`

/** The header with which a page takes its notice away. */
export const noticeHeaders = (notice: ShownNotice | undefined): Record<string, string> =>
  notice ? { 'Set-Cookie': notice.removal } : {}
