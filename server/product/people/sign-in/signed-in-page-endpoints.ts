import { type Call, type Endpoint, endpoint, open } from '../../../kit/endpoint.ts'
import { type Html, html } from '../../../kit/html.ts'
import { navigationFor, type Page, type PageExtras, page } from '../../../kit/page.ts'
import { nothing, type Reply } from '../../../kit/reply.ts'
import { csrfTokenOf, type Session } from '../users/index.ts'
import {
  isStaleForm,
  isWrite,
  leaveNotice,
  type Notice,
  noticeFor,
  noticeHeaders,
  noticeText,
  requireCsrf,
  type ShownNotice,
  sessionOf,
} from './session-cookie-endpoints.ts'

/** Pages exist below both prefixes that people type. */
export const pagePrefixes = ['/app', '/ui'] as const

/** One of the prefixes of pages. */
export type PagePrefix = (typeof pagePrefixes)[number]

/** The part of an address that a parameter of the path stands for. */
const encoded = (params: Readonly<Record<string, string | undefined>>, path: string): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

/**
 * Leads from an address that people type, or that is left in the browser after a form was answered with a refusal, to the
 * page that they mean.
 */
export const leadToPage = (
  route: `/${string}`,
  page: `/${string}`,
  params: Endpoint['params'],
): ReturnType<typeof endpoint> =>
  endpoint({
    id: `sign-in.page-of${route.replace(/[/:]+/g, '.')}`,
    route: `GET ${route}`,
    summary: 'Redirect to the page that this address stands for.',
    access: open('It only says where the page is.'),
    params: params ?? {},
    returns: { 303: null },
    handle: (call) => redirectTo(encoded(call.params, page)),
  })

/** Redirects the browser. */
export const redirectTo = (path: string, cookie?: string): Reply =>
  nothing(303, { Location: path, 'Cache-Control': 'no-store', ...(cookie ? { 'Set-Cookie': cookie } : {}) })

/** The access of pages for people who are signed in. */
export const signInFirst: ReturnType<typeof open> = open('Redirects to the sign-in page without a session.')

/** What a request comes with, and what people see who are not signed in. */
export type SessionOptions = {
  /** A form has to come with the proof that it is ours. */
  readonly csrf?: string | undefined
  /** The answer to people who are not signed in, instead of a redirect to the sign-in page. */
  readonly askToSignIn?: (page: string) => Reply
}

const signedOut: Notice = {
  kind: 'problem',
  text: 'Your session had ended, so nothing was changed. Sign in, then send the form again.',
}

/** What a page says in place of doing what its form asks. */
export const shownBeforeSigningIn: Notice = {
  kind: 'problem',
  text: 'Nothing was changed, because you signed in again after the page was shown. This is its current state.',
}

/** Leads to the sign-in page, and from there to a page; whoever sent a form learns that it was not heard. */
function toSignIn(call: Pick<Call, 'deps' | 'request'>, prefix: PagePrefix, page: string): Reply {
  const path = `${prefix}/sign-in`
  const cookie = isWrite(call.request) ? leaveNotice(call, { path, session: null }, signedOut) : undefined
  return redirectTo(`${path}?next=${encodeURIComponent(page)}`, cookie)
}

/** Runs for people who are signed in; others sign in first and come back to the page, a path below the prefix. */
export async function withSession(
  call: Pick<Call, 'deps' | 'request'>,
  prefix: PagePrefix,
  path: string,
  run: (session: Session) => Promise<Reply>,
  { csrf, askToSignIn = (page) => toSignIn(call, prefix, page) }: SessionOptions = {},
): Promise<Reply> {
  const { deps, request } = call
  const session = await sessionOf(deps, request)
  const page = `${prefix}${path}`
  if (!session) return askToSignIn(page)
  if (isStaleForm(deps, request, session, csrf))
    return redirectTo(page, leaveNotice(call, { path: page, session }, shownBeforeSigningIn))
  requireCsrf(deps, request, session, csrf)
  return await run(session)
}

/** What went wrong, and the status of the page that says so. */
export type Problem = { readonly text: string; readonly status: number; readonly headers?: Record<string, string> }

/** What went wrong, above the form that it is about; nothing if all is well. */
export const problemText = (problem: string | undefined): Html =>
  problem === undefined ? html`` : html`<p class="problem" role="alert" id="problem">${problem}</p>`

/** Ties a field to the problem of its form, so that screen readers say it where the next attempt begins. */
export const tiedToProblem = (concerned: boolean): Html | undefined =>
  concerned ? html` aria-invalid="true" aria-describedby="problem"` : undefined

/** Screen readers say the title of a page first, so that it begins with the bad news. */
export const windowTitleOf = (title: string, problem: Problem | undefined): string =>
  problem ? `Error: ${title}` : title

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
