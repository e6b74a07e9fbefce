import { expect, test } from 'vitest'
import { packSummary, unpackSummary } from './packed-summary.ts'
import type { StateSummary } from './resource-count.ts'

const summaryOf = (count: number): StateSummary => ({
  modules: { root: { a_thing: count } },
  providers: { x: { a_thing: count } },
  resources: Array.from({ length: count }, (_, index) => ({
    name: `é${index}`,
    type: 'a_thing',
    count: 1,
    module: 'root',
    provider: 'x',
  })),
})

test.each([0, 1, 2_000])('summary: one of %i resources is the same after unpacking', (count) => {
  expect(unpackSummary(Buffer.from(packSummary(summaryOf(count))))).toEqual(summaryOf(count))
})

test('summary: packed, 2000 resources take less than a fifth of their JSON text', () => {
  const summary = summaryOf(2_000)
  expect(packSummary(summary).length).toBeLessThan(JSON.stringify(summary).length / 5)
})

test('summary: rows that hold a long summary as plain JSON are still read', () => {
  const summary = summaryOf(2_000)
  expect(unpackSummary(Buffer.from(JSON.stringify(summary)))).toEqual(summary)
})
