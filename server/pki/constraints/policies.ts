import type { Certificate } from '../certificates/certificate.ts'
import { anyPolicy } from '../certificates/policy-extensions.ts'

/**
 * Valid policies of one level of the tree, each with its expected policy set: the policies that continue it in the next
 * certificate.
 */
type Level = Map<string, Set<string>>

type State = { level: Level | undefined; explicitPolicy: number; policyMapping: number; inhibitAny: number }

/**
 * Judges certificate policies along a path, leaf first, anchor last (RFC 5280 §6.1, with the most permissive initial
 * settings). False only when some CA requires an explicit policy and none survives. One level at a time is enough: the
 * tree is empty as soon as a level is (RFC 9618 explains why the full tree must not be built: it can grow without
 * bound).
 */
export function hasAcceptablePolicies(path: readonly Certificate[]): boolean {
  const [anchor, ...below] = [...path].reverse()
  const length = below.length
  const open = length + 1
  const start: Level = new Map([[anyPolicy, new Set([anyPolicy])]])
  const state: State = { level: start, explicitPolicy: open, policyMapping: open, inhibitAny: open }
  // A configured CA's own constraints bind what is below it, as RFC 5937 §3.2 puts it; its policies do not.
  if (anchor !== undefined) applyConstraints(state, anchor)
  for (const [index, certificate] of below.entries()) {
    const isLeaf = index === length - 1
    state.level = nextLevel(state, certificate, isLeaf)
    if (state.explicitPolicy === 0 && state.level === undefined) return false
    if (isLeaf) return isLeafAcceptable(state, certificate)
    if (!applyMappings(state, certificate)) return false
    if (!certificate.isSelfIssued) countDown(state)
    applyConstraints(state, certificate)
  }
  return true
}

/** RFC 5280 §6.1.5 a, b, g. */
function isLeafAcceptable(state: State, leaf: Certificate): boolean {
  const isExplicit = state.explicitPolicy <= 1 || leaf.policyConstraints?.requireExplicit === 0
  return !isExplicit || state.level !== undefined
}

/** RFC 5280 §6.1.3 d, e. */
function nextLevel(state: State, certificate: Certificate, isLeaf: boolean): Level | undefined {
  const { level } = state
  if (certificate.policies === undefined || level === undefined) return undefined
  const next: Level = new Map()
  const expected = new Set([...level.values()].flatMap((set) => [...set]))
  for (const policy of certificate.policies)
    if (policy !== anyPolicy && (expected.has(policy) || level.has(anyPolicy))) next.set(policy, new Set([policy]))
  const mayUseAny = state.inhibitAny > 0 || (!isLeaf && certificate.isSelfIssued)
  if (certificate.policies.includes(anyPolicy) && mayUseAny)
    for (const policy of expected) if (!next.has(policy)) next.set(policy, new Set([policy]))
  return next.size === 0 ? undefined : next
}

/** RFC 5280 §6.1.4 a, b. False when a mapping names anyPolicy, which is forbidden. */
function applyMappings(state: State, certificate: Certificate): boolean {
  const mappings = Map.groupBy(certificate.policyMappings, (mapping) => mapping.issuerPolicy)
  if (certificate.policyMappings.some((each) => each.issuerPolicy === anyPolicy || each.subjectPolicy === anyPolicy))
    return false
  const { level } = state
  if (level === undefined) return true
  for (const [policy, pairs] of mappings) {
    if (state.policyMapping === 0) level.delete(policy)
    else if (level.has(policy) || level.has(anyPolicy))
      level.set(policy, new Set(pairs.map((pair) => pair.subjectPolicy)))
  }
  if (level.size === 0) state.level = undefined
  return true
}

/** RFC 5280 §6.1.4 h. */
function countDown(state: State): void {
  if (state.explicitPolicy > 0) state.explicitPolicy--
  if (state.policyMapping > 0) state.policyMapping--
  if (state.inhibitAny > 0) state.inhibitAny--
}

/** RFC 5280 §6.1.4 i, j. */
function applyConstraints(state: State, certificate: Certificate): void {
  const constraints = certificate.policyConstraints
  state.explicitPolicy = Math.min(state.explicitPolicy, constraints?.requireExplicit ?? state.explicitPolicy)
  state.policyMapping = Math.min(state.policyMapping, constraints?.inhibitMapping ?? state.policyMapping)
  state.inhibitAny = Math.min(state.inhibitAny, certificate.inhibitAnyPolicy ?? state.inhibitAny)
}
