import { failure } from '../../kernel/failure.ts'
import { type PolicyReading, readPathBlock } from './path-block.ts'
import type { Policy, PolicyRule } from './policy.ts'
import { normalizePolicyName } from './policy-names.ts'
import { parseDocument } from './syntax/policy-document.ts'
import { createPlaceFinder, syntaxFailure } from './syntax/source.ts'
import type { SyntaxItem, SyntaxNode } from './syntax/syntax-tree.ts'

const maxWarnings = 20

/** Reads a policy text, HCL or JSON. Whatever is not understood is refused, with its line and column. */
export function parsePolicy(name: string, text: string): Policy {
  if (text.trim() === '') throw failure('invalid', 'policy.empty', 'policy: the text is empty')
  const { items, duplicates } = parseDocument(text)
  const placeOf = createPlaceFinder(text)
  const warnings = duplicates.map(({ key, at }) => {
    const { line, column } = placeOf(at)
    return `the attribute '${key}' at line ${line}, column ${column} was already set; set each attribute once`
  })
  const reading: PolicyReading = { text, warnings }
  const rules = items.flatMap((item) => readTopLevel(reading, item))
  return { name: normalizePolicyName(name), rules, warnings: shorten(warnings) }
}

function readTopLevel(reading: PolicyReading, item: SyntaxItem): PolicyRule[] {
  if (item.key === 'name') return []
  if (item.key !== 'path')
    throw syntaxFailure(reading.text, item.at, `unknown key '${item.key}'; a policy consists of 'path' blocks`)
  return blocksOf(reading, item.value, "'path'").flatMap((byPattern) =>
    byPattern.flatMap((entry) =>
      blocksOf(reading, entry.value, `path '${entry.key}'`).map((block) => readPathBlock(reading, entry, block)),
    ),
  )
}

/** The items of an object, or of each object in a list: JSON knows repeated blocks only as a list. */
function blocksOf(reading: PolicyReading, node: SyntaxNode, what: string): (readonly SyntaxItem[])[] {
  const nodes = node.kind === 'list' ? node.items : [node]
  return nodes.map((each) => {
    if (each.kind !== 'object') throw syntaxFailure(reading.text, each.at, `${what} must be an object`)
    return each.items
  })
}

function shorten(warnings: readonly string[]): readonly string[] {
  if (warnings.length <= maxWarnings) return warnings
  return [...warnings.slice(0, maxWarnings), `and ${warnings.length - maxWarnings} more warnings`]
}
