import { expect, test } from 'vitest'
import { mintCa } from '../../../../../../test/support/certificates.ts'
import { testClock } from '../../../../../../test/support/clock.ts'
import { blankRole, type CertRole } from './role.ts'
import { checkRole, roleWarnings } from './role-check.ts'

const { pem } = mintCa()
const role = (fields: Partial<CertRole>): CertRole => ({ ...blankRole('web'), certificate: pem, ...fields })

test.each<[keyof CertRole, unknown, boolean]>([
  ['platformUser', '', true],
  ['platformUser', 'ann', true],
  ['platformUser', 'ann.smith@example.com', true],
  ['platformUser', 'ann/smith', false],
  ['platformUser', '/ann', false],
  ['platformUser', 'ann smith', false],
  ['platformUser', 'ann\t', false],
  ['platformTeam', '', true],
  ['platformTeam', 'acme/ops', true],
  ['platformTeam', 'acme/site ops', true],
  ['platformTeam', 'acme', false],
  ['platformTeam', 'acme/', false],
  ['platformTeam', '/ops', false],
  ['platformTeam', 'acme/ops/x', true],
  ['platformTeam', 'acme//ops', false],
  ['platformTeam', 'ac me/ops', false],
  ['tokenNumUses', 0, true],
  ['tokenNumUses', 1, true],
  ['tokenNumUses', -1, false],
  ['ocspMaxRetries', 0, true],
  ['ocspMaxRetries', -1, false],
])('role: %s %j is stored: %s', (field, value, stored) => {
  const check = () => checkRole(role({ [field]: value }))
  if (stored) expect(check().kind).toBe('ca')
  else expect(check).toThrow(expect.objectContaining({ kind: 'invalid' }))
})

test.each([
  [60, 60, true],
  [61, 60, false],
  [61, 0, true],
  [0, 60, true],
])('role: a lifetime of %i with a maximum of %i is stored: %s', (tokenTtl, tokenMaxTtl, stored) => {
  const check = () => checkRole(role({ tokenTtl, tokenMaxTtl }))
  if (stored) expect(check).not.toThrow()
  else expect(check).toThrow(/'token_ttl' \(61 s\) must not exceed/)
})

test.each<[Partial<CertRole>, boolean]>([
  [{ tokenTtl: 3_600 }, false],
  [{ tokenTtl: 3_601 }, true],
  [{ tokenMaxTtl: 7_200 }, false],
  [{ tokenMaxTtl: 7_201 }, true],
  [{ tokenPeriod: 7_200 }, false],
  [{ tokenPeriod: 7_201 }, true],
])('role: %j at a mount with lifetimes of 3600 and 7200 is warned of: %s', (fields, warned) => {
  const written = role(fields)
  const at = { defaultLeaseTtl: 3_600, maxLeaseTtl: 7_200, now: testClock().now(), tokenType: 'service' } as const
  const warnings = roleWarnings(written, checkRole(written), at).filter((text) => text.includes("above the mount's"))
  expect(warnings).toHaveLength(warned ? 1 : 0)
})

test.each([
  ['batch', 0, 0],
  ['batch', 1, 1],
  ['service', 1, 0],
] as const)('role: %s tokens with %i counted uses get %i warnings', (tokenType, tokenNumUses, count) => {
  const written = role({ tokenNumUses })
  const at = { defaultLeaseTtl: 3_600, maxLeaseTtl: 7_200, now: testClock().now(), tokenType }
  const warnings = roleWarnings(written, checkRole(written), at).filter((text) => text.includes('token_num_uses'))
  expect(warnings).toHaveLength(count)
})
