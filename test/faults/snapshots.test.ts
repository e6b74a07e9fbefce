import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Client, testClient } from '../support/client.ts'
import { temporaryFolder } from '../support/databases.ts'
import { s3Fake } from '../support/fakes/s3-fake.ts'

const auto = '/v1/sys/storage/raft/snapshot-auto'
const identity = { bucket: 'snaps', accessKey: 'AKTEST', secret: 'very-secret-key', region: 'eu-1' }

type Server = { readonly client: Client; readonly child: ChildProcess; kill(): Promise<void> }

/** Starts the real program on its data directory and waits until it can be asked. */
async function startServer(data: string): Promise<Server> {
  const program = join(import.meta.dirname, '../../server/main.ts')
  const env = {
    ...process.env,
    HOLDFAST_DATA_DIR: data,
    HOLDFAST_LISTEN: '127.0.0.1:0',
    HOLDFAST_HTTP_LISTEN: '127.0.0.1:0',
  }
  const child = spawn(process.execPath, [program, 'dev'], { env, stdio: 'ignore' })
  const facts = await vi.waitFor(
    () => {
      const found = JSON.parse(readFileSync(join(data, 'dev.json'), 'utf8')) as Record<string, unknown>
      expect(found.pid).toBe(child.pid)
      return found
    },
    { timeout: 60_000, interval: 50 },
  )
  const client = testClient({ url: String(facts.http_address), token: String(facts.root_token) })
  const exit = new Promise((resolve) => child.once('exit', resolve))
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    client.close()
    await exit
  }
  return { client, child, kill }
}

test('kill -9 in the middle of an upload: nothing partial, recorded as interrupted, made up for', async () => {
  const data = temporaryFolder()
  const fake = await s3Fake(identity)
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
  const first = await startServer(data)
  const written = await first.client.post(`${auto}/config/k`, {
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
  const second = await startServer(data)
  onTestFinished(() => second.kill())
  // The lease of the dead process has to run out first.
  const status = await vi.waitFor(
    async () => {
      const found = (await second.client.get(`${auto}/status/k`)).body.data
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
  const { attempts } = (await second.client.get(`${auto}/history/k`)).body.data
  expect(attempts.map(({ error }: { error: string }) => error)).toEqual(['', 'interrupted before completion'])
  expect(fake.objects.size).toBe(1)
})
