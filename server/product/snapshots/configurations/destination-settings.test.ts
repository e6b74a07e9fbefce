import { expect, test } from 'vitest'
import type { Configuration } from './configuration.ts'
import { authModeOf, destinationProblems, readServiceKey } from './destination-settings.ts'

const bucket = {
  type: 'cloudB-store',
  dialect: 'own',
  pathPrefix: 'snapshots/',
  settings: { cloudB_bucket: 'backups' },
} as unknown as Configuration
const folder = { ...bucket, type: 'local', pathPrefix: '/srv/snapshots', settings: {} } as unknown as Configuration
const container = {
  ...bucket,
  type: 'cloudC-store',
  settings: { cloudC_container_name: 'c' },
} as unknown as Configuration

const problemsOf = (configuration: Configuration, settings: Record<string, unknown>): string[] =>
  destinationProblems({ ...configuration, settings: { ...configuration.settings, ...settings } } as Configuration)

const key = { client_email: 'a@example.com', private_key: '-----BEGIN PRIVATE KEY-----' }

test.each<[string, object, string | undefined]>([
  ['without a type', key, undefined],
  ['of a service account', { ...key, type: 'service_account' }, undefined],
  ['of a person', { ...key, type: 'authorized_user' }, 'must be of type service_account'],
  ['of an empty type', { ...key, type: '' }, 'must be of type service_account'],
  ['of the type null', { ...key, type: null }, 'must be of type service_account'],
  ['without an address', { ...key, client_email: undefined }, 'lacks client_email'],
  ['with an address that is no text', { ...key, client_email: 1 }, 'lacks client_email'],
  ['without a private key', { ...key, private_key: undefined }, 'lacks client_email or private_key'],
  ['whose private key is not PEM', { ...key, private_key: 'x' }, 'not PEM'],
])('service key: %s', (_name, sent, problem) => {
  const problems = problemsOf(bucket, { cloudB_service_account_key: JSON.stringify(sent) })
  expect(problems).toEqual(problem === undefined ? [] : [expect.stringContaining(problem)])
})

test.each([
  ['', 'absent'],
  [' ', 'absent'],
  ['{}', 'absent'],
  ['{', 'malformed'],
  ['null', 'malformed'],
  ['[]', 'malformed'],
  ['"text"', 'malformed'],
])('service key: %j is %s', (json, expected) => {
  expect(readServiceKey(json)).toBe(expected)
})

test.each([
  [1, []],
  [0, ['local_max_space must be a number of bytes greater than 0']],
  ['1', ['local_max_space must be a number of bytes greater than 0']],
  [undefined, ['local_max_space is required']],
])('local: a space of %j bytes', (space, problems) => {
  expect(problemsOf(folder, { local_max_space: space })).toEqual(problems)
})

test.each<[string, Record<string, string>, string | undefined]>([
  ['nothing', {}, undefined],
  ['a key', { cloudC_account_key: 'a2V5' }, 'shared'],
  ['a client', { cloudC_client_id: 'id' }, 'managed'],
  ['a key and a client', { cloudC_account_key: 'a2V5', cloudC_client_id: 'id' }, 'shared'],
  ['a mode beside a key', { cloudC_auth_mode: 'environment', cloudC_account_key: 'a2V5' }, 'environment'],
])('cloudC: the credential that follows from %s', (_name, settings, expected) => {
  expect(authModeOf({ ...container, settings })).toBe(expected)
})
