import { readdir } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { type S3Fake, s3Fake, s3Identity } from '../../../../test/support/fakes/s3-fake.ts'
import { ownFolder } from '../../../../test/support/folders.ts'
import { recordingLog } from '../../../../test/support/recording-log.ts'
import { type TestApp, testApp } from '../../../../test/support/test-app.ts'
import { type JobRunner, startJobs } from '../../../jobs/runner.ts'
import { snapshotJobs } from './schedule-actions.ts'

const auto = '/v1/sys/storage/raft/snapshot-auto'

eachEngine((engine) => {
  let app: TestApp
  let runner: JobRunner
  let fake: S3Fake
  let directory: string
  let recorded: ReturnType<typeof recordingLog>

  beforeEach(async () => {
    fake = await s3Fake(s3Identity)
    directory = ownFolder()
    recorded = recordingLog()
    app = await testApp({ engine, log: recorded.log })
    runner = await startJobs(app.deps, snapshotJobs, { pollEvery: 60_000 })
  })
  afterEach(async () => {
    await runner.stop()
    await app.close()
    await fake.close()
  })

  const local = () => ({ storage_type: 'local', path_prefix: directory, local_max_space: 10 ** 8 })
  const write = (body: object = {}) =>
    app.root.post(`${auto}/config/x`, {
      interval: 3600,
      storage_type: 'cloudA-store',
      path_prefix: 'p',
      ...fake.settings,
      verify: 'none',
      ...body,
    })
  const status = async () => (await app.root.get(`${auto}/status/x`)).body.data
  /** Runs due jobs until the status matches: a job does not wait for the jobs that it enqueues. */
  const runUntil = (wanted: object) =>
    vi.waitFor(
      async () => {
        await runner.runDue()
        expect(await status()).toMatchObject(wanted)
      },
      { timeout: 20_000 },
    )
  const history = async () => (await app.root.get(`${auto}/history/x`)).body.data.attempts

  /** Starts a run whose destination never answers; the promise settles when the run ends. */
  async function beginSilentRun(): Promise<{ running: Promise<void> }> {
    const entered = Promise.withResolvers<void>()
    fake.fault = ({ operation }) => {
      if (operation !== 'PutObject') return undefined
      entered.resolve()
      return new Promise(() => undefined)
    }
    await write()
    const running = runner.runDue()
    await entered.promise
    expect((await status()).state).toBe('running')
    return { running }
  }

  /** Reads of stored objects wait for an answer that the test gives. */
  function holdReads() {
    const asked = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<{ status: number; code: string }>()
    fake.fault = ({ operation }) => {
      if (operation !== 'GetObject') return undefined
      asked.resolve()
      return answered.promise
    }
    return { asked, answered }
  }

  /** The other tests run the same statements on both engines. */
  const sqliteTest = test.runIf(engine === 'sqlite')

  test('pause: cancels the run in progress; after resume a new one can be requested', async () => {
    const { running } = await beginSilentRun()
    expect((await app.root.post(`${auto}/pause/x`)).status).toBe(204)
    const cancelled = { last_snapshot_error: 'cancelled: configuration paused', consecutive_errors: 0 }
    expect(await status()).toMatchObject({ ...cancelled, state: 'paused' })
    await running
    fake.fault = () => undefined
    await app.root.post(`${auto}/resume/x`)
    expect(await status()).toMatchObject({ ...cancelled, state: 'scheduled' })
    const [given] = await history()
    const { attempt_id: next } = (await app.root.post(`${auto}/run/x`)).body.data
    expect(next).not.toBe(given.id)
    await runUntil({ last_snapshot_error: '', state: 'scheduled' })
    expect(fake.objects.size).toBe(1)
  })

  sqliteTest('pause: withdraws a requested snapshot that has not started', async () => {
    await write()
    await runner.runDue()
    await runner.stop()
    const { attempt_id: asked } = (await app.root.post(`${auto}/run/x`)).body.data
    await app.root.post(`${auto}/pause/x`)
    await app.root.post(`${auto}/resume/x`)
    const { attempt_id: next } = (await app.root.post(`${auto}/run/x`)).body.data
    expect(next).not.toBe(asked)
    runner = await startJobs(app.deps, snapshotJobs, { pollEvery: 60_000 })
    await runner.runDue()
    expect(await history()).toHaveLength(2)
  })

  sqliteTest('another destination: aborts the run to the old one and runs to the new one at once', async () => {
    const { running } = await beginSilentRun()
    expect((await write(local())).status).toBeLessThan(300)
    await running
    await runUntil({ last_snapshot_error: '', state: 'scheduled' })
    expect(await readdir(directory)).toHaveLength(1)
    const errors = (await history()).map(({ error }: { error: string }) => error)
    expect(errors).toEqual(['', 'cancelled: configuration changed'])
  })

  test('seal: aborts the run in progress without counting an error, and the run is repeated', async () => {
    const { running } = await beginSilentRun()
    expect((await app.root.put('/v1/sys/seal')).status).toBe(204)
    await running
    const { db } = app.deps
    const attempt = await db.selectFrom('snapshot_attempts').selectAll().executeTakeFirstOrThrow()
    expect(attempt).toMatchObject({ error: 'cancelled: node sealed' })
    const status = await db.selectFrom('snapshot_status').selectAll().executeTakeFirstOrThrow()
    expect(status.consecutive_errors).toBe(0)
    const job = await db.selectFrom('jobs').selectAll().where('key', '=', 'x').executeTakeFirstOrThrow()
    expect(job.next_run_at - app.clock.now()).toBeLessThanOrEqual(5_000)
  })

  sqliteTest('run now: while it runs, next_snapshot_start stays that of the schedule', async () => {
    await write()
    await runner.runDue()
    app.clock.advance('20m')
    fake.fault = ({ operation }) => (operation === 'PutObject' ? new Promise(() => undefined) : undefined)
    await app.root.post(`${auto}/run/x`)
    const running = runner.runDue()
    await expect.poll(async () => (await status()).state).toBe('running')
    expect((await status()).next_snapshot_start).toBe('2026-11-15T13:00:00+00:00')
    await app.root.delete(`${auto}/config/x`)
    await running
  })

  test('verification: a failure for a snapshot that was replaced meanwhile is not reported', async () => {
    const { asked, answered } = holdReads()
    await write({ verify: 'checksum', retain: 1 })
    const running = runner.runDue()
    await asked.promise
    app.clock.advance('1h')
    expect((await app.root.post(`${auto}/run/x`, { wait: '30s' })).status).toBe(200)
    fake.fault = () => undefined
    answered.resolve({ status: 404, code: 'NoSuchKey' })
    await running
    await runUntil({ last_verify_error: '', last_verified_at: '2026-11-15T13:00:00+00:00' })
    const errors = (await history()).map(({ verify_error: error }: { verify_error: string }) => error)
    expect(new Set(errors)).toEqual(new Set(['']))
  })

  sqliteTest('verification: last_verified_at stays while verifying a newer snapshot fails', async () => {
    await write({ verify: 'checksum' })
    const verified = { last_verified_at: '2026-11-15T12:00:00+00:00', last_verify_error: '' }
    await runUntil(verified)
    fake.fault = ({ operation }) => (operation === 'GetObject' ? { status: 403, code: 'AccessDenied' } : undefined)
    app.clock.advance('1h')
    await runUntil({ ...verified, last_verify_error: expect.stringContaining('AccessDenied') })
    expect(recorded.text()).toContain('snapshot could not be verified')
    expect(recorded.text()).not.toContain('snapshot does not restore')
  })

  sqliteTest('another destination: a snapshot in the old one is not verified in the new one', async () => {
    const { asked, answered } = holdReads()
    await write({ verify: 'checksum' })
    const running = runner.runDue()
    await asked.promise
    await write({ verify: 'none', ...local() })
    answered.resolve({ status: 404, code: 'NoSuchKey' })
    await running
    expect((await history()).at(-1)).toMatchObject({ error: '', verify_error: '' })
  })
})
