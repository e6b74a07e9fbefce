import { Failure, type FailureKind } from '../../kernel/failure.ts'
import type { Call, RuleAccess } from '../../kit/endpoint.ts'
import type { Reply } from '../../kit/reply.ts'
import {
  type PagePrefix,
  personOf,
  redirectTo,
  requireCsrf,
  sessionOf,
  type Viewer,
  viewerOf,
} from '../sign-in/index.ts'

/** What a request comes with, and what people see who are not signed in. */
type SignedInOptions = {
  /** A form has to come with the proof that it is ours. */
  readonly csrf?: string
  /** The answer to people who are not signed in, instead of a redirect to the sign-in page. */
  readonly askToSignIn?: (page: string) => Reply
}

/** Runs for people who are signed in; others sign in first and come back to the page, a path below the prefix. */
export async function whenSignedIn(
  call: Call,
  prefix: PagePrefix,
  path: string,
  run: (call: Call, viewer: Viewer) => Promise<Reply>,
  {
    csrf,
    askToSignIn = (page) => redirectTo(`${prefix}/sign-in?next=${encodeURIComponent(page)}`),
  }: SignedInOptions = {},
): Promise<Reply> {
  const session = await sessionOf(call.deps, call.request)
  if (!session) return askToSignIn(`${prefix}${path}`)
  requireCsrf(call.deps, call.request, session, csrf)
  return await run({ ...call, caller: personOf(session) }, viewerOf(call.deps, session, prefix))
}

const unreachableKinds: ReadonlySet<FailureKind> = new Set(['forbidden', 'missing', 'refused'])

/**
 * What a rule finds; undefined if it does not exist for the caller, or if the way the caller signed in does not allow
 * it.
 */
export async function findByRule<S>(rule: RuleAccess<S>, call: Call): Promise<S | undefined> {
  try {
    return await rule.check(call)
  } catch (thrown) {
    if (thrown instanceof Failure && unreachableKinds.has(thrown.kind)) return undefined
    throw thrown
  }
}
