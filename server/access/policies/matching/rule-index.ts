import type { AclRule } from './acl-rules.ts'
import { isExact } from './path-pattern.ts'

/** A step in a path: where patterns go on from here, and which end here. */
type Junction = {
  readonly literal: Map<string, Junction>
  plus: Junction | undefined
  /** The rule whose pattern ends exactly here. */
  end: AclRule | undefined
  /** Rules that end in `*` within the next segment, by the text before the `*`. */
  readonly globs: Map<string, AclRule>
  /** The lengths of those texts, each once. */
  globLengths: readonly number[]
}

/** Rules by pattern: exact ones in a map, the others in a tree of segments, so that a look-up follows the path only. */
export type RuleIndex = { readonly exact: ReadonlyMap<string, AclRule>; readonly tree: Junction }

const newJunction = (): Junction => ({
  literal: new Map(),
  plus: undefined,
  end: undefined,
  globs: new Map(),
  globLengths: [],
})

/** Files rules, one for each pattern. */
export function indexRules(rules: Iterable<AclRule>): RuleIndex {
  const exact = new Map<string, AclRule>()
  const tree = newJunction()
  for (const rule of rules) {
    if (isExact(rule.pattern)) exact.set(rule.pattern.text, rule)
    else plant(tree, rule)
  }
  return { exact, tree }
}

function plant(tree: Junction, rule: AclRule): void {
  const { segments, glob } = rule.pattern
  const whole = glob ? segments.slice(0, -1) : segments
  let junction = tree
  for (const segment of whole) junction = segment === '+' ? plusOf(junction) : literalOf(junction, segment)
  if (!glob) {
    junction.end = rule
    return
  }
  const partial = segments.at(-1) ?? ''
  junction.globs.set(partial, rule)
  if (!junction.globLengths.includes(partial.length)) junction.globLengths = [...junction.globLengths, partial.length]
}

function plusOf(junction: Junction): Junction {
  junction.plus ??= newJunction()
  return junction.plus
}

function literalOf(junction: Junction, segment: string): Junction {
  const known = junction.literal.get(segment)
  if (known) return known
  const made = newJunction()
  junction.literal.set(segment, made)
  return made
}

/** Every rule that matches the path, exact or not, in no order. */
export function matchingRules(index: RuleIndex, path: string): AclRule[] {
  const found: AclRule[] = []
  const exact = index.exact.get(path)
  if (exact) found.push(exact)
  follow(index.tree, path.split('/'), 0, found)
  return found
}

function follow(junction: Junction, segments: readonly string[], at: number, found: AclRule[]): void {
  const segment = segments[at]
  if (segment === undefined) {
    if (junction.end) found.push(junction.end)
    return
  }
  for (const length of junction.globLengths) {
    const rule = length <= segment.length ? junction.globs.get(segment.slice(0, length)) : undefined
    if (rule) found.push(rule)
  }
  const literal = junction.literal.get(segment)
  if (literal) follow(literal, segments, at + 1, found)
  if (junction.plus) follow(junction.plus, segments, at + 1, found)
}
