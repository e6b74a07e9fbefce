import { expect, test } from 'vitest'
import type { FieldNote, FieldNotes } from '../../kit/field-notes.ts'
import { compileParameterRules } from './parameter-rules.ts'
import { globMatches } from './policy-names.ts'

type Lists = Record<string, unknown[]>
type Fields = Record<string, unknown>

type Rules = { allowed?: Lists; denied?: Lists; required?: string[] }

const allows = (rules: Rules, fields: Fields, notes?: FieldNotes): boolean =>
  compileParameterRules({
    allowedParameters: new Map(Object.entries(rules.allowed ?? {})),
    deniedParameters: new Map(Object.entries(rules.denied ?? {})),
    requiredParameters: new Set(rules.required ?? []),
  })(fields, notes)

test.each<[string, Rules, Fields]>([
  ['no rules: anything', {}, { a: 1 }],
  ['required: there, in another case', { required: ['a'] }, { A: null }],
  ['no fields at all', { allowed: { a: ['x'] }, denied: { '*': [] } }, {}],
  ['denied: other field', { denied: { a: [] } }, { b: 1 }],
  ['denied: other value', { denied: { a: ['x'] } }, { a: 'z' }],
  ['denied: other object', { denied: { a: [{ x: 1 }] } }, { a: { x: 2 } }],
  ['allowed: sole star', { allowed: { '*': [] } }, { a: 1, '*': 2 }],
  ['allowed: sole star with values still allows all', { allowed: { '*': ['x'] } }, { a: 1, '*': 2 }],
  ['allowed: listed field, any value', { allowed: { a: [] } }, { A: 1 }],
  ['allowed: field not listed, star beside', { allowed: { a: ['x'], '*': [] } }, { b: 1 }],
  ['allowed: listed value', { allowed: { a: ['x', 'y'] } }, { a: 'y' }],
  ['allowed: glob in front', { allowed: { a: ['*x'] } }, { a: 'fox' }],
  ['allowed: glob at both ends', { allowed: { a: ['*o*'] } }, { a: 'fox' }],
  ['allowed: equal number', { allowed: { a: [5] } }, { a: 5 }],
  ['allowed: equal list', { allowed: { a: [['x', 'y']] } }, { a: ['x', 'y'] }],
  ['allowed: equal object', { allowed: { a: [{ x: [1, null] }] } }, { a: { x: [1, null] } }],
])('parameters: the request is allowed: %s', (_name, rules, fields) => {
  expect(allows(rules, fields)).toBe(true)
})

test.each<[string, Rules, Fields]>([
  ['required: missing', { required: ['a'] }, { b: 1 }],
  ['required: missing from an empty request', { required: ['a'] }, {}],
  ['denied: every field', { denied: { '*': [] } }, { a: 1 }],
  ['denied: field with any value', { denied: { a: [] } }, { A: 1 }],
  ['denied: listed value', { denied: { a: ['x', 'y'] } }, { a: 'y' }],
  ['denied: value by glob', { denied: { a: ['x*'] } }, { a: 'xyz' }],
  ['denied: value in another case', { denied: { policies: ['admin'] } }, { policies: 'Admin ' }],
  ['denied: value within a list', { denied: { policies: ['admin'] } }, { policies: ['dev', 'ADMIN'] }],
  ['denied: value within a comma text', { denied: { policies: ['admin'] } }, { policies: 'dev, admin' }],
  ['denied: number sent as text', { denied: { n: [5] } }, { n: '5' }],
  ['denied: text sent as boolean', { denied: { b: ['true'] } }, { b: true }],
  ['denied: object, keys in another order', { denied: { o: [{ a: 1, b: 2 }] } }, { o: { b: 2, a: 1 } }],
  ['denied beside a required field', { denied: { a: [] }, required: ['b'] }, { a: 1, b: 1 }],
  ['denied before allowed', { allowed: { a: [] }, denied: { a: ['x'] } }, { a: 'x' }],
  ['allowed: field not listed', { allowed: { a: [] } }, { a: 1, b: 1 }],
  ['allowed: listed value counts beside a star', { allowed: { a: ['x'], '*': [] } }, { a: 'y' }],
  ['allowed: value in another case', { allowed: { a: ['x'] } }, { a: 'X' }],
  ['allowed: star inside is plain text', { allowed: { a: ['f*x'] } }, { a: 'fox' }],
  ['allowed: number is not text', { allowed: { a: [5] } }, { a: '5' }],
  ['allowed: list against its element', { allowed: { a: ['x'] } }, { a: ['x'] }],
])('parameters: the request is denied: %s', (_name, rules, fields) => {
  expect(allows(rules, fields)).toBe(false)
})

test.each<[allowed: string[], sent: string, expected: boolean]>([
  [['dev-*'], 'dev-a', true],
  [['dev-*'], 'dev-a,dev-b', true],
  [['dev-*'], 'dev-a , dev-b ', true],
  [['dev-*', 'ci'], 'dev-a,ci', true],
  [['dev-*', '*-ro'], 'dev-a,web-ro', true],
  [['*'], 'a,,b', true],
  [['a,b'], 'a,b', true],
  [[], 'a,b', true],
  [['dev-*'], 'dev-a,admin', false],
  [['dev-*'], 'dev-a,,dev-b', false],
  [['dev-*'], 'dev-a,', false],
  [['*-ro'], 'admin,web-ro', false],
  [['*dev*'], 'dev,admin', false],
  [['a,*'], 'a,*', false],
  [['a', 'b'], 'a,b', false],
  [['a,b'], 'a,b,a', false],
])('parameters: with %j allowed for a list, the text %j is allowed: %s', (allowed, sent, expected) => {
  const notes: FieldNotes = new Map([['names', { several: true, spellings: ['names'] }]])
  expect(allows({ allowed: { names: allowed } }, { Names: sent }, notes)).toBe(expected)
})

test.each<[string, Rules, Fields, boolean]>([
  ['denied: present name, sent under an old one', { denied: { token_ttl: [] } }, { TTL: 5 }, false],
  ['denied: value of the present name', { denied: { token_ttl: [5] } }, { lease: '5' }, false],
  ['denied: other value of the present name', { denied: { token_ttl: [5] } }, { lease: 6 }, true],
  ['denied: old name, sent under the present one', { denied: { ttl: [] } }, { token_ttl: 5 }, false],
  ['denied: old name, sent under another old one', { denied: { ttl: [] } }, { lease: 5 }, false],
  ['denied: old name, present one required', { denied: { ttl: [] }, required: ['token_ttl'] }, { token_ttl: 5 }, true],
  [
    'denied: old name, present one allowed',
    { denied: { ttl: [] }, allowed: { token_ttl: [] } },
    { token_ttl: 5 },
    true,
  ],
  ['denied: value of an old name', { denied: { ttl: [5] }, allowed: { token_ttl: [] } }, { token_ttl: 5 }, false],
  ['denied: present name, old one allowed', { denied: { token_ttl: [] }, allowed: { ttl: [] } }, { ttl: 5 }, false],
  ['required: present name, sent under an old one', { required: ['token_ttl'] }, { lease: 5 }, true],
  ['required: old name, sent under the present one', { required: ['lease'] }, { token_ttl: 5 }, true],
  ['required: another field', { required: ['other'] }, { token_ttl: 5 }, false],
  ['allowed: present name, sent under an old one', { allowed: { token_ttl: [] } }, { ttl: 5 }, false],
  ['allowed: old name', { allowed: { ttl: [5] } }, { ttl: 5 }, true],
  ['allowed: star, value of the present name', { allowed: { token_ttl: [5], '*': [] } }, { ttl: 5 }, true],
  ['allowed: star, other value than the present name', { allowed: { token_ttl: [5], '*': [] } }, { ttl: 6 }, false],
  ['allowed: star, other field', { allowed: { token_ttl: [5], '*': [] } }, { other: 6 }, true],
])('parameters: names of one field: %s', (_name, rules, fields, expected) => {
  const note: FieldNote = { several: false, spellings: ['token_ttl', 'ttl', 'lease'] }
  expect(allows(rules, fields, new Map(note.spellings.map((name) => [name, note])))).toBe(expected)
})

test('parameters: commas in a text that is no list mean nothing', () => {
  expect(allows({ allowed: { note: ['dev-*'] } }, { note: 'dev-a,admin' }, new Map())).toBe(true)
})

test.each([
  ['*', ''],
  ['*', 'x'],
  ['**', 'x'],
  ['a*', 'a'],
  ['*a', 'ba'],
  ['', ''],
])('glob: %j matches %j', (pattern, text) => {
  expect(globMatches(pattern, text)).toBe(true)
})

test.each([
  ['*a', 'ab'],
  ['a*', 'ba'],
  ['', 'x'],
])('glob: %j does not match %j', (pattern, text) => {
  expect(globMatches(pattern, text)).toBe(false)
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
