import type { Call } from '../../../kit/endpoint.ts'
import { nothing, type Reply } from '../../../kit/reply.ts'
import type { OnWorkspace } from './workspace-access.ts'
import { workspacePath } from './workspace-wire.ts'

/**
 * A request under a former name of a workspace is redirected to its present path; `below` is what follows the name.
 * Every endpoint by name calls this first: nothing is done under a name that the workspace no longer has.
 */
export function redirectIfRenamed(
  { request, subject }: Pick<Call<Record<string, string>, unknown, unknown, OnWorkspace>, 'request' | 'subject'>,
  below = '',
): Reply | undefined {
  const { resource, grants } = subject
  if (resource.former === undefined) return undefined
  const rest = request.query.size > 0 ? `?${request.query}` : ''
  const path = `${workspacePath(grants.organizationName, resource.name)}${below}`
  return nothing(307, { Location: `${request.origin}${path}${rest}` })
}
