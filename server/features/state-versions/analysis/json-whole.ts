import { deepest } from './json-skip.ts'

/** A document that is at hand, parsed at once; undefined for what a scanner refuses, which also tells why. */
export function parseWhole(bytes: Buffer, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    const document = parse(bytes.toString('utf8'))
    return isDeeper(document, deepest) ? undefined : document
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** True if there are more lists and objects within each other than this; written out, because it looks at every one. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof inner === 'object' && isDeeper(inner, levels - 1)) return true
  }
  return false
}
