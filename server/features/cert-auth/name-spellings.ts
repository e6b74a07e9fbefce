import { failure } from '../../kernel/failure.ts'
import type { Operation } from '../../kit/access.ts'
import type { Call } from '../../kit/endpoint.ts'
import { mountOf } from './request-mount.ts'
import { nameKeyOf } from './roles/role.ts'

type NamedCall = Pick<Call, 'deps' | 'caller' | 'request' | 'params'>

/**
 * Names are compared without case, paths of policies with it: whoever is denied `certs/prod` must not get there by
 * `certs/PROD`. What a policy says about the name as it is listed, or in small letters, therefore holds for every spelling.
 * A spelling that no policy speaks of takes nothing away.
 */
export async function checkSpellings(call: NamedCall, operation: Operation, listed: string | undefined): Promise<void> {
  const { deps, caller, request, params } = call
  if (caller.kind !== 'token' || caller.root) return
  const { name = '' } = params
  for (const other of new Set([listed ?? name, nameKeyOf(name)])) {
    if (other === name) continue
    const question = { path: respelled(call, other), operation, sudo: false, fields: request.fields }
    const { allowed, missing } = await deps.hooks.authorize(caller, { ...question, wrapTtl: undefined })
    if (!allowed && missing !== 'rule') throw failure('forbidden', 'acl.denied', 'permission denied')
  }
}

/** The path of a request with the name in it written in another way. */
function respelled({ request, params: { name = '' } }: NamedCall, other: string): string {
  const { path } = request
  const start = path.indexOf('/', mountOf(request).path.length) + 1
  return path.slice(0, start) + other + path.slice(start + name.length)
}
