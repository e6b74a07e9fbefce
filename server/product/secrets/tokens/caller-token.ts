import { type Failure, failure } from '../../../kernel/failure.ts'
import type { Principal, TokenPrincipal } from '../../../kernel/principal.ts'
import { permissionDenied } from '../../../kit/access.ts'

/** The token that calls; endpoints guarded by policies always have one. */
export function callerToken(caller: Principal): TokenPrincipal {
  if (caller.kind === 'token') return caller
  throw permissionDenied()
}

/** The refusal of a token that does not exist, or exists no longer; or that was sent to the wrong API. */
export const invalidToken = (presented = ''): Failure =>
  failure('forbidden', 'token.invalid', 'permission denied', {
    faults: ['permission denied', 'invalid token', ...otherApi(presented)].map((detail) => ({ detail })),
  })

/** The first letters of a token show what it is: those of `/v1` begin with `hfs.` or `hfb.`, and no other works here. */
const otherApi = (presented: string): string[] =>
  /^hf(?![sb])[a-z]\./.test(presented)
    ? [`a token that begins with ${presented.slice(0, 4)} is for /api/v2; log in under auth/ for one of /v1`]
    : []

/**
 * The refusal of a token that exists but does not work here or now. The caller gets no reason, lest it tell a thief
 * what is missing; log and audit record hold it.
 */
export const refusedHere = ({ accessor }: { readonly accessor: string }, reason: string): Failure =>
  permissionDenied({ cause: new Error(reason), accessor })
