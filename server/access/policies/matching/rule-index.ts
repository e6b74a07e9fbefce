import type { AclRule } from './acl-rules.ts'
import { isExact } from './path-pattern.ts'

/** A step in a path: where patterns go on from here, and which end here. */
type PathNode = {
  readonly literal: Map<string, PathNode>
  plus: PathNode | undefined
  /** The rule whose pattern ends exactly here. */
  end: AclRule | undefined
  /** Rules that end in `*` within the next segment, by the text before the `*`. */
  readonly globs: Map<string, AclRule>
  /** The lengths of those texts, each once. */
  globLengths: readonly number[]
}

/** Rules by pattern: exact ones in a map, the others in a tree of segments, so that a look-up follows the path only. */
export type RuleIndex = { readonly exact: ReadonlyMap<string, AclRule>; readonly tree: PathNode }

const newPathNode = (): PathNode => ({
  literal: new Map(),
  plus: undefined,
  end: undefined,
  globs: new Map(),
  globLengths: [],
})

/** Files rules, one for each pattern. */
export function indexRules(rules: Iterable<AclRule>): RuleIndex {
  const exact = new Map<string, AclRule>()
  const tree = newPathNode()
  for (const rule of rules) {
    if (isExact(rule.pattern)) exact.set(rule.pattern.text, rule)
    else insertRule(tree, rule)
  }
  return { exact, tree }
}

function insertRule(tree: PathNode, rule: AclRule): void {
  const { segments, glob } = rule.pattern
  const whole = glob ? segments.slice(0, -1) : segments
  let node = tree
  for (const segment of whole) node = segment === '+' ? plusChild(node) : literalChild(node, segment)
  if (!glob) {
    node.end = rule
    return
  }
  const partial = segments.at(-1) ?? ''
  node.globs.set(partial, rule)
  if (!node.globLengths.includes(partial.length)) node.globLengths = [...node.globLengths, partial.length]
}

function plusChild(node: PathNode): PathNode {
  node.plus ??= newPathNode()
  return node.plus
}

function literalChild(node: PathNode, segment: string): PathNode {
  const known = node.literal.get(segment)
  if (known) return known
  const made = newPathNode()
  node.literal.set(segment, made)
  return made
}

/** Every rule that matches the path, exact or not, in no order. */
export function matchingRules(index: RuleIndex, path: string): AclRule[] {
  const found: AclRule[] = []
  const exact = index.exact.get(path)
  if (exact) found.push(exact)
  collectMatches(index.tree, path.split('/'), 0, found)
  return found
}

function collectMatches(node: PathNode, segments: readonly string[], at: number, found: AclRule[]): void {
  const segment = segments[at]
  if (segment === undefined) {
    if (node.end) found.push(node.end)
    return
  }
  for (const length of node.globLengths) {
    const rule = length <= segment.length ? node.globs.get(segment.slice(0, length)) : undefined
    if (rule) found.push(rule)
  }
  const literal = node.literal.get(segment)
  if (literal) collectMatches(literal, segments, at + 1, found)
  if (node.plus) collectMatches(node.plus, segments, at + 1, found)
}
