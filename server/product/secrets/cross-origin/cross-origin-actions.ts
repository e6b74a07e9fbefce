import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { OriginService } from '../../../kit/services.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { VersionedCache } from '../../../storage/versions.ts'
import { allowsOrigin, type CrossOrigin, crossOriginProblem } from './cross-origin.ts'
import { loadCrossOrigin, saveCrossOrigin } from './cross-origin-store.ts'

type CachedTerms = { readonly terms: CrossOrigin | undefined }

/** Tells whether pages of an origin may call; undefined if that was never configured. */
export function originJudge({ db, store }: Pick<Deps, 'db' | 'store'>): OriginService['check'] {
  const cache = new VersionedCache<'terms', CachedTerms>(store.versions, 'cross-origin', { max: 1 })
  const load = async () => ({ terms: await loadCrossOrigin(db) })
  return async (origin) => {
    const { terms } = await cache.getOrLoad('terms', load)
    return terms && { allowed: allowsOrigin(terms, origin), headers: terms.headers }
  }
}

/** Allows pages of these origins to call, and no others. */
export async function allowOrigins(deps: Pick<Deps, 'db'>, terms: CrossOrigin): Promise<void> {
  const problem = crossOriginProblem(terms)
  if (problem) throw failure('invalid', 'cross-origin.refused', problem)
  await inTransaction(deps.db, (tx) => saveCrossOrigin(tx, terms))
}
