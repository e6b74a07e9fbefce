import { expect, test } from 'vitest'
import { type ListCounts, listStart } from './workspace-list.ts'

const million = 1_000_000
const walkAll = { walk: Number.POSITIVE_INFINITY, collect: undefined }

test.each<[string, ListCounts, ReturnType<typeof listStart>]>([
  ['no filter: all of the order is walked', { all: million, total: million, wanted: 20, found: [] }, walkAll],
  ['no filter and no rows', { all: 0, total: 0, wanted: 20, found: [] }, walkAll],
  [
    'a filter that half of them meet: some forty are walked, or a quarter of what collecting takes',
    { all: million, total: 500_000, wanted: 20, found: [500_000] },
    { walk: 125_000, collect: 0 },
  ],
  [
    'the same, its last page: what it finds is collected',
    { all: million, total: 500_000, wanted: 500_000, found: [500_000] },
    { walk: 0, collect: 0 },
  ],
  [
    'a filter that five meet: they are collected',
    { all: million, total: 5, wanted: 20, found: [5] },
    { walk: 0, collect: 0 },
  ],
  [
    'a filter that one in a hundred meets: 2,000 are walked rather than 10,000 collected, or 8,000',
    { all: million, total: 10_000, wanted: 20, found: [10_000] },
    { walk: 8_000, collect: 0 },
  ],
  [
    'two filters: the one that finds fewer is collected',
    { all: million, total: 100, wanted: 20, found: [500_000, 10_000] },
    { walk: 0, collect: 1 },
  ],
  [
    'two filters that find as many: the first',
    { all: million, total: 10, wanted: 20, found: [1_000, 1_000] },
    { walk: 0, collect: 0 },
  ],
  [
    'a filter that nothing meets, with one that all meet',
    { all: million, total: 0, wanted: 20, found: [million, 0] },
    { walk: 0, collect: 1 },
  ],
  [
    'two filters that never meet: what one finds is collected, as a walk would pass all',
    { all: million, total: 0, wanted: 20, found: [10_000, 10_000] },
    { walk: 0, collect: 0 },
  ],
  [
    'a walk that should end after half of what collecting looks at is tried',
    { all: 1_000, total: 100, wanted: 5, found: [100] },
    { walk: 100, collect: 0 },
  ],
  ['one row more, and it is not', { all: 1_000, total: 100, wanted: 6, found: [100] }, { walk: 0, collect: 0 }],
  [
    'no more is wanted than the order has',
    { all: 100, total: 100, wanted: 1_000, found: [200] },
    { walk: 200, collect: 0 },
  ],
  [
    'a number of rows to walk is whole',
    { all: 1_000, total: 999, wanted: 20, found: [999] },
    { walk: 250, collect: 0 },
  ],
])('start of a list: %s', (_, counts, start) => {
  expect(listStart(counts)).toEqual(start)
})
