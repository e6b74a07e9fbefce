import { afterEach, beforeEach, expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { type S3Fake, s3Fake, s3Identity } from '../../../../test/support/fakes/s3-fake.ts'
import { type TestApp, testApp } from '../../../../test/support/test-app.ts'
import { type JobRunner, startJobs } from '../../../jobs/runner.ts'
import { takeJobKind } from './schedule.ts'
import { snapshotJobs } from './schedule-actions.ts'

const auto = '/v1/sys/storage/raft/snapshot-auto'

eachEngine((engine) => {
  let app: TestApp
  let fake: S3Fake
  let nodes: JobRunner[]

  beforeEach(async () => {
    fake = await s3Fake(s3Identity)
    app = await testApp({ engine })
    nodes = []
  })
  afterEach(async () => {
    for (const node of nodes) await node.stop()
    await app.close()
    await fake.close()
  })

  /** Another job runner on the same database, with its own owner id, standing for another process. */
  const startNode = async (): Promise<JobRunner> => {
    const node = await startJobs(app.deps, snapshotJobs, { pollEvery: 60_000 })
    nodes.push(node)
    return node
  }
  const write = () =>
    app.root.post(`${auto}/config/x`, {
      interval: 3600,
      retain: 9,
      storage_type: 'cloudA-store',
      path_prefix: 'p',
      ...fake.settings,
      verify: 'none',
    })
  const history = async () => (await app.root.get(`${auto}/history/x`)).body.data.attempts
  const loseLead = () =>
    app.deps.db.updateTable('leases').set({ lease_until: 0 }).where('name', '=', 'leader').execute()
  const loseLease = () =>
    app.deps.db.updateTable('jobs').set({ lease_until: 0 }).where('kind', '=', takeJobKind).execute()

  test('three nodes: take one snapshot per interval, also after the leader stops', async () => {
    await Promise.all([startNode(), startNode(), startNode()])
    await write()
    for (let hour = 1; hour <= 4; hour++) {
      await Promise.all(nodes.map((node) => node.runDue()))
      await Promise.all(nodes.map((node) => node.runDue()))
      expect(fake.objects.size).toBe(hour)
      if (hour === 2) await nodes.find((node) => node.isLeader)?.stop()
      app.clock.advance('1h')
    }
    expect((await history()).map(({ error }: { error: string }) => error)).toEqual(['', '', '', ''])
  })

  test('a stalled holder: another node takes over, and the late object of the first is removed', async () => {
    const entered = Promise.withResolvers<void>()
    const opened = Promise.withResolvers<undefined>()
    let first = ''
    fake.fault = ({ operation, key }) => {
      if (operation !== 'PutObject' || (first !== '' && key !== first)) return undefined
      first = key
      entered.resolve()
      return opened.promise
    }
    const stalled = await startNode()
    await write()
    const running = stalled.runDue()
    await entered.promise
    await loseLead()
    await loseLease()
    const next = await startNode()
    await next.runDue()
    expect(fake.objects.size).toBe(1)
    opened.resolve(undefined)
    await running
    await expect.poll(() => fake.objects.has(first)).toBe(false)
    expect(fake.objects.size).toBe(1)
    const attempts = await history()
    expect(attempts.map(({ error }: { error: string }) => error)).toEqual(['', 'interrupted before completion'])
    expect((await app.root.get(`${auto}/status/x`)).body.data).toMatchObject({
      last_snapshot_error: '',
      state: 'scheduled',
      stored_snapshots: 1,
    })
  })

  test('a crash: an unfinished attempt is recorded as interrupted, and a new one follows', async () => {
    await write()
    await app.deps.db
      .insertInto('snapshot_attempts')
      .values({
        id: 'crashed',
        name: 'x',
        sequence: 1,
        trigger_kind: 'schedule',
        started_at: app.clock.now() - 60_000,
        ended_at: null,
        object: 'o',
        url: 'http://gone/o',
        size: null,
        sha256: null,
        error: '',
        pruned: '[]',
        verified_at: null,
        verify_error: '',
        verify_failed: 0,
        node: 'other',
      })
      .execute()
    expect((await app.root.get(`${auto}/status/x`)).body.data.state).toBe('running')
    await (await startNode()).runDue()
    const attempts = await history()
    expect(attempts).toHaveLength(2)
    expect(attempts[1]).toMatchObject({ id: 'crashed', error: 'interrupted before completion', node: 'other' })
    expect(attempts[0]).toMatchObject({ error: '' })
  })

  test('history: keeps a hundred attempts, and the last successful one for good', async () => {
    const node = await startNode()
    await write()
    await node.runDue()
    const [good] = await history()
    fake.fault = ({ operation }) => (operation === 'PutObject' ? { status: 403, code: 'AccessDenied' } : undefined)
    const row = await app.deps.db.selectFrom('snapshot_attempts').selectAll().executeTakeFirstOrThrow()
    const failed = { ...row, error: 'uploading snapshot: no', size: null, sha256: null }
    for (let number = 2; number <= 110; number++) {
      await app.deps.db
        .insertInto('snapshot_attempts')
        .values({ ...failed, id: `f${number}`, sequence: number })
        .execute()
    }
    app.clock.advance('1h')
    await node.runDue()
    expect(await history()).toHaveLength(100)
    const { n } = await app.deps.db
      .selectFrom('snapshot_attempts')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(Number(n)).toBe(101)
    expect((await app.root.get(`${auto}/status/x`)).body.data.last_snapshot_url).toBe(good.url)
  })

  test('history by day: holds the attempts that are no longer remembered, for 400 days', async () => {
    const days = async (query = '') => (await app.root.get(`${auto}/days/x${query}`)).body.data.days
    const node = await startNode()
    await write()
    await node.runDue()
    const row = await app.deps.db.selectFrom('snapshot_attempts').selectAll().executeTakeFirstOrThrow()
    const day = 86_400_000
    const today = app.clock.now()
    for (let number = 1; number <= 110; number++) {
      const [started_at, ended_at] = [today - (111 - number) * day, today - (111 - number) * day + 4_000]
      const error = number === 4 ? 'uploading snapshot: no' : ''
      await app.deps.db
        .insertInto('snapshot_attempts')
        .values({ ...row, id: `f${number}`, sequence: number - 111, started_at, ended_at, error, size: number })
        .execute()
    }
    const before = await days()
    expect(before).toHaveLength(111)
    expect(before[3]).toMatchObject({ attempts: 1, failed: 1, size: 0, error: 'uploading snapshot: no' })
    expect(before[4]).toMatchObject({ attempts: 1, failed: 0, size: 5, duration_ms: 4_000, error: '' })
    app.clock.advance('1h')
    await node.runDue()
    expect(await history()).toHaveLength(100)
    const after = await days()
    expect(after.slice(0, -1)).toEqual(before.slice(0, -1))
    expect(after.at(-1)).toMatchObject({ attempts: 2 })
    expect(await days('?days=2')).toEqual(after.slice(-2))
    app.clock.advance('400d')
    await node.runDue()
    await app.deps.db.updateTable('snapshot_attempts').set({ sequence: -1_000 }).where('id', '=', 'f110').execute()
    app.clock.advance('1h')
    await node.runDue()
    const kept = await app.deps.db.selectFrom('snapshot_days').select('day').execute()
    expect(kept.map((each) => Number(each.day)).filter((at) => at < today - day)).toEqual([])
    await app.root.delete(`${auto}/config/x`)
    expect(await app.deps.db.selectFrom('snapshot_days').selectAll().execute()).toEqual([])
  })
})
