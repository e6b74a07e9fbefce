import type { Operation } from '../../kit/access.ts'
import type { Call } from '../../kit/endpoint.ts'
import { checkSpellings } from '../../kit/spellings.ts'
import { mountOf } from './request-mount.ts'
import { nameKeyOf } from './roles/role.ts'

type NamedCall = Pick<Call, 'deps' | 'caller' | 'request' | 'params'>

/** What a policy says about a name as it is listed, or in small letters, holds for every spelling of it. */
export function checkNameSpellings(call: NamedCall, operation: Operation, listed: string | undefined): Promise<void> {
  const { name = '' } = call.params
  return checkSpellings(call, operation, [respelled(call, listed ?? name), respelled(call, nameKeyOf(name))])
}

/** The path of a request with the name in it written in another way; something may follow the name. */
function respelled({ request, params: { name = '' } }: NamedCall, other: string): string {
  const { path } = request
  const start = path.indexOf('/', mountOf(request).path.length) + 1
  return path.slice(0, start) + other + path.slice(start + name.length)
}
