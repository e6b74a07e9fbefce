import { expect, test } from 'vitest'
import { testClock } from '../../../../../test/support/clock.ts'
import type { LockHolder, WorkspaceLock } from '../workspace.ts'
import { type BulkRequest, bulkRequestProblem, isTimeUp, predictResult } from './bulk.ts'

type BulkFacts = Parameters<typeof predictResult>[1]

const ann: LockHolder = { kind: 'user', id: 'user-ann', name: 'ann' }
const ops: LockHolder = { kind: 'team', id: 'team-ops', name: 'ops' }
const heldBy = (holder: LockHolder): WorkspaceLock => ({
  holder,
  reason: '',
  since: testClock().now(),
  expiresAt: null,
})
const keys = (count: number, value = '') => Array.from({ length: count }, (_, index) => ({ key: `k${index}`, value }))
const names = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`)

const asking = (action: BulkRequest['action'], more: Partial<BulkRequest> = {}): BulkRequest => ({
  action,
  lock: heldBy(ann),
  tagNames: [],
  bindings: [],
  ...more,
})
const having = (facts: Partial<BulkFacts>): BulkFacts => ({ lock: null, tagNames: [], bindings: [], ...facts })

test.each<[string, BulkRequest, Partial<BulkFacts>, string]>([
  ['lock, unlocked', asking('lock'), {}, 'changed'],
  ['lock, locked by the caller', asking('lock'), { lock: heldBy(ann) }, 'refused'],
  ['unlock, unlocked', asking('unlock'), {}, 'refused'],
  ['unlock, locked by the caller', asking('unlock'), { lock: heldBy(ann) }, 'changed'],
  ['unlock, locked by another', asking('unlock'), { lock: heldBy(ops) }, 'refused'],
  ['force-unlock, unlocked', asking('force-unlock'), {}, 'refused'],
  ['force-unlock, locked by another', asking('force-unlock'), { lock: heldBy(ops) }, 'changed'],
  ['a new tag', asking('add-tags', { tagNames: ['a', 'b'] }), { tagNames: ['a'] }, 'changed'],
  ['no new tag', asking('add-tags', { tagNames: ['A'] }), { tagNames: ['a'] }, 'unchanged'],
  ['the thousandth tag', asking('add-tags', { tagNames: ['x'] }), { tagNames: names(999) }, 'changed'],
  ['one tag more', asking('add-tags', { tagNames: ['x'] }), { tagNames: names(1_000) }, 'refused'],
  ['one of many tags again', asking('add-tags', { tagNames: ['t1'] }), { tagNames: names(1_000) }, 'unchanged'],
  ['remove a tag', asking('remove-tags', { tagNames: ['A', 'x'] }), { tagNames: ['a'] }, 'changed'],
  ['remove another tag', asking('remove-tags', { tagNames: ['x'] }), { tagNames: ['a'] }, 'unchanged'],
  ['ten bindings', asking('add-bindings', { bindings: keys(10) }), {}, 'changed'],
  [
    'the tenth binding',
    asking('add-bindings', { bindings: [{ key: 'x', value: '' }] }),
    { bindings: keys(9) },
    'changed',
  ],
  [
    'one binding more',
    asking('add-bindings', { bindings: [{ key: 'x', value: '' }] }),
    { bindings: keys(10) },
    'refused',
  ],
  ['other values of all ten', asking('add-bindings', { bindings: keys(10, 'v') }), { bindings: keys(10) }, 'changed'],
  ['the same bindings', asking('add-bindings', { bindings: keys(2) }), { bindings: keys(10) }, 'unchanged'],
  [
    'the same key in capitals',
    asking('add-bindings', { bindings: [{ key: 'K0', value: '' }] }),
    { bindings: keys(2) },
    'changed',
  ],
])('bulk result: %s', (_name, request, facts, expected) => {
  expect(predictResult(request, having(facts)).result).toBe(expected)
})

test.each<[string, BulkRequest, string | undefined]>([
  ['lock with nothing', asking('lock'), undefined],
  ['add-tags with none', asking('add-tags'), 'tags'],
  ['add-tags with one', asking('add-tags', { tagNames: ['a'] }), undefined],
  ['remove-tags with none', asking('remove-tags'), 'tags'],
  ['add-bindings with none', asking('add-bindings'), 'bindings'],
  ['add-bindings with ten', asking('add-bindings', { bindings: keys(10) }), undefined],
  ['add-bindings with eleven', asking('add-bindings', { bindings: keys(11) }), 'bindings'],
  ['add-bindings with a key twice', asking('add-bindings', { bindings: [...keys(1), ...keys(1, 'v')] }), 'bindings'],
])('bulk request: %s', (_name, request, problem) => {
  expect(bulkRequestProblem(request)?.name).toBe(problem)
})

test.each([
  [100_000, false, false],
  [100_001, false, true],
  [1_000, true, false],
  [1_001, true, true],
])(
  'bulk: after %i ms, with a server that is stopping: %s, the time of a call is up: %s',
  (elapsed, isStopping, expected) => {
    expect(isTimeUp(elapsed, isStopping)).toBe(expected)
  },
)
