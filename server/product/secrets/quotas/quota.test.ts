import { expect, test } from 'vitest'
import { coversSamePaths, movedQuotas, type Quota, quotaFor } from './quota.ts'

const quota = (path: string): Quota => ({ name: path, path, rate: 2, intervalSeconds: 1, blockSeconds: 0 })

test.each([
  ['sys/health', false],
  ['sys/seal-status', false],
  ['sys/unseal', false],
  ['sys/init', false],
  ['sys/leader', false],
  ['sys/health/x', true],
  ['sys/healthy', true],
  ['sys/leader/x', true],
  ['sys/seal', true],
  ['sys/step-down', true],
  ['auth/cert/login', true],
])('quota: a quota for everything and one for the path limit %s: %s', (request, limited) => {
  expect(quotaFor([quota('')], request) !== undefined).toBe(limited)
  expect(quotaFor([quota(request)], request) !== undefined).toBe(limited)
})

test.each([
  ['auth/cert', 'auth/cert/', true],
  ['', '', true],
  ['', '/', true],
  ['auth/cert', 'auth/cert*', false],
  ['auth/cert', 'auth/certs', false],
  ['auth/cert', 'auth/cert//', false],
])('quota: "%s" and "%s" are the same paths: %s', (one, other, expected) => {
  expect(coversSamePaths(quota(one), quota(other))).toBe(expected)
  expect(coversSamePaths(quota(other), quota(one))).toBe(expected)
})

test.each([
  ['auth/cert', 'auth/edge/cert'],
  ['auth/cert/', 'auth/edge/cert/'],
  ['auth/cert/login', 'auth/edge/cert/login'],
  ['auth/cert/lo*', 'auth/edge/cert/lo*'],
  ['auth/cert/*', 'auth/edge/cert/*'],
  ['', undefined],
  ['*', undefined],
  ['auth', undefined],
  ['auth/', undefined],
  ['auth/cert*', undefined],
  ['auth/certs', undefined],
  ['sys/auth/cert', undefined],
])('quota: the path "%s" becomes %s when auth/cert/ moves to auth/edge/cert/', (path, expected) => {
  const moved = expected === undefined ? [] : [{ ...quota(path), path: expected }]
  expect(movedQuotas([quota(path)], 'auth/cert/', 'auth/edge/cert/')).toEqual(moved)
})
