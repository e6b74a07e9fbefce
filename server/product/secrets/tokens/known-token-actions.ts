import { cacheKeyOf } from '../../../crypto/cache-key.ts'
import type { TokenPrincipal } from '../../../kernel/principal.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import { VersionedCache } from '../../../storage/versions.ts'
import { identityFactsOf } from '../identity/index.ts'
import { isLiving, principalOf, type RootedToken, type Token } from './records/token.ts'
import { findToken, findTokenByAccessor, withAncestry } from './records/token-store.ts'
import { isBatchText, openBatchToken, tokenId } from './records/token-text-actions.ts'

const maxCachedTokens = 50_000

const tokenCache = perApp(
  (deps) => new VersionedCache<string, RootedToken>(deps.store.versions, 'tokens', { max: maxCachedTokens }),
)

/** What looking up tokens needs. */
export type LookupDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'keyring' | 'mounts'>

/**
 * A token that lives, by its text; it may have no uses left. Tokens may be remembered: a revocation changes the version,
 * which is compared on every request.
 */
export const findLiving = async (deps: LookupDeps, text: string): Promise<Token | undefined> =>
  await tokenIfLiving(deps, await tokenCache(deps).recall(cacheKeyOf(text), () => load(deps, text), isUncounted))

/** A stored token that lives, by its hash or its accessor; it may have no uses left. */
export async function findLivingBy(
  deps: LookupDeps,
  by: { id: string } | { accessor: string },
): Promise<Token | undefined> {
  const token = await ('id' in by ? findToken(deps.db, by.id) : findTokenByAccessor(deps.db, by.accessor))
  return await tokenIfLiving(deps, token && (await withAncestry(deps.db, token)))
}

async function tokenIfLiving(deps: LookupDeps, rooted: RootedToken | undefined): Promise<Token | undefined> {
  if (!rooted || !isLiving(rooted, deps.clock.now())) return undefined
  const { token } = rooted
  if (token.mountId === '') return token
  // The token of a login dies with its mount, and when the mount is moved.
  const mount = await deps.mounts.find(`${token.path}/`)
  return mount?.loginId === token.mountId ? token : undefined
}

/** A living token with the policies its entity adds at this moment. */
export async function toPrincipal(deps: LookupDeps, token: Token): Promise<TokenPrincipal> {
  const { entity } = await identityFactsOf(deps, token.entityId)
  return principalOf(token, entity?.policies ?? [])
}

/** The caller that a token or an accessor would be, without using it; undefined when it does not live. */
export async function findTokenPrincipal(
  deps: LookupDeps,
  by: { readonly text: string } | { readonly accessor: string },
): Promise<TokenPrincipal | undefined> {
  const token = await ('text' in by ? findLiving(deps, by.text) : findLivingBy(deps, by))
  return token && (await toPrincipal(deps, token))
}

/** Counted uses are taken in the database, so a remembered token with such a limit would be outdated at once. */
const isUncounted = ({ token }: RootedToken): boolean => token.numUses === 0

async function load(deps: LookupDeps, text: string): Promise<RootedToken | undefined> {
  const token = isBatchText(text) ? openBatchToken(deps, text) : await findToken(deps.db, tokenId(deps, text))
  return token && (await withAncestry(deps.db, token))
}
