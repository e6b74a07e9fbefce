import type { TokenPrincipal } from '../../kernel/principal.ts'
import { type Deps, perApp } from '../../kit/deps.ts'
import { VersionedCache } from '../../storage/versions.ts'
import { identityFactsOf } from '../identity/index.ts'
import { openBatchToken } from './batch-token.ts'
import { isLiving, principalOf, type RootedToken, type Token } from './token-rules.ts'
import { findToken, findTokenByAccessor, withLine } from './token-store.ts'
import { isBatchText, tokenId } from './token-text.ts'

const rememberedTokens = 50_000

const remembered = perApp(
  (deps) => new VersionedCache<string, RootedToken>(deps.store.versions, 'tokens', { max: rememberedTokens }),
)

/** What looking for tokens needs. */
export type LookupDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'keyring' | 'hooks'>

/** A token that lives, by its text; it may have no uses left. */
export async function findLiving(deps: LookupDeps, text: string): Promise<Token | undefined> {
  const rooted = await recall(deps, text)
  if (!rooted || !isLiving(rooted, deps.clock.now())) return undefined
  return (await isMountServed(deps, rooted.token)) ? rooted.token : undefined
}

/** A stored token that lives, by its hash or its accessor; it may have no uses left. */
export async function findLivingBy(
  deps: LookupDeps,
  by: { id: string } | { accessor: string },
): Promise<Token | undefined> {
  const token = await ('id' in by ? findToken(deps.db, by.id) : findTokenByAccessor(deps.db, by.accessor))
  const rooted = token && (await withLine(deps.db, token))
  if (!rooted || !isLiving(rooted, deps.clock.now())) return undefined
  return (await isMountServed(deps, rooted.token)) ? rooted.token : undefined
}

/** A living token with the policies its entity adds at this moment. */
export async function asPrincipal(deps: LookupDeps, token: Token): Promise<TokenPrincipal> {
  const { entity } = await identityFactsOf(deps, token.entityId)
  return principalOf(token, entity?.policies ?? [], token.usesLeft)
}

/**
 * One process may remember tokens: a revocation moves the version, which is compared on every request. With PostgreSQL
 * the news of a revocation on another node can be late, so the database is asked each time.
 */
function recall(deps: LookupDeps, text: string): RootedToken | undefined | Promise<RootedToken | undefined> {
  if (deps.store.engine === 'postgres') return load(deps, text)
  const id = tokenId(deps, text)
  return remembered(deps).get(id) ?? loadAndRemember(deps, id, text)
}

async function loadAndRemember(deps: LookupDeps, id: string, text: string): Promise<RootedToken | undefined> {
  const cache = remembered(deps)
  const asOf = cache.version()
  const rooted = await load(deps, text, id)
  // A counted use is taken in the database, so what is remembered about such a token would be outdated at once.
  if (rooted && rooted.token.numUses === 0) cache.set(id, rooted, asOf)
  return rooted
}

async function load(deps: LookupDeps, text: string, id = tokenId(deps, text)): Promise<RootedToken | undefined> {
  const token = isBatchText(text) ? openBatchToken(deps, text) : await findToken(deps.db, id)
  return token && (await withLine(deps.db, token))
}

/** A token of a login dies with its mount, however long it takes to remove it. */
async function isMountServed(deps: LookupDeps, token: Token): Promise<boolean> {
  if (token.mountId === '') return true
  const mount = await deps.hooks.findMount(`${token.path}/`)
  return mount?.id === token.mountId && !mount.tainted
}
