import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { auditEvent, tokenCaller } from '../../test/support/audit-events.ts'
import { secret } from '../kernel/secret.ts'
import { createCallerWriter } from './caller-record.ts'
import { hashWith, maskOf } from './hashing.ts'

const options = { hmacAccessor: true, logRaw: false, elideListResponses: false }

function testCallers() {
  let hashed = 0
  const hash = hashWith(secret(Buffer.alloc(32, 7)))
  const counted = (text: string) => {
    hashed += 1
    return hash(text)
  }
  return { describe: createCallerWriter(maskOf(counted, options)), hashed: () => hashed }
}

test('caller: an equal caller seen again is not hashed again', () => {
  const { describe, hashed } = testCallers()
  const first = describe(auditEvent({ caller: { ...tokenCaller } }))
  const before = hashed()
  expect(describe(auditEvent({ caller: { ...tokenCaller } }))).toEqual(first)
  expect(hashed()).toBe(before)
})

test('caller: the cache of descriptions does not keep the caller object in memory', async () => {
  const { describe } = testCallers()
  const seen = (() => {
    const caller = { ...tokenCaller }
    describe(auditEvent({ caller }))
    return new WeakRef(caller)
  })()
  await nextTurn()
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NonNullable<typeof gc>
  collect()
  expect(seen.deref()).toBeUndefined()
})
