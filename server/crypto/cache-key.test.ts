import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cacheKeyOf } from './cache-key.ts'

const expected = (text: string): string => createHash('sha256').update(text).digest('base64url')

test('memory key: is the SHA-256 of the text, whether cached or not', async () => {
  for (const text of ['a', 'a', 'b', 'a', '', '', 'b', 'b']) expect(cacheKeyOf(text)).toBe(expected(text))
  await turn()
  for (const text of ['b', '', 'b']) expect(cacheKeyOf(text)).toBe(expected(text))
})
