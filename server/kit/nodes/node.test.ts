import { expect, test } from 'vitest'
import { instant } from '../../kernel/clock.ts'
import { nodeState } from './node.ts'

const at = (seconds: number) => instant(1_000_000_000 + seconds * 1_000)

test.each([
  ['present', 'when its last sign is new', 0, null],
  ['present', 'while two signs may have been lost', 29, null],
  ['gone', 'after half a minute without a sign', 30, null],
  ['gone', 'once it was stopped, however new its sign is', 1, at(1)],
  ['present', 'when the clock of the database was set back a little', -29, null],
  ['gone', 'when its last sign is far ahead of the clock of the database', -30, null],
] as const)('node: is %s %s', (state, _when, seconds, stoppedAt) => {
  expect(nodeState({ seenAt: at(0), stoppedAt }, at(seconds))).toBe(state)
})
