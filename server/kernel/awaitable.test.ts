import { expect, test } from 'vitest'
import { andThen } from './awaitable.ts'

test('andThen: a plain value is passed on synchronously', () => {
  expect(andThen(2, (n) => n + 1)).toBe(3)
})

test('andThen: a promise is awaited, and so is the result', async () => {
  const result = andThen(Promise.resolve(2), (n) => Promise.resolve(n + 1))
  expect(result).toBeInstanceOf(Promise)
  expect(await result).toBe(3)
})
