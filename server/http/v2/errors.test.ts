import { expect, test } from 'vitest'
import { type Fault, failure } from '../../kernel/failure.ts'
import { renderV2Failure } from './errors.ts'

test.each([
  ['missing', failure('missing', 'team.missing', 'There is no team ops.')],
  ['hidden', failure('forbidden', 'team.hidden', 'You may not see ops.')],
])('errors: what is %s says neither which of the two it is nor what was asked for', (_what, failed) => {
  const { status, body } = renderV2Failure(failed)
  const detail = 'The requested resource does not exist, or you are not allowed to see or do this.'
  expect([status, body]).toEqual([404, { errors: [{ status: '404', title: 'not found', detail }] }])
})

test('errors: a failure of the server itself does not say what failed', () => {
  const { status, body } = renderV2Failure(failure('internal', 'internal', 'disk /data is full'))
  expect([status, body]).toMatchObject([500, { errors: [{ detail: expect.stringContaining('request id') }] }])
  expect(JSON.stringify(body)).not.toContain('disk')
})

test('errors: other failures have their own text and code', () => {
  const { body } = renderV2Failure(failure('conflict', 'lock.held', 'Somebody else holds the lock.'))
  const error = { status: '409', title: 'conflict', detail: 'Somebody else holds the lock.', code: 'lock.held' }
  expect(body).toEqual({ errors: [error] })
})

const faults: readonly Fault[] = [
  { detail: 'z', pointer: '/data/attributes/b' },
  { detail: 'y', parameter: 'page[size]' },
  { detail: 'x', pointer: '/data/attributes/a', code: 'a.taken', title: 'name is taken' },
  { detail: 'w' },
]

test.each([
  ['one', faults],
  ['the other', faults.toReversed()],
])('errors: faults found in %s order come by their places in what was sent, without a place first', (_way, found) => {
  const sentPointer = (pointer: string) => pointer.replace('/data/attributes', '')
  const { status, body } = renderV2Failure(failure('invalid', 'x', 'x', { faults: found }), sentPointer)
  const common = { status: '422', title: 'invalid attribute' }
  const errors = [
    { ...common, detail: 'w' },
    { status: '422', title: 'name is taken', detail: 'x', code: 'a.taken', source: { pointer: '/a' } },
    { ...common, detail: 'z', source: { pointer: '/b' } },
    { ...common, detail: 'y', source: { parameter: 'page[size]' } },
  ]
  expect([status, body]).toEqual([422, { errors }])
})
