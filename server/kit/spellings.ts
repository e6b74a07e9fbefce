import { failure } from '../kernel/failure.ts'
import type { Operation } from './access.ts'
import type { Call } from './endpoint.ts'

/**
 * Where names are compared without case, paths of policies still have it: whoever is denied `certs/prod` must not get
 * there by `certs/PROD`. What a policy says about the path of another spelling therefore holds too; a path that no policy
 * speaks of takes nothing away.
 */
export async function checkSpellings(
  { deps, caller, request }: Pick<Call, 'deps' | 'caller' | 'request'>,
  operation: Operation,
  paths: readonly string[],
): Promise<void> {
  if (caller.kind !== 'token' || caller.root) return
  for (const path of new Set(paths)) {
    if (path === request.path) continue
    const question = { path, operation, sudo: false, fields: request.fields, wrapTtl: undefined }
    const { allowed, missing } = await deps.hooks.authorize(caller, question)
    if (!allowed && missing !== 'rule') throw failure('forbidden', 'acl.denied', 'permission denied')
  }
}

/** The path of a request that ends in a name, with that name written in another way. */
export const respelled = (
  { request, params: { name = '' } }: Pick<Call, 'request' | 'params'>,
  other: string,
): string => request.path.slice(0, request.path.length - name.length) + other
