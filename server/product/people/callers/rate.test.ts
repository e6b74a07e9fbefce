import { expect, test } from 'vitest'
import { takeFromBucket } from './rate.ts'

test('rate limit: a bucket holds the requests of one second and refills steadily', () => {
  let bucket = takeFromBucket(undefined, 2, 0)
  expect(bucket.state).toEqual({ allowed: true, limit: 2, remaining: 1, resetSeconds: 0 })
  bucket = takeFromBucket(bucket.bucket, 2, 0)
  expect(bucket.state).toEqual({ allowed: true, limit: 2, remaining: 0, resetSeconds: 0.5 })
  bucket = takeFromBucket(bucket.bucket, 2, 0.25)
  expect(bucket.state).toEqual({ allowed: false, limit: 2, remaining: 0, resetSeconds: 0.25 })
  bucket = takeFromBucket(bucket.bucket, 2, 0.5)
  expect(bucket.state.allowed).toBe(true)
  expect(takeFromBucket(bucket.bucket, 2, 100).state.remaining).toBe(1)
})
