import { expect, test } from 'vitest'
import { Failure, textOf } from '../../kernel/failure.ts'
import type { Policy } from './policy.ts'
import { parsePolicy } from './policy-text.ts'

const parse = (text: string): Policy => parsePolicy('Test ', text)

/** Patterns with their capabilities, the way a reader of the policy would sum it up. */
const summary = (text: string): Record<string, string[]> =>
  Object.fromEntries(parse(text).rules.map((rule) => [rule.path, [...rule.capabilities].sort()]))

const refusal = (text: string): string => {
  try {
    parse(text)
  } catch (thrown) {
    return textOf(thrown)
  }
  return 'accepted'
}

test.each<[string, string, Record<string, string[]>]>([
  ['a block', 'path "kv/*" { capabilities = ["read", "list"] }', { 'kv/*': ['list', 'read'] }],
  [
    'two blocks',
    'path "a" { capabilities = ["read"] }\npath "b" { capabilities = ["deny"] }',
    { a: ['read'], b: ['deny'] },
  ],
  ['an assigned map', 'path = { "a" = { capabilities = ["read"] } }', { a: ['read'] }],
  [
    'a JSON object',
    '{"path": {"a": {"capabilities": ["read"]}, "b": {"policy": "deny"}}}',
    { a: ['read'], b: ['deny'] },
  ],
  [
    'a JSON list',
    '{"path": [{"a": {"capabilities": ["read"]}}, {"b": {"policy": "read"}}]}',
    { a: ['read'], b: ['list', 'read'] },
  ],
  ['a name, which is ignored', 'name = "other"\npath "a" { policy = "read" }', { a: ['list', 'read'] }],
  ['a comment, which is ignored', 'path "a" { comment = "why" capabilities = ["read"] }', { a: ['read'] }],
  ['a block without capabilities', 'path "a" {}', { a: [] }],
  [
    'words without effect',
    'path "a" { capabilities = ["subscribe", "recover", "scan"] }',
    { a: ['recover', 'scan', 'subscribe'] },
  ],
  ['the old word write', 'path "a" { policy = "write" }', { a: ['create', 'delete', 'list', 'read', 'update'] }],
  ['the old word sudo', 'path "a" { policy = "sudo" }', { a: ['create', 'delete', 'list', 'read', 'sudo', 'update'] }],
  [
    'old and new words together',
    'path "a" { policy = "read" capabilities = ["patch"] }',
    { a: ['list', 'patch', 'read'] },
  ],
  ['a leading slash, which is dropped', 'path "/kv/x" { policy = "read" }', { 'kv/x': ['list', 'read'] }],
  ['a text of comments only', '# nothing yet', {}],
  ['the longest pattern', `path "${'a/'.repeat(2_048)}" {}`, { ['a/'.repeat(2_048)]: [] }],
])('policy text: %s is read', (_name, text, expected) => {
  expect(summary(text)).toEqual(expected)
})

test('policy text: the name is normalised', () => {
  expect(parse('# empty').name).toBe('test')
})

test('policy text: parameter rules and wrapping bounds are read', () => {
  const [rule] = parse(`path "a" {
    allowed_parameters = { "Foo" = [], "bar" = ["x*", 5, true, [1], { k = "v" }] }
    denied_parameters { baz = ["no"] }
    required_parameters = ["Foo", "id"]
    min_wrapping_ttl = "1m"
    max_wrapping_ttl = 90
  }`).rules
  expect(rule?.allowedParameters).toEqual(
    new Map([
      ['foo', []],
      ['bar', ['x*', 5, true, [1], { k: 'v' }]],
    ]),
  )
  expect(rule?.deniedParameters).toEqual(new Map([['baz', ['no']]]))
  expect(rule?.requiredParameters).toEqual(new Set(['foo', 'id']))
  expect([rule?.minWrappingTtl, rule?.maxWrappingTtl]).toEqual([60, 90])
})

test.each([
  ['nothing', ' \n', 'policy: the text is empty'],
  [
    'an unknown key',
    'paths "a" {}',
    "policy: line 1, column 1: unknown key 'paths'; a policy consists of 'path' blocks",
  ],
  [
    'an unknown key in a block',
    'path "a" {\n  capability = []\n}',
    "policy: line 2, column 3: unknown key 'capability' in path 'a'",
  ],
  ['an unknown key in JSON', '{"path": {"a": {\n"x": 1}}}', "policy: line 2, column 1: unknown key 'x' in path 'a'"],
  [
    'a capability in the wrong case',
    'path "a" { capabilities = ["Read"] }',
    "policy: line 1, column 28: unknown capability 'Read'",
  ],
  [
    'an unknown capability',
    'path "a" { capabilities = ["read",\n "write"] }',
    "policy: line 2, column 2: unknown capability 'write'",
  ],
  [
    'a capability as text',
    'path "a" { capabilities = "read" }',
    "policy: line 1, column 27: 'capabilities' must be a list",
  ],
  [
    'a capability as number',
    'path "a" { capabilities = [1] }',
    "policy: line 1, column 28: 'capabilities' must be a list of texts",
  ],
  [
    'an unknown old word',
    'path "a" { policy = "all" }',
    "policy: line 1, column 21: 'policy' must be deny, read, write or sudo",
  ],
  ['a path without block', 'path = "a"', "policy: line 1, column 8: 'path' must be an object"],
  ['a pattern without block', 'path = { "a" = "read" }', "policy: line 1, column 16: path 'a' must be an object"],
  ['the pattern +*', 'path "a/+*" {}', "policy: line 1, column 6: path 'a/+*': '+*' is not a pattern"],
  [
    'parameters as list',
    'path "a" { allowed_parameters = [] }',
    "policy: line 1, column 33: 'allowed_parameters' must be an object",
  ],
  [
    'parameter values as text',
    'path "a" { denied_parameters = { x = "y" } }',
    "policy: line 1, column 38: 'x' in denied_parameters must be a list",
  ],
  [
    'a bound that is not a duration',
    'path "a" { min_wrapping_ttl = "soon" }',
    "policy: line 1, column 31: 'min_wrapping_ttl' must be a duration",
  ],
  [
    'a negative bound',
    'path "a" { max_wrapping_ttl = -1 }',
    "policy: line 1, column 31: 'max_wrapping_ttl' must be a duration",
  ],
  [
    'bounds out of order',
    'path "a" { min_wrapping_ttl = 9 max_wrapping_ttl = 8 }',
    "policy: line 1, column 6: path 'a': max_wrapping_ttl is below min_wrapping_ttl",
  ],
  [
    'an open template',
    'path "a/{{identity.entity.id" {}',
    "policy: line 1, column 6: path 'a/{{identity.entity.id': '{{' is not closed",
  ],
  ['an empty template', 'path "a/{{ }}" {}', "policy: line 1, column 6: path 'a/{{ }}': '{{}}' names nothing"],
  [
    'a pattern without measure',
    `path "${'a/'.repeat(2_049)}" {}`,
    'policy: line 1, column 6: the path has more than 4096 characters',
  ],
])('policy text: %s is refused', (_name, text, expected) => {
  expect(refusal(text)).toBe(expected)
})

test('policy text: a refusal is a Failure of kind invalid with code policy.syntax', () => {
  expect(() => parse('path "a" { x = 1 }')).toThrow(expect.objectContaining({ kind: 'invalid', code: 'policy.syntax' }))
  expect(() => parse('')).toThrow(Failure)
})

test('policy text: an attribute set twice is joined, with a warning', () => {
  const policy = parse('path "a" {\n  capabilities = ["read"]\n  capabilities = ["deny"]\n}')
  expect([...(policy.rules[0]?.capabilities ?? [])]).toEqual(['read', 'deny'])
  expect(policy.warnings).toEqual([
    "the attribute 'capabilities' at line 3, column 3 was already set; set each attribute once",
  ])
})

test.each(['mfa_methods = ["x"]', 'control_group = { factor = {} }', 'subscribe_event_types = ["*"]'])(
  'policy text: %s is ignored with a warning',
  (attribute) => {
    const policy = parse(`path "a" { capabilities = ["read"] ${attribute} }`)
    expect(policy.warnings).toEqual([`'${attribute.split(' ')[0]}' is not supported and was ignored`])
  },
)

test('policy text: an unknown template is accepted with a warning', () => {
  expect(parse('path "a/{{time.now}}" { capabilities = ["read"] }').warnings).toEqual([
    "path 'a/{{time.now}}': the template reference 'time.now' is unknown, so the path applies to nobody",
  ])
})

test('policy text: of many warnings only the first twenty are kept', () => {
  const { warnings } = parse(`path "a" { ${'comment = "x"\n'.repeat(1_000)} }`)
  expect(warnings).toHaveLength(21)
  expect(warnings.at(-1)).toBe('and 979 more warnings')
})
