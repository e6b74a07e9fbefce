import { Globs } from '../../../../login-roles/glob.ts'
import type { CertRole } from '../../roles/role.ts'
import { type ExtensionRule, parseExtensionRule, satisfiesExtension } from './extension.ts'
import type { LeafFacts } from './leaf-facts.ts'

/** One constraint of a role, its verdict on a certificate, and on failure what would fix it. */
export type RoleCheck = {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  readonly fix: string
}

type Fault = { readonly detail: string; readonly fix: string }

type Constraint = {
  /** The field of the role. */
  readonly name: string
  /** What the role writes there; empty when it does not use the field. */
  readonly entries: (role: CertRole) => readonly string[]
  readonly holds: (role: CertRole, facts: LeafFacts) => boolean
  readonly fault: (role: CertRole, facts: LeafFacts) => Fault
}

type ListConstraint = {
  readonly name: string
  readonly patterns: (role: CertRole) => readonly string[]
  readonly values: (facts: LeafFacts) => readonly string[]
  /** What is compared, if it differs from the values that are shown. */
  readonly compared?: (facts: LeafFacts) => readonly string[]
  readonly globs?: (patterns: readonly string[]) => Globs
}

/** Computes something about a list of a role once. */
function memoizeByList<T>(compute: (list: readonly string[]) => T): (list: readonly string[]) => T {
  const known = new WeakMap<readonly string[], { readonly value: T }>()
  return (list) => {
    const before = known.get(list) ?? { value: compute(list) }
    known.set(list, before)
    return before.value
  }
}

/** Prepared patterns of a list of a role. */
export const globsAsWritten = memoizeByList((patterns) => new Globs(patterns))

/** The same for names that are compared without case. */
export const globsInLowerCase = memoizeByList((patterns) => new Globs(patterns.map((pattern) => pattern.toLowerCase())))

/** One value must match one pattern; an empty list asks for nothing. */
const listConstraint = ({
  name,
  patterns,
  values,
  compared = values,
  globs = globsAsWritten,
}: ListConstraint): Constraint => ({
  name,
  entries: patterns,
  holds: (role, facts) => {
    const wanted = patterns(role)
    return wanted.length === 0 || globs(wanted).matchAny(compared(facts))
  },
  fault: (role, facts) => {
    const found = values(facts)
    const what = found.length === 0 ? 'The certificate has no such value' : `${quoted(found)} does not match`
    return {
      detail: `${what}; the role wants one of ${quoted(patterns(role))}.`,
      fix: `Issue the certificate with a value that matches, or add one to '${name}'.`,
    }
  },
})

const maxShown = 5

/** Values as a refusal shows them, at most five. */
const quoted = (texts: readonly string[]): string => {
  const shown = texts.slice(0, maxShown).map((text) => JSON.stringify(text.slice(0, 200)))
  return texts.length > maxShown ? `${shown.join(', ')} and ${texts.length - maxShown} more` : shown.join(', ')
}

const rulesOf = memoizeByList((entries): readonly ExtensionRule[] => entries.map(parseExtensionRule))

const requiredExtensions: Constraint = {
  name: 'required_extensions',
  entries: (role) => role.requiredExtensions,
  holds: ({ requiredExtensions: entries }, { extensions }) =>
    entries.length === 0 || rulesOf(entries).every((rule) => satisfiesExtension(rule, extensions)),
  fault: ({ requiredExtensions: entries }, { extensions }) => {
    const missing = entries.filter((entry) => !satisfiesExtension(parseExtensionRule(entry), extensions))
    return {
      detail: `Not satisfied: ${quoted(missing)}.`,
      fix: 'Issue the certificate with these extensions, or change the conditions.',
    }
  },
}

const constraints: readonly Constraint[] = [
  listConstraint({
    name: 'allowed_names',
    patterns: (role) => role.allowedNames,
    values: ({ commonName, dns, emails, uris, ips }) => [commonName, ...dns, ...emails, ...uris, ...ips],
  }),
  listConstraint({
    name: 'allowed_common_names',
    patterns: (role) => role.allowedCommonNames,
    values: (facts) => [facts.commonName],
  }),
  listConstraint({
    name: 'allowed_dns_sans',
    patterns: (role) => role.allowedDnsSans,
    values: (facts) => facts.dns,
    compared: (facts) => facts.dnsLowered,
    globs: globsInLowerCase,
  }),
  listConstraint({
    name: 'allowed_email_sans',
    patterns: (role) => role.allowedEmailSans,
    values: (facts) => facts.emails,
  }),
  listConstraint({
    name: 'allowed_uri_sans',
    patterns: (role) => role.allowedUriSans,
    values: (facts) => facts.uris,
    compared: (facts) => facts.urisNormalized,
  }),
  listConstraint({
    name: 'allowed_organizational_units',
    patterns: (role) => role.allowedOrganizationalUnits,
    values: (facts) => facts.organizationalUnits,
  }),
  listConstraint({
    name: 'allowed_organizations',
    patterns: (role) => role.allowedOrganizations,
    values: (facts) => facts.organizations,
  }),
  requiredExtensions,
]

/** Judges a certificate by every constraint of the role, and reports each. */
export function judgeRole(role: CertRole, facts: LeafFacts): { readonly ok: boolean; readonly checks: RoleCheck[] } {
  const used = constraints.filter(({ entries }) => entries(role).length > 0)
  const checks = used.map(({ name, entries, holds, fault }): RoleCheck => {
    if (holds(role, facts)) return { name, ok: true, detail: `Satisfied: ${quoted(entries(role))}.`, fix: '' }
    return { name, ok: false, ...fault(role, facts) }
  })
  return { ok: checks.every((check) => check.ok), checks }
}

/**
 * True if a certificate satisfies every constraint of the role; without a report, so that thousands of roles can be
 * asked.
 */
export const satisfiesRole = (role: CertRole, facts: LeafFacts): boolean =>
  constraints.every(({ holds }) => holds(role, facts))
