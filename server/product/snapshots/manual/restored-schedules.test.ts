import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { ownFolder } from '../../../../test/support/folders.ts'
import { autoPath, saveSnapshot, sendSnapshot } from '../../../../test/support/snapshot-calls.ts'
import { type TestApp, testApp } from '../../../../test/support/test-app.ts'
import { startJobs } from '../../../jobs/runner.ts'
import { takeJobKind } from '../schedule/schedule.ts'
import { snapshotJobs } from '../schedule/schedule-actions.ts'

// Each archive is read and restored by threads of its own, which take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

eachEngine((engine) => {
  let app: TestApp
  let directory: string

  beforeEach(async () => {
    app = await testApp({ engine })
    directory = ownFolder()
  })
  afterEach(async () => {
    await app.close()
  })

  /** A runner starts due jobs at once, so it is started only for the moments when they should run. */
  const runDue = async () => {
    const runner = await startJobs(app.deps, snapshotJobs, { pollEvery: 60_000 })
    await runner.runDue()
    await runner.stop()
  }
  const write = async (name: string, interval: number) => {
    const place = { storage_type: 'local', path_prefix: directory, file_prefix: name, local_max_space: 10 ** 8 }
    const { status } = await app.root.post(`${autoPath}/config/${name}`, { interval, ...place, verify: 'none' })
    expect([200, 204]).toContain(status)
  }
  const statusOf = async (name: string) => (await app.root.get(`${autoPath}/status/${name}`)).body.data
  const restore = async (archive: Buffer) => expect((await sendSnapshot(app, archive)).status).toBe(200)

  /** The test about pauses runs the same statements on both engines. */
  const sqliteTest = test.runIf(engine === 'sqlite')

  sqliteTest('restore: restored configurations are scheduled at once and can be run', async () => {
    await write('back', 3600)
    const archive = await saveSnapshot(app)
    await app.root.delete(`${autoPath}/config/back`)
    await restore(archive)
    const { state, next_snapshot_start: next } = await statusOf('back')
    expect({ state, next }).toEqual({
      state: 'scheduled',
      next: expect.stringMatching(/^2026-11-15T12:00:0[0-5]\+00:00$/),
    })
    expect((await app.root.post(`${autoPath}/run/back`)).status).toBe(202)
    await runDue()
    expect((await statusOf('back')).last_snapshot_url).toContain('/back-')
  })

  sqliteTest('restore: the next run follows the interval in the snapshot, counted from the last run', async () => {
    await write('x', 3600)
    await runDue()
    const archive = await saveSnapshot(app)
    await write('x', 90 * 86_400)
    expect((await statusOf('x')).next_snapshot_start).toBe('2027-02-13T12:00:00+00:00')
    await restore(archive)
    expect((await statusOf('x')).next_snapshot_start).toBe('2026-11-15T13:00:00+00:00')
  })

  test('restore: a configuration stays paused, or resumed, whatever it was in the snapshot', async () => {
    await write('x', 3600)
    const running = await saveSnapshot(app)
    expect((await app.root.post(`${autoPath}/pause/x`)).status).toBe(204)
    const held = await saveSnapshot(app)
    await restore(running)
    expect(await statusOf('x')).toMatchObject({ state: 'paused', next_snapshot_start: '' })
    expect((await app.root.post(`${autoPath}/resume/x`)).status).toBe(204)
    await restore(held)
    expect((await statusOf('x')).state).toBe('scheduled')
    await app.root.delete(`${autoPath}/config/x`)
    await restore(held)
    expect((await statusOf('x')).state).toBe('paused')
  })

  sqliteTest(
    'restore: a configuration it removed runs no more and starts without history when written again',
    async () => {
      const archive = await saveSnapshot(app)
      await write('gone', 3600)
      await runDue()
      await restore(archive)
      expect((await app.root.get(`${autoPath}/status/gone`)).status).toBe(404)
      const jobs = await app.deps.db.selectFrom('jobs').select('key').where('kind', '=', takeJobKind).execute()
      expect(jobs).toEqual([])
      await write('gone', 3600)
      const { snapshot_start, last_snapshot_url, stored_snapshots, next_snapshot_start } = await statusOf('gone')
      const next = next_snapshot_start
      expect({ snapshot_start, last_snapshot_url, stored_snapshots, next }).toEqual({
        snapshot_start: '',
        last_snapshot_url: '',
        stored_snapshots: undefined,
        next: '2026-11-15T12:00:00+00:00',
      })
      expect((await app.root.get(`${autoPath}/history/gone`)).body.data.attempts).toEqual([])
    },
  )
})
