import { expect, test } from 'vitest'
import { fitnessProblem } from './fitness.ts'

test.each([
  [{ version: '13.4', major: 13 }, undefined],
  [{ encoding: 'SQL_ASCII' }, undefined],
  [{ read_only: 'on' }, 'it does not accept writes'],
  [{ version: '12.22', major: 12 }, 'it is PostgreSQL 12.22, and 13 or later is needed'],
  [{ encoding: 'LATIN1' }, 'the encoding of the database is LATIN1; create it with UTF8'],
])('server: %j gives the reason for unfitness: %s', (facts, why) => {
  expect(fitnessProblem({ read_only: 'off', version: '16.1', major: 16, encoding: 'UTF8', ...facts })).toBe(why)
})
