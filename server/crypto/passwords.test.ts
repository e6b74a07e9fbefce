import { expect, test } from 'vitest'
import { randomIds } from '../kernel/ids.ts'
import { secret } from '../kernel/secret.ts'
import { createPasswords, maxPasswordBytes } from './passwords.ts'

const passwords = createPasswords(randomIds)
const cheap = createPasswords(randomIds, { costBits: 4, blockSize: 8, lanes: 1 })
const password = secret('correct horse')

test('password: the right one is accepted, another is not', async () => {
  const hashed = await passwords.hash(password)
  expect(hashed).toMatch(/^scrypt\$15\$8\$3\$/)
  expect(hashed).not.toContain('correct')
  expect(await passwords.matches(password, hashed)).toBe(true)
  expect(await passwords.matches(secret('correct horsf'), hashed)).toBe(false)
})

test('password: equal passwords have different hashes', async () => {
  const [one, two] = [await cheap.hash(password), await cheap.hash(password)]
  expect(one).not.toBe(two)
})

test('password: composed and decomposed spelling are the same password', async () => {
  const hashed = await cheap.hash(secret('caf\u00e9'))
  expect(await passwords.matches(secret('cafe\u0301'), hashed)).toBe(true)
})

test('password: a hash made with other costs still verifies', async () => {
  const hashed = await cheap.hash(password)
  expect(await passwords.matches(password, hashed)).toBe(true)
})

test('password: without a hash nothing matches', async () => {
  expect(await passwords.matches(password, undefined)).toBe(false)
})

test('password: one that is too long is refused with password.too-long', async () => {
  const long = secret('x'.repeat(maxPasswordBytes + 1))
  await expect(passwords.hash(long)).rejects.toMatchObject({ code: 'password.too-long' })
})

test.each(['', 'plain', 'scrypt$99$8$1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'])(
  'password: the damaged hash %j is a failure, not a mismatch',
  async (hashed) => {
    await expect(passwords.matches(password, hashed)).rejects.toMatchObject({ code: 'password.damaged-hash' })
  },
)
