import { bitOf, denyBit } from '../policy.ts'
import type { AclRule } from './acl-rules.ts'
import { comparePriority, compareSpecificity, type PathPattern } from './path-pattern.ts'
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

/** Stands for any segment in trial paths; no pattern can name it. */
const anySegment = '\0'

/** How deep below a mount trial paths go; patterns with more segments than this are no longer told apart. */
const maxDepth = 32

/**
 * True if anything is granted on the mount or below it. Each rule that could reach there is tried on a path of its own
 * making, so that a broad grant does not count where a narrower denial takes all of it away.
 */
export function grantsUnder(index: RuleIndex, rules: readonly AclRule[], mountPath: string): boolean {
  const mount = mountPath.split('/').filter((segment) => segment !== '')
  const depth = rules.reduce((deepest, { pattern }) => Math.max(deepest, pattern.segments.length), 0)
  return rules.some((rule) => {
    const sample = samplePathUnder(rule.pattern, mount)
    if (sample === undefined) return false
    return grantsAt(index, sample) || (rule.pattern.glob && grantsBelow(index, sample, Math.min(depth, maxDepth)))
  })
}

/** A glob reaches any depth, and at each depth another rule may take precedence. */
function grantsBelow(index: RuleIndex, sample: string, depth: number): boolean {
  let path = `${sample}${anySegment}`
  for (let at = 0; at <= depth; at++) {
    if (grantsAt(index, path)) return true
    path += `/${anySegment}`
  }
  return false
}

function grantsAt(index: RuleIndex, path: string): boolean {
  const granted = chooseRule(index, path)?.granted ?? 0
  if (granted !== 0 && (granted & denyBit) === 0) return true
  return ((chooseListRule(index, path)?.granted ?? 0) & bitOf('list')) !== 0
}

/** A path on or below the mount that the pattern matches; undefined if there is none. */
function samplePathUnder({ segments, glob }: PathPattern, mount: readonly string[]): string | undefined {
  for (const [at, wanted] of mount.entries()) {
    const segment = segments[at]
    if (segment === undefined) return undefined
    if (glob && at === segments.length - 1) return wanted.startsWith(segment) ? `${mount.join('/')}/` : undefined
    if (segment !== '+' && segment !== wanted) return undefined
  }
  const below = segments.slice(mount.length).map((segment) => (segment === '+' ? anySegment : segment))
  return [...mount, ...below].join('/')
}
