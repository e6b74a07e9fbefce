import { expect, test } from 'vitest'
import { equivalentRolePaths, type LoginRole, termWarnings } from './login-role.ts'
import { tokenTerms } from './login-role-fields.ts'

const role = (fields: Partial<LoginRole>): LoginRole => ({
  name: 'web',
  ...tokenTerms.initial,
  tokenType: 'default',
  platformTeamId: '',
  ...fields,
})

test.each([
  ['auth/jwt/role/CI', ['auth/jwt/role/ci']],
  ['auth/jwt/role/CI/secret-id', ['auth/jwt/role/ci/secret-id']],
  ['auth/jwt/role', []],
  ['auth/jwt/login', []],
])('role: the rules for %s are also those for %j', (path, paths) => {
  expect(equivalentRolePaths({ path: 'auth/jwt/' }, path)).toEqual(paths)
})

test.each<[Partial<LoginRole>, boolean]>([
  [{ tokenTtl: 3_600 }, false],
  [{ tokenTtl: 3_601 }, true],
  [{ tokenMaxTtl: 7_200 }, false],
  [{ tokenMaxTtl: 7_201 }, true],
  [{ tokenPeriod: 7_200 }, false],
  [{ tokenPeriod: 7_201 }, true],
])('role: %j at a mount with lifetimes of 3600 and 7200 is warned of: %s', (fields, warned) => {
  const at = { defaultLeaseTtl: 3_600, maxLeaseTtl: 7_200, tokenType: 'service' } as const
  expect(termWarnings(role(fields), at)).toHaveLength(warned ? 1 : 0)
})

test.each([
  ['batch', 0, 0],
  ['batch', 1, 1],
  ['service', 1, 0],
] as const)('role: %s tokens with %i counted uses get %i warnings', (tokenType, tokenNumUses, count) => {
  const at = { defaultLeaseTtl: 3_600, maxLeaseTtl: 7_200, tokenType }
  expect(termWarnings(role({ tokenNumUses }), at)).toHaveLength(count)
})
