import { expect, test } from 'vitest'
import { JsonScanner } from './json-scan.ts'
import { NotJson, parseWhole } from './json-syntax.ts'

/** Result of a scanner that prunes nothing; undefined if it refuses the text. */
function scanned(bytes: Buffer): unknown {
  const scanner = new JsonScanner({ prune: () => 'keep' })
  try {
    scanner.push(bytes)
    return scanner.end()
  } catch (error) {
    if (error instanceof NotJson) return undefined
    throw error
  }
}

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
const nestedObjects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

test.each([
  'null',
  ' {"a": [1, -2.5e3, true, null, "é\\u00e9\\n"], "b": {"c": {}}} ',
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1},"constructor":2}',
  '"\\ud800"',
  nested(512),
  nestedObjects(512),
])('whole JSON: %.40s parses to the same value as when scanned in chunks', (text) => {
  const bytes = Buffer.from(text)
  expect(parseWhole(bytes)).toBeDefined()
  expect(JSON.stringify(parseWhole(bytes))).toBe(JSON.stringify(scanned(bytes)))
})

test.each([
  '',
  '{',
  '[1,]',
  '{"a":01}',
  '"\t"',
  '\ufeff{}',
  '{} {}',
  'NaN',
  nested(513),
  nestedObjects(513),
  nested(60_000),
])('whole JSON: %.40j is refused as when scanned in chunks', (text) => {
  const bytes = Buffer.from(text)
  expect([parseWhole(bytes), scanned(bytes)]).toEqual([undefined, undefined])
})
