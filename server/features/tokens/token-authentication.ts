import { hash } from 'node:crypto'
import { failure } from '../../kernel/failure.ts'
import type { TokenPrincipal } from '../../kernel/principal.ts'
import { type Deps, perApp } from '../../kit/deps.ts'
import type { RequestFacts } from '../../kit/endpoint.ts'
import { VersionedCache } from '../../storage/versions.ts'
import { identityFactsOf } from '../identity/index.ts'
import { isAlive, principalOf, type Token } from './token-rules.ts'
import { findToken, takeUse } from './token-store.ts'

const knownTokens = perApp((deps) => new VersionedCache<string, Token>(deps.store.versions, 'tokens', { max: 50_000 }))

/** Under which hash a token is stored. */
export const tokenId = (deps: Pick<Deps, 'keyring'>, text: string): string => deps.keyring.keyedHash('token', text)

const invalid = () =>
  failure('forbidden', 'token.invalid', 'permission denied', {
    faults: [{ detail: 'permission denied' }, { detail: 'invalid token' }],
  })

/** Refusals that would tell a thief what is missing say no more than this. */
const denied = () => failure('forbidden', 'acl.denied', 'permission denied')

/** Checks a service token for this request and takes one use of it. */
export async function authenticateServiceToken(
  deps: Deps,
  text: string,
  request: RequestFacts,
): Promise<TokenPrincipal> {
  const token = await loadToken(deps, tokenId(deps, text))
  if (!token || !isAlive(token, deps.clock.now())) throw invalid()
  requireCertificate(token, request)
  const identity = await identityFactsOf(deps, token.entityId)
  if (token.entityId !== '' && (!identity.entity || identity.entity.disabled)) throw denied()
  const left = token.numUses === 0 ? 0 : await takeUse(deps.db, token.id)
  if (left === undefined) throw invalid()
  return principalOf(token, identity.entity?.policies ?? [], left)
}

/**
 * One process may remember tokens: a revocation moves the version, which is compared on every request. With PostgreSQL
 * the news of a revocation on another node can be late, so the database is asked each time.
 */
async function loadToken(deps: Deps, id: string): Promise<Token | undefined> {
  if (deps.store.engine === 'postgres') return findToken(deps.db, id)
  const cache = knownTokens(deps)
  const known = cache.get(id)
  if (known) return known
  const asOf = cache.version()
  const token = await findToken(deps.db, id)
  if (token && token.numUses === 0) cache.set(id, token, asOf)
  return token
}

/** A token bound to a certificate works only over a connection that presents the same one. */
function requireCertificate(token: Token, request: RequestFacts): void {
  if (token.certificateFingerprint === '') return
  const leaf = request.certificate?.leaf
  if (!leaf || hash('sha256', leaf, 'hex') !== token.certificateFingerprint) throw denied()
}
