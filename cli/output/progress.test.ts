import { expect, test } from 'vitest'
import { renderProgress, startProgress } from './progress.ts'

const mebibyte = 1024 * 1024

test.each([
  [0, 4, 'save [                        ]   0% of 4.0 MiB'],
  [2, 4, 'save [============            ]  50% of 4.0 MiB'],
  [9, 4, 'save [========================] 100% of 4.0 MiB'],
  [2, undefined, 'save 2.0 MiB'],
  [0.25, 0.5, 'save [============            ]  50% of 512.0 KiB'],
])('progress: %s of %s MiB is drawn as expected', (current, total, expected) => {
  expect(renderProgress('save', current * mebibyte, total && total * mebibyte)).toBe(expected)
})

test('progress: drawn on a terminal when it changes, silent elsewhere', () => {
  const drawn: string[] = []
  const follow = (isTerminal: boolean): void => {
    const progress = startProgress({ err: (text) => drawn.push(text), isTerminal }, 'save', 4 * mebibyte)
    progress.add(1)
    progress.add(1)
    progress.add(4 * mebibyte)
    progress.done()
  }
  follow(false)
  expect(drawn).toEqual([])
  follow(true)
  expect(drawn).toHaveLength(3)
})
