import { deepest } from './json-skip.ts'

/**
 * Parses a document that is in memory as a whole; undefined if it is invalid or too deep. A scanner can then tell why.
 */
export function parseWhole(bytes: Buffer, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    const document = parse(bytes.toString('utf8'))
    return isDeeper(document, deepest) ? undefined : document
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** True if lists and objects are nested deeper than this; hand-written loops, because it visits every one. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof inner === 'object' && isDeeper(inner, levels - 1)) return true
  }
  return false
}
