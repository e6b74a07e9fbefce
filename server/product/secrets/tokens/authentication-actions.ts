import { hash } from 'node:crypto'
import { matchesCidrs } from '../../../access/cidr.ts'
import type { Instant } from '../../../kernel/clock.ts'
import type { Failure } from '../../../kernel/failure.ts'
import type { TokenPrincipal } from '../../../kernel/principal.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { ClientCertificate, RequestFacts } from '../../../kit/endpoint.ts'
import { readCertificate } from '../../../pki/index.ts'
import { identityFactsOf, type KnownEntity } from '../identity/index.ts'
import { invalidToken, refusedHere } from './caller-token.ts'
import { findLiving } from './known-token-actions.ts'
import { hasUses, principalOf, type Token } from './records/token.ts'
import { findLoginAbove, type LoginOfToken, takeUse } from './records/token-store.ts'
import { removeUsedUp } from './revoking/revocation-actions.ts'
import { notAWrappingToken, opensOwnAnswer } from './wrapping/wrapping-actions.ts'

/**
 * A token bound to a certificate works only over a connection that presents the same one (the idea of RFC 8705 §3), as
 * long as that is valid and the method of its login has nothing against it.
 */
async function requireCertificate(deps: Deps, token: Token, request: RequestFacts): Promise<void> {
  const { certificate } = request
  if (!certificate || hash('sha256', certificate.leaf, 'hex') !== token.certificateFingerprint) {
    const found = certificate ? 'another one' : 'none'
    const text = `The token is bound to the certificate of its login, and the connection presents ${found}.`
    throw refusedHere(token, text)
  }
  // A connection may outlast the certificate that it began with.
  if (deps.clock.now() > endOf(certificate))
    throw refusedHere(token, 'The certificate that the token is bound to has expired.')
  const login = await loginOf(deps, token)
  if (login) await requireUsable(deps, token, login, request)
}

/** By the certificates of connections, each of which is read once. */
const certificateEnds = new WeakMap<ClientCertificate, Instant>()

function endOf(certificate: ClientCertificate): Instant {
  const end = certificateEnds.get(certificate) ?? readCertificate(certificate.leaf).notAfter
  certificateEnds.set(certificate, end)
  return end
}

async function requireUsable(deps: Deps, token: Token, login: LoginOfToken, request: RequestFacts): Promise<void> {
  const mount = await deps.mounts.find(`${login.path}/`)
  if (mount?.loginId !== login.mountId) return
  const reasonToRefuse = await deps.mountKinds
    .get(mount.type)
    ?.reasonToRefuseUse?.(deps, login.metadata, { mount, request })
  if (reasonToRefuse === undefined) return
  throw refusedHere(token, `The certificate that the token is bound to is refused. ${reasonToRefuse}`)
}

/** By the tokens below a login, for as long as they are remembered. */
const loginsAbove = new WeakMap<Token, LoginOfToken>()

/**
 * The login that bound a token, or the first of its ancestors; undefined once that one was revoked and its children
 * were made orphans.
 */
async function loginOf({ db }: Pick<Deps, 'db'>, token: Token): Promise<LoginOfToken | undefined> {
  if (token.mountId !== '') return token
  const login = loginsAbove.get(token) ?? (await findLoginAbove(db, token.parentId))
  if (login) loginsAbove.set(token, login)
  return login
}

type Entity = NonNullable<KnownEntity['entity']>

/** Checks a token for this request, and takes one use of it unless the request has had one already. */
export async function authenticate(deps: Deps, text: string, request: RequestFacts): Promise<TokenPrincipal> {
  const token = await findLiving(deps, text)
  if (!token || !(hasUses(token) || countedUse(token, request))) throw unusableToken(request)
  requireAddress(token, request)
  if (token.certificateFingerprint !== '') await requireCertificate(deps, token, request)
  const { entity } = await identityFactsOf(deps, token.entityId)
  if (token.entityId !== '' && (!entity || entity.disabled))
    throw refusedHere(token, `The entity of the token ${entity ? 'is disabled' : 'no longer exists'}.`)
  return token.numUses === 0 ? cachedPrincipal(token, entity) : await useOnce(deps, token, entity, request)
}

const noPolicies: readonly string[] = []
const principalCache = new WeakMap<Token, { entity: Entity | undefined; caller: TokenPrincipal }>()

/** The principal of a token is made once for as long as token and entity are remembered. */
function cachedPrincipal(token: Token, entity: Entity | undefined): TokenPrincipal {
  const known = principalCache.get(token)
  if (known && known.entity === entity) return known.caller
  const caller = principalFor(token, entity)
  principalCache.set(token, { entity, caller })
  return caller
}

/** A use that a request has taken, and how many were left. */
type CountedUse = { readonly tokenId: string; readonly usesLeft: number }

const useByRequest = new WeakMap<RequestFacts, CountedUse>()

/** The use of a token that a request has taken already: however often its caller is checked, it takes no other. */
function countedUse({ id }: Token, request: RequestFacts): CountedUse | undefined {
  const use = useByRequest.get(request)
  return use?.tokenId === id ? use : undefined
}

async function useOnce(
  deps: Deps,
  token: Token,
  entity: Entity | undefined,
  request: RequestFacts,
): Promise<TokenPrincipal> {
  const usesLeft = countedUse(token, request)?.usesLeft ?? (await takeUse(deps.db, token.id))
  if (usesLeft === undefined) throw unusableToken(request)
  useByRequest.set(request, { tokenId: token.id, usesLeft })
  return principalFor({ ...token, usesLeft }, entity)
}

/** Revokes the token whose last use a request was, once it is answered. */
export function revokeUsedUp(deps: Deps, request: RequestFacts): Promise<void> | undefined {
  const use = useByRequest.get(request)
  return use && use.usesLeft <= 0 ? removeUsedUp(deps, use.tokenId) : undefined
}

const tokenByCaller = new WeakMap<TokenPrincipal, Token>()

function principalFor(token: Token, entity: Entity | undefined): TokenPrincipal {
  const caller = principalOf(token, entity?.policies ?? noPolicies)
  tokenByCaller.set(caller, token)
  return caller
}

/**
 * The token of a caller as it was when this request was authenticated, with its uses counted. Read again, it could be
 * gone: another request may have had its last use meanwhile.
 */
export function tokenOfCaller(caller: TokenPrincipal): Token {
  const token = tokenByCaller.get(caller)
  if (!token) throw invalidToken()
  return token
}

/**
 * For requests that open a wrapped answer, an unusable token means that the answer is gone, or was taken by somebody
 * else.
 */
const unusableToken = (request: RequestFacts): Failure =>
  opensOwnAnswer(request) ? notAWrappingToken() : invalidToken(request.presentedToken)

/** A token bound to addresses works only from there, on every use. A token that never expires is not bound. */
function requireAddress(token: Token, { remoteAddress }: RequestFacts): void {
  const { boundCidrs, expiresAt } = token
  if (boundCidrs.length === 0 || expiresAt === undefined || matchesCidrs(boundCidrs, remoteAddress)) return
  throw refusedHere(token, `The token works from ${boundCidrs.join(', ')} only, not from ${remoteAddress}.`)
}
