import { expect, test } from 'vitest'
import { instant } from '../../../kernel/clock.ts'
import { attemptDeadline, isOverdue, nextRegularRun, nextRunAfter, nextRunAfterBad, runAfterWrite } from './schedule.ts'

const now = instant(10_000_000)
const hour = 3_600

/** Seconds from now. */
const fromNow = (at: number | undefined): number | undefined => at && (at - now) / 1_000

test.each([
  ['an interval after the last run began', hour, -600, 3_000],
  ['at once if it is due', hour, -hour, 0],
  ['at once, whatever was missed', hour, -9 * hour, 0],
  ['an interval from now if the clock was set back', hour, 600, hour],
])('schedule: the next run is %s', (_name, interval, began, expected) => {
  expect(fromNow(nextRegularRun(interval, now + began * 1_000, now))).toBe(expected)
})

test.each([
  ['the first failure', 1, hour, 30],
  ['the second', 2, hour, 60],
  ['the third', 3, hour, 120],
  ['many', 99, 24 * hour, hour],
  ['a failure, where runs follow each other quickly', 5, 20, 20],
])('schedule: after %s, the next try follows within its wait', (_name, failures, interval, expected) => {
  const after = (id: string, ended_at: number) =>
    fromNow(
      nextRunAfter(
        { interval },
        { anchor: now, consecutive_errors: failures },
        { id, ended_at: instant(ended_at), error: 'no room' },
        now,
      ),
    )
  expect(after('80000000-0000', now)).toBe(expected)
  expect(after('00000000-0000', now)).toBe(expected * 0.9)
  expect(after('80000000-0000', now - 5_000)).toBe(expected - 5)
  expect(after('80000000-0000', now + 5_000)).toBe(expected)
})

test('schedule: after a success the next run is the regular one', () => {
  const ended = { id: '80000000-0000', ended_at: now, error: '' }
  expect(fromNow(nextRunAfter({ interval: hour }, { anchor: now, consecutive_errors: 0 }, ended, now))).toBe(hour)
})

test.each([
  ['one that does not restore', 1, 0, 30],
  ['the third in a row', 3, 0, 120],
  ['many', 99, 0, hour],
  ['one that ends shortly before the next', 3, -23.99 * hour, 36],
])('schedule: after %s, the next run is as after a failure, but not later than planned', (_name, bad, began, wait) => {
  const status = { anchor: now + began * 1_000 }
  const after = (id: string) => nextRunAfterBad({ interval: 24 * hour }, status, { bad, attempt: { id } }, now)
  expect(fromNow(after('80000000-0000'))).toBeCloseTo(wait)
})

test('schedule: a write leaves it, brings a run at once, or sets a new interval without delaying a retry', () => {
  const at = { interval: hour, anchor: now, now }
  expect(runAfterWrite('none', at)).toBeUndefined()
  expect(fromNow(runAfterWrite('run-now', at))).toBe(0)
  expect(fromNow(runAfterWrite('new-interval', at))).toBe(hour)
  expect(fromNow(runAfterWrite('new-interval', { ...at, retryAt: instant(now + 30_000) }))).toBe(30)
  expect(fromNow(runAfterWrite('new-interval', { ...at, retryAt: instant(now + 9 * hour * 1_000) }))).toBe(hour)
})

test.each([
  ['as configured', 5, hour, 5],
  ['the interval', 0, hour, hour],
  ['ten minutes at least', 0, 60, 600],
])('schedule: an attempt may take %s', (_name, timeout, interval, seconds) => {
  expect(attemptDeadline({ interval, timeout })).toBe(seconds * 1_000)
})

test('schedule: a success is overdue when two runs and a retry should have been', () => {
  const lastGood = now - (2 * hour + 30) * 1_000
  expect([isOverdue(hour, lastGood, now), isOverdue(hour, lastGood - 1, now)]).toEqual([false, true])
})
