import { Type } from 'typebox'
import { parseSeconds } from '../../../kernel/duration.ts'
import { failure } from '../../../kernel/failure.ts'
import { field, parseFields } from '../../../kit/fields.ts'
import type { Mount, MountConfig, MountOptions } from '../../../kit/mount.ts'
import { longestLifetime } from '../../../kit/throttling/throttle-rules.ts'
import { defaultMountConfig } from './fixed-mounts.ts'

/** What a type of mounts says about its settings. */
type TunedKind = {
  readonly isAuth: boolean
  readonly countsFailures?: boolean
  readonly variantOf?: (options: MountOptions) => string
}

/** What a caller may set on a mount; absent fields stay as they are. */
export type Tuning = {
  readonly description?: string
  readonly default_lease_ttl?: string
  readonly max_lease_ttl?: string
  readonly audit_non_hmac_request_keys?: readonly string[]
  readonly audit_non_hmac_response_keys?: readonly string[]
  readonly listing_visibility?: string
  readonly passthrough_request_headers?: readonly string[]
  readonly allowed_response_headers?: readonly string[]
  readonly token_type?: string
  readonly force_no_cache?: boolean
  readonly options?: Readonly<Record<string, string>>
  readonly plugin_version?: string
  readonly user_lockout_config?: Readonly<Record<string, unknown>>
}

/** The fields of a new mount. */
export type NewMount = {
  readonly type: string
  readonly description?: string
  readonly tuning?: Tuning
  readonly options?: Readonly<Record<string, string>>
  readonly local?: boolean
  readonly sealWrap?: boolean
}

const tokenTypes: readonly MountConfig['tokenType'][] = ['default-service', 'default-batch', 'service', 'batch']
const visibilities: readonly MountConfig['listingVisibility'][] = ['', 'hidden', 'unauth']

/** The mount after tuning; throws a failure that says what cannot be set. */
export function applyTuning(
  kind: TunedKind | undefined,
  mount: Mount,
  tuning: Tuning,
  system: { maxLeaseTtl: number },
): Mount {
  if (!kind?.countsFailures && Object.keys(tuning.user_lockout_config ?? {}).length > 0) {
    throw failure('invalid', 'mount.lockout', `'user_lockout_config' is not supported by the type '${mount.type}'.`)
  }
  if (tuning.plugin_version) {
    const text = `'plugin_version' cannot be set: the type '${mount.type}' is part of the server and has its version.`
    throw failure('invalid', 'mount.plugin-version', text)
  }
  const options = tunedOptions(mount.options, tuning.options)
  checkOptions(kind, mount.type, options ?? {})
  if (kind?.isAuth === false && tuning.token_type !== undefined)
    throw failure('invalid', 'mount.token-type', "'token_type' can be set for auth methods only.")
  const { config } = mount
  const next: MountConfig = {
    defaultLeaseTtl: lifetime('default_lease_ttl', tuning.default_lease_ttl, config.defaultLeaseTtl),
    maxLeaseTtl: lifetime('max_lease_ttl', tuning.max_lease_ttl, config.maxLeaseTtl),
    forceNoCache: tuning.force_no_cache ?? config.forceNoCache,
    tokenType: tokenType(tuning.token_type) ?? config.tokenType,
    listingVisibility:
      choice('listing_visibility', tuning.listing_visibility, visibilities) ?? config.listingVisibility,
    auditNonHmacRequestKeys: tuning.audit_non_hmac_request_keys ?? config.auditNonHmacRequestKeys,
    auditNonHmacResponseKeys: tuning.audit_non_hmac_response_keys ?? config.auditNonHmacResponseKeys,
    passthroughRequestHeaders: tuning.passthrough_request_headers ?? config.passthroughRequestHeaders,
    allowedResponseHeaders: tuning.allowed_response_headers ?? config.allowedResponseHeaders,
    ...lockoutAfter(config, tuning.user_lockout_config),
  }
  const longest = next.maxLeaseTtl || system.maxLeaseTtl
  if (next.defaultLeaseTtl > longest) {
    throw failure(
      'invalid',
      'mount.ttl',
      `The default lease time ${next.defaultLeaseTtl}s is longer than the maximum ${longest}s.`,
    )
  }
  return {
    ...mount,
    config: next,
    description: tuning.description ?? mount.description,
    options,
  }
}

const LockoutFields = Type.Object({
  lockout_threshold: field.whole('Wrong credentials that are free.', { minimum: 1, maximum: 1_000 }),
  lockout_duration: field.text('The longest wait.'),
  lockout_counter_reset_duration: field.text('When wrong credentials are forgotten.'),
  lockout_disable: field.flag('Whether nobody has to wait.'),
})

/** What is set about wrong credentials: each part is set separately. */
function lockoutAfter(current: MountConfig, sent: Tuning['user_lockout_config']): Pick<MountConfig, 'userLockout'> {
  if (sent === undefined || Object.keys(sent).length === 0)
    return current.userLockout ? { userLockout: current.userLockout } : {}
  const { value, unknown } = parseFields(LockoutFields, sent)
  if (unknown.length > 0) throw failure('invalid', 'mount.lockout', `'user_lockout_config' has no '${unknown[0]}'.`)
  const before = current.userLockout ?? {}
  const { lockout_threshold: threshold, lockout_disable: disable } = value
  const duration = lockoutTime('lockout_duration', value.lockout_duration)
  const counterReset = lockoutTime('lockout_counter_reset_duration', value.lockout_counter_reset_duration)
  return {
    userLockout: {
      ...before,
      ...(threshold === undefined ? {} : { threshold }),
      ...(disable === undefined ? {} : { disable }),
      ...(duration === undefined ? {} : { duration: duration || undefined }),
      ...(counterReset === undefined ? {} : { counterReset: counterReset || undefined }),
    },
  }
}

/** Seconds; 0 sets back to the default, undefined leaves it as it is. */
function lockoutTime(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  if (text === 'system') return 0
  const seconds = parseSeconds(text)
  if (seconds !== undefined && seconds <= longestLifetime / 1_000) return seconds
  throw failure('invalid', 'mount.lockout', `'${name}' must be a duration of at most 24h, or 'system'.`)
}

function checkOptions(kind: TunedKind | undefined, type: string, options: MountOptions): void {
  if (kind?.variantOf) kind.variantOf(options)
  else if (options.version) {
    const text = kind?.isAuth === false ? `secrets engine "${type}" does not allow setting a version` : noVersionText
    throw failure('invalid', 'mount.options', text)
  }
}

const noVersionText = "Auth methods have no 'version' option."

/** Each option is set separately: those not named stay, a blank value removes one. */
function tunedOptions(current: Mount['options'], wanted: Tuning['options']): Mount['options'] {
  if (wanted === undefined) return current
  const kept = Object.entries({ ...current, ...wanted }).filter(([, value]) => value !== '')
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

function lifetime(name: string, text: string | undefined, current: number): number {
  if (text === undefined || text === '') return current
  if (text === 'system') return 0
  const seconds = parseSeconds(text)
  if (seconds === undefined)
    throw failure('invalid', 'mount.ttl', `'${name}' must be a duration from 0 to 292 years, or 'system'.`)
  return seconds
}

/** A blank value resets it to the default. */
const tokenType = (value: string | undefined): MountConfig['tokenType'] | undefined =>
  value === '' ? defaultMountConfig.tokenType : choice('token_type', value, tokenTypes)

function choice<T extends string>(name: string, value: string | undefined, allowed: readonly T[]): T | undefined {
  if (value === undefined) return undefined
  const found = allowed.find((each) => each === value)
  if (found === undefined)
    throw failure('invalid', 'mount.choice', `'${name}' must be one of: ${allowed.filter(Boolean).join(', ')}.`)
  return found
}
