import { matchesCidrs } from '../../../../../access/cidr.ts'
import { type Instant, later } from '../../../../../kernel/clock.ts'
import { failure } from '../../../../../kernel/failure.ts'
import { type AppRole, requireWithin } from '../roles/role.ts'
import { sentCidrs } from '../roles/role-fields.ts'

/** What a secret id says besides how often and how long it is good. */
export type SecretIdTerms = {
  readonly metadata: Readonly<Record<string, string>>
  /** From where it is accepted. */
  readonly cidrs: readonly string[]
  /** The bounds of its tokens, in place of those of the role. */
  readonly tokenCidrs: readonly string[]
}

/** A secret id. Its text is known to nobody but those it was shown to. */
export type SecretId = SecretIdTerms & {
  readonly accessor: string
  /** True if somebody chose the text, so that it may be guessed. */
  readonly isCustom: boolean
  /** As it was made; 0 for no limit. */
  readonly numUses: number
  readonly usesLeft: number
  /** Seconds, as it was made; 0 for no end. */
  readonly ttl: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly expiresAt: Instant | undefined
}

/** What is sent for a new secret id. */
export type SecretIdInput = {
  readonly metadata?: Readonly<Record<string, string>> | undefined
  readonly cidr_list?: readonly string[] | undefined
  readonly token_bound_cidrs?: readonly string[] | undefined
  readonly num_uses?: number | undefined
  readonly ttl?: number | undefined
}

const invalid = (code: string, text: string) => failure('invalid', `approle-secret-id.${code}`, text)

/** When and under which name a secret id is made, and how long it may last. */
type NewSecretId = Pick<SecretId, 'accessor' | 'isCustom'> & { readonly now: Instant; readonly maxLeaseTtl: number }

/** A new secret id within what its role allows; throws at the first thing that goes beyond. */
export function newSecretId(
  role: AppRole,
  sent: SecretIdInput,
  { accessor, isCustom, now, maxLeaseTtl }: NewSecretId,
): SecretId {
  if (!role.bindSecretId) throw invalid('not-bound', 'bind_secret_id is not set on the role')
  const cidrs = sentCidrs('cidr_list', sent.cidr_list ?? [])
  const tokenCidrs = sentCidrs('token_bound_cidrs', sent.token_bound_cidrs ?? [])
  requireWithin('cidr_list', cidrs, role.secretIdBoundCidrs)
  requireWithin('token_bound_cidrs', tokenCidrs, role.tokenBoundCidrs)
  const numUses = atMost('num_uses', sent.num_uses, role.secretIdNumUses, higherUses)
  const wanted = atMost('ttl', sent.ttl, role.secretIdTtl, longerTtl)
  const ttl = Math.min(wanted, maxLeaseTtl)
  return {
    accessor,
    isCustom,
    metadata: sent.metadata ?? {},
    cidrs,
    tokenCidrs,
    numUses,
    usesLeft: numUses,
    ttl,
    createdAt: now,
    updatedAt: now,
    expiresAt: ttl === 0 ? undefined : later(now, ttl * 1_000),
  }
}

const higherUses = "num_uses cannot be higher than the role's secret_id_num_uses"
const longerTtl = "ttl cannot be longer than the role's secret_id_ttl"

/** 0 means no limit, so it is more than any limit of the role. */
function atMost(code: string, sent: number | undefined, limit: number, text: string): number {
  if (sent === undefined) return limit
  if (limit > 0 && (sent === 0 || sent > limit)) throw invalid(code, text)
  return sent
}

/** True while a secret id may be used. */
export const isLive = ({ numUses, usesLeft, expiresAt }: SecretId, now: Instant): boolean =>
  (numUses === 0 || usesLeft > 0) && (expiresAt === undefined || expiresAt > now)

/** Why an address may not use a secret id of a role; undefined if it may. */
export function addressProblem(role: AppRole, secretId: SecretId | undefined, address: string): string | undefined {
  const outside = (bounds: readonly string[]) => !matchesCidrs(bounds, address)
  if (outside(role.tokenBoundCidrs)) return 'the token bounds of the role'
  if (outside(role.secretIdBoundCidrs)) return 'the secret id bounds of the role'
  if (secretId && outside(secretId.cidrs)) return 'the bounds of the secret id'
  return secretId && outside(secretId.tokenCidrs) ? 'the token bounds of the secret id' : undefined
}
