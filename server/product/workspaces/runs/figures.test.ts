import { expect, test } from 'vitest'
import { instant } from '../../../kernel/clock.ts'
import { figuresOf } from './figures.ts'
import type { RunStatus } from './run-words.ts'

const run = (status: RunStatus, times: Readonly<Record<string, number>> = {}) => ({
  status,
  times: Object.fromEntries(Object.entries(times).map(([name, at]) => [name, instant(at)])),
})

test.each([
  ['no runs', [], [null, null, null, null]],
  ['one that failed before it was planned', [run('errored', { 'planning-at': 5 })], [null, null, 1, 1]],
  [
    'applied ones, to the nearest millisecond',
    [
      run('applied', { 'planning-at': 10, 'planned-at': 20, 'applying-at': 30, 'applied-at': 31 }),
      run('applied', { 'planning-at': 10, 'planned-at': 21, 'applying-at': 30, 'applied-at': 33 }),
    ],
    [11, 2, 0, 2],
  ],
  [
    'one that failed in its apply',
    [run('errored', { 'planning-at': 0, 'planned-at': 4, 'applying-at': 5 })],
    [4, null, 1, 1],
  ],
] as const)('figures: %s', (_, runs, expected) => {
  const { planDurationAverage, applyDurationAverage, runFailures, runsCounted } = figuresOf(runs)
  expect([planDurationAverage, applyDurationAverage, runFailures, runsCounted]).toEqual(expected)
})
