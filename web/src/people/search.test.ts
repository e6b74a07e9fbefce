import { expect, test } from 'vitest'
import { peopleSearch } from './search.ts'

test.each([
  ['nothing', {}, {}],
  ['a word', { q: 'net' }, { q: 'net' }],
  ['a number as a word', { q: 4711 }, { q: '4711' }],
  ['an empty word', { q: '' }, {}],
  ['a page', { page: '3' }, { page: 3 }],
  ['the first page', { page: 1 }, {}],
  ['no page', { page: 'x' }, {}],
  ['something else', { other: 'x', q: { a: 1 } }, {}],
])('what an address shows: %s', (_, raw, shown) => {
  expect(peopleSearch(raw)).toEqual(shown)
})
