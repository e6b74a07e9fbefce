import { expect, test } from 'vitest'
import { type Instant, instant } from '../../../kernel/clock.ts'
import { type Candidate, claimOrder, classOf, hasRoom, type OrganizationLoad } from './claim-order.ts'

const now = instant(10_000_000)
const ago = (seconds: number): Instant => instant(now - seconds * 1_000)

const job = (runId: string, extra: Partial<Candidate> = {}): Candidate => ({
  runId,
  workspaceId: 'ws',
  organizationId: 'acme',
  status: 'plan_queued',
  isBeside: false,
  planOnly: false,
  triggerReason: 'manual',
  waitsSince: ago(60),
  ...extra,
})

const apply = (runId: string, extra: Partial<Candidate> = {}) => job(runId, { status: 'apply_queued', ...extra })
const only = (runId: string, extra: Partial<Candidate> = {}) => job(runId, { isBeside: true, planOnly: true, ...extra })

test.each<[string, Candidate, number]>([
  ['an apply', apply('a'), 0],
  ['a plan that holds its workspace', job('a'), 1],
  ['a saved plan', job('a', { isBeside: true }), 2],
  ['a plan that is never applied', only('a'), 3],
  ['one of a pull request', only('a', { triggerReason: 'pull_request' }), 4],
  ['one that waited for long', only('a', { waitsSince: ago(601) }), 2],
  ['a plan that waited for long, which never goes with the applies', job('a', { waitsSince: ago(6_000) }), 1],
])('class of %s', (_, candidate, expected) => {
  expect(classOf(candidate, now)).toBe(expected)
})

test.each<[string, Candidate, Partial<OrganizationLoad>, boolean]>([
  ['below the limit', job('a'), { running: 9 }, true],
  ['at the limit', job('a'), { running: 10 }, false],
  ['without a limit', job('a'), { running: 900, limit: 0 }, true],
  ['plan-only below half', only('a'), { running: 4, speculative: 4 }, true],
  ['plan-only at half', only('a'), { running: 5, speculative: 5 }, false],
  ['another at half', job('a'), { running: 5, speculative: 5 }, true],
  ['plan-only with a limit of one', only('a'), { limit: 1 }, true],
])('room: %s', (_, candidate, load, expected) => {
  expect(hasRoom(candidate, { running: 0, speculative: 0, limit: 10, ...load })).toBe(expected)
})

const loads = (running: Readonly<Record<string, number>>): ReadonlyMap<string, OrganizationLoad> =>
  new Map(Object.entries(running).map(([id, each]) => [id, { running: each, speculative: 0, limit: 10 }]))

const order = (candidates: readonly Candidate[], running: Readonly<Record<string, number>> = { acme: 0, other: 0 }) =>
  claimOrder(candidates, loads(running), now).map(({ runId }) => runId)

test('applies go before plans, and these before plans that are never applied, whatever their age', () => {
  const waiting = [only('only', { waitsSince: ago(500) }), job('plan', { waitsSince: ago(100) }), apply('apply')]
  expect(order(waiting)).toEqual(['apply', 'plan', 'only'])
})

test('within a class the organization that uses least goes first, then the oldest job', () => {
  const waiting = [
    job('old', { waitsSince: ago(500) }),
    job('older', { waitsSince: ago(600) }),
    job('new', { organizationId: 'other', waitsSince: ago(5) }),
  ]
  expect(order(waiting, { acme: 3, other: 1 })).toEqual(['new', 'older', 'old'])
  expect(order(waiting)).toEqual(['older', 'old', 'new'])
})

test('an organization at its limit, and one that nobody knows, get nothing', () => {
  expect(order([job('a'), job('b', { organizationId: 'other' })], { acme: 10, other: 9 })).toEqual(['b'])
  expect(order([job('a', { organizationId: 'gone' })])).toEqual([])
})

test('a scheduled destroy goes after other plans of its organization', () => {
  const destroy = job('destroy', { triggerReason: 'auto_destroy', waitsSince: ago(500) })
  expect(order([destroy, job('plan')])).toEqual(['plan', 'destroy'])
})
