import { Failure, type FailureKind } from '../../../kernel/failure.ts'
import type { Call, RuleAccess } from '../../../kit/endpoint.ts'
import { failureShapes } from '../../../kit/jsonapi/index.ts'
import type { Reply } from '../../../kit/reply.ts'
import {
  type PagePrefix,
  type Problem,
  personOf,
  type SessionOptions,
  type Viewer,
  viewerOf,
  withSession,
} from '../../people/sign-in/index.ts'
import type { Session } from '../../people/users/index.ts'

/** Runs as the person who is signed in; others sign in first and come back to the page, a path below the prefix. */
export const whenSignedIn = (
  call: Call,
  prefix: PagePrefix,
  path: string,
  run: (call: Call, viewer: Viewer, session: Session) => Promise<Reply>,
  options?: SessionOptions,
): Promise<Reply> =>
  withSession(
    call,
    prefix,
    path,
    (session) => run({ ...call, caller: personOf(session) }, viewerOf(call, session, prefix), session),
    options,
  )

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

/** What a reader can do something about. */
const solvableKinds: ReadonlySet<FailureKind> = new Set(['conflict', 'precondition', 'invalid', 'unavailable'])

/** What a page says about a refusal that its reader can do something about; anything else is thrown on. */
export function problemOf(thrown: unknown): Problem {
  if (!(thrown instanceof Failure) || !solvableKinds.has(thrown.kind)) throw thrown
  return { text: thrown.message, status: failureShapes[thrown.kind].status }
}
