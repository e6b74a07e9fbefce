import { compileGlob } from '../../../login-roles/glob.ts'
import type { JwtRole } from '../roles/role.ts'

/** What a token says, its signature being right. */
export type Claims = Readonly<Record<string, unknown>>

/** Why a token is refused: what its holder may know, which is about the token alone, and what the log says besides. */
export type ClaimRefusal = { readonly ok: false; readonly text: string; readonly detail: string }

/** Who logs in by a token, until when it is valid, and what becomes metadata. */
export type AcceptedClaims = {
  readonly ok: true
  readonly user: string
  readonly metadata: Readonly<Record<string, string>>
  /** Seconds since 1970. */
  readonly expiresAt: number
}

const refuse = (text: string, detail = ''): ClaimRefusal => ({ ok: false, text, detail })

/** The value of a claim by its name, or by a JSON pointer (RFC 6901) if that is allowed and begins with a slash. */
export function claimAt(claims: Claims, name: string, { pointer = true } = {}): unknown {
  if (!pointer || !name.startsWith('/')) return member(claims, name)
  const steps = name.slice(1).split('/')
  return steps.reduce<unknown>((value, step) => member(value, step.replaceAll('~1', '/').replaceAll('~0', '~')), claims)
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

/** What decides about the claims of a token. */
export type ClaimTerms = {
  readonly role: JwtRole
  /** The `iss` that is asked for; undefined for any. */
  readonly issuer: string | undefined
  /** Seconds since 1970. */
  readonly now: number
}

/** Whether a role accepts what a token says. */
export function judgeClaims(claims: Claims, { role, issuer, now }: ClaimTerms): AcceptedClaims | ClaimRefusal {
  if (issuer !== undefined && claims.iss !== issuer)
    return refuse('its issuer is not accepted here', `iss is not ${issuer}`)
  if (role.boundSubject !== '' && claims.sub !== role.boundSubject)
    return refuse('its subject is not accepted by the role', 'sub is not bound_subject')
  const times = judgeTimes(claims, role, now)
  if (!times.ok) return times
  const audience = audienceProblem(claims.aud, role.boundAudiences)
  if (audience) return audience
  const user = claimAt(claims, role.userClaim, { pointer: role.userClaimJsonPointer })
  if (typeof user !== 'string' || user === '')
    return refuse('it lacks a claim that the role needs', `user_claim '${role.userClaim}' is no text`)
  if (role.groupsClaim !== '' && !areGroups(claimAt(claims, role.groupsClaim)))
    return refuse('it lacks a claim that the role needs', `groups_claim '${role.groupsClaim}' is no list of texts`)
  const unmet = Object.entries(role.boundClaims).find(([name, wanted]) => !meets(claimAt(claims, name), wanted, role))
  if (unmet) return refuse('its claims do not fit the role', `bound claim '${unmet[0]}' does not match`)
  return withMetadata(claims, role, { user, expiresAt: times.expiresAt })
}

function withMetadata(
  claims: Claims,
  role: JwtRole,
  accepted: { readonly user: string; readonly expiresAt: number },
): AcceptedClaims | ClaimRefusal {
  const found = Object.entries(role.claimMappings)
    .map(([claim, key]) => ({ claim, key, value: claimAt(claims, claim) }))
    .filter(({ value }) => value !== undefined)
  const wrong = found.find(({ value }) => typeof value !== 'string')
  if (wrong) return refuse('a claim of it that the role reads is no text', `mapped claim '${wrong.claim}' is no text`)
  const mapped = Object.fromEntries(found.map(({ key, value }) => [key, value as string]))
  return { ok: true, ...accepted, metadata: { ...mapped, role: role.name } }
}

const areGroups = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((each) => typeof each === 'string'))

/** A token that says for whom it is meant is refused where nobody said who we are. */
function audienceProblem(aud: unknown, accepted: readonly string[]): ClaimRefusal | undefined {
  const audiences = aud === undefined ? [] : [aud].flat()
  if (accepted.length === 0)
    return audiences.length === 0
      ? undefined
      : refuse('it is meant for an audience, and the role accepts none', 'role has no bound_audiences')
  return audiences.some((each) => accepted.some((one) => one === each))
    ? undefined
    : refuse('it is not meant for an audience that the role accepts', 'aud has none of bound_audiences')
}

/** Values are compared by type, too: the number 1 is not the text "1". */
function meets(actual: unknown, wanted: unknown, { boundClaimsType }: JwtRole): boolean {
  const values = actual === undefined ? [] : [actual].flat()
  const accepted = [wanted].flat()
  if (boundClaimsType === 'string') return values.some((value) => accepted.includes(value))
  const globs = accepted.filter((each) => typeof each === 'string').map(compileGlob)
  return values.some((value) => typeof value === 'string' && globs.some((matches) => matches(value)))
}

const leewayOf = (written: number, usual: number): number => (written === 0 ? usual : Math.max(0, written))

type Times = { readonly ok: true; readonly expiresAt: number }

/** Whether a token is valid now. What it does not say of its times follows from what it says. */
export function judgeTimes(
  claims: Claims,
  role: Pick<JwtRole, 'clockSkewLeeway' | 'expirationLeeway' | 'notBeforeLeeway'>,
  now: number,
): Times | ClaimRefusal {
  const { iat, nbf, exp } = claims
  for (const [name, value] of Object.entries({ iat, nbf, exp }))
    if (value !== undefined && (typeof value !== 'number' || !Number.isFinite(value)))
      return refuse(`its '${name}' is no time`)
  const [issued, begins, ends] = [iat, nbf, exp] as (number | undefined)[]
  if (issued === undefined && begins === undefined && ends === undefined)
    return refuse("it has none of 'iat', 'nbf' and 'exp'")
  const skew = leewayOf(role.clockSkewLeeway, 60)
  const expiresAt = ends ?? Math.max(issued ?? 0, begins ?? 0) + leewayOf(role.expirationLeeway, 150)
  const notBefore = begins ?? issued ?? expiresAt - leewayOf(role.notBeforeLeeway, 150)
  if (now > expiresAt + skew) return refuse('it has expired')
  if (now < notBefore - skew) return refuse('it is not valid yet')
  if (issued !== undefined && now < issued - skew) return refuse('it was issued in the future')
  return { ok: true, expiresAt: expiresAt + skew }
}
