import { expect, test } from 'vitest'
import { blankRole, bodyOf, fieldIn, roleNames, valuesOf } from './roleForm.ts'

test('a stored role is shown and sent back as it is', () => {
  const stored = {
    ...bodyOf(blankRole, roleNames),
    name: 'web',
    display_name: 'web',
    token_ttl: 3600,
    token_num_uses: 2,
  }
  const values = valuesOf(stored as never)
  expect(values).toEqual({ ...blankRole, token_ttl: '1h', token_num_uses: '2' })
  expect(bodyOf(values, ['token_ttl', 'token_period', 'token_num_uses'])).toEqual({
    token_ttl: '1h',
    token_period: 0,
    token_num_uses: '2',
  })
})

test('a refusal names its field', () => {
  expect(fieldIn("Field 'token_ttl' (20 s) must not exceed 'token_max_ttl' (10 s).")).toBe('token_ttl')
  expect(fieldIn('permission denied')).toBeUndefined()
})
