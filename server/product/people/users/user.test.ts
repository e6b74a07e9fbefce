import { expect, test } from 'vitest'
import {
  emailProblem,
  givesUpAddress,
  isAdministrator,
  isVerifiedWhenSet,
  passwordProblem,
  usernameProblem,
} from './user.ts'

const fine = undefined

test.each([
  ['a', fine],
  ['A.b-c_9', fine],
  ['x'.repeat(64), fine],
  ['x'.repeat(65), /too long.* 64/],
  ['', /only letters/],
  ['.ann', /starts and ends/],
  ['ann-', /starts and ends/],
  ['ann smith', /only letters/],
  ['änn', /only letters/],
  ['ann\n', /only letters/],
])('user name: %j', (name, problem) => {
  if (problem) expect(usernameProblem(name)).toMatch(problem)
  else expect(usernameProblem(name)).toBeUndefined()
})

test.each([
  ['a@b', fine],
  [`${'x'.repeat(252)}@b`, fine],
  [`${'x'.repeat(253)}@b`, /too long.* 254/],
  ['ann', /must be an e-mail address/],
  ['@b', /must be an e-mail address/],
  ['ann@', /must be an e-mail address/],
  ['ann@b@c', /must be an e-mail address/],
  ['ann smith@b', /must be an e-mail address/],
  ['änn@b', /must be an e-mail address/],
  ['ann@b\n', /must be an e-mail address/],
])('e-mail address: %j', (email, problem) => {
  if (problem) expect(emailProblem(email)).toMatch(problem)
  else expect(emailProblem(email)).toBeUndefined()
})

test.each([
  ['8 characters', 'x'.repeat(8), fine],
  ['7 characters', 'x'.repeat(7), /at least 8/],
  ['7 characters of two units each', '𝒙'.repeat(7), /at least 8/],
  ['1024 bytes', 'x'.repeat(1_024), fine],
  ['1025 bytes', 'x'.repeat(1_025), /too long.* 1024/],
  ['1026 bytes in 513 characters', 'ä'.repeat(513), /too long.* 1024/],
  ['the user name', 'ann.smith', /must differ/],
  ['the user name in another case', 'ANN.smith', /must differ/],
])('password: %s', (_what, password, problem) => {
  if (problem) expect(passwordProblem(password, 'Ann.Smith')).toMatch(problem)
  else expect(passwordProblem(password, 'Ann.Smith')).toBeUndefined()
})

test.each([
  ['admin', true],
  ['Admin', true],
  ['administrator', false],
])('%s is the administrator: %s', (username, expected) => {
  expect(isAdministrator({ username })).toBe(expected)
})

test.each([
  ['its owner sets another one', true, 'ann@other', false, false],
  ['its owner repeats a verified one', true, 'ann@one', false, true],
  ['its owner repeats a verified one in another case', true, 'Ann@ONE', false, true],
  ['its owner repeats one that is not verified', false, 'ann@one', false, false],
  ['an administrator sets another one', true, 'ann@other', true, true],
  ['an administrator repeats one that is not verified', false, 'ann@one', true, true],
])('verified address: %s', (_what, emailVerified, email, byAdministrator, expected) => {
  expect(isVerifiedWhenSet({ email: 'ann@one', emailVerified }, email, byAdministrator)).toBe(expected)
})

test('an address passes only from somebody who has set it to somebody for whom an administrator sets it', () => {
  const [verified, unverified] = [{ emailVerified: true }, { emailVerified: false }]
  expect(givesUpAddress(unverified, verified)).toBe(true)
  for (const [holder, wanted] of [
    [verified, verified],
    [verified, unverified],
    [unverified, unverified],
  ] as const)
    expect(givesUpAddress(holder, wanted)).toBe(false)
})
