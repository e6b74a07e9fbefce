import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Acl } from '../../../access/policies/index.ts'
import { failure } from '../../../kernel/failure.ts'
import type { TokenPrincipal } from '../../../kernel/principal.ts'
import { withoutOuterSlashes } from '../../../kernel/slashes.ts'
import type { Operation } from '../../../kit/access.ts'
import type { Deps } from '../../../kit/deps.ts'
import { findEquivalentPaths } from '../../../kit/equivalent-paths.ts'
import { identityFactsOf } from '../identity/index.ts'
import { aclOf } from '../policies/index.ts'
import { findTokenPrincipal } from '../tokens/index.ts'

/** The living token that a caller names by its text or its accessor. */
export async function findNamedToken(
  deps: Deps,
  by: { readonly text: string } | { readonly accessor: string },
): Promise<TokenPrincipal> {
  const found = await findTokenPrincipal(deps, by)
  if (found) return found
  throw failure('invalid', 'token.unknown', 'text' in by ? 'invalid token' : 'invalid accessor')
}

/** So many paths are checked before other requests get a turn. */
const pathsPerTurn = 200

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
  const found: [string, string[]][] = []
  for (const path of paths) {
    found.push([path, isDisabled ? ['deny'] : await capabilitiesAtPath(deps, acl, path)])
    if (found.length % pathsPerTurn === 0) await nextTurn()
  }
  return Object.fromEntries(found)
}

/**
 * What a request at this path may do: what its own rule allows, without what the rules of other spellings of the path
 * deny.
 */
async function capabilitiesAtPath(deps: Deps, acl: Acl, path: string): Promise<string[]> {
  const words = acl.capabilities(path)
  const bare = withoutOuterSlashes(path)
  const mount = acl.root ? undefined : await deps.mounts.find(`${bare}/`)
  const others = mount ? await findEquivalentPaths(deps, mount, bare) : []
  const takenAway = operationsOnNames.filter((operation) => others.some((other) => isDenied(acl, other, operation)))
  const left = words.filter((word) => !takenAway.some((operation) => operation === word))
  // `sudo` alone is of no use.
  return left.length < words.length && left.every((word) => word === 'sudo') ? ['deny'] : left
}

/** List paths contain no names, so other spellings do not matter to them. */
const operationsOnNames = ['create', 'read', 'update', 'delete', 'patch'] as const satisfies readonly Operation[]

function isDenied(acl: Acl, path: string, operation: Operation): boolean {
  const { missing } = acl.check({ path, operation })
  return missing === 'denied' || missing === operation
}
