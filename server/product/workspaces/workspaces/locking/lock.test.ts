import { expect, test } from 'vitest'
import { instant } from '../../../../kernel/clock.ts'
import type { LockHolder, WorkspaceLock } from '../workspace.ts'
import { decideForce, decideLock, decideUnlock, expiryProblem, lockInForce, refusalText } from './lock.ts'

const ann: LockHolder = { kind: 'user', id: 'user-ann', name: 'ann' }
const ops: LockHolder = { kind: 'team', id: 'team-ops', name: 'ops' }
const run: LockHolder = { kind: 'run', id: 'run-1', name: 'run-1' }
const heldBy = (holder: LockHolder, reason = ''): WorkspaceLock => ({
  holder,
  reason,
  since: instant(0),
  expiresAt: null,
})

test.each([
  ['nobody holds it', null, 'taken'],
  ['somebody else holds it', heldBy(ops), 'already-locked'],
  ['its own holder asks again', heldBy(ann), 'already-locked'],
] as const)('lock: %s', (_name, lock, expected) => {
  const decision = decideLock(lock, heldBy(ann))
  expect(decision.ok ? 'taken' : decision.why).toBe(expected)
})

test.each([
  ['nobody holds it', null, ann, 'already-unlocked'],
  ['its holder asks', heldBy(ann), ann, 'released'],
  ['a team of the same id asks', heldBy({ ...ann, kind: 'team' }), ann, 'held-by-other'],
  ['a run holds it', heldBy(run), ann, 'held-by-other'],
] as const)('unlock: %s', (_name, lock, by, expected) => {
  const decision = decideUnlock(lock, by)
  expect(decision.ok ? 'released' : decision.why).toBe(expected)
})

test.each([
  ['nobody holds it', null, undefined, 'already-unlocked'],
  ['a run holds it', heldBy(run), undefined, 'released'],
  ['the lock that was shown is held', heldBy(run), instant(0), 'released'],
  ['another lock was taken since', heldBy(run), instant(-1), 'another'],
] as const)('force: %s', (_name, lock, shownSince, expected) => {
  const decision = decideForce(lock, shownSince)
  expect(decision.ok ? 'released' : decision.why).toBe(expected)
})

test('lock: an expired one counts as none', () => {
  const lock = { ...heldBy(ann), expiresAt: instant(1000) }
  expect(lockInForce(lock, instant(999))).toBe(lock)
  expect(lockInForce(lock, instant(1000))).toBeNull()
  expect(lockInForce(null, instant(0))).toBeNull()
})

test.each(['', '1s', '90m'])('lock: can expire after %j', (text) => {
  expect(expiryProblem(text)).toBeUndefined()
})

test.each(['999ms', '0s', '-1h', '30', 'soon'])('lock: cannot expire after %j', (text) => {
  expect(expiryProblem(text)).toContain('duration')
})

test.each([
  [ann, 'is locked by User ann'],
  [ops, 'is locked by Team ops'],
  [run, 'is locked by Run run-1'],
])('unlock: the refusal names the holder in the words clients look for: %o', (holder, words) => {
  expect(refusalText('held-by-other', heldBy(holder, 'deploying'))).toContain(words)
  expect(refusalText('held-by-other', heldBy(holder, 'deploying'))).toContain('deploying')
  expect(refusalText('already-unlocked', null)).not.toContain('is locked by')
})

test('lock: the refusal says when the lock expires', () => {
  const lock = { ...heldBy(ann, 'tea'), expiresAt: instant(60_000) }
  expect(refusalText('already-locked', lock)).toBe(
    'The workspace is already locked. It is locked by User ann since 1970-01-01T00:00:00.000Z until 1970-01-01T00:01:00.000Z, reason: tea.',
  )
})
