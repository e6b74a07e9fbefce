import {
  defaultPolicyName,
  globMatches,
  normalizePolicyNames,
  responseWrappingPolicyName,
  rootPolicyName,
} from './policies/policy-names.ts'

/** The lists of a token role that decide about policies. */
export type RolePolicyLists = {
  readonly allowedPolicies: readonly string[]
  readonly allowedPoliciesGlob: readonly string[]
  readonly disallowedPolicies: readonly string[]
  readonly disallowedPoliciesGlob: readonly string[]
  readonly noDefaultPolicy: boolean
}

/** What decides which policies a new token carries. */
export type PolicyRequest = {
  /** None at all inherits. Names that are all blank do not: an unset variable of a script must not make a root token. */
  readonly requested: readonly string[]
  readonly noDefaultPolicy: boolean
  readonly parentPolicies: readonly string[]
  /** True if the caller holds root or `sudo` on the path. */
  readonly sudo: boolean
  readonly role: RolePolicyLists | undefined
}

/** The policies of the new token, or why it may not have what was asked for. */
type PolicyChoice = { readonly ok: true; readonly policies: string[] } | { readonly ok: false; readonly text: string }

/** Chooses the policies of a new token; all names are compared in their one spelling. */
export function choosePolicies(request: PolicyRequest): PolicyChoice {
  const requested = normalizePolicyNames(request.requested)
  const choice =
    request.role && hasLists(request.role)
      ? chooseByRole(request, request.role, requested)
      : chooseByParent(request, requested)
  if (!choice.ok) return choice
  const named = request.requested.length > 0 ? requested : normalizeEach(request.role?.allowedPolicies ?? [])
  const keepsDefault = !request.noDefaultPolicy && (!request.role?.noDefaultPolicy || named.includes(defaultPolicyName))
  const policies = keepsDefault ? choice.policies : choice.policies.filter((name) => name !== defaultPolicyName)
  if (policies.includes(responseWrappingPolicyName))
    return refuse(`cannot assign the policy '${responseWrappingPolicyName}'`)
  return { ok: true, policies }
}

const refuse = (text: string): PolicyChoice => ({ ok: false, text })

const hasLists = (role: RolePolicyLists): boolean =>
  [role.allowedPolicies, role.allowedPoliciesGlob, role.disallowedPolicies, role.disallowedPoliciesGlob].some(
    (list) => list.length > 0,
  )

/** If a role has lists, they decide, whatever the parent has. */
function chooseByRole(request: PolicyRequest, role: RolePolicyLists, requested: readonly string[]): PolicyChoice {
  const allowed = normalizeEach(role.allowedPolicies)
  const allowedGlobs = normalizeEach(role.allowedPoliciesGlob)
  const isDisallowed = disallowedBy(role)
  const addDefault = !request.noDefaultPolicy && !role.noDefaultPolicy && !isDisallowed(defaultPolicyName)
  const limited = allowed.length + allowedGlobs.length > 0
  const fallback = limited ? allowed : request.parentPolicies
  const asks = request.requested.length > 0
  const policies = withDefault(asks ? requested : fallback, addDefault)
  const mayHave = (name: string): boolean =>
    allowed.includes(name) || matchesAny(allowedGlobs, name) || (addDefault && name === defaultPolicyName)
  const excess = limited ? policies.find((name) => !mayHave(name)) : undefined
  if (excess !== undefined) return refuse(`the role does not allow the policy '${excess}'`)
  const disallowed = policies.find(isDisallowed)
  return disallowed === undefined ? { ok: true, policies } : refuse(`the role disallows the policy '${disallowed}'`)
}

function disallowedBy(role: RolePolicyLists): (name: string) => boolean {
  const names = normalizeEach(role.disallowedPolicies)
  const globs = normalizeEach(role.disallowedPoliciesGlob)
  return (name) => names.includes(name) || matchesAny(globs, name)
}

/** Without lists: what the parent has, or with root or `sudo` anything. An unwanted `default` is taken out later. */
function chooseByParent(request: PolicyRequest, requested: readonly string[]): PolicyChoice {
  const parent = normalizePolicyNames(request.parentPolicies)
  if (request.requested.length === 0) return { ok: true, policies: parent }
  if (request.sudo) return { ok: true, policies: withDefault(requested, true) }
  const excess = requested.find((name) => !parent.includes(name))
  if (excess !== undefined) return refuse(`child policies must be a subset of the parent's: '${excess}' is not`)
  return { ok: true, policies: withDefault(requested, parent.includes(defaultPolicyName)) }
}

const withDefault = (names: readonly string[], addDefault: boolean): string[] =>
  normalizePolicyNames(addDefault ? [...names, defaultPolicyName] : names)

/** The names one by one: as a set, a list that holds `root` would lose all others. */
const normalizeEach = (names: readonly string[]): string[] => names.flatMap((name) => normalizePolicyNames([name]))

const matchesAny = (globs: readonly string[], name: string): boolean => globs.some((glob) => globMatches(glob, name))

/** True if the policies make a root token. */
export const includesRoot = (policies: readonly string[]): boolean =>
  normalizePolicyNames(policies).includes(rootPolicyName)

/** Those of the policies that no auth method can grant. */
export const ungrantablePolicies = (policies: readonly string[]): string[] =>
  normalizePolicyNames(policies).filter((name) => name === rootPolicyName || name === responseWrappingPolicyName)

/** One sentence for each policy of a new token that does not exist; the token is made all the same. */
export const unknownPolicyWarnings = (policies: readonly string[], exists: (name: string) => boolean): string[] =>
  policies.filter((name) => !exists(name)).map((name) => `the policy '${name}' does not exist`)

/** True if a role allows tokens to have a policy; one without a list of what it allows says nothing about it. */
export function allowsPolicy(role: RolePolicyLists, policy: string): boolean {
  const names = normalizeEach(role.allowedPolicies)
  const globs = normalizeEach(role.allowedPoliciesGlob)
  const isAllowed = names.includes(policy) || globs.some((glob) => globMatches(glob, policy))
  return isAllowed && !disallowedBy(role)(policy)
}
