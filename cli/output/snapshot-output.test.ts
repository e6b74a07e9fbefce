import { expect, test } from 'vitest'
import { renderPreview, renderWithTables } from './snapshot-output.ts'

test.each([renderPreview, renderWithTables])('the age of a snapshot has a unit', (render) => {
  expect(render({ age: 7, tables: {} })).toMatch(/^age +7s$/m)
  expect(render({ age: 90_061, tables: {} })).toMatch(/^age +25h1m1s$/m)
  expect(render({ version: '1', tables: {} })).not.toContain('age')
})
