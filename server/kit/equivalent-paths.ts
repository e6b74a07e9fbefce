import { type Awaitable, andThen } from '../kernel/awaitable.ts'
import type { TokenPrincipal } from '../kernel/principal.ts'
import { type AclRequest, aclRequestOf, type Operation, permissionDenied } from './access.ts'
import type { Deps } from './deps.ts'
import type { Call } from './endpoint.ts'
import type { Mount } from './mount.ts'

/**
 * Where names are compared without case, policy paths are still case-sensitive: whoever is denied `certs/prod` must not
 * get there by `certs/PROD`. What a policy says about the path of another spelling therefore holds too; a path without
 * a policy changes nothing.
 */
export function checkEquivalentPaths(
  { deps, caller, request }: Pick<Call, 'deps' | 'caller' | 'request'>,
  operation: Operation,
  { sudo } = { sudo: false },
): Awaitable<void> {
  if (caller.kind !== 'token' || caller.root || !request.mount) return
  return andThen(findEquivalentPaths(deps, request.mount, request.path), (paths) => {
    const aclRequests = paths.map((path) => ({ ...aclRequestOf(request, operation, { sudo }), path }))
    return aclRequests.length === 0 ? undefined : requireNoDenial(deps, caller, aclRequests)
  })
}

async function requireNoDenial(
  { policies }: Pick<Deps, 'policies'>,
  caller: TokenPrincipal,
  aclRequests: readonly AclRequest[],
): Promise<void> {
  for (const aclRequest of aclRequests) {
    const { allowed, missing } = await policies.authorize(caller, aclRequest)
    if (!allowed && missing !== 'rule') throw permissionDenied()
  }
}

/** The other paths whose rules hold for a path below a mount. */
export const findEquivalentPaths = (deps: Deps, mount: Mount, path: string): Awaitable<readonly string[]> =>
  andThen(deps.mountKinds.get(mount.type)?.equivalentPaths?.(deps, mount, path) ?? [], (found) =>
    [...new Set(found)].filter((one) => one !== path),
  )
