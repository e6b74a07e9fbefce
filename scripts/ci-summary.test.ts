import { expect, test } from 'vitest'
import { countReport, countText } from './ci-summary.mjs'

const file = (status: string, results: string[]) => ({
  name: 'a.test.ts',
  status,
  assertionResults: results.map((result, at) => ({ status: result, fullName: `test ${at}` })),
})

test('steps: each counts as one', () => {
  const steps = [
    { name: 'types', ok: true },
    { name: 'lint', ok: false },
  ]
  expect(countReport(steps)).toMatchObject({ passed: 1, failed: 1, failures: ['lint'] })
})

test('tests: passed, failed and skipped ones are distinguished', () => {
  const report = { success: false, testResults: [file('failed', ['passed', 'failed', 'skipped', 'pending'])] }
  expect(countReport(report)).toMatchObject({ passed: 1, failed: 1, skipped: 2, failures: ['a.test.ts: test 1'] })
})

test('tests: what passed on a retry only is listed, and counts as passed', () => {
  const results = [
    { status: 'passed', fullName: 'came and went', failureMessages: ['Error: not yet'] },
    { status: 'passed', fullName: 'steady', failureMessages: [] },
    { status: 'failed', fullName: 'failed twice', failureMessages: ['Error: no', 'Error: no'] },
  ]
  const report = { success: false, testResults: [{ name: 'a.test.ts', status: 'failed', assertionResults: results }] }
  expect(countReport(report)).toMatchObject({ passed: 2, failed: 1, retried: ['a.test.ts: came and went'] })
})

test('steps: one that was left out counts neither way and says why', () => {
  const leftOut = 'There was no time.'
  expect(countReport({ leftOut })).toMatchObject({ passed: 0, failed: 0, leftOut })
})

test('tests: a file that could not be loaded is a failure', () => {
  expect(countReport({ success: false, testResults: [file('failed', [])] })).toMatchObject({ passed: 0, failed: 1 })
})

test('tests: an error outside of every test is a failure', () => {
  expect(countReport({ success: false, testResults: [file('passed', ['passed'])] })).toMatchObject({
    passed: 1,
    failed: 1,
  })
})

test('tests: an incomplete report is a failure', () => {
  expect(countText('suite', '{"success":true,"testRes')).toMatchObject({ passed: 0, failed: 1 })
})
