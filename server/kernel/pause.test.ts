import { expect, test } from 'vitest'
import { pause } from './pause.ts'

test('pause: ends after its time, or with the reason of the signal', async () => {
  const stop = new AbortController()
  await pause(1, stop.signal)
  const waiting = pause(60_000, stop.signal)
  const reason = new Error('nobody waits any more')
  stop.abort(reason)
  await expect(waiting).rejects.toBe(reason)
  await expect(pause(60_000, stop.signal)).rejects.toBe(reason)
})
