import { existsSync } from 'node:fs'
import { mkdir, readdir, readlink, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { ownFolder } from '../../../../test/support/folders.ts'
import { recordingLog } from '../../../../test/support/recording-log.ts'
import { snapshotConfiguration } from '../../../../test/support/snapshot-content.ts'
import { type TestApp, testApp } from '../../../../test/support/test-app.ts'
import { type JobRunner, startJobs } from '../../../jobs/runner.ts'
import { instant } from '../../../kernel/clock.ts'
import { smallestArchive } from '../configurations/configuration-change.ts'
import { localDestination } from '../destinations/local-adapter.ts'
import { reconcile } from './attempt-actions.ts'
import { verifyJobKind } from './schedule.ts'
import { snapshotJobs } from './schedule-actions.ts'
import { prune } from './snapshot-retention-actions.ts'
import { requestVerification } from './verification-actions.ts'

const config = '/v1/sys/storage/raft/snapshot-auto/config'
const status = '/v1/sys/storage/raft/snapshot-auto/status'
const history = '/v1/sys/storage/raft/snapshot-auto/history'
const megabyte = 1024 * 1024

/** The files in a folder that this process has open. */
async function openFilesIn(folder: string): Promise<string[]> {
  const numbers = await readdir('/proc/self/fd')
  const paths = await Promise.all(numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')))
  return paths.filter((path) => path.startsWith(folder))
}

eachEngine((engine) => {
  let app: TestApp
  let lines: ReturnType<typeof recordingLog>
  let directory: string
  let runner: JobRunner

  beforeEach(async () => {
    lines = recordingLog()
    app = await testApp({ engine, log: lines.log })
    directory = join(ownFolder(), 'sub')
    runner = await startJobs(app.deps, snapshotJobs, { pollEvery: 60_000 })
  })
  afterEach(async () => {
    await runner.stop()
    await app.close()
  })

  const write = async (body: object = {}, name = 'x') => {
    const all = {
      interval: 3600,
      path_prefix: directory,
      storage_type: 'local',
      local_max_space: 50 * megabyte,
      verify: 'none',
    }
    const answer = await app.root.post(`${config}/${name}`, { ...all, ...body })
    expect([200, 204]).toContain(answer.status)
  }
  const read = async (name = 'x') => (await app.root.get(`${status}/${name}`)).body.data
  const files = async () => (await readdir(directory)).sort()

  /** The other tests run the same statements on both engines. */
  const sqliteTest = test.runIf(engine === 'sqlite')

  test('local: the first snapshot is taken at once, stored with mode 0600 and verified by restoring', async () => {
    await write({ verify: 'restore' })
    await runner.runDue()
    // Verification is a job of its own, which the first run enqueues.
    await runner.runDue()
    const found = await read()
    expect(found).toMatchObject({
      snapshot_start: '2026-11-15T12:00:00+00:00',
      last_snapshot_start: '2026-11-15T12:00:00+00:00',
      last_snapshot_end: '2026-11-15T12:00:00+00:00',
      last_snapshot_error: '',
      state: 'scheduled',
      next_snapshot_start: '2026-11-15T13:00:00+00:00',
      consecutive_errors: 0,
      stored_snapshots: 1,
      last_verified_at: '2026-11-15T12:00:00+00:00',
      last_verify_error: '',
      overdue: false,
    })
    const [name = ''] = await files()
    expect(name).toMatch(/^holdfast-snapshot-1794744000000\d{6}\.snap$/)
    expect(found.last_snapshot_url).toBe(`file://${directory}/${name}`)
    expect(found.snapshot_url).toBe(found.last_snapshot_url)
    const file = await stat(join(directory, name))
    expect(file.mode & 0o777).toBe(0o600)
    expect(file.size).toBe(found.last_snapshot_size)
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
  })

  sqliteTest('verification: a pending one is dropped when verify is set to none', async () => {
    await write({ verify: 'none' })
    await runner.runDue()
    const attempt = await app.deps.db.selectFrom('snapshot_attempts').selectAll().executeTakeFirstOrThrow()
    const before = snapshotConfiguration({ type: 'local', pathPrefix: directory, settings: {}, verify: 'restore' })
    await requestVerification(app.deps, before, attempt)
    await runner.runDue()
    expect(await read()).toMatchObject({ verify: 'none', last_verified_at: '', last_verify_error: '' })
    const left = app.deps.db.selectFrom('jobs').select('key').where('kind', '=', verifyJobKind)
    expect(await left.execute()).toEqual([])
  })

  test.runIf(existsSync('/proc/self/fd'))(
    'verification: if the spool folder cannot be created, the snapshot file is closed again',
    async () => {
      await write()
      await runner.runDue()
      await write({ verify: 'restore' })
      const spool = join(app.deps.settings.dataDir, 'spool')
      await rm(spool, { recursive: true, force: true })
      await writeFile(spool, 'in the way')
      const attempt = await app.deps.db.selectFrom('snapshot_attempts').selectAll().executeTakeFirstOrThrow()
      const configuration = snapshotConfiguration({
        type: 'local',
        pathPrefix: directory,
        settings: {},
        verify: 'restore',
      })
      await requestVerification(app.deps, configuration, attempt)
      await runner.runDue()
      expect((await read()).last_verify_error).toContain('ENOTDIR')
      expect(await openFilesIn(directory)).toEqual([])
    },
  )

  sqliteTest('schedule: one snapshot per interval; several missed ones are made up for by one', async () => {
    await write({ retain: 10 })
    await runner.runDue()
    app.clock.advance('59m')
    await runner.runDue()
    expect(await files()).toHaveLength(1)
    app.clock.advance('1m')
    await runner.runDue()
    expect(await files()).toHaveLength(2)
    app.clock.advance('10h')
    await runner.runDue()
    await runner.runDue()
    expect(await files()).toHaveLength(3)
    expect((await read()).next_snapshot_start).toBe('2026-11-16T00:00:00+00:00')
  })

  sqliteTest('schedule: continues after the clock is set back', async () => {
    await write({ retain: 10 })
    await runner.runDue()
    app.clock.set((app.clock.now() - 30 * 86_400_000) as never)
    await runner.runDue()
    app.clock.advance('61m')
    await runner.runDue()
    expect(await files()).toHaveLength(2)
  })

  test('delete: keeps the stored files, removes the status and ends the schedule', async () => {
    await write()
    await runner.runDue()
    await app.root.delete(`${config}/x`)
    app.clock.advance('5h')
    await runner.runDue()
    expect(await files()).toHaveLength(1)
    expect((await app.root.get(`${status}/x`)).status).toBe(404)
    await write({ retain: 5 })
    expect((await read()).last_snapshot_url).toBe('')
    await runner.runDue()
    expect(await files()).toHaveLength(2)
  })

  test('reconcile: configurations without a job get one; paused ones lose theirs', async () => {
    await write()
    await runner.runDue()
    await app.deps.db.deleteFrom('jobs').where('kind', '=', 'snapshots.take').execute()
    app.clock.advance('3h')
    await runner.runDue()
    app.clock.advance('10s')
    await runner.runDue()
    expect((await read()).snapshot_start).toMatch(/^2026-11-15T15:00:/)
    await app.deps.db.updateTable('snapshot_configurations').set({ paused: 1 }).execute()
    app.clock.advance('2m')
    await runner.runDue()
    app.clock.advance('5h')
    await runner.runDue()
    expect(await read()).toMatchObject({ state: 'paused', next_snapshot_start: '' })
    expect((await read()).snapshot_start).toMatch(/^2026-11-15T15:00:/)
  })

  test('reconcile: times that a wrong clock left in the future are replaced by the present', async () => {
    await write()
    app.clock.advance('2d')
    await runner.runDue()
    expect(await read()).toMatchObject({ last_snapshot_end: '2026-11-17T12:00:00+00:00' })
    app.clock.set(instant(Date.parse('2026-11-15T12:00:00Z')))
    await reconcile(app.deps)
    const now = '2026-11-15T12:00:00+00:00'
    expect(await read()).toMatchObject({
      snapshot_start: now,
      last_snapshot_end: now,
      last_success_end: now,
      overdue: false,
    })
    await runner.stop()
    app.clock.advance('3h')
    expect(await read()).toMatchObject({ overdue: true })
  })

  // The tests below concern files only, so one database engine is enough.
  if (engine !== 'sqlite') return

  test('retention: keeps the newest by the number in the name, and touches nothing else', async () => {
    await mkdir(directory, { recursive: true })
    const others = [
      'holdfast-snapshot-2-1603898241699731000.snap',
      'holdfast-snapshot-1603898241699731000.snap.bak',
      'holdfast-snapshot-123.snap',
      'other-1603898241699731000.snap',
      'xholdfast-snapshot-1603898241699731000.snap',
    ]
    const ours = ['1603898241699731000', '1603898241699731001'].map((number) => `holdfast-snapshot-${number}.snap`)
    for (const name of [...others, ...ours]) await writeFile(join(directory, name), 'x')
    await mkdir(join(directory, 'holdfast-snapshot-1603898241699731002.snap'))
    await writeFile(join(directory, '..', 'target'), 'keep')
    await symlink(join(directory, '..', 'target'), join(directory, 'holdfast-snapshot-1603898241699731003.snap'))
    await write({ retain: 2 })
    await runner.runDue()
    const left = await files()
    expect(left).toHaveLength(others.length + 1 + 2 + 1)
    for (const name of [...others, ours[1]]) expect(left).toContain(name)
    expect(left).not.toContain(ours[0])
    expect(await readdir(join(directory, '..'))).toContain('target')
    expect(await read()).toMatchObject({ stored_snapshots: 2, last_prune_error: '' })
    await write({ retain: 1 })
    expect(await files()).toEqual(left)
    app.clock.advance('1h')
    await runner.runDue()
    expect((await read()).stored_snapshots).toBe(1)
  })

  test('retention: an aborted run removes nothing more', async () => {
    await write()
    await runner.runDue()
    const kept = [...(await files()), 'holdfast-snapshot-1603898241699731000.snap']
    await writeFile(join(directory, 'holdfast-snapshot-1603898241699731000.snap'), 'older')
    const configuration = snapshotConfiguration({
      type: 'local',
      pathPrefix: directory,
      filePrefix: 'holdfast-snapshot',
      settings: {},
    })
    const destination = localDestination(app.deps, configuration)
    const signal = AbortSignal.abort(new Error('enough'))
    const run = { kind: 'snapshots.take', key: 'x', fence: 1, revision: 0, renew: async () => false, signal }
    const attempt = await app.deps.db.selectFrom('snapshot_attempts').selectAll().executeTakeFirstOrThrow()
    const error = await prune(app.deps, { configuration, destination, run, signal }, attempt)
    expect(error).toBe('removing holdfast-snapshot-1603898241699731000.snap: cancelled: enough')
    expect(await files()).toEqual(kept.sort())
  })

  test('space: a local_max_space that holds no snapshot is stored with a warning, and every attempt fails', async () => {
    const tiny = { interval: 3600, path_prefix: directory, storage_type: 'local', local_max_space: 1, retain: 2 }
    const unknown = await app.root.post(`${config}/tiny`, tiny)
    const warning = `local_max_space of 1 bytes has no room for any snapshot, and every attempt will fail: one takes at least`
    expect([unknown.status, unknown.body.warnings]).toEqual([
      200,
      [`${warning} ${smallestArchive} bytes, and there must be room for 3`],
    ])
    await write()
    await runner.runDue()
    const { last_snapshot_size: size } = await read()
    // What the warning says of a new store is true, and not far from what is so.
    expect(size).toBeGreaterThan(smallestArchive)
    expect(size).toBeLessThan(3 * smallestArchive)
    const known = await app.root.post(`${config}/tiny`, tiny)
    expect(known.body.warnings[0]).toBe(`${warning} ${size} bytes, and there must be room for 3`)
    expect((await read('tiny')).last_snapshot_error).toMatch(
      /^writing snapshot: insufficient space: \d+ bytes used \+ \d+ bytes needed exceeds local_max_space of 1$/,
    )
  })

  test('log: an attempt that fails for the reason of the last one is not logged again', async () => {
    const logged = (reason: string) => lines.text().match(new RegExp(`${reason}.*snapshot failed`, 'g'))?.length ?? 0
    await write({ local_max_space: 1, interval: 60 })
    await runner.runDue()
    for (let round = 0; round < 2; round++) {
      app.clock.advance('2h')
      await runner.runDue()
    }
    expect((await app.root.get(`${history}/x`)).body.data.attempts).toHaveLength(3)
    expect(logged('insufficient space')).toBe(1)
    await write({ interval: 60, local_max_space: 50 * megabyte })
    app.clock.advance('2h')
    await runner.runDue()
    expect((await read()).last_snapshot_error).toBe('')
    await write({ interval: 60, local_max_space: 1 })
    app.clock.advance('2h')
    await runner.runDue()
    expect(logged('insufficient space')).toBe(2)
    await writeFile(join(directory, 'file'), '')
    await write({ interval: 60, path_prefix: join(directory, 'file') })
    await runner.runDue()
    expect(logged('is not a directory')).toBe(1)
  })

  test('space: exceeding local_max_space fails the attempt, prunes nothing and backs off', async () => {
    await write({ retain: 2 })
    await runner.runDue()
    const before = await files()
    const { last_snapshot_size: size } = await read()
    await write({ retain: 1, local_max_space: size + 10 })
    app.clock.advance('1h')
    await runner.runDue()
    const failed = await read()
    expect(failed.last_snapshot_error).toMatch(
      new RegExp(
        `^writing snapshot: insufficient space: ${size} bytes used \\+ \\d+ bytes needed exceeds local_max_space of ${size + 10}$`,
      ),
    )
    expect(failed).toMatchObject({ state: 'backoff', consecutive_errors: 1 })
    expect(failed.last_snapshot_url).toBe(`file://${directory}/${before[0]}`)
    expect(failed.snapshot_url).not.toBe(failed.last_snapshot_url)
    expect(await files()).toEqual(before)
    const wait = Date.parse(failed.next_snapshot_start) - app.clock.now()
    expect(wait).toBeGreaterThanOrEqual(26_000)
    expect(wait).toBeLessThanOrEqual(33_000)
    await write({ retain: 1, local_max_space: 50 * megabyte })
    app.clock.advance('34s')
    await runner.runDue()
    expect(await read()).toMatchObject({ last_snapshot_error: '', consecutive_errors: 0, stored_snapshots: 1 })
  })

  test('space: sparse files count with their full size, links do not count', async () => {
    await mkdir(directory, { recursive: true })
    const big = join(directory, '..', 'big')
    await writeFile(big, '')
    await truncate(big, 100 * megabyte)
    await symlink(big, join(directory, 'holdfast-snapshot-1603898241699731001.snap'))
    await write({ retain: 3 })
    await runner.runDue()
    expect((await read()).last_snapshot_error).toBe('')
    const sparse = join(directory, 'holdfast-snapshot-1603898241699731000.snap')
    await writeFile(sparse, '')
    await truncate(sparse, 100 * megabyte)
    app.clock.advance('1h')
    await runner.runDue()
    expect((await read()).last_snapshot_error).toContain('insufficient space: 1048')
  })

  test('failures: the delay before a retry doubles up to the interval', async () => {
    await mkdir(join(directory, '..'), { recursive: true })
    await writeFile(directory, 'in the way')
    await write({ interval: 100 })
    const waits: number[] = []
    for (let turn = 0; turn < 4; turn++) {
      await runner.runDue()
      const found = await read()
      expect(found.last_snapshot_error).toBe(`writing snapshot: ${directory} is not a directory`)
      expect(found.consecutive_errors).toBe(turn + 1)
      waits.push(Date.parse(found.next_snapshot_start) - app.clock.now())
      app.clock.advance('110s')
    }
    const expected = [30, 60, 100, 100]
    for (const [turn, seconds] of expected.entries()) {
      expect(waits[turn]).toBeGreaterThan(seconds * 900 - 1_000)
      expect(waits[turn]).toBeLessThanOrEqual(seconds * 1_100 + 1_000)
    }
  })

  test('failures: a new interval keeps errors and the next try; a new destination resets them', async () => {
    await writeFile(join(directory, '..', 'file'), '')
    await write({ path_prefix: join(directory, '..', 'file') })
    await runner.runDue()
    const failed = await read()
    expect(failed).toMatchObject({ state: 'backoff', consecutive_errors: 1 })
    await app.root.post(`${config}/x`, { interval: '2h' })
    const { state, consecutive_errors, next_snapshot_start } = await read()
    expect({ state, consecutive_errors, next_snapshot_start }).toEqual({
      state: 'backoff',
      consecutive_errors: 1,
      next_snapshot_start: failed.next_snapshot_start,
    })
    await app.root.post(`${config}/x`, { path_prefix: directory })
    expect((await read()).consecutive_errors).toBe(0)
  })

  test.each([
    ['good', ''],
    ['failed', 'in the way'],
  ])('status: after a %s attempt it is final even while the job is still held', async (_end, obstacle) => {
    if (obstacle !== '') await writeFile(directory, obstacle)
    await write()
    await runner.runDue()
    const over = await read()
    // As during pruning: the attempt has ended, but the job is still leased and has no new time yet.
    const held = { next_run_at: app.clock.now() - 1_000, lease_until: app.clock.now() + 30_000, lease_ms: 30_000 }
    await app.deps.db.updateTable('jobs').set(held).where('kind', '=', 'snapshots.take').execute()
    expect(await read()).toEqual(over)
  })

  test('temporary files of dead attempts are removed, those of other prefixes are kept', async () => {
    await mkdir(directory, { recursive: true })
    const names = [
      '.holdfast-snapshot-1603898241699731000.snap.tmp-0123abcd',
      '.other-1603898241699731000.snap.tmp-0123abcd',
    ]
    for (const name of names) await writeFile(join(directory, name), 'x')
    app.clock.set((Date.now() + 2 * 3_600_000) as never)
    await write()
    await runner.runDue()
    expect((await files()).filter((name) => name.startsWith('.'))).toEqual([names[1]])
  })
})
