import { type Call, open } from '../../kit/endpoint.ts'
import type { Reply } from '../../kit/reply.ts'
import type { Session } from '../users/index.ts'
import { requireCsrf, sessionOf } from './session-cookie.ts'
import { type PagePrefix, redirectTo } from './sign-in-endpoints.ts'

/** The access of pages for people who are signed in. */
export const signInFirst: ReturnType<typeof open> = open('Redirects to the sign-in page without a session.')

/** What a request comes with, and what people see who are not signed in. */
export type SessionOptions = {
  /** A form has to come with the proof that it is ours. */
  readonly csrf?: string | undefined
  /** The answer to people who are not signed in, instead of a redirect to the sign-in page. */
  readonly askToSignIn?: (page: string) => Reply
}

/** Runs for people who are signed in; others sign in first and come back to the page, a path below the prefix. */
export async function withSession(
  { deps, request }: Pick<Call, 'deps' | 'request'>,
  prefix: PagePrefix,
  path: string,
  run: (session: Session) => Promise<Reply>,
  {
    csrf,
    askToSignIn = (page) => redirectTo(`${prefix}/sign-in?next=${encodeURIComponent(page)}`),
  }: SessionOptions = {},
): Promise<Reply> {
  const session = await sessionOf(deps, request)
  if (!session) return askToSignIn(`${prefix}${path}`)
  requireCsrf(deps, request, session, csrf)
  return await run(session)
}
