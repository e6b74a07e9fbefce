import fc from 'fast-check'
import { expect, test } from 'vitest'
import { globProblem, isSmallExpression, longestPattern, patternsProblem, regexProblem } from './setting-values.ts'

test.each([
  '**/*',
  '/modules/**/*.tf',
  'a/{b,c}/*',
  '[a-z]*.tf',
  'a/[!b]/c',
  '[]a]',
  '[!]]',
  '[{(]',
  '[[:alpha:]_]',
  '@(a|b)/x',
  'a b/ü',
  'x\\[y',
  '!*.md',
])('glob: %s is fine', (glob) => expect(globProblem(glob)).toBeUndefined())

const nested = `${'('.repeat(9)}${')'.repeat(9)}`

test.each(['', 'a[b', 'a]b', '[]', '[!]', '{a', 'a}', '(a', 'a)', '({)}', '../a', 'a/../b', 'a\nb', nested])(
  'glob: %j is refused',
  (glob) => expect(globProblem(glob)).toBe('is not a valid glob'),
)

test('globs: 1200 pathological ones are checked within two seconds of CPU time', () => {
  const before = process.cpuUsage()
  for (const part of ['!(*)', '**/*', '+(+(a))', '{a..z}', '[[:a:]', '[']) {
    const glob = part.repeat(Math.floor(longestPattern / part.length))
    for (let times = 0; times < 200; times++) globProblem(glob)
  }
  const { user, system } = process.cpuUsage(before)
  expect(user + system).toBeLessThan(2_000_000)
})

test('lists of patterns: a thousand short ones are accepted; more than 65536 characters are not', () => {
  expect(patternsProblem(Array.from({ length: 1_000 }, (_, index) => `/modules/number-${index}/**/*`))).toBeUndefined()
  expect(patternsProblem(Array(64).fill('a'.repeat(longestPattern)))).toBeUndefined()
  expect(patternsProblem(Array(65).fill('a'.repeat(longestPattern)))).toContain('65536')
})

test('expressions: counted repetitions multiply, braces in classes and escapes do not count', () => {
  expect(isSmallExpression('v\\d{1,3}\\.\\d{1,3}')).toBe(true)
  expect(isSmallExpression('[{}1000]{2}\\x{10FFFF}\\p{Greek}')).toBe(true)
  expect(isSmallExpression('(a{100}){100}')).toBe(false)
  expect(isSmallExpression('((a{20}){20}){20}')).toBe(false)
  expect(isSmallExpression('a{0,1000}'.repeat(3))).toBe(false)
  expect(isSmallExpression('(((a{1000}')).toBe(true)
})

test('globs and expressions: random input is checked quickly and without throwing', () => {
  const parts = [
    'a',
    '*',
    '**',
    '+(',
    '@(',
    '!(',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ',',
    '|',
    '\\',
    '/',
    '..',
    '{9}',
    '{2,}',
    '+',
    '?',
  ]
  const text = fc.array(fc.constantFrom(...parts), { maxLength: 200 }).map((each) => each.join(''))
  const judged = fc.property(text, (each) => {
    const before = process.cpuUsage()
    globProblem(each)
    regexProblem(each)
    const { user, system } = process.cpuUsage(before)
    return user + system < 2_000_000
  })
  fc.assert(judged, { numRuns: 300 })
})
