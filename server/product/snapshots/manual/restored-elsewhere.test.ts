import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { ownFolder } from '../../../../test/support/folders.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import { autoPath, saveSnapshot, sealKeyHeader, sendSnapshot } from '../../../../test/support/snapshot-calls.ts'
import type { TestApp } from '../../../../test/support/test-app.ts'
import { isFromElsewhere } from '../../../archive/installation-store.ts'
import { startJobs } from '../../../jobs/runner.ts'
import { snapshotJobs } from '../schedule/schedule-actions.ts'

// Each archive is read and restored by threads of its own, which take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

async function send(app: TestApp, at: string, archive: Buffer, headers: Record<string, string> = {}) {
  const { status, body } = await sendSnapshot(app, archive, { at, headers })
  expect(status).toBe(200)
  return { same: body.data.same_cluster, warnings: body.warnings ?? [] }
}

const pausedText = expect.stringContaining('comes from another installation')

eachEngine((engine) => {
  /** A server with one configuration, and another that is to take over its data. */
  async function twoInstallations() {
    const [real, drill] = [await ownApp({ engine }), await ownApp({ engine })]
    const directory = ownFolder()
    const write = async (app: TestApp, name: string, more: object = {}) => {
      const place = { storage_type: 'local', path_prefix: join(directory, name), local_max_space: 10 ** 8 }
      const { status } = await app.root.post(`${autoPath}/config/${name}`, { interval: '1h', ...place, ...more })
      expect([200, 204]).toContain(status)
    }
    const key = await sealKeyHeader(real)
    const force = (archive: Buffer) => send(drill, '-force', archive, key)
    /** The other server with a token of the data it has taken over. */
    const taken: TestApp = { ...drill, rootToken: real.rootToken, root: drill.root.as(real.rootToken) }
    const stateOf = async (name: string) => (await taken.root.get(`${autoPath}/status/${name}`)).body.data.state
    return { real, drill, taken, write, force, stateOf }
  }

  /** What is decided before the engine is asked, or by statements that the other tests run on both. */
  const sqliteTest = test.runIf(engine === 'sqlite')

  sqliteTest(
    'restore elsewhere: each snapshot of another installation pauses its configurations, not only the first',
    async () => {
      const { real, taken, write, force, stateOf } = await twoInstallations()
      await write(real, 'old')
      const first = await saveSnapshot(real)
      await write(real, 'new')
      const second = await saveSnapshot(real)
      const paused = { same: false, warnings: expect.arrayContaining([pausedText]) }
      expect(await force(first)).toMatchObject(paused)
      expect(await stateOf('old')).toBe('paused')
      expect(await send(taken, '/inspect', second)).toMatchObject({ same: false })
      expect(await send(taken, '/preview', second)).toMatchObject({ same: false })
      // The keys are known by now, so force is no longer needed; the installation is another one all the same.
      expect(await send(taken, '', second)).toMatchObject(paused)
      expect([await stateOf('old'), await stateOf('new')]).toEqual(['paused', 'paused'])
    },
  )

  test('restore elsewhere: a server rebuilt from a snapshot is the same installation as its own snapshots', async () => {
    const { real, taken, write, force, stateOf } = await twoInstallations()
    await write(real, 'nightly')
    await force(await saveSnapshot(real))
    expect((await taken.root.post(`${autoPath}/resume/nightly`)).status).toBe(204)
    const own = await saveSnapshot(taken)
    expect(await send(taken, '/inspect', own)).toMatchObject({ same: true })
    expect(await send(taken, '', own)).toEqual({ same: true, warnings: [] })
    expect(await stateOf('nightly')).toBe('scheduled')
    // A second node on the same database is the same installation, and the first server is another one.
    const node = await ownApp({ engine, beside: taken })
    expect(await send({ ...node, rootToken: real.rootToken }, '/inspect', own)).toMatchObject({ same: true })
    expect(await send(real, '/inspect', own)).toMatchObject({ same: false })
  })

  test('restore elsewhere: status and history of a configuration that only has the same name are not taken for its own', async () => {
    const { real, drill, taken, write, force } = await twoInstallations()
    const run = async (app: TestApp) => {
      const runner = await startJobs(app.deps, snapshotJobs, { pollEvery: 60_000 })
      await runner.runDue()
      await runner.stop()
    }
    const known = async () => {
      const { last_snapshot_url: url, snapshot_start: start } = (await taken.root.get(`${autoPath}/status/hourly`)).body
        .data
      return { url, start, runs: (await taken.root.get(`${autoPath}/history/hourly`)).body.data.attempts.length }
    }
    await write(real, 'hourly', { file_prefix: 'real', verify: 'none' })
    drill.clock.advance('1m')
    await write(drill, 'hourly', { file_prefix: 'drill', verify: 'none' })
    await run(drill)
    const archive = await saveSnapshot(real)
    await force(archive)
    expect(await known()).toEqual({ url: '', start: '', runs: 0 })
    // It is the restored configuration from now on, and stays so when it is restored once more.
    expect((await taken.root.post(`${autoPath}/resume/hourly`)).status).toBe(204)
    await run(taken)
    const own = { url: expect.stringContaining('/real-'), start: expect.stringContaining('2026-'), runs: 1 }
    expect(await known()).toEqual(own)
    await send(taken, '', archive)
    expect(await known()).toEqual(own)
  })

  sqliteTest(
    'restore elsewhere: an archive that names only its cluster is ours if that cluster began here',
    async () => {
      const { real, taken, write, force } = await twoInstallations()
      await write(real, 'nightly')
      const archive = await saveSnapshot(real)
      await force(archive)
      const { cluster_id: clusterId } = await real.deps.db.selectFrom('seal').selectAll().executeTakeFirstOrThrow()
      expect(await isFromElsewhere(real.deps, { clusterId, installation: undefined })).toBe(false)
      expect(await isFromElsewhere(taken.deps, { clusterId, installation: undefined })).toBe(true)
      expect(await isFromElsewhere(taken.deps, { clusterId: 'unknown', installation: undefined })).toBe(true)
    },
  )
})
