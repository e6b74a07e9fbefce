import { Failure, type FailureKind } from '../../kernel/failure.ts'
import type { Call, RuleAccess } from '../../kit/endpoint.ts'
import type { Reply } from '../../kit/reply.ts'
import { type PagePrefix, personOf, type SessionOptions, type Viewer, viewerOf, withSession } from '../sign-in/index.ts'

/** Runs as the person who is signed in; others sign in first and come back to the page, a path below the prefix. */
export const whenSignedIn = (
  call: Call,
  prefix: PagePrefix,
  path: string,
  run: (call: Call, viewer: Viewer) => Promise<Reply>,
  options?: SessionOptions,
): Promise<Reply> =>
  withSession(
    call,
    prefix,
    path,
    (session) => run({ ...call, caller: personOf(session) }, viewerOf(call.deps, session, prefix)),
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
