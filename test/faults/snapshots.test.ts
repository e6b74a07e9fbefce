import { rmSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testEngines, testStore } from '../support/databases.ts'
import { s3Fake, s3Identity } from '../support/fakes/s3-fake.ts'
import { temporaryFolder } from '../support/folders.ts'
import { startDevServer } from './dev-server.ts'

const auto = '/v1/sys/storage/raft/snapshot-auto'

test.each(testEngines)(
  'kill -9 in the middle of an upload: nothing partial is left, it is recorded at the next start and repeated, on %s',
  async (engine) => {
    const data = temporaryFolder()
    const environment: Record<string, string> =
      engine === 'postgres' ? { HOLDFAST_STORAGE: (await testStore(engine)).store.url } : {}
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
    const first = await startDevServer(data, environment)
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
    const second = await startDevServer(data, environment)
    const ended = await vi.waitFor(
      async () => {
        const { attempts } = (await second.root.get(`${auto}/history/k`)).body.data
        expect(attempts.at(-1).error).not.toBe('')
        return attempts.at(-1)
      },
      // Long before the lease of the dead process ends.
      { timeout: 10_000, interval: 100 },
    )
    expect(ended.error).toBe('interrupted before completion')
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
  },
)
