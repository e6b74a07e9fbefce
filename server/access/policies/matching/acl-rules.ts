import { lesserLimit } from '../../ttl.ts'
import { fillIdentityTemplate, type IdentityFacts } from '../identity-template.ts'
import { addValues, compileParameterRules, type FieldCheck } from '../parameter-rules.ts'
import {
  bitOf,
  type Capability,
  type CapabilityBits,
  denyBit,
  type ParameterLists,
  type Policy,
  type PolicyRule,
} from '../policy.ts'
import { type PathPattern, parsePathPattern } from './path-pattern.ts'

/** What all policies of a caller together say about one pattern. */
export type AclRule = {
  readonly pattern: PathPattern
  readonly granted: CapabilityBits
  /** For each capability the policies that gave it. */
  readonly grantedBy: ReadonlyMap<Capability, readonly string[]>
  readonly fieldsAllowed: FieldCheck
  readonly minWrappingTtl: number
  readonly maxWrappingTtl: number
}

type Draft = {
  granted: CapabilityBits
  grantedBy: Map<Capability, string[]>
  allowedParameters: Map<string, unknown[]>
  deniedParameters: Map<string, unknown[]>
  requiredParameters: Set<string>
  minWrappingTtl: number
  maxWrappingTtl: number
}

/**
 * Unites the rules of several policies, pattern by pattern. A rule whose template cannot be filled for this caller is left
 * out; `deny` in any policy overrides everything else.
 */
export function uniteRules(policies: readonly Policy[], facts: IdentityFacts): AclRule[] {
  const drafts = new Map<string, Draft>()
  for (const policy of policies) {
    for (const rule of policy.rules) {
      const path = rule.template ? fillIdentityTemplate(rule.template, facts) : rule.path
      if (path === undefined) continue
      const draft = drafts.get(path) ?? emptyDraft()
      drafts.set(path, draft)
      addRule(draft, policy.name, rule)
    }
  }
  return [...drafts].map(([path, draft]) => finish(path, draft))
}

const emptyDraft = (): Draft => ({
  granted: 0,
  grantedBy: new Map(),
  allowedParameters: new Map(),
  deniedParameters: new Map(),
  requiredParameters: new Set(),
  minWrappingTtl: 0,
  maxWrappingTtl: 0,
})

function addRule(draft: Draft, policy: string, rule: PolicyRule): void {
  for (const capability of rule.capabilities) {
    draft.granted |= bitOf(capability)
    const givers = draft.grantedBy.get(capability) ?? []
    if (givers.at(-1) !== policy) givers.push(policy)
    draft.grantedBy.set(capability, givers)
  }
  addLists(draft.allowedParameters, rule.allowedParameters)
  addLists(draft.deniedParameters, rule.deniedParameters)
  for (const field of rule.requiredParameters) draft.requiredParameters.add(field)
  draft.minWrappingTtl = lesserLimit(draft.minWrappingTtl, rule.minWrappingTtl)
  draft.maxWrappingTtl = lesserLimit(draft.maxWrappingTtl, rule.maxWrappingTtl)
}

function addLists(known: Map<string, unknown[]>, more: ParameterLists): void {
  for (const [field, values] of more) addValues(known, field, values)
}

function finish(path: string, draft: Draft): AclRule {
  const denied = (draft.granted & denyBit) !== 0
  return {
    pattern: parsePathPattern(path),
    granted: denied ? denyBit : draft.granted,
    grantedBy: draft.grantedBy,
    fieldsAllowed: compileParameterRules(draft),
    minWrappingTtl: draft.minWrappingTtl,
    maxWrappingTtl: draft.maxWrappingTtl,
  }
}
