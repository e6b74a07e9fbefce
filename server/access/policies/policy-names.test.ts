import { expect, test } from 'vitest'
import { normalizePolicyName, normalizePolicyNames, policyDeleteRefusal, policyWriteRefusal } from './policy-names.ts'

test.each([
  ['Dev', 'dev'],
  ['  ROOT\t', 'root'],
  ['\u00a0root\ufeff', 'root'],
  ['Ｒｏｏｔ', 'Ｒｏｏｔ'],
  ['rооt', 'rооt'],
  ['\u212aV-admin', '\u212aV-admin'],
  ['İ', 'İ'],
])('policy name: %j becomes %j', (sent, expected) => {
  expect(normalizePolicyName(sent)).toBe(expected)
})

test.each([
  ['sorted and without doubles', ['b', 'A', 'a ', 'B'], ['a', 'b']],
  ['blanks dropped', ['', '  ', 'a'], ['a']],
  ['root swallows the others', ['dev', ' RooT', 'default'], ['root']],
  ['nothing', [], []],
])('policy names: %s', (_name, sent, expected) => {
  expect(normalizePolicyNames(sent)).toEqual(expected)
})

test.each([
  ['dev', undefined],
  ['Dev-1.x_y/z', undefined],
  ['default', undefined],
  [' Root ', "the policy 'root' cannot be changed"],
  ['RESPONSE-wrapping', "the policy 'response-wrapping' cannot be changed"],
  ['  ', 'the policy name is empty'],
  ['rооt', 'the policy name holds characters outside printable ASCII'],
  ['a\u0000', 'the policy name holds characters outside printable ASCII'],
  ['a,b', 'the policy name holds a comma, which separates names in lists'],
  ['team/', 'the policy name has a part that no address can have'],
  ['/team', 'the policy name has a part that no address can have'],
  ['a//b', 'the policy name has a part that no address can have'],
  ['a/./b', 'the policy name has a part that no address can have'],
  [' ..', 'the policy name has a part that no address can have'],
  ['a/..b', undefined],
  ['x'.repeat(512), undefined],
  ['x'.repeat(513), 'the policy name has more than 512 characters'],
])('policy name: refusal, if any, of writing %j', (sent, expected) => {
  expect(policyWriteRefusal(sent)).toBe(expected)
})

test.each([
  ['dev', undefined],
  ['Default', "the policy 'default' cannot be deleted"],
  ['root', "the policy 'root' cannot be deleted"],
  ['response-wrapping', "the policy 'response-wrapping' cannot be deleted"],
])('policy name: refusal, if any, of deleting %j', (sent, expected) => {
  expect(policyDeleteRefusal(sent)).toBe(expected)
})
