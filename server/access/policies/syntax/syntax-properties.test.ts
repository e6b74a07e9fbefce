import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Failure } from '../../../kernel/failure.ts'
import { parsePolicy } from '../policy-text.ts'
import { parseHcl } from './hcl.ts'
import { parseJson } from './json.ts'
import { decodePolicyText } from './policy-document.ts'
import { toPlain } from './syntax-tree.ts'

/** True if the text is accepted, false if it is refused in the one way allowed; anything else fails the test. */
function survives(read: (text: string) => unknown, text: string): boolean {
  try {
    read(text)
    return true
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(Failure)
    expect((thrown as Failure).message).toMatch(/^policy: (line \d+, column \d+: |the text is empty)/)
    return false
  }
}

const pieces = [
  'path',
  '"kv/*"',
  '{',
  '}',
  '[',
  ']',
  '=',
  ',',
  ':',
  '"',
  '\\',
  '\\u12',
  '\n',
  ' ',
  '#',
  '//',
  '/*',
  '*/',
  '<<E',
  '<<-E\n',
  'E\n',
  'capabilities',
  '"read"',
  'true',
  'null',
  '-',
  '1',
  '0x',
  '1e9',
  '.',
  '{{',
  '}}',
  '{{identity.entity.id}}',
  '\0',
  '\uFEFF',
  '\ud800',
  'é',
  'allowed_parameters',
  'policy',
  'name',
  'min_wrapping_ttl',
  '"1h"',
  '+*',
]
const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''))

test('readers: any text is accepted or refused with a Failure that gives the position', () => {
  const texts = fc.oneof(soup, fc.string({ unit: 'binary', maxLength: 60 }))
  fc.assert(
    fc.property(texts, (text) => {
      for (const read of [parseHcl, parseJson, (sent: string) => parsePolicy('p', decodePolicyText(sent))])
        survives(read, text)
    }),
    { numRuns: 2_000 },
  )
})

test('readers: any JSON object is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (value) => {
      const text = JSON.stringify(value)
      const read = Object.fromEntries(parseJson(text).items.map((item) => [item.key, toPlain(item.value)]))
      expect(read).toEqual(JSON.parse(text))
    }),
  )
})

/** Texts of half a million characters that are slow for readers which look at a character too often. */
const half = 500_000
const nasty: [string, string][] = [
  ['blank space', ' '.repeat(half)],
  ['line breaks before a stray sign', `${'\n'.repeat(half)}!`],
  ['comments', '/**/'.repeat(half / 4)],
  ['slashes', '/'.repeat(half)],
  ['an open string', `a = "${'x'.repeat(half)}`],
  ['escapes', `a = "${'\\n'.repeat(half / 2)}"`],
  ['an open JSON string', `{"a": "${'x'.repeat(half)}`],
  ['escapes in JSON', `{"a": "${'\\n'.repeat(half / 2)}`],
  ['an open heredoc', `a = <<E\n${'E \n x\n'.replace('E ', 'F').repeat(half / 6)}`],
  ['heredoc openings', 'a = <<E\n'.repeat(half / 8)],
  ['digits', `a = ${'1'.repeat(half)}x`],
  ['digits in JSON', `{"a": ${'1'.repeat(half)}x`],
  ['open brackets', `a = ${'['.repeat(half)}`],
  ['open braces', '{'.repeat(half)],
  ['labels', `path ${'"x" '.repeat(half / 4)}`],
  ['the same attribute over and over', `path "a" { ${'comment = ""\n'.repeat(30_000)} }`],
  ['the same parameter over and over', `path "a" { allowed_parameters = { ${'x = [1]\n'.repeat(30_000)} } }`],
  ['the same pattern over and over', 'path "a" { policy = "read" }\n'.repeat(15_000)],
  ['open templates', `path "${'{{'.repeat(2_000)}" {}`],
  ['base64 digits with a stray sign', `${'A'.repeat(half)}!`],
  ['line breaks among base64 digits', `A${'\n'.repeat(half)}!`],
]

// A linear reader needs milliseconds for these; one that is quadratic would need minutes.
test.each(nasty)('readers: half a million characters of %s are read or refused in bounded time', (_name, text) => {
  const start = performance.now()
  survives((sent) => parsePolicy('p', decodePolicyText(sent)), text)
  expect(performance.now() - start).toBeLessThan(15_000)
})
