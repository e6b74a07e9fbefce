import { rmSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { s3Fake, s3Identity } from '../support/fakes/s3-fake.ts'
import { temporaryFolder } from '../support/folders.ts'
import { startDevServer } from './dev-server.ts'

const auto = '/v1/sys/storage/raft/snapshot-auto'

test('kill -9 in the middle of an upload: nothing partial is left, it is recorded as interrupted and repeated', async () => {
  const data = temporaryFolder()
  const fake = await s3Fake(s3Identity)
  onTestFinished(async () => {
    await fake.close()
    rmSync(data, { recursive: true, force: true })
  })
  const entered = Promise.withResolvers<void>()
  fake.fault = ({ operation }) => {
    if (operation !== 'PutObject') return undefined
    entered.resolve()
    return 'silence'
  }
  const first = await startDevServer(data)
  const written = await first.root.post(`${auto}/config/k`, {
    interval: 3600,
    storage_type: 'cloudA-store',
    path_prefix: 'p',
    ...fake.settings,
  })
  expect(written.status).toBe(200)
  await entered.promise
  await first.kill()
  expect(fake.objects.size).toBe(0)

  fake.fault = () => undefined
  const second = await startDevServer(data)
  // The lease of the dead process has to expire first.
  const status = await vi.waitFor(
    async () => {
      const found = (await second.root.get(`${auto}/status/k`)).body.data
      expect(found.last_verified_at).not.toBe('')
      return found
    },
    { timeout: 120_000, interval: 250 },
  )
  expect(status).toMatchObject({
    last_snapshot_error: '',
    consecutive_errors: 0,
    stored_snapshots: 1,
    last_verify_error: '',
  })
  const { attempts } = (await second.root.get(`${auto}/history/k`)).body.data
  expect(attempts.map(({ error }: { error: string }) => error)).toEqual(['', 'interrupted before completion'])
  expect(fake.objects.size).toBe(1)
})
