import { expect, test } from 'vitest'
import { instant } from '../../../../../kernel/clock.ts'
import {
  combineAnswers,
  isNearExpiry,
  judgeAnswer,
  type OcspAnswer,
  rememberedUntil,
  retryAfterWait,
  retryWait,
} from './ocsp.ts'

const at = (milliseconds: number) => instant(1_000_000_000 + milliseconds)
const answers: Record<OcspAnswer['kind'], OcspAnswer> = {
  good: { kind: 'good', thisUpdate: at(0), nextUpdate: at(3_600_000) },
  revoked: { kind: 'revoked', thisUpdate: at(0), nextUpdate: at(3_600_000) },
  unknown: { kind: 'unknown', thisUpdate: at(0), nextUpdate: undefined },
  unfetched: { kind: 'unfetched', text: 'down' },
  denied: { kind: 'denied', text: 'not called' },
  stale: { kind: 'stale', text: 'old' },
  forged: { kind: 'forged', text: 'stranger' },
}

test.each([
  ['good', false, true],
  ['good', true, true],
  ['revoked', false, false],
  ['revoked', true, false],
  ['unknown', false, false],
  ['unknown', true, true],
  ['unfetched', false, false],
  ['unfetched', true, true],
  ['denied', false, false],
  ['denied', true, false],
  ['stale', false, false],
  ['stale', true, false],
  ['forged', false, false],
  ['forged', true, false],
] as const)('ocsp: answer %s with fail open %s passes: %s', (kind, failOpen, pass) => {
  const verdict = judgeAnswer(answers[kind], failOpen, '42')
  expect(verdict.pass).toBe(pass)
  expect(verdict.overlooked).toBe(pass && kind !== 'good')
  expect(verdict.text).toContain('serial number 42')
})

test.each([
  ['in-turn', ['good'], 'good'],
  ['in-turn', ['unfetched', 'good'], 'good'],
  ['in-turn', ['stale', 'good'], 'good'],
  ['in-turn', ['unfetched', 'revoked'], 'revoked'],
  ['in-turn', ['unfetched', 'unfetched'], 'unfetched'],
  ['in-turn', ['stale', 'unfetched'], 'stale'],
  ['in-turn', ['forged'], 'forged'],
  ['in-turn', ['denied', 'good'], 'good'],
  ['in-turn', ['denied', 'unfetched'], 'denied'],
  ['in-turn', ['denied', 'unknown'], 'denied'],
  ['together', ['good', 'denied', 'unfetched'], 'denied'],
  ['in-turn', [], 'unfetched'],
  ['together', ['good', 'good'], 'good'],
  ['together', ['good', 'unfetched'], 'unfetched'],
  ['together', ['good', 'unknown'], 'unknown'],
  ['together', ['unknown', 'unfetched'], 'unfetched'],
  ['together', ['good', 'revoked', 'unfetched'], 'revoked'],
  ['together', ['revoked', 'forged'], 'forged'],
  ['together', ['good', 'stale'], 'stale'],
  ['together', [], 'unfetched'],
] as const)('ocsp: servers asked %s, answers %j give %s', (asked, kinds, expected) => {
  const given = kinds.map((kind) => answers[kind])
  expect(combineAnswers(given, asked).kind).toBe(expected)
})

test.each([
  ['no nextUpdate is not remembered', answers.unknown, 0, undefined],
  ['failures are not remembered', answers.unfetched, 0, undefined],
  ['until 15 s before nextUpdate', answers.good, 0, at(3_600_000 - 15_000)],
  ['not beyond the age limit of the role', answers.good, 60_000, at(60_000)],
  ['not beyond a day', { ...answers.good, nextUpdate: at(10 * 86_400_000) } as OcspAnswer, 0, at(86_400_000)],
])('ocsp cache: until when an answer is kept: %s', (_name, answer, maxAge, expected) => {
  expect(rememberedUntil(answer, at(0), maxAge)).toBe(expected)
})

test.each([
  ['within the last minute', 1_000_000, 940_001],
  ['of a short one, within the last tenth', 100_000, 90_001],
])('ocsp cache: an answer is refreshed ahead: %s', (_name, until, now) => {
  expect(isNearExpiry({ storedAt: 0, until }, now)).toBe(true)
})

test.each([
  ['fresh', 1_000_000, 0],
  ['a minute and a bit before the end', 1_000_000, 939_999],
  ['of a short one, before the last tenth', 100_000, 89_999],
])('ocsp cache: an answer is not refreshed ahead: %s', (_name, until, now) => {
  expect(isNearExpiry({ storedAt: 0, until }, now)).toBe(false)
})

test('ocsp: waits between retries double from 100 ms to at most one second', () => {
  expect([0, 1, 2, 3, 4, 9].map(retryWait)).toEqual([100, 200, 400, 800, 1000, 1000])
})

test.each([
  [undefined, 0],
  ['0', 0],
  ['120', 120_000],
  ['Mon, 12 Jan 1970 13:46:45 GMT', 5_000],
  ['Mon, 12 Jan 1970 13:46:35 GMT', 0],
  ['-1', 0],
  ['soon', 0],
])('ocsp: milliseconds to wait for Retry-After %s', (header, expected) => {
  expect(retryAfterWait(header, at(0))).toBe(expected)
})
