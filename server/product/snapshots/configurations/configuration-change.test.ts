import { describe, expect, test } from 'vitest'
import type { DestinationSettings, StorageType } from './configuration.ts'
import { judgeSecrets } from './configuration-change.ts'
import { fieldsOf } from './configuration-fields.ts'

const key = JSON.stringify({ client_email: 'a@example.com', private_key: '-----BEGIN PRIVATE KEY-----' })
const stored = {
  'cloudA-store': {
    cloudA_bucket: 'b',
    cloudA_region: 'r',
    cloudA_endpoint: 'https://store.example.com',
    cloudA_access_key_id: 'id',
    cloudA_secret_access_key: 'secret',
    cloudA_session_token: 'session',
    cloudA_kms_key: 'k',
  },
  'cloudB-store': { cloudB_bucket: 'b', cloudB_endpoint: 'https://store.example.com', cloudB_service_account_key: key },
  'cloudC-store': {
    cloudC_container_name: 'c',
    cloudC_account_name: 'acc',
    cloudC_account_key: 'a2V5',
    cloudC_endpoint: 'https://store.example.com',
    cloudC_blob_environment: 'AZUREPUBLICCLOUD',
  },
} as const satisfies Partial<Record<StorageType, DestinationSettings>>
type Cloud = keyof typeof stored

/** The verdict about a write of these settings, as a full definition or a partial one. */
function judge(type: Cloud, sent: DestinationSettings, isWhole = false, known: DestinationSettings = stored[type]) {
  const secrets = fieldsOf(type).filter(({ secret }) => secret)
  const kept = isWhole ? Object.fromEntries(secrets.map(({ name }) => [name, known[name] ?? ''])) : known
  const { missing, dropped } = judgeSecrets(
    { type, settings: known },
    { type, settings: { ...kept, ...sent } },
    { sent, isWhole },
  )
  return { missing, dropped }
}

const secretsOfA = ['cloudA_secret_access_key', 'cloudA_session_token']
const kept = { missing: [], dropped: [] }

test.each<[string, Cloud, DestinationSettings, readonly string[]]>([
  ['an endpoint', 'cloudA-store', { cloudA_endpoint: 'https://elsewhere.example.com' }, secretsOfA],
  ['another port', 'cloudA-store', { cloudA_endpoint: 'https://store.example.com:444' }, secretsOfA],
  ['another path of the endpoint', 'cloudA-store', { cloudA_endpoint: 'https://store.example.com/x' }, secretsOfA],
  ['no endpoint', 'cloudA-store', { cloudA_endpoint: '' }, secretsOfA],
  ['plain HTTP', 'cloudA-store', { cloudA_endpoint: 'store.example.com', cloudA_disable_tls: true }, secretsOfA],
  ['a style of addresses', 'cloudA-store', { cloudA_force_path_style: true }, secretsOfA],
  ['a region', 'cloudA-store', { cloudA_region: 'x' }, secretsOfA],
  ['a bucket', 'cloudA-store', { cloudA_bucket: 'x' }, secretsOfA],
  ['the public half', 'cloudA-store', { cloudA_access_key_id: 'x' }, secretsOfA],
  [
    'an endpoint with one of two secrets',
    'cloudA-store',
    { cloudA_endpoint: 'https://elsewhere.example.com', cloudA_secret_access_key: 'again' },
    ['cloudA_session_token'],
  ],
  ['a bucket', 'cloudB-store', { cloudB_bucket: 'x' }, ['cloudB_service_account_key']],
  ['an endpoint', 'cloudB-store', { cloudB_endpoint: 'x' }, ['cloudB_service_account_key']],
  ['plain HTTP', 'cloudB-store', { cloudB_disable_tls: true }, ['cloudB_service_account_key']],
  ['a container', 'cloudC-store', { cloudC_container_name: 'x' }, ['cloudC_account_key']],
  ['the public half', 'cloudC-store', { cloudC_account_name: 'x' }, ['cloudC_account_key']],
  ['an environment', 'cloudC-store', { cloudC_blob_environment: 'AZURECHINACLOUD' }, ['cloudC_account_key']],
  ['an endpoint', 'cloudC-store', { cloudC_endpoint: 'http://store.example.com' }, ['cloudC_account_key']],
])('secrets: a partial write of %s of %s must send them again', (_what, type, sent, missing) => {
  expect(judge(type, sent)).toEqual({ missing, dropped: [] })
})

test.each<[string, Cloud, DestinationSettings]>([
  ['nothing', 'cloudA-store', {}],
  ['a key of the key service', 'cloudA-store', { cloudA_kms_key: 'x', cloudA_enable_kms: true }],
  ['what is stored', 'cloudA-store', { cloudA_bucket: 'b', cloudA_region: 'r', cloudA_access_key_id: 'id' }],
  ['a flag that is off already', 'cloudA-store', { cloudA_disable_tls: false }],
  ['the endpoint as a host', 'cloudA-store', { cloudA_endpoint: 'store.example.com' }],
  ['the endpoint with a slash', 'cloudA-store', { cloudA_endpoint: 'https://store.example.com/' }],
  ['the endpoint with its port', 'cloudB-store', { cloudB_endpoint: 'HTTPS://Store.example.com:443' }],
  ['no environment, which is the usual one', 'cloudC-store', { cloudC_blob_environment: '' }],
  ['the environment in lower case', 'cloudC-store', { cloudC_blob_environment: 'azurepubliccloud' }],
  ['a way to authenticate', 'cloudC-store', { cloudC_auth_mode: 'managed', cloudC_client_id: 'x' }],
])('secrets: a write of %s of %s keeps them', (_what, type, sent) => {
  expect(judge(type, sent)).toEqual(kept)
})

test.each(Object.keys(stored) as Cloud[])(
  'secrets: a full definition that repeats what is read of %s keeps them',
  (type) => {
    const secrets = fieldsOf(type).flatMap(({ name, secret }) => (secret ? [name] : []))
    const read = Object.fromEntries(Object.entries(stored[type]).filter(([name]) => !secrets.includes(name)))
    expect(judge(type, read, true)).toEqual(kept)
  },
)

test.each<[string, Cloud, DestinationSettings, boolean]>([
  ['a write with a secret', 'cloudB-store', { cloudB_bucket: 'x', cloudB_service_account_key: key }, false],
  ['a full definition with a secret', 'cloudC-store', { cloudC_account_name: 'x', cloudC_account_key: 'eA==' }, true],
])('secrets: %s of %s to another place needs nothing more', (_what, type, sent, isWhole) => {
  expect(judge(type, sent, isWhole)).toEqual(kept)
})

describe('secrets are dropped', () => {
  const moved = { cloudA_bucket: 'x', cloudA_region: 'r' }

  test('by a write that clears them and changes the place', () => {
    const cleared = { cloudA_access_key_id: '', cloudA_secret_access_key: '', cloudA_session_token: '' }
    expect(judge('cloudA-store', { ...moved, ...cleared })).toEqual({ missing: [], dropped: secretsOfA })
    expect(judge('cloudC-store', { cloudC_endpoint: '', cloudC_account_key: '' })).toEqual({
      missing: [],
      dropped: ['cloudC_account_key'],
    })
    expect(judge('cloudB-store', { cloudB_bucket: 'x', cloudB_service_account_key: '{}' })).toEqual({
      missing: [],
      dropped: ['cloudB_service_account_key'],
    })
  })

  test('by a full definition without both halves of the pair', () => {
    expect(judge('cloudA-store', moved, true)).toEqual({ missing: [], dropped: secretsOfA })
    expect(judge('cloudB-store', { cloudB_bucket: 'x' }, true)).toEqual({
      missing: [],
      dropped: ['cloudB_service_account_key'],
    })
    expect(judge('cloudC-store', { cloudC_container_name: 'x' }, true)).toEqual({
      missing: [],
      dropped: ['cloudC_account_key'],
    })
  })

  test('but not by a full definition that holds the public half', () => {
    const halves = { ...moved, cloudA_access_key_id: 'id' }
    expect(judge('cloudA-store', halves, true)).toEqual({ missing: secretsOfA, dropped: [] })
  })

  test('by another type of storage', () => {
    const known = { type: 'cloudA-store', settings: stored['cloudA-store'] } as const
    const next = { type: 'local', settings: { local_max_space: 1 } } as const
    const verdict = judgeSecrets(known, next, { sent: next.settings, isWhole: false })
    expect(verdict).toMatchObject({ missing: [], dropped: secretsOfA })
  })
})

test('secrets: without any stored, the place may change', () => {
  const known = { cloudB_bucket: 'b', cloudB_service_account_key: '{}' }
  expect(judge('cloudB-store', { cloudB_bucket: 'x' }, false, known)).toEqual(kept)
})
