import { readdir, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { ownFolder } from '../../../../test/support/folders.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import type { TestApp } from '../../../../test/support/test-app.ts'
import { type JobRunner, startJobs } from '../../../jobs/runner.ts'
import { snapshotJobs } from '../schedule/schedule-actions.ts'

vi.setConfig({ testTimeout: 60_000 })

const auto = '/v1/sys/storage/raft/snapshot-auto'
const policy = '/v1/sys/policies/acl'
const text = { policy: 'path "a" { capabilities = ["read"] }' }

eachEngine((engine) => {
  let app: TestApp
  let runner: JobRunner
  let directory: string
  let file: string

  beforeEach(async () => {
    app = await ownApp({ engine })
    directory = ownFolder()
    runner = await startJobs(app.deps, snapshotJobs, { pollEvery: 60_000 })
    await app.root.put(`${policy}/kept`, text)
    const place = { storage_type: 'local', path_prefix: directory, local_max_space: 10 ** 8 }
    await app.root.post(`${auto}/config/x`, { interval: 3600, verify: 'none', ...place })
    await runner.runDue()
    ;[file = ''] = await readdir(directory)
    await app.root.put(`${policy}/late`, text)
  })
  afterEach(() => runner.stop())

  test('stored snapshots: whoever has no sudo may not inspect, preview or restore them', async () => {
    const rules = `path "${auto.slice(4)}/*" { capabilities = ["create", "read", "update", "delete", "list"] }`
    await app.root.put(`${policy}/p`, { policy: rules })
    const made = await app.root.post('/v1/auth/token/create', { policies: ['p'] })
    const user = app.root.as(made.body.auth.client_token)
    for (const verb of ['inspect', 'preview', 'restore'])
      expect((await user.post(`${auto}/snapshots/x/${file}/${verb}`, {})).status, verb).toBe(403)
  })

  test('stored snapshots: are inspected and previewed where they lie', async () => {
    const seen = (await app.root.post(`${auto}/snapshots/x/${file}/inspect`, {})).body.data
    expect(seen).toMatchObject({ same_cluster: true, same_keys: true })
    const { tables } = (await app.root.post(`${auto}/snapshots/x/${file}/preview`, {})).body.data
    expect(tables.policies).toMatchObject({ removed: 1, added: 0, changed: 0 })
  })

  test('stored snapshots: a restore takes back what was done since', async () => {
    const restored = await app.root.post(`${auto}/snapshots/x/${file}/restore`, {})
    expect([restored.status, restored.body.data.same_cluster]).toEqual([200, true])
    expect((await app.root.get(`${policy}/late`)).status).toBe(404)
    expect((await app.root.get(`${policy}/kept`)).status).toBe(200)
  })

  test('stored snapshots: names of other files are missing, and a damaged one changes nothing', async () => {
    for (const verb of ['inspect', 'preview', 'restore'])
      expect((await app.root.post(`${auto}/snapshots/x/secret.txt/${verb}`, {})).status, verb).toBe(404)
    await truncate(join(directory, file), 1_000)
    for (const verb of ['inspect', 'preview', 'restore'])
      expect((await app.root.post(`${auto}/snapshots/x/${file}/${verb}`, {})).status, verb).toBe(400)
    expect((await app.root.get(`${policy}/late`)).status).toBe(200)
  })
})
