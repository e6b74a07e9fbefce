import { afterEach, beforeEach, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { type S3Fake, s3Fake, s3Identity } from '../../../../../test/support/fakes/s3-fake.ts'
import { mustBe } from '../../../../../test/support/platform.ts'
import { type TestApp, testApp } from '../../../../../test/support/test-app.ts'
import { type JobRunner, startJobs } from '../../../../jobs/runner.ts'
import { snapshotJobs } from '../schedule-actions.ts'

const auto = '/v1/sys/storage/raft/snapshot-auto'

eachEngine((engine) => {
  let app: TestApp
  let fake: S3Fake
  let node: JobRunner

  beforeEach(async () => {
    fake = await s3Fake(s3Identity)
    app = await testApp({ engine })
    node = await startJobs(app.deps, snapshotJobs, { pollEvery: 60_000 })
  })
  afterEach(async () => {
    await node.stop()
    await app.close()
    await fake.close()
  })

  const write = async (fields: Record<string, unknown>) =>
    mustBe(
      await app.root.post(`${auto}/config/x`, {
        interval: 3600,
        storage_type: 'cloudA-store',
        path_prefix: 'p',
        ...fake.settings,
        verify: 'none',
        ...fields,
      }),
      200,
    )
  /** When something else happens: the statements that follow are the same, so one moment is enough on PostgreSQL. */
  const moments = engine === 'sqlite' ? ['PutObject', 'ListObjectsV2'] : ['ListObjectsV2']
  const sqliteTest = test.runIf(engine === 'sqlite')

  const names = () => [...fake.objects.keys()].sort()
  const take = async (count: number) => {
    for (let taken = 0; taken < count; taken++) {
      app.clock.advance('1h')
      await node.runDue()
    }
  }
  /** Runs what is due; while the destination is asked for this for the first time, something else happens. */
  const runWhile = async (operation: string, during: () => Promise<unknown>) => {
    let happened: Promise<undefined> | undefined
    fake.fault = (asked) => {
      if (asked.operation !== operation || happened) return undefined
      happened = during().then(() => undefined)
      return happened
    }
    // Only now: the runner may look for due work by itself at any time.
    app.clock.advance('1h')
    await node.runDue()
    expect(happened).toBeDefined()
    await happened
  }

  test.each(moments)('retain raised during %s: nothing is removed', async (operation) => {
    await write({ retain: 3 })
    await take(3)
    const before = names()
    await runWhile(operation, () => write({ retain: 30 }))
    expect(names()).toHaveLength(4)
    expect(names()).toEqual(expect.arrayContaining(before))
    expect((await app.root.get(`${auto}/status/x`)).body.data).toMatchObject({
      stored_snapshots: 4,
      last_prune_error: '',
    })
  })

  sqliteTest('retain raised while the first of several is removed: the others stay', async () => {
    await write({ retain: 30 })
    await take(4)
    const before = names()
    await write({ retain: 1 })
    await runWhile('DeleteObject', () => write({ retain: 30 }))
    expect(names()).toHaveLength(4)
    expect(names()).toEqual(expect.arrayContaining(before.slice(1)))
  })

  sqliteTest('retain lowered while a snapshot is uploaded: as few as that are left', async () => {
    await write({ retain: 30 })
    await take(3)
    await runWhile('PutObject', () => write({ retain: 2 }))
    expect(names()).toHaveLength(2)
  })

  test.each(moments)(
    'a restore replaced the configuration during %s: nothing is removed from the destination of before',
    async (operation) => {
      await write({ retain: 2 })
      await take(2)
      await runWhile(operation, () =>
        app.deps.db.updateTable('snapshot_configurations').set({ file_prefix: 'other', retain: 1 }).execute(),
      )
      expect(names()).toHaveLength(3)
      await runWhile(operation, () => app.deps.db.deleteFrom('snapshot_configurations').execute())
      expect(names()).toHaveLength(4)
    },
  )
})
