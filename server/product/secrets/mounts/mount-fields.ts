import type { Static } from 'typebox'
import type { Deps } from '../../../kit/deps.ts'
import { model, Type } from '../../../kit/endpoint.ts'
import { field, parseFields } from '../../../kit/fields.ts'
import { type Mount, runningVersionOf } from '../../../kit/mount.ts'
import { defaultPairLimits } from '../../../kit/throttling/index.ts'
import type { NewMount } from './mount-tuning.ts'

/** The settings a mount can be given when it is enabled, and later by tuning. */
const tuneFields = {
  default_lease_ttl: field.text(
    'Default lifetime of tokens if a role sets none; empty keeps it, `system` or 0 resets it.',
  ),
  max_lease_ttl: field.text('Maximum lifetime of tokens; empty keeps it, `system` or 0 resets it.'),
  audit_non_hmac_request_keys: field.list('Request fields to record unhashed in audit records.'),
  audit_non_hmac_response_keys: field.list('Response fields to record unhashed in audit records.'),
  listing_visibility: field.text('`unauth` shows the mount to callers without a token.'),
  passthrough_request_headers: field.list('Request headers to pass to the method.'),
  allowed_response_headers: field.list('Response headers the method may set.'),
  token_type: field.text('`default-service`, `default-batch`, `service` or `batch`.'),
  force_no_cache: field.flag('Stored; has no effect.'),
  plugin_version: field.text('Must be empty: every type has the version of the server.'),
  options: field.textMap('Stored with the mount.'),
  user_lockout_config: field.object(
    'How long wrong credentials make a caller wait: `lockout_threshold`, `lockout_duration`, ' +
      '`lockout_counter_reset_duration`, `lockout_disable`; for methods that count them.',
  ),
} as const

/** The body of a tune call. */
export const TuneBody = model('TuneMountBody', { description: field.text('What the mount is for.'), ...tuneFields })

/** The body of an enable call. */
export const EnableBody = model('EnableMountBody', {
  type: field.text('What is enabled, such as `cert` or `kv`.'),
  description: field.text('What the mount is for.'),
  config: field.object('Settings, as for tune.'),
  options: field.textMap('Stored with the mount.'),
  local: field.flag('Stored.'),
  seal_wrap: field.flag('Stored.'),
  external_entropy_access: field.flag('Ignored.'),
  plugin_name: field.text('The type, where `type` is `plugin`.'),
  plugin_version: field.text('Must be empty: every type has the version of the server.'),
})

/** The fields of a new mount, and names of settings that are not known. */
export function newMountOf(body: Static<typeof EnableBody>): { mount: NewMount; unknown: readonly string[] } {
  const config = body.config ?? {}
  const { value: tuning, unknown } = parseFields(TuneBody, config)
  const {
    type: sentType = '',
    plugin_name: pluginName = '',
    description,
    options,
    local = false,
    seal_wrap: sealWrap = false,
    plugin_version = '',
  } = body
  const type = sentType === 'plugin' ? pluginName : sentType
  return {
    mount: {
      type,
      description,
      tuning: { ...tuning, ...(plugin_version && { plugin_version }) },
      options,
      local,
      sealWrap,
    },
    // The newest clients send settings that they know, empty.
    unknown: unknown.filter((name) => !isEmpty(config[name])).map((name) => `config.${name}`),
  }
}

const isEmpty = (value: unknown): boolean => !value || (typeof value === 'object' && Object.keys(value).length === 0)

const lifetime = (what: string) => Type.Integer({ description: `${what}, in seconds.` })

/** The settings of a mount as answers show them; lists only where they are set. */
export const TuneInfo = model('MountTuning', {
  default_lease_ttl: lifetime('Default lifetime of tokens if a role sets none'),
  max_lease_ttl: lifetime('Maximum lifetime of tokens'),
  force_no_cache: Type.Boolean({ description: 'As it was set.' }),
  token_type: Type.Optional(Type.String({ description: 'Type of the tokens that logins issue; auth methods only.' })),
})

/** A mount as answers show it. */
export const MountInfo = model('Mount', {
  type: Type.String({ description: 'Type of the mount.' }),
  description: Type.String({ description: 'What it is for.' }),
  accessor: Type.String({ description: 'Identifies the mount in aliases and policies.' }),
  uuid: Type.String({ description: 'Id of the mount.' }),
  local: Type.Boolean({ description: 'As it was set.' }),
  seal_wrap: Type.Boolean({ description: 'As it was set.' }),
  options: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], { description: 'As they were set.' }),
  config: TuneInfo,
  holdfast: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'What the mount holds, and whether it is `ready`.' }),
  ),
})

const listsOf = ({ config }: Mount): Record<string, unknown> => {
  const lists = {
    audit_non_hmac_request_keys: config.auditNonHmacRequestKeys,
    audit_non_hmac_response_keys: config.auditNonHmacResponseKeys,
    passthrough_request_headers: config.passthroughRequestHeaders,
    allowed_response_headers: config.allowedResponseHeaders,
  }
  const visibility = config.listingVisibility === '' ? {} : { listing_visibility: config.listingVisibility }
  return { ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)), ...visibility }
}

/** Lifetimes as they were set, or those in force, with the values of the whole server as defaults. */
type Lifetimes = 'as-set' | { readonly defaultLeaseTtl: number; readonly maxLeaseTtl: number }

const lifetimesOf = ({ config }: Mount, system: Lifetimes): Record<string, number> =>
  system === 'as-set'
    ? { default_lease_ttl: config.defaultLeaseTtl, max_lease_ttl: config.maxLeaseTtl }
    : {
        default_lease_ttl: config.defaultLeaseTtl || system.defaultLeaseTtl,
        max_lease_ttl: config.maxLeaseTtl || system.maxLeaseTtl,
      }

/** The lifetimes of the whole server. */
export const systemLifetimes = ({ settings }: Pick<Deps, 'settings'>): Lifetimes => ({
  defaultLeaseTtl: settings.defaultLeaseTtl,
  maxLeaseTtl: settings.maxLeaseTtl,
})

const isAuth = (mount: Mount): boolean => mount.path.startsWith('auth/')

/** Everything about a mount. */
export const mountInfo = (mount: Mount, version: string, lifetimes: Lifetimes = 'as-set'): Record<string, unknown> => ({
  type: mount.type,
  description: mount.description,
  accessor: mount.accessor,
  uuid: mount.id,
  local: mount.local,
  seal_wrap: mount.sealWrap,
  external_entropy_access: false,
  options: mount.options,
  plugin_version: '',
  running_plugin_version: runningVersionOf(version),
  running_sha256: '',
  deprecation_status: 'supported',
  config: {
    ...lifetimesOf(mount, lifetimes),
    force_no_cache: mount.config.forceNoCache,
    ...(isAuth(mount) ? { token_type: mount.config.tokenType } : {}),
    ...listsOf(mount),
    ...lockoutOf(mount),
  },
})

const lockoutFields = ({ config: { userLockout } }: Mount): Record<string, unknown> | undefined =>
  userLockout && {
    lockout_threshold: userLockout.threshold ?? defaultPairLimits.free,
    lockout_duration: userLockout.duration ?? defaultPairLimits.longest / 1_000,
    lockout_counter_reset_duration: userLockout.counterReset ?? defaultPairLimits.lifetime / 1_000,
    lockout_disable: userLockout.disable ?? false,
  }

const lockoutOf = (mount: Mount): Record<string, unknown> => {
  const fields = lockoutFields(mount)
  return fields ? { user_lockout_config: fields } : {}
}

const tunedLockout = (mount: Mount): Record<string, unknown> =>
  Object.fromEntries(Object.entries(lockoutFields(mount) ?? {}).map(([name, value]) => [`user_${name}`, value]))

/** The tuning of a mount, with the lifetimes in force. */
export const tuneInfo = (mount: Mount, lifetimes: Lifetimes): Record<string, unknown> => ({
  description: mount.description,
  ...lifetimesOf(mount, lifetimes),
  force_no_cache: mount.config.forceNoCache,
  ...(isAuth(mount) ? { token_type: mount.config.tokenType } : {}),
  ...(mount.options ? { options: mount.options } : {}),
  ...listsOf(mount),
  ...tunedLockout(mount),
})
