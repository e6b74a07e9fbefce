import { expect, test } from 'vitest'
import { maskToken, unmaskToken } from './token-mask.ts'

test('root token: the same password that hides it shows it again', () => {
  const token = 'hfs.abcdefghijklmnopqrstuvwx'
  const otp = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ01'
  const encoded = maskToken(token, otp)
  expect(encoded).toMatch(/^[A-Za-z0-9+/]{38}$/)
  expect(unmaskToken(encoded, otp)).toBe(token)
  expect(unmaskToken(encoded, otp.replace('A', 'B'))).not.toBe(token)
})

test.each([
  ['a password that is too short', () => maskToken('hfs.abc', 'abc'), '7 characters'],
  ['a password that is too long', () => maskToken('abc', 'abcd'), '3 characters'],
  ['a password of letters that take several bytes', () => maskToken('abc', 'äbc'), '3 characters'],
  ['another length than the token has', () => unmaskToken('YWJj', 'abcd'), 'do not belong together'],
  ['no base64', () => unmaskToken('?', 'a'), 'not in base64'],
  ['nothing at all', () => unmaskToken('', ''), 'not in base64'],
])('root token: %s is refused', (_what, act, text) => {
  expect(act).toThrow(text)
})
