import { expect, test } from 'vitest'
import { snapshotConfiguration } from '../../../../test/support/snapshot-content.ts'
import { instant } from '../../../kernel/clock.ts'
import type { Configuration } from '../configurations/configuration.ts'
import type { SnapshotAttemptRow } from '../snapshot.ts'
import { concernsOf, type StatusFacts } from './status.ts'

const now = instant(Date.UTC(2026, 10, 19, 12))
const hour = 3_600_000

const attempt = (change: Partial<SnapshotAttemptRow> = {}): SnapshotAttemptRow => ({
  id: 'a',
  name: 'x',
  sequence: 1,
  trigger_kind: 'schedule',
  started_at: now - 8 * hour,
  ended_at: now - 8 * hour,
  object: 'o',
  url: 'file:///o',
  size: 1,
  sha256: '',
  error: '',
  pruned: '[]',
  verified_at: now - 7 * hour,
  verify_error: '',
  verify_failed: 0,
  node: 'n',
  ...change,
})

const facts = (
  configuration: Partial<Configuration>,
  good: SnapshotAttemptRow | undefined,
  ended = good,
): StatusFacts => ({
  configuration: {
    ...snapshotConfiguration({ type: 'local', pathPrefix: '/x', settings: {}, verify: 'restore' }),
    interval: 86_400,
    createdAt: now,
    ...configuration,
  },
  status: {
    name: 'x',
    anchor: 0,
    consecutive_errors: 0,
    last_number: '0',
    prune_error: '',
    stored: -1,
    used_bytes: 0,
  },
  ...(good && { good }),
  ...(ended && { ended }),
  verifiedAt: good?.verified_at ?? undefined,
  job: undefined,
  now,
})

const unverified = { verified_at: null }

test.each([
  ['nothing: stored and proved', {}, attempt(), []],
  ['nothing: not taken yet', {}, undefined, []],
  ['nothing: paused by hand', { paused: 'byHand' }, attempt({ verify_failed: 1 }), []],
  ['nothing: without proof, as it was set', { verify: 'none' }, attempt(unverified), []],
  ['nothing: just stored', {}, attempt({ ...unverified, ended_at: now - hour }), []],
  ['a schedule that waits to be resumed', { paused: 'restored' }, undefined, ['snapshot-paused']],
  ['one that does not restore', {}, attempt({ ...unverified, verify_failed: 1 }), ['snapshot-not-restorable']],
  ['one that could not be checked', {}, attempt({ ...unverified, verify_error: 'no' }), ['snapshot-unproved']],
  ['one that is not proved for hours', {}, attempt(unverified), ['snapshot-unproved']],
  ['one that is too old', { interval: 3_600 }, attempt(), ['snapshot-overdue']],
] as const)('what is the matter: %s', (_name, configuration, good, kinds) => {
  expect(concernsOf(facts(configuration, good)).map(({ kind }) => kind)).toEqual(kinds)
})

test('what is the matter: the last attempt failed, with its reason', () => {
  const failed = attempt({ error: 'uploading snapshot: no', ended_at: now - hour })
  const { name } = facts({}, undefined).configuration
  expect(concernsOf(facts({}, attempt(), failed))).toEqual([
    { kind: 'snapshot-failed', failed: true, name, text: 'uploading snapshot: no', at: now - hour },
  ])
})
