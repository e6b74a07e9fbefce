import { expect, test } from 'vitest'
import { isAlmost } from './bodies.ts'

test.each([
  ['allowed_names', 0],
  ['allowed_name', 1],
  ['allowed_namess', 1],
  ['alowed_names', 1],
  ['allowed-names', 1],
  ['allowednames', 1],
  ['allowed_nmaes', 2],
  ['allowed_nam', 2],
  ['allow_names', 2],
  ['permitted_names', 7],
  ['allowed', 6],
  ['', 13],
])('fields: %j is %i changes away from allowed_names, and almost the same up to two', (sent, changes) => {
  expect([isAlmost(sent, 'allowed_names'), isAlmost('allowed_names', sent)]).toEqual([changes <= 2, changes <= 2])
})
