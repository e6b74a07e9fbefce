import { expect, test } from 'vitest'
import { stateOf } from '../../../../../test/support/states.ts'
import { outlineOf } from '../analysis/state-outline.ts'
import { OutlineReader, outlineThread } from './outline-adapter.ts'

test('outline: if the thread dies its states fail with state.reading-ended; the next gets a new thread', async () => {
  const failing = new OutlineReader()
  await failing.push(Buffer.from('{'))
  await outlineThread().terminate()
  for (let count = 0; count < 5; count++) await failing.push(new Uint8Array(1024 * 1024))
  await expect(failing.end()).rejects.toMatchObject({ code: 'state.reading-ended' })
  const next = new OutlineReader()
  await next.push(Buffer.from('{"version": 4}'))
  expect(await next.end()).toMatchObject({ ok: true, facts: { format: 4 } })
  next.close()
})

test.each([1, 1000, 70_000])('outline: chunks of %i bytes give the same result as the whole', async (length) => {
  const state = stateOf({ resources: 100, outputs: { a: 'é', b: 2 } })
  const beside = new OutlineReader()
  for (let at = 0; at < state.length; at += length) await beside.push(state.subarray(at, at + length))
  const finding = outlineOf(state)
  if (!finding.ok) throw new Error(finding.why)
  const summary = new Uint8Array(finding.facts.summary)
  expect(await beside.end()).toEqual({ ok: true, facts: { ...finding.facts, summary } })
  beside.close()
})

test('outline: invalid JSON is reported the same as on the main thread', async () => {
  const broken = Buffer.from('{"version": 4, }')
  const beside = new OutlineReader()
  await beside.push(Buffer.from(broken))
  expect(await beside.end()).toEqual(outlineOf(broken))
  beside.close()
})

test('outline: a chunk that shares its buffer with others is not detached', async () => {
  const memory = new Uint8Array(100).fill(0x20)
  const beside = new OutlineReader()
  await beside.push(memory.subarray(10))
  expect(memory).toHaveLength(100)
  beside.close()
})
