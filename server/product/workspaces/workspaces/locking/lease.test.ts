import { expect, test } from 'vitest'
import { instant } from '../../../../kernel/clock.ts'
import type { LockHolder, WorkspaceLock } from '../workspace.ts'
import { decideExtension } from './lock.ts'

const ann: LockHolder = { kind: 'user', id: 'user-ann', name: 'ann' }
const ops: LockHolder = { kind: 'team', id: 'team-ops', name: 'ops' }
const heldBy = (holder: LockHolder, expiresAt: number | null = 10_000): WorkspaceLock => ({
  holder,
  reason: '',
  since: instant(1_000),
  expiresAt: expiresAt === null ? null : instant(expiresAt),
})

test.each([
  ['the lock of another', heldBy(ops), undefined, 'lost', 'is locked by Team ops since 1970-01-01T00:00:01.000Z'],
  ['the lock of a team with the same id', heldBy({ ...ann, kind: 'team' }), undefined, 'lost', 'Team ann'],
  ['another lock of the same holder', heldBy(ann), 999, 'lost', 'is over. The workspace is locked by User ann'],
  ['a released lock', null, undefined, 'lost', 'Your lock has ended or was released, and nobody holds'],
  ['a lock that ends just now', heldBy(ann, 5_000), undefined, 'lost', 'ended at 1970-01-01T00:00:05.000Z, and nobody'],
  ['the ended lock of another', heldBy(ops, 5_000), undefined, 'lost', 'Your lock has ended or was released'],
  ['a lock without an end', heldBy(ann, null), undefined, 'endless', 'does not end by itself'],
] as const)('extend lock: %s is refused', (_name, lock, lockedAt, why, text) => {
  const requested = { by: ann, expiresAfter: '10s', lockedAt: lockedAt === undefined ? undefined : instant(lockedAt) }
  const decision = decideExtension(lock, requested, instant(5_000))
  expect(decision).toEqual({ ok: false, why, text: expect.stringContaining(text) })
})

test.each([
  ['counts from now', '10s', 15_000],
  ['does not shorten the lock', '1s', 10_000],
  ['ends at a whole millisecond', '10.0005s', 15_000],
] as const)('extend lock: the new end %s', (_name, expiresAfter, expected) => {
  const requested = { by: ann, expiresAfter, lockedAt: instant(1_000) }
  expect(decideExtension(heldBy(ann), requested, instant(5_000))).toEqual({ ok: true, expiresAt: expected })
})
