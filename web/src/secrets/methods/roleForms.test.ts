import { expect, test } from 'vitest'
import { jsonProblem, roleBody, typedRole } from './roleForms.ts'

test('a role is typed, and what was changed is sent', () => {
  const role = { bind_secret_id: false, secret_id_ttl: 600, secret_id_num_uses: 3, token_policies: ['a'], token_ttl: 0 }
  const values = typedRole('approle', role)
  expect(values).toMatchObject({ bind_secret_id: false, secret_id_ttl: '10m', secret_id_num_uses: '3', token_ttl: '' })
  expect(roleBody('approle', { ...values, secret_id_ttl: '' }, ['secret_id_ttl'])).toEqual({ secret_id_ttl: 0 })
})

test('claims are JSON, mappings are lines', () => {
  const values = typedRole('jwt', { bound_claims: { ref: ['main'] }, claim_mappings: { sub: 'who' } })
  expect(values).toMatchObject({ claim_mappings: 'sub=who', token_policies: [] })
  expect(roleBody('jwt', values, ['bound_claims', 'claim_mappings'])).toEqual({
    role_type: 'jwt',
    bound_claims: { ref: ['main'] },
    claim_mappings: { sub: 'who' },
  })
  expect(jsonProblem('{')).toMatch(/^It is not JSON/)
  expect(jsonProblem('[]')).toBe('It must be an object.')
  expect(jsonProblem(' ')).toBeUndefined()
})
