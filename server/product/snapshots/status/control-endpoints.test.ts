import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { eachEngine, untilAwaited } from '../../../../test/support/databases.ts'
import { type S3Fake, s3Fake, s3Identity } from '../../../../test/support/fakes/s3-fake.ts'
import { ownFolder } from '../../../../test/support/folders.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import type { TestApp } from '../../../../test/support/test-app.ts'
import { type JobRunner, startJobs } from '../../../jobs/runner.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { JobRun } from '../../../kit/job.ts'
import { loadJobTimes } from '../../../kit/job-store.ts'
import { takeJobKind } from '../schedule/schedule.ts'
import { snapshotJobs } from '../schedule/schedule-actions.ts'

const auto = '/v1/sys/storage/raft/snapshot-auto'

let app: TestApp
let directory: string
let runner: JobRunner
let fake: S3Fake

const open = async (engine: 'sqlite' | 'postgres') => {
  app = await ownApp({ engine })
  directory = ownFolder()
  runner = await startJobs(app.deps, snapshotJobs, { pollEvery: 60_000 })
}
const write = async (body: object = {}) => {
  const all = {
    interval: 3600,
    path_prefix: directory,
    storage_type: 'local',
    local_max_space: 10 ** 8,
    verify: 'none',
  }
  await app.root.post(`${auto}/config/x`, { ...all, ...body })
}
const cloud = () => ({
  interval: 3600,
  storage_type: 'cloudA-store',
  path_prefix: 'p',
  ...fake.settings,
  verify: 'none',
})
const status = async () => (await app.root.get(`${auto}/status/x`)).body.data

beforeEach(async () => {
  fake = await s3Fake(s3Identity)
})
afterEach(async () => {
  await runner.stop()
  await fake.close()
})

eachEngine((engine) => {
  /** The other tests run the same statements on both engines. */
  const sqliteTest = test.runIf(engine === 'sqlite')

  test('control endpoints: need sudo, except history; an unknown configuration is 404', async () => {
    await open(engine)
    await write()
    const all = '["create", "read", "update", "delete", "list"]'
    const policy = `path "sys/storage/raft/snapshot-auto/*" { capabilities = ${all} }`
    await app.root.put('/v1/sys/policies/acl/p', { policy })
    const made = await app.root.post('/v1/auth/token/create', { policies: ['p'] })
    const user = app.root.as(made.body.auth.client_token)
    for (const verb of ['run', 'check', 'pause', 'resume']) {
      expect((await user.post(`${auto}/${verb}/x`, {})).status, verb).toBe(403)
    }
    expect((await user.post(`${auto}/check`, cloud())).status).toBe(403)
    expect((await user.list(`${auto}/snapshots/x`)).status).toBe(403)
    expect((await user.get(`${auto}/snapshots/x/f`)).status).toBe(403)
    expect((await user.delete(`${auto}/snapshots/x/f`)).status).toBe(403)
    expect((await user.get(`${auto}/history/x`)).status).toBe(200)
    expect((await app.root.get(`${auto}/history/none`)).status).toBe(404)
    for (const verb of ['run', 'check', 'pause', 'resume']) {
      const { status: answered, body } = await app.root.post(`${auto}/${verb}/none`, {})
      expect([answered, body.errors], verb).toEqual([404, ["there is no configuration 'none'"]])
    }
  })

  test('run now: takes an extra snapshot, keeps the schedule, and concurrent requests share one attempt', async () => {
    await open(engine)
    await write({ retain: 9 })
    await runner.runDue()
    app.clock.advance('20m')
    const asked = await Promise.all([1, 2, 3].map(() => app.root.post(`${auto}/run/x`, {})))
    expect(asked.map((answer) => answer.status)).toEqual([202, 202, 202])
    const ids = new Set(asked.map((answer) => answer.body.data.attempt_id))
    expect(ids.size).toBe(1)
    await runner.runDue()
    expect(await readdir(directory)).toHaveLength(2)
    const { attempts } = (await app.root.get(`${auto}/history/x`)).body.data
    expect(attempts).toHaveLength(2)
    expect(ids.has(attempts[0].id)).toBe(true)
    expect(attempts[0]).toEqual({
      id: attempts[0].id,
      start: '2026-11-15T12:20:00+00:00',
      end: '2026-11-15T12:20:00+00:00',
      duration_ms: 0,
      size: expect.any(Number),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      url: expect.stringMatching(/^file:/),
      error: '',
      pruned: [],
      verified_at: '',
      verify_error: '',
      not_restorable: false,
      node: 'test',
    })
    expect((await status()).next_snapshot_start).toBe('2026-11-15T13:00:00+00:00')
    expect((await app.root.get(`${auto}/history/x?limit=1`)).body.data.attempts).toHaveLength(1)
  })

  sqliteTest('run now: a request for a configuration that is due anyway leads to one snapshot', async () => {
    await open(engine)
    await write()
    await app.root.post(`${auto}/run/x`, {})
    await runner.runDue()
    await runner.runDue()
    expect(await readdir(directory)).toHaveLength(1)
    expect((await status()).next_snapshot_start).toBe('2026-11-15T13:00:00+00:00')
  })

  sqliteTest('run now: a run that has not begun its snapshot yet does what is asked for', async () => {
    await open(engine)
    await runner.stop()
    const asking = snapshotJobs.map((job) => ({
      ...job,
      run: async (deps: Deps, run: JobRun) => {
        if (job.name === takeJobKind) await app.root.post(`${auto}/run/x`, {})
        await job.run(deps, run)
      },
    }))
    const askedRunner = await startJobs(app.deps, asking, { pollEvery: 60_000 })
    onTestFinished(() => askedRunner.stop())
    await write()
    await askedRunner.runDue()
    await askedRunner.runDue()
    expect(await readdir(directory)).toHaveLength(1)
  })

  sqliteTest('run now: with wait the answer contains the finished attempt', async () => {
    await open(engine)
    await write()
    for (const ask of [
      () => app.root.post(`${auto}/run/x`, { wait: '30s' }),
      () => app.root.post(`${auto}/run/x?wait=30s`),
    ]) {
      const waiting = ask()
      await runner.runDue()
      const answer = await waiting
      expect(answer.status).toBe(200)
      expect(answer.body.data).toMatchObject({ error: '', end: '2026-11-15T12:00:00+00:00' })
    }
  })

  sqliteTest('run now: with wait the answer comes after pruning and names the pruned files', async () => {
    await open(engine)
    await app.root.post(`${auto}/config/x`, cloud())
    await runner.runDue()
    const [old] = fake.objects.keys()
    const removal = Promise.withResolvers<undefined>()
    const asked = Promise.withResolvers<void>()
    fake.fault = ({ operation }) => {
      if (operation !== 'DeleteObject') return undefined
      asked.resolve()
      return removal.promise
    }
    const waiting = app.root.post(`${auto}/run/x`, { wait: '30s' })
    const ran = runner.runDue()
    await asked.promise
    let isAnswered = false
    void waiting.then(() => {
      isAnswered = true
    })
    await sleep(100)
    await status()
    expect(isAnswered).toBe(false)
    removal.resolve(undefined)
    expect((await waiting).body.data.pruned).toEqual([old?.slice('p/'.length)])
    await ran
  })

  sqliteTest('pause: no snapshot is taken until resume, which makes up for the missed ones once', async () => {
    await open(engine)
    await write({ retain: 9 })
    await runner.runDue()
    expect((await app.root.post(`${auto}/pause/x`)).status).toBe(204)
    app.clock.advance('5h')
    await runner.runDue()
    expect(await status()).toMatchObject({ state: 'paused', overdue: false })
    expect((await app.root.post(`${auto}/run/x`, {})).status).toBe(400)
    expect((await app.root.post(`${auto}/resume/x`)).status).toBe(204)
    await runner.runDue()
    expect(await readdir(directory)).toHaveLength(2)
    expect((await status()).state).toBe('scheduled')
  })

  sqliteTest('resume: on a configuration that is not paused it keeps a requested snapshot', async () => {
    await open(engine)
    await write({ retain: 9 })
    await runner.runDue()
    await runner.stop()
    app.clock.advance('20m')
    await app.root.post(`${auto}/run/x`, {})
    expect((await app.root.post(`${auto}/resume/x`)).status).toBe(204)
    runner = await startJobs(app.deps, snapshotJobs, { pollEvery: 60_000 })
    await runner.runDue()
    expect(await readdir(directory)).toHaveLength(2)
  })

  test('write, pause, resume, delete: leave other configurations, attempts and statuses unchanged', async () => {
    await open(engine)
    for (const name of ['x', 'other', 'paused']) {
      await app.root.post(`${auto}/config/${name}`, { ...cloud(), path_prefix: name })
    }
    await runner.runDue()
    expect((await app.root.post(`${auto}/pause/paused`)).status).toBe(204)
    await app.deps.db.updateTable('snapshot_attempts').set({ ended_at: null }).where('name', '=', 'other').execute()
    const others = async () => {
      const { db } = app.deps
      return [
        await db.selectFrom('snapshot_configurations').selectAll().where('name', '!=', 'x').orderBy('name').execute(),
        await db.selectFrom('snapshot_attempts').selectAll().where('name', '!=', 'x').orderBy('name').execute(),
        await db.selectFrom('snapshot_status').selectAll().where('name', '!=', 'x').orderBy('name').execute(),
      ]
    }
    const before = await others()
    expect(before.map((rows) => rows.length)).toEqual([2, 2, 2])
    for (const verb of ['config', 'pause', 'resume']) {
      expect([200, 204], verb).toContain((await app.root.post(`${auto}/${verb}/x`, { retain: 4 })).status)
      expect(await others(), verb).toEqual(before)
    }
    expect((await app.root.delete(`${auto}/config/x`)).status).toBe(204)
    expect(await others()).toEqual(before)
  })

  test.runIf(engine === 'postgres')('resume: waits for a concurrent write and uses its interval', async () => {
    await open(engine)
    await write()
    expect((await app.root.post(`${auto}/pause/x`)).status).toBe(204)
    const other = new pg.Client({ connectionString: app.deps.store.url })
    await other.connect()
    onTestFinished(() => other.end())
    await other.query('begin')
    await other.query('update snapshot_configurations set interval_s = 7200, revision = revision + 1')
    const resumed = app.root.post(`${auto}/resume/x`)
    await untilAwaited((query) => other.query(query))
    await other.query('commit')
    expect((await resumed).status).toBe(204)
    expect((await loadJobTimes(app.deps.db, takeJobKind)).get('x')?.every).toBe(7_200_000)
  })

  sqliteTest('inventory: lists, downloads and deletes stored snapshots; other file names are 404', async () => {
    await open(engine)
    await write({ retain: 1 })
    await runner.runDue()
    await writeFile(join(directory, 'holdfast-snapshot-1603898241699731000.snap'), 'old')
    await writeFile(join(directory, 'secret.txt'), 'secret')
    const { keys, key_info: info } = (await app.root.list(`${auto}/snapshots/x`)).body.data
    expect(keys).toHaveLength(2)
    expect(info[keys[0]]).toMatchObject({ kept: true, time: '2026-11-15T12:00:00+00:00' })
    expect(info[keys[1]]).toEqual({ kept: false, size: 3, time: '2020-10-28T15:17:21+00:00' })
    const got = await app.root.get(`${auto}/snapshots/x/${keys[1]}`)
    expect(got).toMatchObject({ status: 200, text: 'old', headers: { 'content-length': '3' } })
    expect((await app.root.get(`${auto}/snapshots/x/secret.txt`)).status).toBe(404)
    expect((await app.root.delete(`${auto}/snapshots/x/secret.txt`)).status).toBe(404)
    expect(await readFile(join(directory, 'secret.txt'), 'utf8')).toBe('secret')
    expect((await app.root.delete(`${auto}/snapshots/x/${keys[1]}`)).status).toBe(204)
    expect((await app.root.list(`${auto}/snapshots/x`)).body.data.keys).toEqual([keys[0]])
    expect(await status()).toMatchObject({ stored_snapshots: 1, used_space: info[keys[0]].size })
    expect((await app.root.delete(`${auto}/snapshots/x/${keys[0]}`)).status).toBe(204)
    expect(await status()).toMatchObject({ stored_snapshots: 0, used_space: 0 })
  })

  test('health: snapshots_overdue counts overdue configurations', async () => {
    await open(engine)
    await runner.stop()
    await write()
    app.clock.advance('3h')
    expect((await app.anonymous.get('/v1/sys/health')).body.snapshots_overdue).toBe(1)
    expect(await status()).toMatchObject({ overdue: true })
  })
})

test.each([
  ['PutObject', ['s3:PutObject', 's3:GetObject', 's3:DeleteObject']],
  ['ListObjectsV2', ['s3:ListBucket']],
  ['GetObject', ['s3:GetObject']],
  ['DeleteObject', ['s3:DeleteObject']],
])('check: a credential without permission for %s is reported in missing', async (refused, missing) => {
  await open('sqlite')
  fake.fault = ({ operation }) => (operation === refused ? { status: 403, code: 'AccessDenied' } : undefined)
  const answer = (await app.root.post(`${auto}/check`, cloud())).body.data
  expect(answer.ok).toBe(false)
  expect(answer.missing.sort()).toEqual(missing.sort())
  expect(JSON.stringify(answer)).not.toContain(s3Identity.secret)
})

test('inventory: a destination that does not answer is 502 with the reason', async () => {
  await open('sqlite')
  await fake.close()
  await app.root.post(`${auto}/config/x`, cloud())
  const file = `${auto}/snapshots/x/holdfast-snapshot-1603898241699731000.snap`
  const asked = [await app.root.list(`${auto}/snapshots/x`), await app.root.get(file), await app.root.delete(file)]
  for (const { status, body } of asked) {
    expect(status).toBe(502)
    expect(body.errors[0]).toContain('ECONNREFUSED')
  }
})

test('inventory: a destination that cannot be opened is 502 with the reason, for a download too', async () => {
  await open('sqlite')
  const settings = { cloudC_container_name: 'snaps', cloudC_account_name: 'acme' }
  await app.root.post(`${auto}/config/x`, {
    interval: 3600,
    storage_type: 'cloudC-store',
    path_prefix: 'p/',
    ...settings,
  })
  const file = `${auto}/snapshots/x/holdfast-snapshot-1603898241699731000.snap`
  const asked = [await app.root.list(`${auto}/snapshots/x`), await app.root.get(file), await app.root.delete(file)]
  for (const { status, body } of asked) {
    expect(status).toBe(502)
    expect(body.errors[0]).toContain('no credential is given')
  }
})

test('check: succeeds for cloud and local destinations and leaves nothing behind', async () => {
  await open('sqlite')
  expect((await app.root.post(`${auto}/check`, cloud())).body.data).toMatchObject({ ok: true, missing: [] })
  expect(fake.objects.size).toBe(0)
  await write()
  expect((await app.root.post(`${auto}/check/x`)).body.data.ok).toBe(true)
  expect(await readdir(directory)).toEqual([])
  expect((await app.root.post(`${auto}/check`, { storage_type: 'local' })).body.errors).toEqual([
    'path_prefix is required',
  ])
})

test('check on write: with check true bad credentials are 400 and nothing is stored or changed', async () => {
  await open('sqlite')
  fake.fault = ({ operation }) => (operation === 'DeleteObject' ? { status: 403, code: 'AccessDenied' } : undefined)
  const refused = await app.root.post(`${auto}/config/x`, { ...cloud(), check: true })
  expect(refused.status).toBe(400)
  expect(refused.body.errors).toEqual([
    expect.stringMatching(/^check failed: s3:DeleteObject: the service returned 403 AccessDenied/),
  ])
  expect((await app.root.get(`${auto}/config/x`)).status).toBe(404)
  fake.fault = () => undefined
  fake.objects.clear()
  const stored = await app.root.post(`${auto}/config/x`, { ...cloud(), check: 'true' })
  expect(stored.status).toBe(200)
  expect(stored.body.warnings).toEqual([expect.stringContaining('plain HTTP')])
  expect(fake.objects.size).toBe(0)
  const changed = await app.root.post(`${auto}/config/x?check=true`, { cloudA_secret_access_key: 'wrong-secret' })
  expect(changed.status).toBe(400)
  // The failure is reported once; steps that were not tried because of it are not listed.
  expect(changed.body.errors).toEqual([expect.stringMatching(/^check failed: s3:PutObject, s3:ListBucket: .* 403 /)])
  expect(JSON.stringify(changed.body)).not.toContain('wrong-secret')
  expect((await app.root.post(`${auto}/check/x`)).body.data.ok).toBe(true)
  expect((await app.root.post(`${auto}/config/x`, { check: 'perhaps' })).body.errors).toEqual([
    'check must be true or false',
  ])
})

test('metrics: every configuration has its series, and they end when it is deleted', async () => {
  await open('sqlite')
  await write()
  await runner.runDue()
  const { text } = await app.root.get('/v1/sys/metrics?format=prometheus')
  for (const name of [
    'save_duration_ms',
    'last_success_time',
    'snapshot_size_bytes',
    'save_errors_total',
    'rotate_duration_ms',
    'rotate_errors_total',
    'stored_snapshots',
    'total_snapshot_size_bytes',
    'percent_maxspace_used',
    'next_start_time',
    'consecutive_errors',
  ]) {
    expect(text, name).toMatch(new RegExp(`^holdfast_autosnapshots_${name}\\{config="x"\\} `, 'm'))
  }
  await app.root.delete(`${auto}/config/x`)
  expect((await app.root.get('/v1/sys/metrics?format=prometheus')).text).not.toContain('config="x"')
})

test('metrics: counters start at 0, and series end on every node when the configuration is deleted', async () => {
  await open('sqlite')
  await write()
  await runner.runDue()
  const other = await ownApp({ beside: app })
  const figures = async () => (await other.root.get('/v1/sys/metrics?format=prometheus')).text
  for (const name of ['save_errors_total', 'rotate_errors_total', 'verify_errors_total']) {
    expect(await figures(), name).toContain(`holdfast_autosnapshots_${name}{config="x"} 0`)
  }
  await other.root.delete(`${auto}/config/x`)
  expect(await figures()).not.toContain('config="x"')
  expect((await app.root.get('/v1/sys/metrics?format=prometheus')).text).not.toContain('config="x"')
})

test('metrics: next_start_time and consecutive_errors follow the schedule', async () => {
  await open('sqlite')
  await writeFile(join(directory, 'file'), '')
  await write({ path_prefix: join(directory, 'file') })
  const figure = async (name: string) =>
    new RegExp(`^holdfast_autosnapshots_${name}\\{config="x"\\} (\\d+)$`, 'm').exec(
      (await app.root.get('/v1/sys/metrics?format=prometheus')).text,
    )?.[1]
  const now = Math.floor(app.clock.now() / 1_000)
  expect([await figure('next_start_time'), await figure('consecutive_errors')]).toEqual([String(now), '0'])
  await runner.runDue()
  expect(Number(await figure('next_start_time'))).toBeGreaterThan(now)
  expect(await figure('consecutive_errors')).toBe('1')
})

test('metrics: another node shows figures of snapshots it did not take', async () => {
  await open('sqlite')
  await write()
  await runner.runDue()
  const other = await ownApp({ beside: app })
  const { text } = await other.root.get('/v1/sys/metrics?format=prometheus')
  for (const name of ['last_success_time', 'snapshot_size_bytes', 'stored_snapshots', 'next_start_time']) {
    expect(text, name).toMatch(new RegExp(`^holdfast_autosnapshots_${name}\\{config="x"\\} [1-9]`, 'm'))
  }
  await app.root.delete(`${auto}/config/x`)
  expect((await other.root.get('/v1/sys/metrics?format=prometheus')).text).not.toContain('config="x"')
})
