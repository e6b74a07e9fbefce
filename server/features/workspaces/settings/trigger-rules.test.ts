import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSmallExpression } from './regex-size.ts'
import { globProblem, regexProblem } from './trigger-rules.ts'

test.each(['**/*', '/modules/**/*.tf', 'a/{b,c}/*', '[a-z]*.tf', 'a/[!b]/c', '@(a|b)/x', 'a b/ü', 'x\\[y', '!*.md'])(
  'glob: %s is fine',
  (glob) => expect(globProblem(glob)).toBeUndefined(),
)

test.each(['', 'a[b', 'a]b', '{a', 'a}', '(a', 'a)', '../a', 'a/../b', 'a\nb', `${'('.repeat(9)}${')'.repeat(9)}`])(
  'glob: %j is refused',
  (glob) => expect(globProblem(glob)).toBeDefined(),
)

test('expressions: counted repetitions multiply, braces in classes and escapes do not count', () => {
  expect(isSmallExpression('v\\d{1,3}\\.\\d{1,3}')).toBe(true)
  expect(isSmallExpression('[{}1000]{2}\\x{10FFFF}\\p{Greek}')).toBe(true)
  expect(isSmallExpression('(a{100}){100}')).toBe(false)
  expect(isSmallExpression('((a{20}){20}){20}')).toBe(false)
  expect(isSmallExpression('a{0,1000}'.repeat(3))).toBe(false)
  expect(isSmallExpression('(((a{1000}')).toBe(true)
})

test('globs and expressions: whatever strangers send is judged quickly and without throwing', () => {
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
    return user + system < 200_000
  })
  fc.assert(judged, { numRuns: 300 })
})
