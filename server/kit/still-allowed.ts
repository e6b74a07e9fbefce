import type { Clock } from '../kernel/clock.ts'
import type { ActorPrincipal } from '../kernel/principal.ts'
import { aclRequestOf, invalidActor, type Operation, permissionDenied, sealedFailure } from './access.ts'
import type { Deps } from './deps.ts'
import type { Call } from './endpoint.ts'

/** For this many milliseconds, what a process knows about changes made by others counts as current. */
const currentMs = 100

/** True if others may have made changes since then that matter, because something slow was waited for. */
export const isOutdated = (clock: Clock, since: number): boolean => clock.monotonic() - since > currentMs

// Handlers that wait for long ask again before they change something: meanwhile another process may have sealed the
// server, revoked the token or changed what it may do. The pipeline does the same after a slow body, by repeating its steps.

/** Who sent a request to `/api/v2`, as of now. What it may do is asked by the rule of its endpoint. */
export async function currentCaller({ deps, request }: Pick<Call, 'deps' | 'request'>): Promise<ActorPrincipal> {
  await catchUp(deps)
  const caller = await deps.callers.authenticate(request)
  if (!caller) throw invalidActor()
  return caller
}

/** When the caller was last known to be allowed, by the monotonic clock, and what the policies were asked then. */
type EarlierVerdict = { readonly since: number; readonly operation: Operation; readonly sudo?: boolean }

/** Refuses a request to `/v1` that would be refused now; does nothing if it was allowed a moment ago. */
export async function requireStillAllowed(
  { deps, caller, request }: Pick<Call, 'deps' | 'caller' | 'request'>,
  { since, operation, sudo = false }: EarlierVerdict,
): Promise<void> {
  const { clock, tokens, policies } = deps
  if (!isOutdated(clock, since)) return
  await catchUp(deps)
  if (caller.kind !== 'token') throw permissionDenied()
  const token = await tokens.authenticate(request.presentedToken, request)
  const { allowed } = await policies.authorize(token, aclRequestOf(request, operation, { sudo }))
  if (!allowed) throw permissionDenied()
}

/** Whether the caller of a request to `/v1` has `sudo` on its path, which the endpoint does not demand. */
export async function hasSudo(
  { deps, caller, request }: Pick<Call, 'deps' | 'caller' | 'request'>,
  operation: Operation,
): Promise<boolean> {
  if (caller.kind !== 'token') return false
  return (await deps.policies.authorize(caller, aclRequestOf(request, operation, { sudo: true }))).allowed
}

/** Takes in what other processes have changed, their new keys included. */
async function catchUp({ store, seal }: Deps): Promise<void> {
  await store.versions.refresh()
  const state = seal.status()
  if (state !== 'unsealed') throw sealedFailure(state)
  await seal.pendingKeys()
}
