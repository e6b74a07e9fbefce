import { failure } from '../kernel/failure.ts'
import type { Operation } from './access.ts'
import type { Deps } from './deps.ts'
import type { Call } from './endpoint.ts'
import type { Mount } from './mount.ts'

/**
 * Where names are compared without case, paths of policies still have it: whoever is denied `certs/prod` must not get
 * there by `certs/PROD`. What a policy says about the path of another spelling therefore holds too; a path that no policy
 * speaks of takes nothing away.
 */
export async function checkSpellings(
  { deps, caller, request }: Pick<Call, 'deps' | 'caller' | 'request'>,
  operation: Operation,
): Promise<void> {
  if (caller.kind !== 'token' || caller.root || !request.mount) return
  for (const path of await otherSpellings(deps, request.mount, request.path)) {
    const question = { path, operation, sudo: false, fields: request.fields, wrapTtl: request.wrapTtl }
    const { allowed, missing } = await deps.hooks.authorize(caller, question)
    if (!allowed && missing !== 'rule') throw failure('forbidden', 'acl.denied', 'permission denied')
  }
}

/** The other paths whose rules hold for a path below a mount. */
export async function otherSpellings(
  { hooks }: Pick<Deps, 'hooks'>,
  mount: Mount,
  path: string,
): Promise<readonly string[]> {
  const found = new Set(await hooks.respell.get(mount.type)?.(mount, path))
  found.delete(path)
  return [...found]
}
