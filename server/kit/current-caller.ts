import type { ActorPrincipal } from '../kernel/principal.ts'
import { invalidActor, sealedFailure } from './access.ts'
import type { Call } from './endpoint.ts'

/**
 * Who sent a request to `/api/v2`, as of now. Handlers that wait for long ask again before they change something: their
 * caller may have been locked out by another process, or the server sealed.
 */
export async function currentCaller({ deps, request }: Pick<Call, 'deps' | 'request'>): Promise<ActorPrincipal> {
  await deps.store.versions.refresh()
  if (deps.hooks.sealStatus() !== 'unsealed') throw sealedFailure()
  const caller = await deps.hooks.authenticateActor(request)
  if (!caller) throw invalidActor()
  return caller
}
