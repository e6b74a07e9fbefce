import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { afterEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../../../test/support/folders.ts'
import { freePort } from '../../../../test/support/free-port.ts'
import { isInstalled } from '../../../../test/support/programs/programs.ts'
import {
  bytesOf,
  destinationDeps,
  namesIn,
  snapshotConfiguration,
  snapshotContent,
  unwatched,
} from '../../../../test/support/snapshot-content.ts'
import type { Configuration } from '../configurations/configuration.ts'
import { openDestination } from './open-destination-adapter.ts'

const running: ChildProcess[] = []
afterEach(() => {
  vi.unstubAllEnvs()
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

function start(program: string, args: readonly string[], env: Record<string, string> = {}): void {
  running.push(spawn(program, args, { stdio: 'ignore', env: { ...process.env, ...env } }))
}

/** Stores, lists, reads and removes a snapshot of several parts. */
async function roundTrip(configuration: Configuration): Promise<void> {
  const destination = await openDestination(destinationDeps, configuration)
  const content = snapshotContent(17 * 1024 * 1024)
  await destination.put('f-1.snap', content, unwatched())
  expect(await namesIn(destination)).toEqual(['f-1.snap'])
  expect((await bytesOf(await destination.get('f-1.snap', unwatched().signal))).equals(content.bytes)).toBe(true)
  await destination.delete('f-1.snap', unwatched().signal)
  expect(await namesIn(destination)).toEqual([])
  destination.close()
}

const patient = { timeout: 60_000 }
const slowly = { timeout: 20_000, interval: 100 }

test.skipIf(!isInstalled('minio'))(
  'S3 destination works against MinIO (needs minio on the PATH)',
  patient,
  async () => {
    const endpoint = `127.0.0.1:${await freePort()}`
    const folder = temporaryFolder()
    const credentials = { accessKeyId: 'holdfast', secretAccessKey: 'holdfast-secret' }
    start('minio', ['server', folder, '--address', endpoint], {
      MINIO_ROOT_USER: credentials.accessKeyId,
      MINIO_ROOT_PASSWORD: credentials.secretAccessKey,
    })
    const client = new S3Client({
      endpoint: `http://${endpoint}`,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials,
    })
    await vi.waitFor(() => client.send(new CreateBucketCommand({ Bucket: 'snaps' })), slowly)
    const settings = {
      cloudA_bucket: 'snaps',
      cloudA_region: 'us-east-1',
      cloudA_endpoint: endpoint,
      cloudA_disable_tls: true,
      cloudA_force_path_style: true,
      cloudA_access_key_id: credentials.accessKeyId,
      cloudA_secret_access_key: credentials.secretAccessKey,
    }
    await roundTrip(snapshotConfiguration({ type: 'cloudA-store', pathPrefix: 'p', settings }))
    await rm(folder, { recursive: true, force: true })
  },
)

test.skipIf(!isInstalled('fake-gcs-server'))(
  'GCS destination works against fake-gcs-server (needs fake-gcs-server on the PATH)',
  patient,
  async () => {
    const port = await freePort()
    const endpoint = `127.0.0.1:${port}`
    const place = ['-host', '127.0.0.1', '-port', String(port), '-public-host', endpoint]
    start('fake-gcs-server', ['-scheme', 'http', '-backend', 'memory', '-external-url', `http://${endpoint}`, ...place])
    const bucket = { method: 'POST', body: '{"name":"snaps"}', headers: { 'content-type': 'application/json' } }
    await vi.waitFor(() => fetch(`http://${endpoint}/storage/v1/b?project=p`, bucket), slowly)
    // An identity of the machine that runs the tests is not for the emulator.
    vi.stubEnv('METADATA_SERVER_DETECTION', 'none')
    const settings = { cloudB_bucket: 'snaps', cloudB_endpoint: endpoint, cloudB_disable_tls: true }
    await roundTrip(snapshotConfiguration({ type: 'cloudB-store', pathPrefix: 'p/', settings }))
  },
)
