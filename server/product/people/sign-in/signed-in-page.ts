import type { Call } from '../../../kit/endpoint.ts'
import { type Html, html } from '../../../kit/html.ts'
import { navigationFor, type Page, type PageExtras, page } from '../../../kit/page.ts'
import { csrfTokenOf, type Session } from '../users/index.ts'
import { noticeFor, noticeHeaders, noticeText, type ShownNotice } from './notice.ts'

/** The person who looks at a page, and what its forms send. */
export type Viewer = {
  readonly prefix: string
  readonly username: string
  readonly csrf: string
  /** What the page says first, once. */
  readonly notice: ShownNotice | undefined
}

/** The viewer of pages below a prefix, in this session. */
export const viewerOf = (call: Pick<Call, 'deps' | 'request'>, session: Session, prefix: string): Viewer => ({
  prefix,
  username: session.username,
  csrf: csrfTokenOf(call.deps, session),
  notice: noticeFor(call, session),
})

/** What a page has beside its title and body, and the link of the navigation that it belongs to. */
type SignedInExtras = Omit<PageExtras, 'navigation'> & { readonly section?: Parameters<typeof navigationFor>[0] }

/** The hidden field that proves that a form is ours. */
export const csrfField = ({ csrf }: Viewer): Html => html`<input type="hidden" name="csrf" value="${csrf}">`

/**
 * A page for people who are signed in: it links to the other pages, shows who is signed in, and has a way to sign out.
 */
export function signedInPage(
  viewer: Viewer,
  title: string,
  body: Html,
  { section, ...extras }: SignedInExtras = {},
): Page {
  const navigation = html`${navigationFor(section)}
<form class="who" method="post" action="${viewer.prefix}/sign-out">${csrfField(viewer)}
<span>Signed in as <strong>${viewer.username}</strong></span> <button class="quiet">Sign out</button></form>`
  const { notice } = viewer
  const headers = { ...extras.headers, ...noticeHeaders(notice) }
  return page(title, html`${noticeText(notice)}${body}`, { ...extras, headers, navigation })
}
