import { typedSpan } from '../../kit/times.ts'
import { linesOf, pairsOf } from '../searches.ts'

/** A field of a role, and how it is typed. */
type RoleField = {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'list' | 'flag' | 'pairs' | 'json'
  readonly hint?: string
  readonly placeholder?: string
}

const tokenFields: readonly RoleField[] = [
  { name: 'token_policies', label: 'Policies', kind: 'list', hint: 'Of the tokens of its logins.' },
  { name: 'token_ttl', label: 'Lifetime', kind: 'text', hint: 'Such as 20m.', placeholder: 'As the mount' },
  { name: 'token_max_ttl', label: 'At most', kind: 'text', hint: 'With all renewals.', placeholder: 'As the mount' },
  { name: 'token_bound_cidrs', label: 'Token addresses', kind: 'list', hint: 'From where its tokens may be used.' },
]

/** What is asked of a role of each method; what is not asked stays as it is. */
export const roleFields = {
  approle: [
    { name: 'bind_secret_id', label: 'A login takes a secret id', kind: 'flag' },
    { name: 'secret_id_ttl', label: 'Secret ids last', kind: 'text', hint: 'Such as 10m.', placeholder: 'For ever' },
    { name: 'secret_id_num_uses', label: 'Uses of a secret id', kind: 'text', placeholder: 'Any number' },
    { name: 'secret_id_bound_cidrs', label: 'Login addresses', kind: 'list', hint: 'From where one may log in.' },
    ...tokenFields,
  ],
  jwt: [
    { name: 'user_claim', label: 'Claim that identifies', kind: 'text', hint: 'Such as sub.' },
    { name: 'bound_audiences', label: 'Audiences', kind: 'list', hint: 'A token must have one of them.' },
    { name: 'bound_subject', label: 'Subject', kind: 'text', placeholder: 'Any' },
    {
      name: 'bound_claims',
      label: 'Claims that a token must have',
      kind: 'json',
      hint: 'As JSON: {"repository": ["acme/app"]}.',
    },
    { name: 'claim_mappings', label: 'Claims kept as metadata', kind: 'pairs', hint: 'One claim=key on each line.' },
    ...tokenFields,
  ],
} as const satisfies Readonly<Record<string, readonly RoleField[]>>

/** A method with roles that has pages here. */
export type MethodType = keyof typeof roleFields

/** What is typed for a role. */
export type RoleValues = Readonly<Record<string, string | boolean | readonly string[]>>

/** The fields of a role as they are typed. */
export const typedRole = (type: MethodType, role: Readonly<Record<string, unknown>>): RoleValues =>
  Object.fromEntries(
    (roleFields[type] as readonly RoleField[]).map((field) => [field.name, typed(field, role[field.name])]),
  )

function typed({ name, kind }: RoleField, value: unknown): string | boolean | readonly string[] {
  if (kind === 'flag') return value !== false
  if (kind === 'list') return (value ?? []) as readonly string[]
  if (kind === 'pairs') return linesOf(value as Record<string, string> | null | undefined)
  if (kind === 'json') return value && Object.keys(value).length > 0 ? JSON.stringify(value, null, 2) : ''
  if (typeof value === 'number') return name.endsWith('_ttl') ? typedSpan(value) : value === 0 ? '' : `${value}`
  return typeof value === 'string' ? value : ''
}

/** What is wrong with JSON that was typed; undefined if nothing is. */
export function jsonProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'It must be an object.'
  } catch (error) {
    return `It is not JSON: ${(error as Error).message}`
  }
}

/** What is sent of what was changed. */
export function roleBody(type: MethodType, values: RoleValues, changes: readonly string[]): Record<string, unknown> {
  const known = (roleFields[type] as readonly RoleField[]).filter(({ name }) => changes.includes(name))
  const body = Object.fromEntries(known.map((field) => [field.name, sent(field, values[field.name])]))
  return type === 'jwt' ? { role_type: 'jwt', ...body } : body
}

function sent({ name, kind }: RoleField, value: RoleValues[string] | undefined): unknown {
  if (kind === 'pairs') return pairsOf(String(value))
  if (kind === 'json') return JSON.parse(String(value).trim() || '{}')
  if (kind === 'text' && String(value).trim() === '' && /_ttl$|_uses$/.test(name)) return 0
  return value
}
