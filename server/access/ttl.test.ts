import { expect, test } from 'vitest'
import { instant } from '../kernel/clock.ts'
import { computeTtl, effectiveMaxTtl, type TtlInputs } from './ttl.ts'

const hour = 3_600
const day = 24 * hour
const start = 1_000_000_000_000

type Case = Partial<Omit<TtlInputs, 'now' | 'issuedAt'>> & { age?: number }

/** Inputs on a mount with a default of an hour and a maximum of a day, for a token of the given age in seconds. */
const inputs = ({ age = 0, ...rest }: Case): TtlInputs => ({
  now: instant(start + age * 1_000),
  issuedAt: instant(start),
  mount: { defaultLeaseTtl: hour, maxLeaseTtl: day },
  ...rest,
})

/** The lifetime, with a mark for each warning; `past` when nothing is left. */
const outcome = (given: Case): string => {
  const decision = computeTtl(inputs(given))
  return decision.ok ? `${decision.ttl}${'!'.repeat(decision.warnings.length)}` : 'past'
}

test.each<[string, Case, number]>([
  ['the mount’s maximum', {}, day],
  ['lowered by the role’s maximum', { maxTtl: 600 }, 600],
  ['not raised by the role’s maximum', { maxTtl: 2 * day }, day],
  ['lowered by the explicit maximum', { maxTtl: 600, explicitMaxTtl: 300 }, 300],
  ['not raised by the explicit maximum', { maxTtl: 600, explicitMaxTtl: 900 }, 600],
  ['lowered to a single second', { maxTtl: 1 }, 1],
])('step 1, effective maximum: %s', (_name, given, expected) => {
  expect(effectiveMaxTtl(inputs(given))).toBe(expected)
})

test.each<[string, Case, string]>([
  ['the period is the lifetime', { period: 600 }, '600'],
  ['each time anew, however old the token', { period: 600, age: 100 * day }, '600'],
  ['increment and ttl are ignored', { period: 600, increment: 60, ttl: 30 }, '600'],
  ['capped by the mount, with a warning', { period: 2 * day }, `${day}!`],
  ['capped by the role, with a warning', { period: 600, maxTtl: 300 }, '300!'],
  ['the role’s maximum is not an end date', { period: 600, maxTtl: 600, age: day }, '600'],
  ['shortened by what is left of the explicit maximum', { period: 600, explicitMaxTtl: 1_000, age: 700 }, '300!'],
  ['past the explicit maximum', { period: 600, explicitMaxTtl: 1_000, age: 1_000 }, 'past'],
  ['above the explicit maximum from the beginning', { period: 600, explicitMaxTtl: 300 }, '300!'],
  ['capped and shortened, with two warnings', { period: 2_000, explicitMaxTtl: 1_000, age: 700 }, '300!!'],
  ['a single second is a period', { period: 1 }, '1'],
  ['a single second is an explicit maximum', { period: 600, explicitMaxTtl: 1, age: 1 }, 'past'],
])('step 2, periodic: %s', (_name, given, expected) => {
  expect(outcome(given)).toBe(expected)
})

test.each<[string, Case, string]>([
  ['the increment first', { increment: 60, ttl: 30 }, '60'],
  ['then the ttl', { ttl: 30 }, '30'],
  ['then the mount’s default', {}, `${hour}`],
  ['an increment of 0 is none', { increment: 0, ttl: 30 }, '30'],
  ['a default above the mount’s own maximum', { mount: { defaultLeaseTtl: day, maxLeaseTtl: hour } }, `${hour}!`],
])('step 3, lifetime wanted: %s', (_name, given, expected) => {
  expect(outcome(given)).toBe(expected)
})

test.each<[string, Case, string]>([
  ['room enough', { increment: hour, age: 22 * hour }, `${hour}`],
  ['exactly enough', { increment: hour, age: 23 * hour }, `${hour}`],
  [
    'too little by less than a second: shortened, not worth a warning',
    { increment: hour, age: 23 * hour + 0.2 },
    `${hour - 1}`,
  ],
  ['too little: shortened with a warning', { increment: hour, age: 23 * hour + 1 }, `${hour - 1}!`],
  ['above the maximum at creation', { ttl: 2 * day }, `${day}!`],
  ['above the role’s maximum at creation', { ttl: 600, maxTtl: 300 }, '300!'],
  ['nothing left', { increment: hour, age: day }, 'past'],
  ['long past', { increment: hour, age: 9 * day }, 'past'],
])('step 4, what remains: %s', (_name, given, expected) => {
  expect(outcome(given)).toBe(expected)
})

test.each<[string, Case, string]>([
  ['a fraction left is cut', { increment: hour, age: day - 10.4 }, '10!'],
  ['less than a second left is nothing', { increment: hour, age: day - 0.9 }, 'past'],
  ['a whole second left is one', { increment: hour, age: day - 1 }, '1!'],
  ['a fraction asked for is cut', { ttl: 30.9 }, '30'],
  ['a fraction asked for by a renewal is cut', { increment: 30.9 }, '30'],
  ['a fraction of a period is cut', { period: 30.9 }, '30'],
  ['less than a second asked for is nothing asked for', { ttl: 0.9 }, `${hour}`],
])('step 5, whole seconds: %s', (_name, given, expected) => {
  expect(outcome(given)).toBe(expected)
})

test('warnings: contain the TTL asked for and the TTL given', () => {
  expect(computeTtl(inputs({ ttl: 600, maxTtl: 300 }))).toMatchObject({
    warnings: ['a TTL of 600 seconds is above the maximum TTL and was lowered to 300 seconds'],
  })
})
