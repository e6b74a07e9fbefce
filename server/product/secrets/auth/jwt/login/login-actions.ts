import { compactVerify, errors } from 'jose'
import { failure } from '../../../../../kernel/failure.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import { defineJob, type Job } from '../../../../../kit/job.ts'
import type { Presentation } from '../../../../../kit/mount-kind.ts'
import { inBatches } from '../../../../../storage/batches.ts'
import { issueRoleToken, requireAddress, roleForLogin } from '../../../login-roles/index.ts'
import type { Alongside, IssuedLogin } from '../../../tokens/index.ts'
import { configOf } from '../config/config-actions.ts'
import type { JwtConfig } from '../config/config-fields.ts'
import { candidates, type TokenHeader, type VerifyingKey } from '../keys/key.ts'
import { keysOf } from '../keys/key-actions.ts'
import type { JwtRole } from '../roles/role.ts'
import { jwtRoles } from '../roles/role-actions.ts'
import { type AcceptedClaims, type Claims, judgeClaims } from './claims.ts'
import { parseObject, readHeader } from './compact-token.ts'
import { forgetExpired, noteUse } from './used-id-store.ts'

/** What a login sends. */
export type Presented = { readonly role: string; readonly jwt: string }

const invalid = (code: string, text: string) => failure('invalid', `jwt-login.${code}`, text)

/** The refusal of a token: callers learn what is wrong with it, and nothing about what the role expects. */
const refused = (text: string) => invalid('refused', `error validating token: ${text}`)

/** Logs in with a token of a provider. */
export async function loginWithToken(deps: Deps, by: Presentation, sent: Presented): Promise<IssuedLogin> {
  const stored = await configOf(deps, by.mount.id)
  if (!stored) throw invalid('no-config', 'could not load configuration: write the config of this mount first')
  const role = await requireRole(deps, by, sent.role || stored.config.defaultRole)
  if (sent.jwt === '') throw invalid('missing', 'missing token')
  requireAddress(role.tokenBoundCidrs, by, 'the token bounds of the role')
  const { claims, issuer } = await verify(deps, by, stored.config, sent.jwt)
  const accepted = accept(deps, by, { role, claims, issuer: stored.config.boundIssuer || issuer })
  return await issueRoleToken(deps, by, {
    role,
    aliasName: accepted.user,
    displayName: accepted.user,
    metadata: accepted.metadata,
    ...(role.singleUse ? { alongside: useOnce(deps, by, claims, accepted) } : {}),
  })
}

async function requireRole(deps: Deps, { mount }: Presentation, name: string): Promise<JwtRole> {
  if (name === '') throw invalid('no-role', 'missing role')
  const known = await roleForLogin(deps, jwtRoles, mount.id, { name })
  if (!known) throw invalid('no-role', `role "${name}" could not be found`)
  return known.role
}

/** What a token says once its signature has been checked, and who its provider says that it is. */
type Verified = { readonly claims: Claims; readonly issuer: string | undefined }

async function verify(deps: Deps, { mount }: Presentation, config: JwtConfig, jwt: string): Promise<Verified> {
  const read = readHeader(jwt, config.jwtSupportedAlgs)
  if (!read.ok) throw refused(read.text)
  const { header } = read
  for (const again of [false, true]) {
    const isEnough = (keys: readonly VerifyingKey[]) => !again && candidates(keys, header).length > 0
    const found = await keysOf(deps, mount.id, config, isEnough)
    if (!found) throw refused('the keys of its provider cannot be fetched at present')
    const keys = candidates(found.keys, header)
    if (keys.length === 0) throw refused('it is signed with a key that is not known here')
    const claims = await claimsSignedBy(keys, jwt, header)
    if (claims) return { claims, issuer: found.issuer }
    // Of keys without ids, nobody can tell whether the right one is missing, so that they are fetched anew.
    if (keys.some(({ kid }) => kid !== undefined && kid === header.kid)) break
  }
  throw refused('its signature is wrong')
}

async function claimsSignedBy(
  keys: readonly VerifyingKey[],
  jwt: string,
  header: TokenHeader,
): Promise<Claims | undefined> {
  for (const { key } of keys) {
    const payload = await payloadSignedBy(key, jwt, header)
    if (payload === undefined) continue
    const claims = parseObject(payload)
    if (!claims) throw refused('its payload is no JSON object')
    return claims
  }
  return undefined
}

async function payloadSignedBy(
  key: VerifyingKey['key'],
  jwt: string,
  { alg }: TokenHeader,
): Promise<Uint8Array | undefined> {
  try {
    return (await compactVerify(jwt, key, { algorithms: [alg] })).payload
  } catch (thrown) {
    if (thrown instanceof errors.JOSEError || thrown instanceof TypeError) return undefined
    throw thrown
  }
}

function accept(
  deps: Deps,
  { mount, request }: Presentation,
  { role, claims, issuer }: { readonly role: JwtRole; readonly claims: Claims; readonly issuer: string | undefined },
): AcceptedClaims {
  const verdict = judgeClaims(claims, { role, issuer, now: deps.clock.now() / 1_000 })
  if (verdict.ok) return verdict
  const { text, detail } = verdict
  const about = { request: request.id, mount: mount.path, remote: request.remoteAddress, role: role.name }
  deps.log.warn({ ...about, reason: detail === '' ? text : detail }, 'JWT login refused')
  throw refused(text)
}

/** Notes the token in the transaction of the login, so that of parallel logins with it one succeeds. */
function useOnce(deps: Deps, { mount }: Presentation, claims: Claims, { expiresAt }: AcceptedClaims): Alongside {
  const { iss, jti } = claims
  if (typeof jti !== 'string' || jti === '') throw refused("it has no 'jti', and the role accepts each token once")
  const hash = deps.keyring.keyedHash('jwt-id', JSON.stringify([mount.id, iss, jti]))
  const use = { mountId: mount.id, hash, expiresAt: Math.ceil(expiresAt * 1_000) }
  return async (tx) => {
    if (!(await noteUse(tx, use))) throw refused('it was used before, and the role accepts each token once')
  }
}

/** Forgets tokens that cannot log in any more. */
export const usedIdJob: Job = defineJob({
  name: 'jwt.forget-used',
  every: '1h',
  jitter: '10m',
  run: async (deps) => {
    const now = deps.clock.now()
    await inBatches(deps.db, (tx, limit) => forgetExpired(tx, now, limit))
  },
})
