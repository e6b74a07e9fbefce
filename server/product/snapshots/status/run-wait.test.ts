import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mustBe } from '../../../../test/support/platform.ts'
import { recordingLog } from '../../../../test/support/recording-log.ts'
import { ownApp } from '../../../../test/support/shared.ts'

const auto = '/v1/sys/storage/raft/snapshot-auto'

test('run: a client that stops waiting for a snapshot is not logged as an error of the server', async () => {
  const { log, text } = recordingLog()
  const app = await ownApp({ log, runJobs: false })
  const config = { interval: '24h', storage_type: 'local', path_prefix: join(app.data.directory, 'snapshots') }
  mustBe(await app.root.post(`${auto}/config/x`, { ...config, local_max_space: 10 ** 8 }), 204)
  const stop = new AbortController()
  const headers = { 'x-vault-token': app.rootToken }
  const waiting = fetch(`${app.url}${auto}/run/x?wait=20s`, { method: 'POST', headers, signal: stop.signal })
  const attempts = app.deps.db.selectFrom('snapshot_attempts').select('id')
  await expect.poll(() => attempts.execute()).toHaveLength(1)
  stop.abort()
  await expect(waiting).rejects.toThrow()
  await expect.poll(text).toMatch(/"path":"[^"]*run\/x","endpoint":"[^"]*","status":503/)
  expect(text()).not.toContain('request failed')
})
