import { type Operation, permissionDenied, sealedFailure } from './access.ts'
import type { Call } from './endpoint.ts'
import { isOutdated } from './freshness.ts'

/** When the caller was last known to be allowed, by the monotonic clock, and what the policies were asked then. */
export type EarlierVerdict = { readonly since: number; readonly operation: Operation; readonly sudo?: boolean }

/**
 * For handlers under `/v1` that waited for something slow, such as a body they read themselves: makes the checks of the
 * pipeline once more. Meanwhile the server may have been sealed, the token revoked or its policies changed.
 */
export async function requireStillAllowed(
  { deps, caller, request }: Pick<Call, 'deps' | 'caller' | 'request'>,
  { since, operation, sudo = false }: EarlierVerdict,
): Promise<void> {
  const { clock, store, hooks } = deps
  if (!isOutdated(clock, since)) return
  await store.versions.refresh()
  if (hooks.sealStatus() !== 'unsealed') throw sealedFailure()
  await hooks.pendingKeys()
  if (caller.kind !== 'token') throw permissionDenied()
  const token = await hooks.authenticateToken(request.presentedToken, request)
  const { path, fields, fieldNotes, wrapTtl } = request
  const { allowed } = await hooks.authorize(token, { path, operation, sudo, fields, fieldNotes, wrapTtl })
  if (!allowed) throw permissionDenied()
}
