import { expect, test } from 'vitest'
import { instant, later } from '../../../../../kernel/clock.ts'
import type { OcspAnswer } from './ocsp.ts'
import { OcspCache } from './ocsp-actions.ts'

const now = instant(Date.parse('2026-11-16T12:00:00Z'))
const hour = 3_600_000

const good: OcspAnswer = { kind: 'good', thisUpdate: now, nextUpdate: later(now, hour) }

/** A cache that remembers a good answer, after it was asked again and got another one. */
async function askedAgain(answer: OcspAnswer): Promise<OcspCache> {
  const cache = new OcspCache(10)
  await cache.ask({ key: 'key', sharedBy: 'key' }, now, async () => good)
  await cache.ask({ key: 'key', sharedBy: 'key' }, now, async () => answer)
  return cache
}

test('ocsp cache: a newer answer that may not be cached removes the older one', async () => {
  const cache = await askedAgain({ kind: 'revoked', thisUpdate: now, nextUpdate: undefined })
  expect(cache.find('key', now, 0)).toBeUndefined()
})

test.each([
  { kind: 'unfetched', text: 'down' },
  { kind: 'stale', text: 'old' },
  { kind: 'forged', text: 'by somebody else' },
] as const)('ocsp cache: a failed request ($kind) keeps the cached answer', async (answer) => {
  const cache = await askedAgain(answer)
  expect(cache.find('key', now, 0)?.answer).toBe(good)
})
