import { expect, test } from 'vitest'
import type { Operation } from '../../kit/access.ts'
import { compileAcl } from './acl.ts'
import { defaultPolicyText, responseWrappingPolicyText } from './default-policy.ts'
import { parsePolicy } from './policy-text.ts'

const facts = { entity: { id: 'e-1', name: 'web', metadata: {}, aliases: [] } }
const acl = compileAcl([parsePolicy('default', defaultPolicyText)], facts)

test.each<[Operation, string]>([
  ['read', 'auth/token/lookup-self'],
  ['update', 'auth/token/lookup-self'],
  ['update', 'auth/token/renew-self'],
  ['update', 'auth/token/revoke-self'],
  ['update', 'sys/capabilities-self'],
  ['read', 'identity/entity/id/e-1'],
  ['read', 'identity/entity/name/web'],
  ['update', 'sys/leases/renew'],
  ['update', 'sys/leases/lookup'],
  ['update', 'sys/renew'],
  ['read', 'sys/internal/ui/resultant-acl'],
  ['create', 'cubbyhole/a'],
  ['list', 'cubbyhole/'],
  ['update', 'sys/wrapping/wrap'],
  ['update', 'sys/wrapping/unwrap'],
  ['update', 'sys/wrapping/lookup'],
  ['update', 'sys/tools/hash/sha2-256'],
])('default policy: allows %s on %s', (operation, path) => {
  expect(acl.check({ operation, path }).allowed).toBe(true)
})

test.each<[Operation, string]>([
  ['read', 'identity/entity/id/e-2'],
  ['update', 'identity/entity/id/e-1'],
  ['list', 'identity/entity/id/'],
  ['update', 'auth/token/create'],
  ['update', 'auth/token/lookup'],
  ['list', 'sys/leases/lookup/'],
  ['update', 'sys/capabilities'],
  ['read', 'sys/auth'],
])('default policy: does not allow %s on %s', (operation, path) => {
  expect(acl.check({ operation, path }).allowed).toBe(false)
})

test('default policy: parses without warnings and grants nothing under identity/ without an entity', () => {
  const policy = parsePolicy('default', defaultPolicyText)
  expect(policy.warnings).toEqual([])
  expect(compileAcl([policy]).anyCapabilityUnder('identity/')).toBe(false)
})

test('response-wrapping policy: allows unwrap but not lookup-self', () => {
  const wrapping = compileAcl([parsePolicy('response-wrapping', responseWrappingPolicyText)])
  expect(wrapping.check({ operation: 'update', path: 'sys/wrapping/unwrap' }).allowed).toBe(true)
  expect(wrapping.check({ operation: 'read', path: 'auth/token/lookup-self' }).allowed).toBe(false)
})
