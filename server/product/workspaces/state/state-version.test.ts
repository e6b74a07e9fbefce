import { expect, test } from 'vitest'
import type { Instant } from '../../../kernel/clock.ts'
import type { LockHolder, WorkspaceLock } from '../workspaces/index.ts'
import { afterBackingAction, historyRefusal, holderRefusal, type StateVersionId } from './state-version.ts'

const newest = { id: 'sv-5' as StateVersionId, serial: 5, md5: 'aa', lineage: 'one' }
const wanted = { serial: 6, md5: 'bb', lineage: 'one', force: false }

test.each([
  ['the first state', undefined, { ...wanted, serial: 0, lineage: 'any' }, undefined],
  ['a greater serial', newest, wanted, undefined],
  ['a greater serial with gaps', newest, { ...wanted, serial: 90 }, undefined],
  ['a lower serial', newest, { ...wanted, serial: 4 }, ['precondition', 'state.serial']],
  ['a lower serial by force', newest, { ...wanted, serial: 4, force: true }, undefined],
  ['a state after the newest one', newest, { ...wanted, after: 'sv-5' }, undefined],
  ['a state after another one', newest, { ...wanted, after: 'sv-4' }, ['conflict', 'state.another']],
  ['the same by force', newest, { ...wanted, after: 'sv-4', force: true }, ['conflict', 'state.another']],
  ['a state after one of none', undefined, { ...wanted, after: 'sv-4' }, ['conflict', 'state.another']],
  ['the same serial and content', newest, { ...wanted, serial: 5, md5: 'aa' }, undefined],
  ['the same serial, other content', newest, { ...wanted, serial: 5 }, ['conflict', 'state.hash']],
  ['another lineage', newest, { ...wanted, lineage: 'two' }, ['conflict', 'state.lineage']],
  ['another lineage by force', newest, { ...wanted, lineage: 'two', force: true }, undefined],
  ['no lineage', newest, { ...wanted, lineage: null }, undefined],
  ['a lineage after none', { ...newest, lineage: null }, wanted, undefined],
] as const)('history: %s', (_name, before, next, expected) => {
  const refusal = historyRefusal(before, next)
  expect(refusal && [refusal.kind, refusal.why]).toEqual(expected)
})

const ann: LockHolder = { kind: 'user', id: 'user-ann', name: 'ann' }
const ops: LockHolder = { kind: 'team', id: 'team-ops', name: 'ops' }
const heldBy = (holder: LockHolder): WorkspaceLock => ({ holder, reason: '', since: 0 as Instant, expiresAt: null })

test.each([
  ['nobody', null, ann, /not locked/],
  ['the writer', heldBy(ann), ann, undefined],
  ['a team', heldBy(ops), ann, /locked by Team ops/],
] as const)('holder: the workspace is held by %s', (_name, lock, by, text) => {
  const refusal = holderRefusal(lock, by)
  if (text) expect(refusal?.text).toMatch(text)
  else expect(refusal).toBeUndefined()
})

test.each([
  ['finalized', 'soft_delete', 'backing_data_soft_deleted'],
  ['backing_data_soft_deleted', 'restore', 'finalized'],
  ['backing_data_soft_deleted', 'permanently_delete', 'backing_data_permanently_deleted'],
  ['finalized', 'permanently_delete', 'backing_data_permanently_deleted'],
  ['backing_data_permanently_deleted', 'restore', undefined],
  ['pending', 'soft_delete', undefined],
  ['discarded', 'restore', undefined],
  ['finalized', 'restore', undefined],
] as const)('backing data: from %s, %s leads to %s', (status, action, expected) => {
  expect(afterBackingAction(status, action)).toBe(expected)
})
