import { expect, test } from 'vitest'
import type { SnapshotAttemptRow } from '../snapshot.ts'
import { byDay, dayOf, firstDay } from './snapshot-day.ts'

const noon = Date.UTC(2026, 10, 19, 12)
const hour = 3_600_000

const attempt = (change: Partial<SnapshotAttemptRow> = {}): SnapshotAttemptRow => ({
  id: 'a',
  name: 'x',
  sequence: 1,
  trigger_kind: 'schedule',
  started_at: noon,
  ended_at: noon + 5_000,
  object: 'o',
  url: 'file:///o',
  size: 100,
  sha256: '',
  error: '',
  pruned: '[]',
  verified_at: null,
  verify_error: '',
  verify_failed: 0,
  node: 'n',
  ...change,
})
const failed = (change: Partial<SnapshotAttemptRow> = {}) => attempt({ error: 'no', size: null, ...change })

test('days: attempts are counted by the day in UTC on which they began, oldest day first', () => {
  const days = byDay([attempt({ started_at: noon + 12 * hour, ended_at: noon + 13 * hour }), attempt(), failed()])
  expect(days).toMatchObject([
    { day: dayOf(noon), attempts: 2, failed: 1 },
    { day: dayOf(noon) + 24 * hour, attempts: 1, failed: 0 },
  ])
})

test('days: the largest size and the longest times of a day are kept; failed attempts have neither', () => {
  const proved = attempt({ size: 300, verified_at: noon + 5_000 + 38_000 })
  const long = failed({ ended_at: noon + hour })
  expect(byDay([attempt(), proved, long])).toEqual([
    {
      day: dayOf(noon),
      attempts: 3,
      failed: 1,
      proved: 1,
      disproved: 0,
      size: 300,
      duration_ms: 5_000,
      proof_ms: 38_000,
      error: 'no',
    },
  ])
})

test('days: a snapshot that does not restore is counted with its reason', () => {
  const bad = attempt({ verify_failed: 1, verify_error: 'rows are missing' })
  expect(byDay([attempt(), bad])).toMatchObject([{ attempts: 2, failed: 0, disproved: 1, error: 'rows are missing' }])
})

test('days: what runs or waits is not counted', () => {
  expect(byDay([attempt({ ended_at: null }), attempt({ started_at: null, ended_at: null })])).toEqual([])
})

test('days: attempts are added to what is kept of their day', () => {
  const kept = byDay([attempt({ size: 900 }), failed()])
  expect(byDay([attempt()], kept)).toEqual(byDay([attempt(), failed(), attempt({ size: 900 })]))
})

test('days: today is the last of those that are shown', () => {
  expect(firstDay(1, noon)).toBe(dayOf(noon))
  expect(firstDay(45, noon)).toBe(dayOf(noon - 44 * 24 * hour))
})
