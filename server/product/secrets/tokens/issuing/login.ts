import {
  defaultPolicyName,
  normalizePolicyNames,
  responseWrappingPolicyName,
} from '../../../../access/policies/policy-names.ts'
import type { TokenType } from '../../../../access/token-plan.ts'
import { includesRoot } from '../../../../access/token-policies.ts'
import { failure } from '../../../../kernel/failure.ts'
import type { Mount } from '../../../../kit/mount.ts'

/**
 * What an auth method grants to a caller whose credentials it has checked. Lifetimes are whole seconds, 0 for not set.
 */
export type LoginGrant = {
  readonly mount: Mount
  /** The path of the login, such as `auth/cert/login`. */
  readonly path: string
  /** The name by which the caller is known at this mount; without one the token has no entity. */
  readonly alias?: {
    readonly name: string
    readonly metadata?: Readonly<Record<string, string>>
    /** Added to the alias, except for keys that it has already. */
    readonly customMetadata?: Readonly<Record<string, string>>
  }
  readonly policies: readonly string[]
  readonly noDefaultPolicy?: boolean
  /** The method's name for the caller; the mount's path is prepended. */
  readonly displayName: string
  readonly metadata?: Readonly<Record<string, string>>
  /** The role's choice; the mount's tuning may override it. */
  readonly tokenType?: TokenType | 'default' | ''
  readonly ttl?: number
  readonly maxTtl?: number
  readonly period?: number
  readonly explicitMaxTtl?: number
  readonly numUses?: number
  readonly boundCidrs?: readonly string[]
  /** Hexadecimal SHA-256 of the leaf that every use must present; empty or absent for none. */
  readonly certificateFingerprint?: string
  /** `organization/team` of the platform the token acts for. */
  readonly platformTeam?: string
  /** The id of that team. */
  readonly platformTeamId?: string
  /** Handed back to the method when the token is to be renewed. */
  readonly authData?: Readonly<Record<string, unknown>>
}

/** The policies of a login token: those of the role, and `default` unless it is unwanted. */
export function loginPolicies({ policies, noDefaultPolicy }: LoginGrant): string[] {
  const names = normalizePolicyNames(noDefaultPolicy ? policies : [...policies, defaultPolicyName])
  if (includesRoot(names)) throw failure('invalid', 'login.root-policy', 'auth methods cannot create root tokens')
  if (names.includes(responseWrappingPolicyName)) {
    throw failure('invalid', 'login.wrapping-policy', `cannot assign the policy '${responseWrappingPolicyName}'`)
  }
  return names
}

/** The mount's path with dashes, then the method's name for the caller: `cert-web`. */
export function loginDisplayName({ mount, displayName }: LoginGrant): string {
  const mounted = mount.path
    .replace(/^auth\//, '')
    .replace(/\/$/, '')
    .replaceAll('/', '-')
  return displayName === '' ? mounted : `${mounted}-${displayName}`
}
