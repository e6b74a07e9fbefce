import { deepest } from './json-skip.ts'

/** A document that is at hand, parsed at once; undefined for what a scanner refuses, which also tells why. */
export function parseWhole(bytes: Buffer): unknown {
  try {
    const document: unknown = JSON.parse(bytes.toString('utf8'))
    return isDeeper(document, deepest) ? undefined : document
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** True if a value has more lists and objects within each other than this. */
const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)))
