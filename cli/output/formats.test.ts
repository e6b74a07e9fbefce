import { expect, test } from 'vitest'
import { renderTable } from './formats.ts'

const rows = [
  ['app', 'a description that is rather long', 'eu'],
  ['db', 'short', 'us'],
]
const heads = ['name', 'description', 'region']
const widest = (table: string): number => Math.max(...table.split('\n').map((line) => line.length))

test('a table is as wide as its longest cells', () => {
  expect(renderTable(['a', 'b'], [['1', 'two']])).toBe('a    b\n-    -\n1    two\n')
})

test('a table that is too wide moves together, then cuts its widest column, and then the others', () => {
  expect(renderTable(heads, rows, 60)).toBe(renderTable(heads, rows))
  expect(renderTable(heads, rows, 47)).toContain('app   a description that is rather long  eu\n')
  const cut = renderTable(heads, rows, 40)
  expect(widest(cut)).toBeLessThanOrEqual(40)
  expect(cut).toMatch(/\napp {3}a description that is.*… {2}eu\n/)
})

test('a column is never cut below what is worth showing', () => {
  expect(widest(renderTable(heads, rows, 10))).toBe(4 + 2 + 8 + 2 + 6)
})
