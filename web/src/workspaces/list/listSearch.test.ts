import { expect, test } from 'vitest'
import { filterQuery, isUnfiltered, listSearch } from './listSearch.ts'

test.each([
  ['nothing', {}, {}],
  [
    'what it knows',
    { search: 'net', locked: 'true', attention: 'true', sort: '-name' },
    { search: 'net', locked: true, attention: true, sort: '-name' },
  ],
  ['tags in a row or in a text', { tags: 'a, b=c', without: ['x'] }, { tags: ['a', 'b=c'], without: ['x'] }],
  ['a name that looks like a number', { search: 42 }, { search: '42' }],
  ['nothing that it does not know', { page: 1, attention: false }, {}],
  ['names', { names: 'a, b' }, { names: ['a', 'b'] }],
  ['no odd day', { since: 'yesterday' }, {}],
  ['a day', { since: '2026-08-01' }, { since: '2026-08-01' }],
  ['nothing that it does not know', { colour: 'red' }, {}],
])('list address: it reads %s', (_name, raw, search) => {
  expect(listSearch(raw)).toEqual(search)
})

test('list address: each filter becomes one of the API', () => {
  const search = {
    search: 'net',
    tags: ['core', 'env=prod', 'a=b=c'],
    without: ['old'],
    project: 'prj-1',
    locked: false,
    tool: '1.9.4',
    since: '2026-08-01',
  }
  expect(filterQuery(search)).toEqual({
    'search[name]': 'net',
    'search[tags]': 'core',
    'search[exclude-tags]': 'old',
    'filter[project][id]': 'prj-1',
    'filter[locked]': false,
    'filter[tool-version]': '1.9.4',
    'filter[updated-since]': '2026-08-01T00:00:00Z',
    'filter[tagged][0][key]': 'env',
    'filter[tagged][0][value]': 'prod',
    'filter[tagged][1][key]': 'a',
    'filter[tagged][1][value]': 'b=c',
  })
  expect(filterQuery({ names: ['a', 'b'] })).toEqual({ 'filter[names]': 'a,b' })
  expect(filterQuery({ search: 'net-*' })).toEqual({ 'search[wildcard-name]': 'net-*' })
})

test('list address: an order is no filter', () => {
  expect(isUnfiltered({ sort: 'name', new: true })).toBe(true)
  expect(isUnfiltered({ locked: false })).toBe(false)
})
