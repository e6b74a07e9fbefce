import { denyBit } from '../capabilities.ts'
import type { AclRule } from './acl-rules.ts'
import { comparePriority, compareSpecificity } from './path-pattern.ts'
import { matchingRules, type RuleIndex } from './rule-index.ts'

/** The one rule that decides about a path: the exact one, else the most specific pattern. */
export const chooseRule = (index: RuleIndex, path: string): AclRule | undefined =>
  index.exact.get(path) ?? bestOf(matchingRules(index, path))

/**
 * The one rule that decides about a list request. The path is matched with and without a trailing slash, since people write
 * rules either way; among all these candidates a denial wins unless another rule is more specific than it.
 */
export function chooseListRule(index: RuleIndex, path: string): AclRule | undefined {
  const bare = path.endsWith('/') ? path.slice(0, -1) : path
  const candidates = [...matchingRules(index, `${bare}/`), ...matchingRules(index, bare)]
  const best = bestOf(candidates)
  const denial = bestOf(candidates.filter((rule) => (rule.granted & denyBit) !== 0))
  return best && denial && compareSpecificity(denial.pattern, best.pattern) >= 0 ? denial : best
}

function bestOf(candidates: readonly AclRule[]): AclRule | undefined {
  let best: AclRule | undefined
  for (const rule of candidates) if (!best || comparePriority(rule.pattern, best.pattern) > 0) best = rule
  return best
}
