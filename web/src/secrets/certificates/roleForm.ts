import type { Schemas } from '../../api/client.ts'
import { typedSpan } from '../../kit/times.ts'

/** What the form of a role holds. Lifetimes are texts, as people write them: `1h`, `30m`. */
export type RoleValues = {
  certificate: string
  allowed_names: readonly string[]
  allowed_common_names: readonly string[]
  allowed_dns_sans: readonly string[]
  allowed_email_sans: readonly string[]
  allowed_uri_sans: readonly string[]
  allowed_organizational_units: readonly string[]
  allowed_organizations: readonly string[]
  required_extensions: readonly string[]
  ocsp_enabled: boolean
  ocsp_fail_open: boolean
  ocsp_query_all_servers: boolean
  ocsp_servers_override: readonly string[]
  ocsp_ca_certificates: string
  token_policies: readonly string[]
  token_no_default_policy: boolean
  token_ttl: string
  token_max_ttl: string
  token_period: string
  token_explicit_max_ttl: string
  token_num_uses: string
  token_type: string
  token_bound_cidrs: readonly string[]
  token_strictly_bind_ip: boolean
  token_bind_certificate: boolean
  alias_source: string
  display_name: string
  platform_team: string
  platform_user: string
}

type Role = Schemas['CertRole']

/** The values of a role that is not there yet. */
export const blankRole: RoleValues = {
  certificate: '',
  allowed_names: [],
  allowed_common_names: [],
  allowed_dns_sans: [],
  allowed_email_sans: [],
  allowed_uri_sans: [],
  allowed_organizational_units: [],
  allowed_organizations: [],
  required_extensions: [],
  ocsp_enabled: false,
  ocsp_fail_open: false,
  ocsp_query_all_servers: false,
  ocsp_servers_override: [],
  ocsp_ca_certificates: '',
  token_policies: [],
  token_no_default_policy: false,
  token_ttl: '',
  token_max_ttl: '',
  token_period: '',
  token_explicit_max_ttl: '',
  token_num_uses: '',
  token_type: 'default',
  token_bound_cidrs: [],
  token_strictly_bind_ip: false,
  token_bind_certificate: false,
  alias_source: 'common_name',
  display_name: '',
  platform_team: '',
  platform_user: '',
}

const lifetimes = new Set(['token_ttl', 'token_max_ttl', 'token_period', 'token_explicit_max_ttl'])

/** The values of a stored role. */
export function valuesOf(role: Role): RoleValues {
  const stored = role as unknown as Record<string, unknown>
  const entries = Object.entries(blankRole).map(([name, blank]) => {
    const value = stored[name]
    if (lifetimes.has(name)) return [name, typedSpan(Number(value ?? 0))]
    if (name === 'token_num_uses') return [name, Number(value ?? 0) === 0 ? '' : String(value)]
    if (name === 'display_name') return [name, value === role.name ? '' : value]
    return [name, value ?? blank]
  })
  return Object.fromEntries(entries) as RoleValues
}

/** What is sent of those values: empty lifetimes and counts mean 0. */
export function bodyOf(values: RoleValues, names: readonly (keyof RoleValues)[]): Record<string, unknown> {
  const entries = names.map((name) => {
    const value = values[name]
    const isNumber = lifetimes.has(name) || name === 'token_num_uses'
    return [name, isNumber && value === '' ? 0 : value]
  })
  return Object.fromEntries(entries)
}

/** The names of all values. */
export const roleNames = Object.keys(blankRole) as readonly (keyof RoleValues)[]

/** The field that a sentence of the server is about. */
export const fieldIn = (sentence: string): string | undefined => /'([a-z_]+)'/.exec(sentence)?.[1]
