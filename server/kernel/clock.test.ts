import { expect, onTestFinished, test, vi } from 'vitest'
import { instant, later, parseInstant, steadyClock, toIso, toIsoNano, toIsoOffset } from './clock.ts'

test('clock: a wall clock set back never makes time run backwards; a step forward is followed', () => {
  let wall = 1_000_000
  let elapsed = 0
  const clock = steadyClock(
    () => wall,
    () => elapsed,
  )
  const pass = (milliseconds: number) => {
    wall += milliseconds
    elapsed += milliseconds
  }
  expect(clock.now()).toBe(1_000_000)
  pass(500)
  expect(clock.now()).toBe(1_000_500)
  wall -= 3_600_000
  pass(1_000)
  expect(clock.now()).toBe(1_001_500)
  wall += 7_200_000
  expect(clock.now()).toBe(wall)
})

test.each([
  ['2026-11-15T02:07:11Z'],
  ['2026-11-15T02:07:11.123+02:00'],
  ['2028-02-29T00:00:00+02:00'],
  ['9999-12-31T23:59:59.999Z'],
  ['0000-01-01T00:00:00Z'],
])('clock: %s is a timestamp', (text) => {
  expect(parseInstant(text)).toBe(Date.parse(text))
})

test.each([
  ['2026-11-15'],
  ['2026-13-45T00:00:00Z'],
  ['2026-02-30T00:00:00Z'],
  ['2027-02-29T00:00:00+02:00'],
  ['2026-11-15T24:00:00Z'],
  ['9999-12-31T23:59:59-00:01'],
  ['0000-01-01T00:00:00+00:01'],
  ['yesterday'],
])('clock: %s is no timestamp', (text) => {
  expect(parseInstant(text)).toBeUndefined()
})

test('clock: a time is written as ISO, with nanoseconds and with an offset', () => {
  const at = parseInstant('2026-11-15T02:07:11.123Z')
  if (at === undefined) throw new Error('unreadable')
  expect([toIso(at), toIsoNano(at), toIsoOffset(at)]).toEqual([
    '2026-11-15T02:07:11.123Z',
    '2026-11-15T02:07:11.123000000Z',
    '2026-11-15T02:07:11+00:00',
  ])
})

test.each([
  ['Asia/Kolkata', '2026-11-15T07:37:11+05:30', '2026-06-15T07:37:11+05:30'],
  ['America/St_Johns', '2026-11-14T22:37:11-03:30', '2026-06-14T23:37:11-02:30'],
  ['Europe/Berlin', '2026-11-15T03:07:11+01:00', '2026-06-15T04:07:11+02:00'],
])('clock: a time with an offset is written in the time zone %s', (zone, winter, summer) => {
  vi.stubEnv('TZ', zone)
  onTestFinished(() => void vi.unstubAllEnvs())
  const months = ['11', '06'].map((month) => instant(Date.parse(`2026-${month}-15T02:07:11Z`)))
  expect(months.map(toIsoOffset)).toEqual([winter, summer])
})

test('clock: cached texts of times that share a cache slot are not mixed up', () => {
  const first = instant(Date.parse('2026-11-15T02:07:11.123Z'))
  const second = later(first, 256)
  for (let round = 0; round < 2; round++) {
    expect([toIso(first), toIso(second)]).toEqual(['2026-11-15T02:07:11.123Z', '2026-11-15T02:07:11.379Z'])
    expect(toIsoNano(second)).toBe('2026-11-15T02:07:11.379000000Z')
  }
  expect(toIso(instant(-256))).toBe('1969-12-31T23:59:59.744Z')
  expect(() => toIso(instant(Number.NaN))).toThrow(RangeError)
})
