import { expect, test } from 'vitest'
import { bodiesOf, queriesOf } from './bulk.ts'

const given = {
  reason: 'why',
  expiresAfter: '2h',
  tags: [
    { key: 'core', value: '' },
    { key: 'env', value: 'prod' },
  ],
}

test.each([
  ['lock', [{ action: 'lock', reason: 'why', 'expires-after': '2h' }]],
  ['unlock', [{ action: 'unlock' }]],
  ['force-unlock', [{ action: 'force-unlock', reason: 'why' }]],
  [
    'tag',
    [
      { action: 'add-tags', tags: ['core'] },
      { action: 'add-bindings', bindings: [{ key: 'env', value: 'prod' }] },
    ],
  ],
  ['untag', [{ action: 'remove-tags', tags: ['core'] }]],
] as const)('bulk: %s is sent as the API wants it', (verb, bodies) => {
  expect(bodiesOf(verb, given)).toEqual(bodies)
})

test('bulk: names go in parts that fit into an address, and a whole list as its filters', () => {
  const names = Array.from({ length: 150 }, (_, at) => `w${at}`)
  const parts = queriesOf({ names }) as readonly { 'filter[names]': string }[]
  expect(parts.map((part) => part['filter[names]'].split(',').length)).toEqual([100, 50])
  expect(queriesOf({ search: { locked: true, sort: '-name' } })).toEqual([{ 'filter[locked]': true }])
})
