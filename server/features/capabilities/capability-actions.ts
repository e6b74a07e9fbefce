import { failure } from '../../kernel/failure.ts'
import type { Principal, TokenPrincipal } from '../../kernel/principal.ts'
import type { Deps } from '../../kit/deps.ts'
import { identityFactsOf } from '../identity/index.ts'
import { aclOf } from '../policies/index.ts'
import { findTokenPrincipal } from '../tokens/index.ts'

/** The token that calls; refuses everybody else. */
export function callingToken(caller: Principal): TokenPrincipal {
  if (caller.kind === 'token') return caller
  throw failure('forbidden', 'acl.denied', 'permission denied')
}

/** The living token named by a caller who holds it, or its accessor. */
export async function namedToken(
  deps: Deps,
  by: { readonly text: string } | { readonly accessor: string },
): Promise<TokenPrincipal> {
  const found = await findTokenPrincipal(deps, by)
  if (found) return found
  throw failure('invalid', 'token.unknown', 'text' in by ? 'invalid token' : 'invalid accessor')
}

/** What a token may do at each path; a token of a disabled or deleted entity may do nothing. */
export async function capabilitiesAt(
  deps: Deps,
  token: TokenPrincipal,
  paths: readonly string[],
): Promise<Record<string, string[]>> {
  if (paths.length === 0) throw failure('invalid', 'capabilities.no-paths', "'paths' must name at least one path.")
  const { entity } = await identityFactsOf(deps, token.entityId)
  const isDisabled = token.entityId !== '' && (!entity || entity.disabled)
  const acl = await aclOf(deps, token)
  const entries = paths.map((path) => [path, isDisabled ? ['deny'] : acl.capabilities(path)] as const)
  return Object.fromEntries(entries)
}
