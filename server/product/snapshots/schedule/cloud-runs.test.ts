import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startAzurite } from '../../../../test/support/fakes/azurite.ts'
import { gcsFake } from '../../../../test/support/fakes/gcs-fake.ts'
import { type S3Fake, type S3Request, s3Fake, s3Identity } from '../../../../test/support/fakes/s3-fake.ts'
import { recordingLog } from '../../../../test/support/recording-log.ts'
import { sharedUntilClosed } from '../../../../test/support/shared.ts'
import { type TestApp, testApp } from '../../../../test/support/test-app.ts'
import { type JobRunner, startJobs } from '../../../jobs/runner.ts'
import { snapshotJobs } from './schedule-actions.ts'

const auto = '/v1/sys/storage/raft/snapshot-auto'

let app: TestApp
let runner: JobRunner
let fake: S3Fake
let logged: () => string

beforeEach(async () => {
  fake = await s3Fake({ ...s3Identity, pageSize: 2 })
  const { log, text } = recordingLog()
  logged = text
  app = await testApp({ log })
  runner = await startJobs(app.deps, snapshotJobs, { pollEvery: 60_000 })
})
afterEach(async () => {
  await runner.stop()
  await app.close()
  await fake.close()
})

const write = async (body: object = {}, name = 'x'): Promise<void> => {
  const all = {
    interval: 3600,
    retain: 2,
    storage_type: 'aws-s3',
    path_prefix: 'p',
    aws_s3_bucket: s3Identity.bucket,
    aws_s3_region: s3Identity.region,
    aws_s3_endpoint: fake.endpoint,
    aws_s3_disable_tls: true,
    aws_s3_force_path_style: true,
    aws_access_key_id: s3Identity.accessKey,
    aws_secret_access_key: s3Identity.secret,
    verify: 'none',
  }
  expect((await app.root.put(`${auto}/config/${name}`, { ...all, ...body })).status).toBeLessThan(300)
}
const status = async () => (await app.root.get(`${auto}/status/x`)).body.data
const refuse = (operation: string, fault: ReturnType<S3Fake['fault']>) => (request: S3Request) =>
  request.operation === operation ? fault : undefined

test.each([
  ['403', { status: 403, code: 'AccessDenied' }, 'the service returned 403 AccessDenied: AccessDenied from the fake'],
  ['404', { status: 404, code: 'NoSuchBucket' }, 'the service returned 404 NoSuchBucket'],
  ['an expired token', { status: 400, code: 'ExpiredToken' }, 'the service returned 400 ExpiredToken'],
  ['500 without end', { status: 500, code: 'InternalError' }, 'the service returned 500 InternalError'],
  [
    'an answer with NUL and marks for terminals',
    { status: 403, code: 'Access\u0000\u001b[2JDenied' },
    'the service returned 403 Access [2JDenied: Access [2JDenied from the fake',
  ],
])('cloud: %s is shown in status, prunes nothing, and the next run succeeds', async (_name, fault, text) => {
  fake.objects.set('p/holdfast-snapshot-1603898241699731000.snap', { body: Buffer.alloc(1), headers: {} })
  fake.fault = refuse('PutObject', fault)
  await write({ retain: 1 })
  await runner.runDue()
  const failed = await status()
  expect(failed.last_snapshot_error).toContain(`uploading snapshot: ${text}`)
  expect(failed).toMatchObject({ state: 'backoff', consecutive_errors: 1, last_snapshot_url: '' })
  expect([...fake.objects.keys()]).toEqual(['p/holdfast-snapshot-1603898241699731000.snap'])
  fake.fault = () => undefined
  app.clock.advance('34s')
  await runner.runDue()
  const good = await status()
  expect(good).toMatchObject({ last_snapshot_error: '', consecutive_errors: 0, stored_snapshots: 1 })
  expect(fake.objects.size).toBe(1)
  expect(good.last_snapshot_url).toBe(`http://${fake.endpoint}/snaps/${[...fake.objects.keys()][0]}`)
})

test('cloud: an invalid region is shown as last_snapshot_error', async () => {
  await write({ aws_s3_region: 'eu west', aws_s3_endpoint: '', aws_s3_disable_tls: false })
  await runner.runDue()
  const found = await status()
  expect(found).toMatchObject({ state: 'backoff', consecutive_errors: 1 })
  expect(found.last_snapshot_error).toMatch(/^uploading snapshot: .*region/i)
})

test('cloud: a failed removal is shown as last_prune_error and retried after the next snapshot', async () => {
  await write({ retain: 1 })
  await runner.runDue()
  fake.fault = refuse('DeleteObject', { status: 403, code: 'AccessDenied' })
  app.clock.advance('1h')
  await runner.runDue()
  expect(await status()).toMatchObject({ last_snapshot_error: '', consecutive_errors: 0, stored_snapshots: 2 })
  expect((await status()).last_prune_error).toMatch(/^removing holdfast-snapshot-\d+\.snap: the service returned 403/)
  fake.fault = () => undefined
  app.clock.advance('1h')
  await runner.runDue()
  expect(await status()).toMatchObject({ last_prune_error: '', stored_snapshots: 1 })
  const { attempts } = (await app.root.get(`${auto}/history/x`)).body.data
  expect(attempts[0].pruned).toHaveLength(2)
})

test('cloud: without permission to list, snapshots succeed and last_prune_error is set', async () => {
  fake.fault = refuse('ListObjectsV2', { status: 403, code: 'AccessDenied' })
  await write()
  await runner.runDue()
  expect(await status()).toMatchObject({ last_snapshot_error: '', consecutive_errors: 0 })
  expect((await status()).last_prune_error).toContain('listing snapshots: the service returned 403')
})

test('cloud: retention follows pages and leaves objects with other names alone', async () => {
  const others = [
    'p/holdfast-snapshot-2-1603898241699731000.snap',
    'p/holdfast-snapshot-1603898241699731000.snap.bak',
    'p/holdfast-snapshot-1603898241699731000.snap/holdfast-snapshot-1603898241699731000.snap',
    'p/other-1603898241699731000.snap',
    'p2/holdfast-snapshot-1603898241699731000.snap',
  ]
  for (const name of others) fake.objects.set(name, { body: Buffer.alloc(1), headers: {} })
  for (let number = 0; number < 7; number++) {
    const name = `p/holdfast-snapshot-160389824169973100${number}.snap`
    fake.objects.set(name, { body: Buffer.alloc(1), headers: {} })
  }
  await write({ retain: 3 })
  await runner.runDue()
  expect(fake.objects.size).toBe(others.length + 3)
  expect([...fake.objects.keys()]).toEqual(
    expect.arrayContaining([...others, 'p/holdfast-snapshot-1603898241699731006.snap']),
  )
})

test.each(['checksum', 'restore'])(
  'verification by %s: bytes that changed in the store set last_verify_error',
  async (verify) => {
    fake.fault = refuse('PutObject', 'corrupt')
    await write({ verify })
    await runner.runDue()
    await runner.runDue()
    const found = await status()
    expect(found).toMatchObject({ last_snapshot_error: '', last_verified_at: '' })
    expect(found.last_verify_error).not.toBe('')
    fake.fault = () => undefined
    app.clock.advance('1h')
    await runner.runDue()
    await runner.runDue()
    expect(await status()).toMatchObject({ last_verified_at: '2026-11-15T13:00:00+00:00', last_verify_error: '' })
  },
)

/** Blocks every upload until `open` is called. */
function gate(): { entered: Promise<void>; open: () => void } {
  const entered = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<undefined>()
  fake.fault = (request) => {
    if (request.operation !== 'PutObject') return undefined
    entered.resolve()
    return opened.promise
  }
  return { entered: entered.promise, open: () => opened.resolve(undefined) }
}

test('delete: aborts a run in progress; its late upload records nothing', async () => {
  const held = gate()
  await write()
  const running = runner.runDue()
  await held.entered
  expect((await status()).state).toBe('running')
  expect((await app.root.delete(`${auto}/config/x`)).status).toBe(204)
  await running
  held.open()
  expect((await app.root.get(`${auto}/status/x`)).status).toBe(404)
  await expect.poll(() => fake.openUploads()).toEqual([])
  expect(await app.deps.db.selectFrom('snapshot_attempts').selectAll().execute()).toEqual([])
  expect(logged()).toContain('"job":"snapshots.take","about":"x"')
})

test('timeout: a destination that does not answer within snapshot_timeout fails the attempt', async () => {
  const held = gate()
  await write({ snapshot_timeout: '1s' })
  await runner.runDue()
  held.open()
  const found = await status()
  expect(found).toMatchObject({ state: 'backoff', consecutive_errors: 1 })
  // On a busy machine the timeout may come while the snapshot is still being taken.
  expect(found.last_snapshot_error).toMatch(/^(taking|uploading) snapshot: timed out after 1s$/)
  expect((await app.root.get(`${auto}/config/x`)).body.data.snapshot_timeout).toBe(1)
  await write({ snapshot_timeout: '' })
  expect((await app.root.get(`${auto}/config/x`)).body.data).not.toHaveProperty('snapshot_timeout')
})

test('timeout: an interval of many weeks does not make attempts end at once', async () => {
  await write({ interval: '2000h' })
  await runner.runDue()
  expect(await status()).toMatchObject({ last_snapshot_error: '', consecutive_errors: 0 })
})

test('stop: a run in progress is recorded as cancelled and repeated after the next start', async () => {
  const held = gate()
  await write()
  const running = runner.runDue()
  await held.entered
  await runner.stop()
  await running
  expect(await status()).toMatchObject({ consecutive_errors: 0, last_snapshot_url: '' })
  expect((await status()).last_snapshot_error).toContain('cancelled: The server is stopping.')
  fake.fault = () => undefined
  runner = await startJobs(app.deps, snapshotJobs, { pollEvery: 60_000 })
  await runner.runDue()
  expect(await status()).toMatchObject({ last_snapshot_error: '' })
})

test('secrets: none appears in status, history, log or audit, even if the service echoes it', async () => {
  const file = join(app.deps.settings.dataDir, 'audit.log')
  await app.root.post('/v1/sys/audit/file', { type: 'file', options: { file_path: file } })
  fake.fault = refuse('PutObject', { status: 403, code: `Bad${s3Identity.secret}` })
  await write({ aws_session_token: 'very-secret-session' })
  await runner.runDue()
  await app.root.post(`${auto}/check/x`)
  const shown = await Promise.all(['config', 'status', 'history'].map((path) => app.root.get(`${auto}/${path}/x`)))
  const texts = [...shown.map(({ text }) => text), logged(), await readFile(file, 'utf8')]
  expect(shown[1]?.body.data.last_snapshot_error).toContain('[redacted]')
  for (const text of texts) expect(text).not.toContain('very-secret')
})

describe('each cloud', { timeout: 60_000 }, () => {
  const gcs = sharedUntilClosed(() => gcsFake({ bucket: 'snaps' }))
  const azurite = sharedUntilClosed(async () => {
    const started = await startAzurite()
    await started.makeContainer('snaps')
    return started
  })

  test('a refusal is shown in status without secrets, and a retry is scheduled', async () => {
    const wrongKey = Buffer.from('very-secret-azure-key').toString('base64')
    const common = { interval: 3600, path_prefix: 'p/' }
    const google = {
      storage_type: 'cloudB-store',
      cloudB_service_account_key: gcs.serviceKey,
      cloudB_disable_tls: true,
    }
    const azure = {
      storage_type: 'cloudC-store',
      cloudC_account_name: azurite.account,
      cloudC_endpoint: azurite.endpoint,
    }
    const refused: [string, object, RegExp][] = [
      ['b1', { ...google, cloudB_bucket: 'other', cloudB_endpoint: gcs.endpoint }, /the service returned 404/],
      ['c1', { ...azure, cloudC_container_name: 'none', cloudC_account_key: azurite.key }, /404 ContainerNotFound/],
      ['c2', { ...azure, cloudC_container_name: 'snaps', cloudC_account_key: wrongKey }, /403 AuthorizationFailure/],
    ]
    for (const [name, body] of refused) await app.root.post(`${auto}/config/${name}`, { ...common, ...body })
    await runner.runDue()
    for (const [name, , text] of refused) {
      const found = (await app.root.get(`${auto}/status/${name}`)).body.data
      expect(found.last_snapshot_error, name).toMatch(/^uploading snapshot: /)
      expect(found.last_snapshot_error, name).toMatch(text)
      expect(found, name).toMatchObject({ state: 'backoff', consecutive_errors: 1, last_snapshot_url: '' })
      const wait = Date.parse(found.next_snapshot_start) - app.clock.now()
      expect(wait).toBeGreaterThan(20_000)
      expect(wait).toBeLessThan(40_000)
      const texts = JSON.stringify(found) + logged()
      for (const secret of [wrongKey, azurite.key, JSON.parse(gcs.serviceKey).private_key])
        expect(texts).not.toContain(secret)
    }
  })

  test('a snapshot is stored, verified by restoring, and pruned', async () => {
    const common = { interval: 60, path_prefix: 'p/', retain: 1 }
    const bodies = {
      b: {
        storage_type: 'cloudB-store',
        cloudB_bucket: 'snaps',
        cloudB_service_account_key: gcs.serviceKey,
        cloudB_endpoint: gcs.endpoint,
        cloudB_disable_tls: true,
      },
      c: {
        storage_type: 'cloudC-store',
        cloudC_container_name: 'snaps',
        cloudC_account_name: azurite.account,
        cloudC_account_key: azurite.key,
        cloudC_endpoint: azurite.endpoint,
      },
    }
    for (const [name, body] of Object.entries(bodies))
      await app.root.post(`${auto}/config/${name}`, { ...common, ...body })
    for (let turn = 0; turn < 2; turn++) {
      await runner.runDue()
      await runner.runDue()
      app.clock.advance('61s')
    }
    for (const name of Object.keys(bodies)) {
      const found = (await app.root.get(`${auto}/status/${name}`)).body.data
      expect(found, name).toMatchObject({ last_snapshot_error: '', stored_snapshots: 1, last_verify_error: '' })
      expect(found.last_verified_at, name).not.toBe('')
      expect(found.last_prune_error, name).toBe('')
    }
  })
})

test('several configurations due at once are all run', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) await write({ file_prefix: name }, name)
  for (let turn = 0; turn < 4; turn++) {
    await runner.runDue()
    app.clock.advance('1100ms')
  }
  const ends = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => app.root.get(`${auto}/status/${name}`)))
  expect(ends.map(({ body }) => body.data.last_snapshot_error)).toEqual(['', '', '', '', ''])
  for (const { body } of ends) expect(body.data.last_snapshot_url).not.toBe('')
})

test('concurrentSnapshots 1: the second configuration waits for the first', async () => {
  await runner.stop()
  const deps = { ...app.deps, settings: { ...app.deps.settings, concurrentSnapshots: 1 } }
  runner = await startJobs(deps, snapshotJobs, { pollEvery: 60_000 })
  const held = gate()
  await write({ file_prefix: 'x' }, 'x')
  await write({ file_prefix: 'y' }, 'y')
  const running = runner.runDue()
  await held.entered
  const begun = async (name: string) => (await app.root.get(`${auto}/status/${name}`)).body.data.snapshot_start
  expect([await begun('x'), await begun('y')].filter((start) => start !== '')).toHaveLength(1)
  held.open()
  await running
  await runner.runDue()
  expect([await begun('x'), await begun('y')]).not.toContain('')
})
