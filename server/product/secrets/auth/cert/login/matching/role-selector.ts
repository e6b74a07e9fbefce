import type { CertRole } from '../../roles/role.ts'
import type { LeafFacts } from './leaf-facts.ts'

type List = {
  readonly patterns: (role: CertRole) => readonly string[]
  readonly values: (facts: LeafFacts) => readonly string[]
}

const lower = (texts: readonly string[]): readonly string[] => texts.map((text) => text.toLowerCase())

/** Lists in which a role can name exact values; the most selective first. */
const lists: readonly List[] = [
  { patterns: (role) => role.allowedCommonNames, values: (facts) => [facts.commonName] },
  { patterns: (role) => role.allowedUriSans, values: (facts) => facts.urisNormalized },
  { patterns: (role) => lower(role.allowedDnsSans), values: (facts) => facts.dnsLowered },
  { patterns: (role) => role.allowedEmailSans, values: (facts) => facts.emails },
  { patterns: (role) => role.allowedOrganizationalUnits, values: (facts) => facts.organizationalUnits },
  { patterns: (role) => role.allowedOrganizations, values: (facts) => facts.organizations },
]

const isExact = (patterns: readonly string[]): boolean =>
  patterns.length > 0 && patterns.every((pattern) => !pattern.includes('*'))

/**
 * Finds, among many roles on one CA, those that could accept a certificate. A role that demands exact values is found by
 * them; only roles with stars or without such lists have to be asked one by one.
 */
export class RoleSelector<Item extends { readonly role: CertRole }> {
  readonly items: readonly Item[]
  /** The places of the roles that no list finds. */
  readonly #general: number[] = []
  /** For each of the lists: the places of the roles that name a value in it. */
  readonly #byValue = lists.map(() => new Map<string, number[]>())

  constructor(items: readonly Item[]) {
    this.items = items
    for (const [index, { role }] of items.entries()) {
      const list = lists.findIndex(({ patterns }) => isExact(patterns(role)))
      const byValue = this.#byValue[list]
      if (byValue === undefined) this.#general.push(index)
      else for (const value of lists[list]?.patterns(role) ?? []) append(byValue, value, index)
    }
  }

  /** The roles that may accept the certificate, in the order they were given; those left out certainly do not. */
  select(facts: LeafFacts): readonly Item[] {
    if (this.#general.length === this.items.length) return this.items
    const found = new Set(this.#general)
    for (const [list, { values }] of lists.entries())
      for (const value of values(facts)) for (const index of this.#byValue[list]?.get(value) ?? []) found.add(index)
    return [...found].sort((a, b) => a - b).flatMap((index) => this.items[index] ?? [])
  }
}

function append(byValue: Map<string, number[]>, value: string, index: number): void {
  const known = byValue.get(value)
  if (known === undefined) byValue.set(value, [index])
  else known.push(index)
}
