import { expect, test } from 'vitest'
import { type Day, daysOf, inGroups, pointOf, summaryOf } from './history.ts'
import {
  destinationOf,
  proofSeconds,
  proofWord,
  type Schedule,
  type Standing,
  snapshotWord,
  verdictOf,
} from './schedule.ts'

const standing = (change: Partial<Standing> = {}): Standing => ({
  snapshot_start: '2026-11-19T03:00:00+00:00',
  snapshot_url: '',
  last_snapshot_start: '2026-11-19T03:00:00+00:00',
  last_snapshot_end: '2026-11-19T03:00:05+00:00',
  last_snapshot_error: '',
  last_snapshot_url: '',
  state: 'scheduled',
  next_snapshot_start: '2026-11-20T03:00:00+00:00',
  consecutive_errors: 0,
  overdue: false,
  last_success_end: '2026-11-19T03:00:05+00:00',
  last_snapshot_size: 412e6,
  last_snapshot_sha256: '',
  last_prune_error: '',
  snapshot_timeout: 3600,
  verify: 'restore',
  last_verified_at: '2026-11-19T03:00:43+00:00',
  last_verify_error: '',
  not_restorable: false,
  node: 'n',
  ...change,
})
const schedule = (name: string, change: Partial<Standing> = {}): Schedule => ({
  name,
  interval: 86_400,
  retain: 7,
  destination: { service: 'local', place: '/x' },
  settings: {},
  standing: standing(change),
})

test.each([
  ['Stored', {}],
  ['Running', { state: 'running' }],
  ['Paused', { state: 'paused', last_snapshot_error: 'no' }],
  ['Failed', { last_snapshot_error: 'no' }],
  ['Overdue', { overdue: true }],
  ['None yet', { last_success_end: '' }],
])('the last snapshot: %s', (word, change) => {
  expect(snapshotWord({ standing: standing(change) }).word).toBe(word)
})

test.each([
  ['Proved', {}],
  ['Does not restore', { not_restorable: true, last_verify_error: 'rows are missing' }],
  ['Could not be checked', { last_verify_error: 'no room', last_verified_at: '' }],
  ['Not proved', { verify: 'none', last_verified_at: '' }],
  ['Not proved yet', { last_verified_at: '2026-11-18T03:00:43+00:00' }],
  ['Checksum only', { verify: 'checksum' }],
  ['Nothing to prove', { last_success_end: '' }],
])('the proof: %s', (word, change) => {
  expect(proofWord({ standing: standing(change) }).word).toBe(word)
})

test('the proof: takes as long as from the end of the snapshot', () => {
  expect(proofSeconds(standing())).toBe(38)
  expect(proofSeconds(standing({ verify: 'checksum' }))).toBeUndefined()
})

test.each([
  ['The last snapshot is good', [schedule('a'), schedule('b', { not_restorable: true })]],
  ['The last good snapshot is old', [schedule('a', { overdue: true })]],
  ['The last good snapshot is old', [schedule('a', { state: 'paused' })]],
  ['The last snapshot does not restore', [schedule('a', { not_restorable: true })]],
  ['The last snapshot is not proved', [schedule('a', { verify: 'none' })]],
  ['There is no snapshot yet', [schedule('a', { last_success_end: '' })]],
])('the verdict: %s', (text, schedules) => {
  expect(verdictOf(schedules).text).toBe(text)
})

test.each([
  [
    { storage_type: 'local', path_prefix: '/var/backups' },
    { service: 'local', place: '/var/backups' },
  ],
  [
    { storage_type: 'cloudA-store', cloudA_bucket: 'b', path_prefix: 'p' },
    { service: 's3', place: 's3://b/p' },
  ],
  [
    { storage_type: 'aws-s3', aws_s3_bucket: 'b', path_prefix: 'p' },
    { service: 's3', place: 's3://b/p' },
  ],
  [
    { storage_type: 'google-gcs', google_gcs_bucket: 'b', path_prefix: 'p/' },
    { service: 'gcs', place: 'gs://b/p/' },
  ],
  [
    { storage_type: 'cloudC-store', cloudC_account_name: 'a', cloudC_container_name: 'c', path_prefix: 'p/' },
    { service: 'azure', place: 'a/c/p/' },
  ],
])('the destination of %o', (settings, expected) => {
  expect(destinationOf(settings)).toEqual(expected)
})

const day = (date: string, change: Partial<Day> = {}): Day => ({
  day: date,
  attempts: 1,
  failed: 0,
  proved: 1,
  not_restorable: 0,
  size: 100,
  duration_ms: 2_000,
  proof_ms: 3_000,
  error: '',
  ...change,
})

test('history: days without an attempt are empty, and today is the last', () => {
  const days = daysOf([day('2026-11-18')], 3, Date.parse('2026-11-19T12:00:00Z'))
  expect(days).toEqual([{ day: '2026-11-17' }, day('2026-11-18'), { day: '2026-11-19' }])
})

test('history: neighbours are put together where there is no room, and the last group is full', () => {
  expect(inGroups([1, 2, 3, 4, 5], 3)).toEqual([[1], [2, 3], [4, 5]])
  expect(inGroups([1, 2, 3], 9)).toEqual([[1], [2], [3]])
  expect(inGroups([], 3)).toEqual([])
})

test('history: a point shows the largest size, the longest time, and the worst that happened', () => {
  const failed = day('2026-11-18', { failed: 1, proved: 0, size: 0, duration_ms: 0, proof_ms: 0, error: 'no' })
  const point = pointOf([day('2026-11-17'), failed, day('2026-11-19', { size: 300 })])
  expect(point).toMatchObject({ bar: 300, line: 5, mark: 'failed' })
  expect(point.tip).toContain('3 attempts, 300 B, 5 s, 1 failed\nno')
  expect(pointOf([day('2026-11-19', { not_restorable: 1 }), failed]).mark).toBe('disproved')
  expect(pointOf([{ day: '2026-11-19' }])).toMatchObject({ bar: null, line: null, mark: undefined })
})

test('history: is told in one sentence', () => {
  const days = [day('2026-11-17', { attempts: 43, proved: 43 }), day('2026-11-18', { proved: 0, not_restorable: 1 })]
  expect(summaryOf(days)).toBe('44 attempts: 43 proved, 1 does not restore')
})
