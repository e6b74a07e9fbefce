import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { s3Fake, s3Identity } from '../../../../test/support/fakes/s3-fake.ts'
import { sharedApp } from '../../../../test/support/shared.ts'
import { loadConfiguration } from './configuration-store.ts'

const config = '/v1/sys/storage/raft/snapshot-auto/config'
const pem = '-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----\n'
const serviceKey = JSON.stringify({ client_email: 'a@example.com', private_key: pem })
const common = { interval: 3600, path_prefix: 'p/' }
const a = {
  ...common,
  storage_type: 'cloudA-store',
  cloudA_bucket: 'b',
  cloudA_region: 'r',
  cloudA_endpoint: 'https://store.example.com',
  cloudA_access_key_id: 'id',
  cloudA_secret_access_key: 'very-secret',
  cloudA_session_token: 'very-secret-session',
}
const b = {
  ...common,
  storage_type: 'cloudB-store',
  cloudB_bucket: 'b',
  cloudB_service_account_key: serviceKey,
}
const c = {
  ...common,
  storage_type: 'cloudC-store',
  cloudC_container_name: 'c',
  cloudC_account_name: 'acc',
  cloudC_account_key: 'a2V5',
}

const secretsOfA = ['cloudA_secret_access_key', 'cloudA_session_token']

/** A listener of somebody who wants the secrets: its address, and how often it was called. */
async function stranger(): Promise<{ endpoint: string; calls: () => number }> {
  let calls = 0
  const server = createServer((_request, response) => {
    calls += 1
    // A refusal, after which nobody tries again.
    response.writeHead(403).end()
  })
  server.on('connection', () => {
    calls += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls: () => calls }
}

eachEngine((engine) => {
  const app = sharedApp({ engine })
  beforeEach(async () => {
    const { body } = await app.root.list(config)
    for (const name of body.data?.keys ?? []) await app.root.delete(`${config}/${name}`)
  })
  const read = async () => (await app.root.get(`${config}/x`)).body.data
  const stored = async () => (await loadConfiguration(app.deps.db, app.deps.keyring, 'x'))?.configuration.settings

  test.each<[string, object, readonly string[]]>([
    ['an endpoint', { cloudA_endpoint: 'https://elsewhere.example.com' }, secretsOfA],
    ['an access key', { cloudA_access_key_id: 'other' }, secretsOfA],
    ['a bucket, with one of two secrets', { cloudA_bucket: 'b2', cloudA_session_token: 'x' }, secretsOfA.slice(0, 1)],
    ['a region', { cloudA_region: 'other' }, secretsOfA],
    ['an endpoint', { cloudB_endpoint: 'elsewhere.example.com' }, ['cloudB_service_account_key']],
    ['a bucket', { cloudB_bucket: 'other' }, ['cloudB_service_account_key']],
    ['an account', { cloudC_account_name: 'other' }, ['cloudC_account_key']],
    ['a container', { cloudC_container_name: 'other' }, ['cloudC_account_key']],
    ['an environment', { cloudC_blob_environment: 'AZURECHINACLOUD' }, ['cloudC_account_key']],
    ['an endpoint', { cloudC_endpoint: 'https://elsewhere.example.com' }, ['cloudC_account_key']],
    ['a bucket in the other spelling', { aws_s3_bucket: 'other' }, ['aws_secret_access_key', 'aws_session_token']],
  ])('secrets: a write of %s without them is 400 and changes nothing: %j', async (_what, change, names) => {
    const [field = ''] = Object.keys(change)
    const vendorA = { ...a, storage_type: 'aws-s3' }
    const first = field.startsWith('aws')
      ? vendorA
      : [a, b, c][['cloudA', 'cloudB', 'cloudC'].indexOf(field.slice(0, 6))]
    await app.root.post(`${config}/x`, first)
    const before = [await read(), await stored()]
    const bodies = field.startsWith('cloudB') ? [change] : [change, { ...(await read()), ...change }]
    for (const body of bodies) {
      for (const at of [`${config}/x`, `${config}/x?check=true`]) {
        const answer = await app.root.post(at, body)
        expect(answer.body.errors).toEqual(names.map((name) => expect.stringContaining(`${name} must be sent again`)))
        expect(answer.status).toBe(400)
      }
    }
    expect([await read(), await stored()]).toEqual(before)
  })

  test('secrets: with check, no stored secret is sent to a new endpoint before anything is stored', async () => {
    const { endpoint, calls } = await stranger()
    await app.root.post(`${config}/x`, a)
    const change = { cloudA_endpoint: endpoint, cloudA_disable_tls: true, check: true }
    const answer = await app.root.post(`${config}/x`, change)
    expect([answer.status, calls()]).toEqual([400, 0])
    const known = { cloudA_secret_access_key: 'known', cloudA_session_token: null }
    const sent = await app.root.post(`${config}/x`, { ...change, ...known })
    expect(sent.body.errors).toEqual([expect.stringContaining('check failed')])
    expect(calls()).toBeGreaterThan(0)
  })

  test('secrets: with check, what repeats the stored place or sends the secret is tested and stored', async () => {
    const fake = await s3Fake(s3Identity)
    onTestFinished(() => fake.close())
    const body = { ...common, storage_type: 'cloudA-store', ...fake.settings }
    await app.root.post(`${config}/x`, body)
    const again = { cloudA_endpoint: fake.settings.cloudA_endpoint, retain: 4, check: true }
    expect((await app.root.post(`${config}/x`, again)).status).toBeLessThan(300)
    const moved = { ...body, cloudA_endpoint: fake.endpoint.replace('127.0.0.1', 'localhost'), check: true }
    expect((await app.root.post(`${config}/x`, moved)).status).toBeLessThan(300)
  })

  test('secrets: are kept by a write of anything but the place, and by the stored place in other words', async () => {
    await app.root.post(`${config}/x`, a)
    for (const change of [
      { interval: 60, retain: 3, path_prefix: 'elsewhere', file_prefix: 'f' },
      { cloudA_enable_kms: true, cloudA_kms_key: 'k' },
      { cloudA_endpoint: 'store.example.com/', cloudA_bucket: 'b' },
      { storage_type: 'aws-s3' },
      await read(),
    ]) {
      expect((await app.root.post(`${config}/x`, change)).status, JSON.stringify(change)).toBeLessThan(300)
      expect(await stored()).toMatchObject({ cloudA_secret_access_key: 'very-secret' })
      expect(await stored()).toMatchObject({ cloudA_session_token: 'very-secret-session' })
    }
  })

  test.each<[string, object, object, readonly string[]]>([
    [
      'null and an empty text',
      a,
      {
        cloudA_bucket: 'other',
        cloudA_access_key_id: '',
        cloudA_secret_access_key: null,
        cloudA_session_token: '',
      },
      ['cloudA_secret_access_key', 'cloudA_session_token'],
    ],
    [
      'a full definition without both halves of the pair',
      a,
      { ...common, storage_type: 'cloudA-store', cloudA_bucket: 'other', cloudA_region: 'r' },
      ['cloudA_secret_access_key', 'cloudA_session_token'],
    ],
    [
      'a full definition without the key',
      b,
      { ...common, storage_type: 'cloudB-store', cloudB_bucket: 'other' },
      ['cloudB_service_account_key'],
    ],
    [
      'another storage_type',
      b,
      { storage_type: 'local', path_prefix: '/opt/s', local_max_space: 1 },
      ['cloudB_service_account_key'],
    ],
    [
      'another storage_type with credentials of its own',
      a,
      { ...c, storage_type: 'azure-blob' },
      ['aws_secret_access_key', 'aws_session_token'],
    ],
  ])('secrets: %s changes the place and drops them, with a warning', async (_what, first, change, names) => {
    await app.root.post(`${config}/x`, first)
    const answer = await app.root.post(`${config}/x`, change)
    expect(answer.status).toBe(200)
    for (const name of names) {
      expect(answer.body.warnings).toContainEqual(expect.stringContaining(`${name} was dropped`))
    }
    expect(JSON.stringify(await stored())).not.toMatch(/very-secret|PRIVATE KEY/)
  })
})
