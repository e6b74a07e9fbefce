import { expect, test } from 'vitest'
import { resolveTokenType, type TokenTypeSetting } from './token-plan.ts'
import { choosePolicies, type PolicyRequest, type RolePolicyLists, unknownPolicyWarnings } from './token-policies.ts'

const noLists: RolePolicyLists = {
  allowedPolicies: [],
  allowedPoliciesGlob: [],
  disallowedPolicies: [],
  disallowedPoliciesGlob: [],
  noDefaultPolicy: false,
}

type Wish = Partial<Omit<PolicyRequest, 'role'>> & { role?: Partial<RolePolicyLists> }

/** The policies of the token in one text, or why there is none; the parent holds default, dev and ops. */
const choose = ({ role, ...wish }: Wish): string => {
  const choice = choosePolicies({
    requested: [],
    noDefaultPolicy: false,
    parentPolicies: ['default', 'dev', 'ops'],
    sudo: false,
    role: role && { ...noLists, ...role },
    ...wish,
  })
  return choice.ok ? choice.policies.join(' ') : choice.text
}

test.each<[string, Wish, string]>([
  ['in the allowed list', { requested: ['A'], role: { allowedPolicies: ['a', 'b'] } }, 'a default'],
  ['matching an allowed glob', { requested: ['team-x'], role: { allowedPoliciesGlob: ['Team-*'] } }, 'default team-x'],
  ['not allowed', { requested: ['c'], role: { allowedPolicies: ['a'] } }, "the role does not allow the policy 'c'"],
  [
    'not allowed, though the parent has it',
    { requested: ['dev'], role: { allowedPolicies: ['a'] } },
    "the role does not allow the policy 'dev'",
  ],
  [
    'not allowed, even with sudo',
    { requested: ['c'], sudo: true, role: { allowedPolicies: ['a'] } },
    "the role does not allow the policy 'c'",
  ],
  [
    'none requested: the allowed list',
    { role: { allowedPolicies: ['b', 'a'], allowedPoliciesGlob: ['x*'] } },
    'a b default',
  ],
  ['none requested: globs give nothing', { role: { allowedPoliciesGlob: ['x*'] } }, 'default'],
  ['none requested, only disallowed: the parent’s', { role: { disallowedPolicies: ['root'] } }, 'default dev ops'],
  [
    'none requested, the parent’s disallowed',
    { role: { disallowedPolicies: ['ops'] } },
    "the role disallows the policy 'ops'",
  ],
  [
    'only disallowed: anything else, parent or not',
    { requested: ['x'], role: { disallowedPolicies: ['ops'] } },
    'default x',
  ],
  ['disallowed', { requested: ['OPS'], role: { disallowedPolicies: ['Ops'] } }, "the role disallows the policy 'ops'"],
  [
    'disallowed by glob',
    { requested: ['ops-1'], role: { disallowedPoliciesGlob: ['ops*'] } },
    "the role disallows the policy 'ops-1'",
  ],
  [
    'allowed and disallowed',
    { requested: ['a'], role: { allowedPolicies: ['a'], disallowedPolicies: ['a'] } },
    "the role disallows the policy 'a'",
  ],
  [
    'disallowed beside root',
    { requested: ['a'], role: { disallowedPolicies: ['root', 'a'] } },
    "the role disallows the policy 'a'",
  ],
  ['default requested though not listed', { requested: ['default'], role: { allowedPolicies: ['a'] } }, 'default'],
  [
    'default disallowed: not added',
    { requested: ['a'], role: { allowedPolicies: ['a'], disallowedPolicies: ['default'] } },
    'a',
  ],
  [
    'default disallowed by glob: not added',
    { requested: ['a'], role: { allowedPolicies: ['a'], disallowedPoliciesGlob: ['def*'] } },
    'a',
  ],
  [
    'default disallowed and requested',
    { requested: ['default'], role: { disallowedPolicies: ['default'] } },
    "the role disallows the policy 'default'",
  ],
  ['no default by the role', { requested: ['a'], role: { allowedPolicies: ['a'], noDefaultPolicy: true } }, 'a'],
  [
    'no default by the role, yet asked for by name',
    { requested: ['default'], role: { allowedPolicies: ['default'], noDefaultPolicy: true } },
    'default',
  ],
  [
    'no default by the role, which allows it by name, with nothing asked for',
    { requested: [], role: { allowedPolicies: ['default', 'p1'], noDefaultPolicy: true } },
    'default p1',
  ],
  [
    'no default by the role, with nothing asked for',
    { requested: [], role: { allowedPolicies: ['p1'], noDefaultPolicy: true } },
    'p1',
  ],
  [
    'no default by the role, asked for by name but not allowed',
    { requested: ['default'], role: { allowedPolicies: ['a'], noDefaultPolicy: true } },
    "the role does not allow the policy 'default'",
  ],
  [
    'no default by the request, asked for by name but not allowed',
    { requested: ['default'], noDefaultPolicy: true, role: { allowedPolicies: ['a'] } },
    "the role does not allow the policy 'default'",
  ],
  [
    'no default by the request',
    { requested: ['a'], noDefaultPolicy: true, role: { allowedPolicies: ['a', 'default'] } },
    'a',
  ],
])('rule 1, role with lists: %s', (_name, wish, expected) => {
  expect(choose(wish)).toBe(expected)
})

test.each<[string, Wish, string]>([
  ['the parent’s set as it is', {}, 'default dev ops'],
  ['default is not added', { parentPolicies: ['dev'] }, 'dev'],
  ['root too', { parentPolicies: ['root'] }, 'root'],
  ['no default by the request', { noDefaultPolicy: true }, 'dev ops'],
  ['no default by a role without lists', { role: { noDefaultPolicy: true } }, 'dev ops'],
])('rule 2, none requested: %s', (_name, wish, expected) => {
  expect(choose(wish)).toBe(expected)
})

test.each<[string, Wish, string]>([
  ['a subset, default added', { requested: ['DEV'] }, 'default dev'],
  ['default not added if the parent has none', { requested: ['dev'], parentPolicies: ['dev'] }, 'dev'],
  [
    'default not given if the parent has none',
    { requested: ['default'], parentPolicies: ['dev'] },
    "child policies must be a subset of the parent's: 'default' is not",
  ],
  ['no subset', { requested: ['dev', 'admin'] }, "child policies must be a subset of the parent's: 'admin' is not"],
  ['root', { requested: ['dev', 'Root'] }, "child policies must be a subset of the parent's: 'root' is not"],
  ['a look-alike', { requested: ['ｄｅｖ'] }, "child policies must be a subset of the parent's: 'ｄｅｖ' is not"],
  ['no default by the request', { requested: ['dev', 'default'], noDefaultPolicy: true }, 'dev'],
  [
    'no subset, with a role without lists',
    { requested: ['admin'], role: {} },
    "child policies must be a subset of the parent's: 'admin' is not",
  ],
])('rule 3, without sudo: %s', (_name, wish, expected) => {
  expect(choose({ sudo: false, ...wish })).toBe(expected)
})

test.each<[string, Wish, string]>([
  ['anything, default added', { requested: ['x', 'admin'] }, 'admin default x'],
  ['root stands alone', { requested: ['x', 'root'] }, 'root'],
  ['no default by the request', { requested: ['x', 'default'], noDefaultPolicy: true }, 'x'],
  [
    'never the policy of wrapping tokens',
    { requested: ['Response-Wrapping'] },
    "cannot assign the policy 'response-wrapping'",
  ],
])('rule 4, with sudo: %s', (_name, wish, expected) => {
  expect(choose({ sudo: true, ...wish })).toBe(expected)
})

test.each<[string, Wish, string]>([
  ['by root', { requested: [''], sudo: true, parentPolicies: ['root'] }, 'default'],
  ['by root, without default', { requested: [' ', ''], sudo: true, noDefaultPolicy: true }, ''],
  ['of a parent with default', { requested: [''] }, 'default'],
  ['of a parent without it', { requested: [''], parentPolicies: ['dev'] }, ''],
  ['with a role that allows some', { requested: [''], role: { allowedPolicies: ['a'] } }, 'default'],
  ['with a role that disallows some', { requested: [''], role: { disallowedPolicies: ['ops'] } }, 'default'],
])('names that are all blank request no policies and inherit none: %s', (_case, wish, expected) => {
  expect(choose(wish)).toBe(expected)
})

test('each policy that does not exist gives a warning', () => {
  expect(unknownPolicyWarnings(['default', 'x'], (name) => name === 'default')).toEqual([
    "the policy 'x' does not exist",
  ])
})

test.each<[TokenTypeSetting, string, string, string]>([
  ['service', 'service', 'service', 'service'],
  ['batch', 'batch', 'batch', 'batch'],
  ['default-service', 'service', 'service', 'batch'],
  ['default-batch', 'batch', 'service', 'batch'],
])(
  'token type: a mount set to %s gives %s, %s, %s to roles with none, service, batch',
  (setting, none, service, batch) => {
    expect([resolveTokenType(setting, ''), resolveTokenType(setting, 'default')]).toEqual([none, none])
    expect([resolveTokenType(setting, 'service'), resolveTokenType(setting, 'batch')]).toEqual([service, batch])
  },
)
