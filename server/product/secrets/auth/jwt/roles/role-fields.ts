import { type Static, Type } from 'typebox'
import { failure } from '../../../../../kernel/failure.ts'
import { field } from '../../../../../kit/fields.ts'
import { jsonFields } from '../../../../../kit/json-fields.ts'
import { oldTermFields, storedTokenTerms, tokenTermFields } from '../../../login-roles/login-role-fields.ts'

const invalid = (text: string) => failure('invalid', 'jwt-role.invalid', text)

function choice<const V extends string>(name: string, values: readonly V[]) {
  return (sent: string): V => {
    const found = values.find((each) => each === sent)
    if (found !== undefined) return found
    throw invalid(`Field '${name}' must be one of: ${values.join(', ')}.`)
  }
}

/** Clients that plan changes read lists back as lists, and texts as texts. */
function boundClaimsOf(sent: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
  const wrong = Object.entries(sent).find(
    ([, value]) => !(Array.isArray(value) ? value.every(isPlain) : isPlain(value)),
  )
  if (wrong === undefined) return sent
  throw invalid(`Field 'bound_claims' has a value for '${wrong[0]}' that is no text, number, boolean or list of these.`)
}

const leeway = (what: string, usual: number) =>
  field.whole(`Seconds of leeway ${what}; 0 for ${usual}, negative for none.`, { default: 0 })

/** Everything a role says: which tokens may log in, and what they get. */
export const roleFields = jsonFields(
  {
    roleType: field.text('`jwt`; `oidc`, the default of other servers of this family, is not built yet.', {
      shown: 'Always `jwt`.',
    }),
    userClaim: field.text('The claim that identifies who logs in; it must be a text.'),
    userClaimJsonPointer: field.flag('Whether `user_claim` may be a JSON pointer.', { default: false }),
    boundAudiences: field.list('Audiences of which a token must have one; a token with audiences needs them.'),
    boundSubject: field.text('The `sub` that tokens must have; empty for any.'),
    boundClaims: field.object('Claims, or JSON pointers, that a token must have, each with one of these values.'),
    boundClaimsType: field.text('`string`, or `glob` for values with `*` as a wildcard.'),
    claimMappings: field.textMap('Metadata of tokens: its keys by the claims or JSON pointers they are taken from.'),
    groupsClaim: field.text('The claim, or JSON pointer, with groups; it is checked, and has no effect yet.'),
    oidcScopes: field.list('Stored for the sign-in of people, which is not built yet.'),
    allowedRedirectUris: field.list('Stored for the sign-in of people.'),
    clockSkewLeeway: leeway('for all times', 60),
    expirationLeeway: leeway('for tokens without an end', 150),
    notBeforeLeeway: leeway('for tokens without a beginning', 150),
    maxAge: field.seconds('Stored for the sign-in of people.'),
    verboseOidcLogging: field.flag('Stored; tokens are never logged.', { default: false }),
    callbackMode: field.text('Stored for the sign-in of people: `client`.'),
    oauth2Metadata: field.list('Must be empty: tokens of others are not kept.'),
    tokenPoliciesTemplateClaims: field.flag('Must be off: policies are not made of claims.', { default: false }),
    singleUse: field.flag('Accept each token once; it must have `jti`.', { default: false }),
    ...tokenTermFields,
  },
  {
    names: { oauth2Metadata: 'oauth2_metadata' },
    stored: {
      ...storedTokenTerms,
      boundClaims: boundClaimsOf,
      boundClaimsType: (sent: string) => choice('bound_claims_type', ['string', 'glob'])(sent === '' ? 'string' : sent),
    },
  },
)

/** The body of a role write. Absent fields keep what is stored. */
export const RoleBody = Type.Object({ ...roleFields.body, ...oldTermFields })

/** The names by which older clients know fields of a role write. */
export const roleAliases = {
  token_policies: ['policies'],
  token_ttl: ['ttl'],
  token_max_ttl: ['max_ttl'],
  token_period: ['period'],
  token_num_uses: ['num_uses'],
  token_bound_cidrs: ['bound_cidrs'],
} as const

/** The fields of a role write. */
export type RoleInput = Static<typeof RoleBody>
