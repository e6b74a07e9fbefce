import { expect, test } from 'vitest'
import { bodyOf, changeOf, fieldOf, intervalText, typedOf } from './destination.ts'

test('a new schedule sends the fields of its service alone, and nothing that is empty', () => {
  const typed = { ...typedOf(), service: 's3', path_prefix: 'p', cloudA_bucket: 'b', cloudB_bucket: 'other' }
  expect(bodyOf(typed)).toEqual({
    storage_type: 'cloudA-store',
    check: true,
    interval: '24h',
    retain: '7',
    path_prefix: 'p',
    file_prefix: 'holdfast-snapshot',
    verify: 'restore',
    cloudA_bucket: 'b',
  })
})

test('a change sends what was changed alone, and clears what was emptied', () => {
  const typed = {
    ...typedOf({ storage_type: 'cloudA-store', cloudA_bucket: 'b' }),
    cloudA_bucket: 'c',
    cloudA_endpoint: '',
  }
  expect(changeOf(typed, ['cloudA_bucket', 'cloudA_endpoint', 'cloudB_bucket'])).toEqual({
    check: true,
    cloudA_bucket: 'c',
    cloudA_endpoint: '',
  })
})

test('a change of the service sends all of it', () => {
  const typed = { ...typedOf({ storage_type: 'local' }), service: 'gcs', path_prefix: 'p/', cloudB_bucket: 'b' }
  expect(changeOf(typed, ['service'])).toMatchObject({
    storage_type: 'cloudB-store',
    interval: '24h',
    cloudB_bucket: 'b',
  })
})

test('the form begins with what is stored, in either spelling', () => {
  const own = typedOf({ storage_type: 'cloudC-store', cloudC_account_name: 'a', interval: 3600 })
  const other = typedOf({ storage_type: 'azure-blob', azure_account_name: 'a', interval: 3600 })
  expect(own).toEqual(other)
  expect(own).toMatchObject({ service: 'azure', cloudC_account_name: 'a', interval: '1h' })
  expect(typedOf({ cloudA_disable_tls: true }).cloudA_disable_tls).toBe(true)
})

test.each([
  [86_400, '24h'],
  [604_800, '7d'],
  [3_600, '1h'],
  [5_400, '90m'],
  [45, '45s'],
])('an interval of %i seconds is typed as %s', (seconds, text) => {
  expect(intervalText(seconds)).toBe(text)
})

test.each([
  ['cloudA_bucket is required', 'cloudA_bucket'],
  ['aws_s3_region is required', 'cloudA_region'],
  ['interval must be whole seconds', 'interval'],
  ['check failed: s3:PutObject', undefined],
])('the complaint "%s" is about %s', (complaint, field) => {
  expect(fieldOf(complaint)).toBe(field)
})
