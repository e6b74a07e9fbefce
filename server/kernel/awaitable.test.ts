import { expect, test } from 'vitest'
import { andThen } from './awaitable.ts'

test('andThen: a value that is there is used at once', () => {
  expect(andThen(2, (n) => n + 1)).toBe(3)
})

test('andThen: a value on its way is waited for, and so is what follows', async () => {
  const result = andThen(Promise.resolve(2), (n) => Promise.resolve(n + 1))
  expect(result).toBeInstanceOf(Promise)
  expect(await result).toBe(3)
})
