import { expect, test } from 'vitest'
import { randomIds } from '../kernel/ids.ts'
import { secret } from '../kernel/secret.ts'
import { hashPassword, maxPasswordBytes, verifyPassword } from './passwords.ts'

const cheap = { costBits: 4, blockSize: 8, lanes: 1 }
const password = secret('correct horse')

test('password: the right one is accepted, another is not', async () => {
  const hashed = await hashPassword(randomIds, password)
  expect(hashed).toMatch(/^scrypt\$15\$8\$3\$/)
  expect(hashed).not.toContain('correct')
  expect(await verifyPassword(password, hashed)).toBe(true)
  expect(await verifyPassword(secret('correct horsf'), hashed)).toBe(false)
})

test('password: equal passwords have different hashes', async () => {
  const [one, two] = [await hashPassword(randomIds, password, cheap), await hashPassword(randomIds, password, cheap)]
  expect(one).not.toBe(two)
})

test('password: composed and decomposed spelling are the same password', async () => {
  const hashed = await hashPassword(randomIds, secret('caf\u00e9'), cheap)
  expect(await verifyPassword(secret('cafe\u0301'), hashed)).toBe(true)
})

test('password: what was hashed at other costs still verifies', async () => {
  const hashed = await hashPassword(randomIds, password, cheap)
  expect(await verifyPassword(password, hashed)).toBe(true)
})

test('password: without a hash the answer is no', async () => {
  expect(await verifyPassword(password, undefined)).toBe(false)
})

test('password: too long is refused', async () => {
  const long = secret('x'.repeat(maxPasswordBytes + 1))
  await expect(hashPassword(randomIds, long)).rejects.toMatchObject({ code: 'password.too-long' })
})

test.each(['', 'plain', 'scrypt$99$8$1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'])(
  'password: the damaged hash %j is a failure, not a no',
  async (hashed) => {
    await expect(verifyPassword(password, hashed)).rejects.toMatchObject({ code: 'password.damaged-hash' })
  },
)
