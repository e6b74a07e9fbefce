import { Failure, type FailureKind } from '../../kernel/failure.ts'
import type { Call, RuleAccess } from '../../kit/endpoint.ts'
import type { Reply } from '../../kit/reply.ts'
import { goTo, type PagePrefix } from '../sign-in/index.ts'

/** Runs for people who are signed in; others sign in first and come back to the page, a path below the prefix. */
export async function signedIn(
  call: Call,
  prefix: PagePrefix,
  path: string,
  run: (call: Call) => Promise<Reply>,
): Promise<Reply> {
  const caller = await call.deps.hooks.visitor(call.request)
  return caller
    ? await run({ ...call, caller })
    : goTo(`${prefix}/sign-in?next=${encodeURIComponent(`${prefix}${path}`)}`)
}

const unreachable: ReadonlySet<FailureKind> = new Set(['forbidden', 'missing', 'refused'])

/** What a rule finds; undefined when it is not there for the caller, or closed to how the caller signed in. */
export async function foundBy<S>(rule: RuleAccess<S>, call: Call): Promise<S | undefined> {
  try {
    return await rule.check(call)
  } catch (thrown) {
    if (thrown instanceof Failure && unreachable.has(thrown.kind)) return undefined
    throw thrown
  }
}
