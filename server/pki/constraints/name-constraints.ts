import type { Certificate } from '../certificates/certificate.ts'
import { shorten } from '../certificates/certificate-facts.ts'
import { isReadableName, isWithin, type Name, nameText } from '../certificates/distinguished-names.ts'
import type { NameConstraints } from '../certificates/extensions.ts'
import type { GeneralName } from '../certificates/general-names.ts'
import {
  type ConstrainedName,
  constrainedNames,
  type DnsName,
  type Mailbox,
  parseHost,
  parseMailbox,
} from './constrained-names.ts'

/** Why a certificate breaks the constraints of a CA above it. */
export type NameViolation = {
  readonly why:
    | 'excluded'
    | 'not-permitted'
    | 'unreadable-name'
    | 'unreadable-constraint'
    | 'unsupported-kind'
    | 'limit'
  readonly kind: ConstrainedName['kind']
  readonly name: string
}

/** The comparisons left for one login; below zero, the login is refused. */
export type ComparisonBudget = { comparisons: number }

type Kind = ConstrainedName['kind']
type Matcher = (name: ConstrainedName) => boolean
type Trees = { permitted: Matcher[]; excluded: Matcher[]; isUnreadable: boolean }

const compiled = new WeakMap<NameConstraints, ReadonlyMap<Kind, Trees>>()

function compile(constraints: NameConstraints): ReadonlyMap<Kind, Trees> {
  const known = compiled.get(constraints)
  if (known !== undefined) return known
  const all = new Map<Kind, Trees>()
  for (const side of ['permitted', 'excluded'] as const)
    for (const base of constraints[side]) {
      const trees = all.get(base.kind) ?? { permitted: [], excluded: [], isUnreadable: false }
      all.set(base.kind, trees)
      const matcher = matcherOf(base, side === 'excluded')
      if (matcher === undefined) trees.isUnreadable = true
      else trees[side].push(matcher)
    }
  compiled.set(constraints, all)
  return all
}

/**
 * Compares every name of a certificate with the constraints of one CA above it (RFC 5280 §6.1.3 b, c). The caller
 * leaves self-issued intermediates out. Permitted trees of several CAs intersect because each CA is asked on its own.
 */
export function findViolation(
  certificate: Certificate,
  constraints: NameConstraints,
  budget: ComparisonBudget,
): NameViolation | undefined {
  const trees = compile(constraints)
  for (const name of constrainedNames(certificate)) {
    const own = trees.get(name.kind)
    const why = own && judge(name, own, budget)
    if (why !== undefined) return { why, kind: name.kind, name: textOf(name) }
  }
  return undefined
}

const textOf = (name: ConstrainedName): string => shorten(name.kind === 'directory' ? nameText(name.name) : name.text)

function judge(name: ConstrainedName, trees: Trees, budget: ComparisonBudget): NameViolation['why'] | undefined {
  if (isUnsupported(name.kind)) return 'unsupported-kind'
  if (trees.isUnreadable) return 'unreadable-constraint'
  if (name.parsed === undefined) return 'unreadable-name'
  budget.comparisons -= trees.excluded.length + trees.permitted.length
  if (budget.comparisons < 0) return 'limit'
  if (trees.excluded.some((matches) => matches(name))) return 'excluded'
  return trees.permitted.length > 0 && !trees.permitted.some((matches) => matches(name)) ? 'not-permitted' : undefined
}

const isUnsupported = (kind: Kind): boolean =>
  kind === 'other' || kind === 'x400' || kind === 'edi' || kind === 'registered-id'

/** The test for one subtree; undefined when its base cannot be parsed. */
function matcherOf(base: GeneralName, isExcluded: boolean): Matcher | undefined {
  switch (base.kind) {
    case 'dns':
      return dnsMatcher(base.text, isExcluded)
    case 'email':
      return emailMatcher(base.text)
    case 'uri':
      return uriMatcher(base.text)
    case 'ip':
      return addressMatcher(base.bytes)
    case 'directory':
      return directoryMatcher(base.name)
    default:
      // Any name of such a kind is refused before its matchers are asked.
      return () => false
  }
}

/** A name and all names below it. */
const directoryMatcher = (base: Name): Matcher | undefined =>
  isReadableName(base)
    ? (name) => name.kind === 'directory' && name.parsed !== undefined && isWithin(name.parsed, base)
    : undefined

/** `host` covers itself and what is below; `.host`, which is not RFC syntax but in use, only what is below. */
function dnsMatcher(base: string, isExcluded: boolean): Matcher | undefined {
  if (base === '') return () => true
  const onlyBelow = base.startsWith('.')
  const host = parseHost(onlyBelow ? base.slice(1) : base)
  if (host === undefined) return undefined
  const suffix = `.${host}`
  return (name) => name.kind === 'dns' && name.parsed !== undefined && coversDns(name.parsed)

  function coversDns(name: DnsName): boolean {
    const isBelow = name.host.endsWith(suffix)
    if (!name.isWildcard) return isBelow || (!onlyBelow && name.host === host)
    // All that `*.name` stands for lies in the tree if `name` does; for an excluded tree one of them is enough.
    return isBelow || name.host === host || (isExcluded && !onlyBelow && isChild(host, name.host))
  }
}

const isChild = (host: string | undefined, parent: string): boolean =>
  host !== undefined && host.slice(host.indexOf('.') + 1) === parent && host.includes('.')

/** A mailbox, a host, or all hosts below a domain (RFC 5280 §4.2.1.10). */
function emailMatcher(base: string): Matcher | undefined {
  if (base === '') return () => true
  const mailbox = parseMailbox(base)
  const matchesHost = hostMatcher(base)
  if (mailbox === undefined && matchesHost === undefined) return undefined
  const covers = (found: Mailbox): boolean =>
    mailbox === undefined
      ? matchesHost?.(found.host) === true
      : found.local === mailbox.local && found.host === mailbox.host
  return (name) => name.kind === 'email' && name.parsed !== undefined && covers(name.parsed)
}

/** A host, or all hosts below a domain; compared with the host part of the URI. */
function uriMatcher(base: string): Matcher | undefined {
  if (base === '') return () => true
  const matchesHost = hostMatcher(base)
  return matchesHost && ((name) => name.kind === 'uri' && name.parsed !== undefined && matchesHost(name.parsed))
}

function hostMatcher(base: string): ((host: string) => boolean) | undefined {
  const onlyBelow = base.startsWith('.')
  const host = parseHost(onlyBelow ? base.slice(1) : base)
  if (host === undefined) return undefined
  return onlyBelow ? (found) => found.endsWith(`.${host}`) : (found) => found === host
}

/** Address and mask, both of the length of the family; a mask with holes is not a range. */
function addressMatcher(base: Buffer): Matcher | undefined {
  if (base.length !== 8 && base.length !== 32) return undefined
  const size = base.length / 2
  const mask = base.subarray(size)
  const bits = Array.from(mask, (byte) => byte.toString(2).padStart(8, '0')).join('')
  if (bits.includes('01')) return undefined
  const covers = (address: Buffer): boolean =>
    address.length === size && mask.every((byte, index) => (((address[index] ?? 0) ^ (base[index] ?? 0)) & byte) === 0)
  return (name) => name.kind === 'ip' && covers(name.parsed)
}
