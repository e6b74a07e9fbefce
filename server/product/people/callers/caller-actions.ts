import { LRUCache } from 'lru-cache'
import { later } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { ActorPrincipal, Principal, TokenPrincipal } from '../../../kernel/principal.ts'
import { invalidActor } from '../../../kit/access.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import type { RequestFacts } from '../../../kit/endpoint.ts'
import { partsOf } from '../../../kit/parts.ts'
import type { CallerService } from '../../../kit/services.ts'
import { VersionedCache } from '../../../storage/versions.ts'
import { authenticateApiToken, isApiToken } from '../api-tokens/index.ts'
import { personOf, requireCsrf, sessionOf } from '../sign-in/index.ts'
import { allowsLogin, findLinkedTeam, type Team } from '../teams/index.ts'
import { administratorName, loadUserByName, type Session, serviceTokenOf, type User } from '../users/index.ts'
import { type Bucket, takeFromBucket, unlimitedRate } from './rate.ts'

/** Finds who calls `/api/v2`: by API token, by a `/v1` token, or by the session of a browser; strangers are nobody. */
export async function authenticateActor(deps: Deps, request: RequestFacts): Promise<ActorPrincipal | undefined> {
  const { presentedToken } = request
  if (presentedToken === '') return await authenticateSession(deps, request)
  if (isRunToken(presentedToken)) return await authenticateRun(deps, request)
  if (isApiToken(presentedToken)) return await authenticateApiToken(deps, presentedToken)
  return await authenticateServiceToken(deps, request)
}

/** Finds the run whose tool, or whose runner, holds a token; undefined if the token works no more. */
export type RunAuthenticator = (deps: Deps, request: RequestFacts) => Promise<ActorPrincipal | undefined>

declare module '../../../kit/parts.ts' {
  interface FeatureParts {
    runAuthenticator: RunAuthenticator
  }
}

const isRunToken = (text: string): boolean => /^hf[rx]\./.test(text)

const authenticateRun: RunAuthenticator = async (deps, request) =>
  await partsOf(deps, 'runAuthenticator')[0]?.(deps, request)

async function authenticateSession(deps: Deps, request: RequestFacts): Promise<ActorPrincipal | undefined> {
  const session = await sessionOf(deps, request)
  if (!session) return undefined
  requireCsrf(deps, request, session)
  return personOf(session)
}

/** The person who uses a page. Actions check themselves whether a write comes from one of our forms. */
export async function findVisitor(deps: Deps, request: RequestFacts): Promise<ActorPrincipal | undefined> {
  const session = await sessionOf(deps, request)
  return session && personOf(session)
}

/** The `/v1` token behind a browser session, for requests of the UI; empty when there is none. */
export async function sessionServiceToken(deps: Deps, request: RequestFacts): Promise<string> {
  const session: Session | undefined = await sessionOf(deps, request)
  if (!session?.serviceToken) return ''
  requireCsrf(deps, request, session)
  return serviceTokenOf(deps, session)
}

/** A root token acts as the administrator; others as the team they are linked to, if that team allows it. */
async function authenticateServiceToken(deps: Deps, request: RequestFacts): Promise<ActorPrincipal | undefined> {
  const token = await serviceToken(deps, request)
  if (!token || token.wrapping) return undefined
  return token.root ? await asAdministrator(deps) : await asLinkedTeam(deps, token)
}

/** What `/v1` would call forbidden is a token problem here: 401. */
async function serviceToken(deps: Deps, request: RequestFacts): Promise<TokenPrincipal | undefined> {
  try {
    return await deps.tokens.authenticate(request.presentedToken, request)
  } catch (thrown) {
    return undefinedIfForbidden(thrown)
  }
}

function undefinedIfForbidden(thrown: unknown): undefined {
  if (!(thrown instanceof Failure) || (thrown.kind !== 'forbidden' && thrown.kind !== 'unauthenticated')) throw thrown
  const { accessor } = thrown.extras
  // The token is known, so log and audit record can say why it does not work here.
  if (accessor !== undefined) throw invalidActor({ cause: thrown.cause, accessor })
}

const administratorCache = perApp((deps) => new VersionedCache<string, User>(deps.store.versions, 'users', { max: 1 }))

async function asAdministrator(deps: Deps): Promise<ActorPrincipal | undefined> {
  const cache = administratorCache(deps)
  const asOf = cache.version()
  const user = cache.get(administratorName) ?? (await loadUserByName(deps.db, administratorName))
  if (!user) return undefined
  cache.set(administratorName, user, asOf)
  const { id, username: name, siteAdmin } = user
  return { kind: 'user', id, name, tokenId: '', via: 'root-token', organizationId: '', siteAdmin }
}

/** How far the clocks of two nodes may be apart, in milliseconds. */
const maxClockSkew = 60_000

/**
 * Both sides must agree: the role names the team, and an owner allows logins by the method to act as it. It has to be the
 * same team still, since names can pass to another one.
 */
async function asLinkedTeam(deps: Deps, token: TokenPrincipal): Promise<ActorPrincipal | undefined> {
  if (token.platformTeam === '') return undefined
  const team = await findLinkedTeam(deps, token.platformTeam)
  if (!isSameTeam(token, team)) throw lostTeam(token)
  const method = (await deps.mounts.find(`${token.path}/`))?.type ?? ''
  if (!team || !allowsLogin(team, method)) throw closedTeam(token, method)
  const { id, organizationId } = team
  return { kind: 'team', id, name: team.name, tokenId: '', via: 'linked-token', organizationId, siteAdmin: false }
}

/** Of a token without the id of its team, only the age is known: a team created after the login is another one. */
const isSameTeam = ({ platformTeamId, issuedAt }: TokenPrincipal, team: Team | undefined): boolean =>
  platformTeamId === ''
    ? team !== undefined && later(issuedAt, maxClockSkew) >= team.createdAt
    : team?.id === platformTeamId

const closedTeam = ({ platformTeam, accessor }: TokenPrincipal, method: string) => {
  const setting =
    method === 'cert' ? "set its 'allow-certificate-login'" : `add '${method}' to its 'allowed-login-methods'`
  const cause = new Error(`The team '${platformTeam}' of the token does not allow it: an owner can ${setting}.`)
  return invalidActor({ cause, accessor })
}

const lostTeam = ({ platformTeam, accessor }: TokenPrincipal) => {
  const cause = new Error(
    `The team '${platformTeam}' of the token has been renamed or replaced; write 'platform_team' of its role again.`,
  )
  return invalidActor({ cause, accessor })
}

/** All tokens of one caller share a bucket; unknown callers are counted by address. */
const keyOf = (caller: Principal, request: Pick<RequestFacts, 'remoteAddress'>): string =>
  caller.kind === 'anonymous' ? `address:${request.remoteAddress}` : `${caller.kind}:${caller.id}`

/** Counts requests against the allowances of their callers. */
export function rateLimiter({
  clock,
  settings: { apiRateLimit: perSecond },
}: Pick<Deps, 'clock' | 'settings'>): CallerService['takeFromRateLimit'] {
  if (perSecond <= 0) return () => unlimitedRate
  const buckets = new LRUCache<string, Bucket>({ max: 20_000 })
  return (caller, request) => {
    const key = keyOf(caller, request)
    const { bucket, state } = takeFromBucket(buckets.get(key), perSecond, clock.monotonic() / 1_000)
    buckets.set(key, bucket)
    return state
  }
}
