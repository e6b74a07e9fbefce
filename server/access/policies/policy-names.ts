/** The policy that allows everything; it has no text. */
export const rootPolicyName = 'root'

/** The policy most tokens carry; it may be edited, not deleted. */
export const defaultPolicyName = 'default'

/** The policy of wrapping tokens; it is nobody's to edit or assign. */
export const responseWrappingPolicyName = 'response-wrapping'

const printable = /^[\x20-\x7e]*$/

/**
 * The one spelling of a policy name: trimmed, lower case. Only ASCII letters change case: a Unicode look-alike (the Kelvin
 * sign lower-cases to `k`) must name nothing rather than become the name it imitates.
 */
export function normalizePolicyName(name: string): string {
  const trimmed = name.trim()
  return printable.test(trimmed) ? trimmed.toLowerCase() : trimmed
}

/** A list of names in its one form: each normalised, sorted, without blanks and doubles; `root` swallows all others. */
export function normalizePolicyNames(names: Iterable<string>): string[] {
  const unique = new Set<string>()
  for (const name of names) unique.add(normalizePolicyName(name))
  unique.delete('')
  return unique.has(rootPolicyName) ? [rootPolicyName] : [...unique].sort()
}

/** Why a policy cannot be written under a name; undefined when it can. The name is taken as sent. */
export function policyWriteRefusal(sent: string): string | undefined {
  const name = normalizePolicyName(sent)
  if (name === '') return 'the policy name is empty'
  if (name.length > 512) return 'the policy name has more than 512 characters'
  if (!printable.test(name)) return 'the policy name holds characters outside printable ASCII'
  if (name.includes(',')) return 'the policy name holds a comma, which separates names in lists'
  // Trimming can leave such a part at either end of what the address had.
  if (name.split('/').some((part) => /^\.{0,2}$/.test(part)))
    return 'the policy name has a part that no address can have'
  if (name === rootPolicyName || name === responseWrappingPolicyName) return `the policy '${name}' cannot be changed`
  return undefined
}

/** Why a policy cannot be deleted; undefined when it can. */
export function policyDeleteRefusal(sent: string): string | undefined {
  const name = normalizePolicyName(sent)
  const kept = [rootPolicyName, defaultPolicyName, responseWrappingPolicyName].includes(name)
  return kept ? `the policy '${name}' cannot be deleted` : undefined
}

/** A pattern with `*` at its beginning, its end, or both; elsewhere `*` is plain text. */
export function globMatches(pattern: string, text: string): boolean {
  const open = pattern.startsWith('*')
  const close = pattern.endsWith('*')
  const fixed = pattern.slice(open ? 1 : 0, close ? -1 : undefined)
  if (open && close) return text.includes(fixed)
  if (open) return text.endsWith(fixed)
  return close ? text.startsWith(fixed) : text === pattern
}
