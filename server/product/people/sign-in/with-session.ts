import { type Call, open } from '../../../kit/endpoint.ts'
import type { Reply } from '../../../kit/reply.ts'
import type { Session } from '../users/index.ts'
import { leaveNotice, type Notice } from './notice.ts'
import { type PagePrefix, redirectTo } from './redirects.ts'
import { isStaleForm, isWrite, requireCsrf, sessionOf } from './session-cookie.ts'

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
  text: 'You were not signed in any more, so nothing was changed. Sign in, then send the form again.',
}

/** What a page says in place of doing what its form asks. */
export const shownBeforeSigningIn: Notice = {
  kind: 'problem',
  text: 'Nothing was changed: you signed in again after the page was shown. This is how it looks now.',
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
