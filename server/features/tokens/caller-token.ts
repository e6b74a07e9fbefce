import { failure } from '../../kernel/failure.ts'
import type { Principal, TokenPrincipal } from '../../kernel/principal.ts'

/** The token that calls; endpoints guarded by policies always have one. */
export function callerToken(caller: Principal): TokenPrincipal {
  if (caller.kind === 'token') return caller
  throw failure('forbidden', 'acl.denied', 'permission denied')
}
