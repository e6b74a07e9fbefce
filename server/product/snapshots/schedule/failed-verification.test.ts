import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { ownFolder } from '../../../../test/support/folders.ts'
import { type TestApp, testApp } from '../../../../test/support/test-app.ts'
import { type JobRunner, startJobs } from '../../../jobs/runner.ts'
import type { Job } from '../../../kit/job.ts'
import { rememberedAttempts } from './attempt-store.ts'
import { verifyJobKind } from './schedule.ts'
import { snapshotJobs } from './schedule-actions.ts'
import { countUnverified } from './status-store.ts'

const auto = '/v1/sys/storage/raft/snapshot-auto'

eachEngine((engine) => {
  let app: TestApp
  let directory: string
  let runner: JobRunner
  /** Whether the disk changes a byte of each snapshot before it is verified. */
  let isDiskBad: boolean
  /** Whether there is no room for verification to work in. */
  let isSpoolBlocked: boolean
  /** Whether another node leads by the time a snapshot is to be verified. */
  let isLeadElsewhere: boolean

  beforeEach(async () => {
    isLeadElsewhere = false
    isDiskBad = false
    isSpoolBlocked = false
    app = await testApp({ engine })
    directory = ownFolder()
    runner = await startJobs(app.deps, snapshotJobs.map(afterDamage), { pollEvery: 60_000 })
  })
  afterEach(async () => {
    await runner.stop()
    await app.close()
  })

  const afterDamage = (job: Job): Job => ({
    ...job,
    run: async (deps, run) => {
      if (job.name === verifyJobKind && isDiskBad) await damageNewest()
      if (job.name === verifyJobKind && isSpoolBlocked) await blockSpool()
      const settings = { ...deps.settings, nodeName: 'node-2' }
      await job.run(job.name === verifyJobKind && isLeadElsewhere ? { ...deps, settings } : deps, run)
    },
  })
  async function damageNewest(): Promise<void> {
    const path = join(directory, (await files()).at(-1) ?? '')
    const bytes = await readFile(path)
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
    await writeFile(path, bytes)
  }
  async function blockSpool(): Promise<void> {
    const spool = join(app.deps.settings.dataDir, 'spool')
    await rm(spool, { recursive: true, force: true })
    await writeFile(spool, 'in the way')
  }
  const files = async () => (await readdir(directory)).sort()
  const write = (body: object = {}) =>
    app.root.post(`${auto}/config/x`, {
      interval: '24h',
      path_prefix: directory,
      storage_type: 'local',
      local_max_space: 10 ** 8,
      verify: 'checksum',
      ...body,
    })
  const read = async () => (await app.root.get(`${auto}/status/x`)).body.data
  /** Takes a snapshot of the schedule, and returns its name when it has been verified. */
  async function take(): Promise<string> {
    await runner.runDue()
    await runner.runDue()
    return (await files()).at(-1) ?? ''
  }
  async function takeNext(): Promise<string> {
    app.clock.advance('24h')
    return await take()
  }
  const kept = async () => {
    const { keys, key_info } = (await app.root.list(`${auto}/snapshots/x`)).body.data
    return keys.filter((key: string) => key_info[key].kept).sort()
  }

  /** The other tests run the same statements on both engines. */
  const sqliteTest = test.runIf(engine === 'sqlite')

  sqliteTest('retention: spares the last verified snapshot while all newer ones are bad', async () => {
    await write({ retain: 2 })
    const good = await take()
    isDiskBad = true
    const bad = [await takeNext(), await takeNext(), await takeNext()]
    expect((await read()).last_verify_error).not.toBe('')
    expect((await read()).not_restorable).toBe(true)
    expect(await files()).toEqual([good, bad[2]])
    expect(await kept()).toEqual(await files())
    isDiskBad = false
    const healed = [await takeNext()]
    expect(await files()).toEqual([good, healed[0]])
    healed.push(await takeNext())
    expect(await files()).toEqual(healed)
    expect(await read()).toMatchObject({ last_verify_error: '', stored_snapshots: 2, last_prune_error: '' })
  })

  test('retention: remembers the last verified snapshot, however many attempts follow it', async () => {
    await write({ retain: 2 })
    const good = await take()
    isDiskBad = true
    await takeNext()
    await fillHistory()
    await takeNext()
    expect(await files()).toContain(good)
    expect((await read()).last_verified_at).toBe('2026-11-15T12:00:00+00:00')
  })

  const secondsToNext = async () => (Date.parse((await read()).next_snapshot_start) - app.clock.now()) / 1_000

  sqliteTest(
    'schedule: after a snapshot that does not restore, the next follows soon, with growing delays',
    async () => {
      await write({ retain: 2 })
      await take()
      isDiskBad = true
      await takeNext()
      for (const expected of [30, 60]) {
        const wait = await secondsToNext()
        expect(wait).toBeGreaterThanOrEqual(expected * 0.9 - 1)
        expect(wait).toBeLessThanOrEqual(expected * 1.1)
        expect(await read()).toMatchObject({ consecutive_errors: 0, last_snapshot_error: '' })
        await write({ retain: 2, interval: '12h' })
        expect(await secondsToNext()).toBe(wait)
        app.clock.advance(`${Math.ceil(expected * 1.1)}s`)
        await take()
      }
      isDiskBad = false
      app.clock.advance('132s')
      await take()
      expect(await secondsToNext()).toBe(12 * 3_600)
    },
  )

  sqliteTest('schedule: a snapshot that could not be checked does not bring the next one forward', async () => {
    await write({ verify: 'restore' })
    await take()
    app.clock.advance('24h')
    isSpoolBlocked = true
    await take()
    expect((await read()).last_verify_error).toContain('ENOTDIR')
    expect(await secondsToNext()).toBe(24 * 3_600)
  })

  sqliteTest('status: says that a snapshot is unverified because it lies on the disk of another node', async () => {
    await write({ verify: 'restore' })
    isLeadElsewhere = true
    await take()
    const { nodeName } = app.deps.settings
    expect(await read()).toMatchObject({
      last_verify_error: `it lies on the disk of node ${nodeName}, which node-2 cannot read`,
      last_verified_at: '',
      not_restorable: false,
      consecutive_errors: 0,
    })
    expect(await secondsToNext()).toBe(24 * 3_600)
    expect(await countUnverified(app.deps.db)).toBe(1)
    isLeadElsewhere = false
    await takeNext()
    expect(await read()).toMatchObject({ last_verify_error: '' })
  })

  test('health and metrics: tell of a snapshot that does not restore, until one does', async () => {
    const figure = async (name: string) => {
      const { text } = await app.root.get('/v1/sys/metrics?format=prometheus')
      return new RegExp(`^holdfast_autosnapshots_${name}\\{config="x"\\} (\\d+)$`, 'm').exec(text)?.[1]
    }
    const signs = async () => [
      await countUnverified(app.deps.db),
      await figure('verify_errors_total'),
      await figure('last_verified_time'),
    ]
    const health = async () => (await app.anonymous.get('/v1/sys/health')).body
    // The answers wait only a moment for new figures.
    const expectSigns = (expected: unknown[]) =>
      vi.waitFor(async () => expect(await signs()).toEqual(expected), { timeout: 15_000 })
    await write({ verify: 'restore' })
    await expectSigns([0, '0', undefined])
    await take()
    const verifiedAt = String(Math.floor(app.clock.now() / 1_000))
    await expectSigns([0, '0', verifiedAt])
    isDiskBad = true
    await takeNext()
    await expectSigns([1, '1', verifiedAt])
    await vi.waitFor(async () => expect((await health()).snapshots_failed_verification).toBe(1), { timeout: 15_000 })
    isDiskBad = false
    await takeNext()
    await expectSigns([0, '1', String(Math.floor(app.clock.now() / 1_000))])
  })

  /** Puts failed attempts before the bad snapshot, as many as are remembered. */
  async function fillHistory(): Promise<void> {
    const { db } = app.deps
    const bad = await db
      .updateTable('snapshot_attempts')
      .set({ sequence: 1_000 })
      .where('verify_failed', '=', 1)
      .returningAll()
      .executeTakeFirstOrThrow()
    const failed = Array.from({ length: rememberedAttempts }, (_, index) => ({
      ...bad,
      id: app.deps.ids.uuid(),
      sequence: 10 + index,
      object: '',
      verify_failed: 0,
      error: 'no room',
    }))
    await db.insertInto('snapshot_attempts').values(failed).execute()
  }
})
