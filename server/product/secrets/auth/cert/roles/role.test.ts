import { expect, test } from 'vitest'
import { mintCa } from '../../../../../../test/support/certificates.ts'
import { blankRole, type CertRole } from './role.ts'
import { checkRole } from './role-check.ts'

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
