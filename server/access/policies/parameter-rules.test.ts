import { expect, test } from 'vitest'
import { compileParameterRules, globMatches } from './parameter-rules.ts'

type Lists = Record<string, unknown[]>
type Fields = Record<string, unknown>

const allows = (rules: { allowed?: Lists; denied?: Lists; required?: string[] }, fields: Fields): boolean =>
  compileParameterRules({
    allowedParameters: new Map(Object.entries(rules.allowed ?? {})),
    deniedParameters: new Map(Object.entries(rules.denied ?? {})),
    requiredParameters: new Set(rules.required ?? []),
  })(fields)

test.each<[string, Parameters<typeof allows>[0], Fields, boolean]>([
  ['no rules: anything', {}, { a: 1 }, true],
  ['required: missing', { required: ['a'] }, { b: 1 }, false],
  ['required: missing from an empty request', { required: ['a'] }, {}, false],
  ['required: there, in another case', { required: ['a'] }, { A: null }, true],
  ['no fields at all', { allowed: { a: ['x'] }, denied: { '*': [] } }, {}, true],
  ['denied: every field', { denied: { '*': [] } }, { a: 1 }, false],
  ['denied: field with any value', { denied: { a: [] } }, { A: 1 }, false],
  ['denied: other field', { denied: { a: [] } }, { b: 1 }, true],
  ['denied: listed value', { denied: { a: ['x', 'y'] } }, { a: 'y' }, false],
  ['denied: other value', { denied: { a: ['x'] } }, { a: 'z' }, true],
  ['denied: value by glob', { denied: { a: ['x*'] } }, { a: 'xyz' }, false],
  ['denied: value in another case', { denied: { policies: ['admin'] } }, { policies: 'Admin ' }, false],
  ['denied: value within a list', { denied: { policies: ['admin'] } }, { policies: ['dev', 'ADMIN'] }, false],
  ['denied: value within a comma text', { denied: { policies: ['admin'] } }, { policies: 'dev, admin' }, false],
  ['denied: number sent as text', { denied: { n: [5] } }, { n: '5' }, false],
  ['denied: text sent as boolean', { denied: { b: ['true'] } }, { b: true }, false],
  ['denied: object, keys in another order', { denied: { o: [{ a: 1, b: 2 }] } }, { o: { b: 2, a: 1 } }, false],
  ['denied before allowed', { allowed: { a: [] }, denied: { a: ['x'] } }, { a: 'x' }, false],
  ['allowed: sole star', { allowed: { '*': [] } }, { a: 1, '*': 2 }, true],
  ['allowed: sole star with values still allows all', { allowed: { '*': ['x'] } }, { a: 1, '*': 2 }, true],
  ['allowed: listed field, any value', { allowed: { a: [] } }, { A: 1 }, true],
  ['allowed: field not listed', { allowed: { a: [] } }, { a: 1, b: 1 }, false],
  ['allowed: field not listed, star beside', { allowed: { a: ['x'], '*': [] } }, { b: 1 }, true],
  ['allowed: listed value counts beside a star', { allowed: { a: ['x'], '*': [] } }, { a: 'y' }, false],
  ['allowed: listed value', { allowed: { a: ['x', 'y'] } }, { a: 'y' }, true],
  ['allowed: value in another case', { allowed: { a: ['x'] } }, { a: 'X' }, false],
  ['allowed: glob in front', { allowed: { a: ['*x'] } }, { a: 'fox' }, true],
  ['allowed: glob at both ends', { allowed: { a: ['*o*'] } }, { a: 'fox' }, true],
  ['allowed: star inside is plain text', { allowed: { a: ['f*x'] } }, { a: 'fox' }, false],
  ['allowed: number is not text', { allowed: { a: [5] } }, { a: '5' }, false],
  ['allowed: equal number', { allowed: { a: [5] } }, { a: 5 }, true],
  ['allowed: equal list', { allowed: { a: [['x', 'y']] } }, { a: ['x', 'y'] }, true],
  ['allowed: list against its element', { allowed: { a: ['x'] } }, { a: ['x'] }, false],
  ['allowed: equal object', { allowed: { a: [{ x: [1, null] }] } }, { a: { x: [1, null] } }, true],
])('parameters: allowed or not: %s', (_name, rules, fields, expected) => {
  expect(allows(rules, fields)).toBe(expected)
})

test.each([
  ['*', '', true],
  ['*', 'x', true],
  ['**', 'x', true],
  ['a*', 'a', true],
  ['*a', 'ba', true],
  ['*a', 'ab', false],
  ['', '', true],
  ['', 'x', false],
])('glob: whether %j matches %j', (pattern, text, expected) => {
  expect(globMatches(pattern, text)).toBe(expected)
})

test('rules without parameters share one compiled check to save memory', () => {
  const none = () =>
    compileParameterRules({
      allowedParameters: new Map(),
      deniedParameters: new Map(),
      requiredParameters: new Set(),
    })
  expect(none()).toBe(none())
})
