import { type Failure, failure } from '../../../kernel/failure.ts'
import type { Principal, TokenPrincipal } from '../../../kernel/principal.ts'
import { permissionDenied } from '../../../kit/access.ts'

/** The token that calls; endpoints guarded by policies always have one. */
export function callerToken(caller: Principal): TokenPrincipal {
  if (caller.kind === 'token') return caller
  throw permissionDenied()
}

/** The refusal of a token that does not exist, or exists no longer. */
export const invalidToken = (): Failure =>
  failure('forbidden', 'token.invalid', 'permission denied', {
    faults: [{ detail: 'permission denied' }, { detail: 'invalid token' }],
  })

/**
 * The refusal of a token that exists but does not work here or now. The caller gets no reason, lest it tell a thief
 * what is missing; log and audit record hold it.
 */
export const refusedHere = ({ accessor }: { readonly accessor: string }, reason: string): Failure =>
  permissionDenied({ cause: new Error(reason), accessor })
