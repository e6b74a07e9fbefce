import { failure } from '../../../kernel/failure.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import type { OriginVerdict } from '../../../kit/hooks.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { VersionedCache } from '../../../storage/versions.ts'
import { allowsOrigin, type CrossOrigin, crossOriginProblem } from './cross-origin-rules.ts'
import { loadCrossOrigin, saveCrossOrigin } from './cross-origin-store.ts'

type CachedTerms = { readonly terms: CrossOrigin | undefined }

const termsCache = perApp(
  (deps) => new VersionedCache<'terms', CachedTerms>(deps.store.versions, 'cross-origin', { max: 1 }),
)

/** Tells whether pages of an origin may call; undefined if that was never configured. */
export async function judgeOrigin(deps: Deps, origin: string): Promise<OriginVerdict | undefined> {
  const load = async () => ({ terms: await loadCrossOrigin(deps.db) })
  const { terms } = await termsCache(deps).getOrLoad('terms', load)
  return terms && { allowed: allowsOrigin(terms, origin), headers: terms.headers }
}

/** Allows pages of these origins to call, and no others. */
export async function allowOrigins(deps: Pick<Deps, 'db'>, terms: CrossOrigin): Promise<void> {
  const problem = crossOriginProblem(terms)
  if (problem) throw failure('invalid', 'cross-origin.refused', problem)
  await inTransaction(deps.db, (tx) => saveCrossOrigin(tx, terms))
}
