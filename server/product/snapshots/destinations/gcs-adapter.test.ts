import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { crc32c, type GcsFake, gcsFake } from '../../../../test/support/fakes/gcs-fake.ts'
import { ownFolder } from '../../../../test/support/folders.ts'
import {
  bytesOf,
  destinationDeps,
  namesIn,
  snapshotConfiguration,
  snapshotContent,
  unwatched,
} from '../../../../test/support/snapshot-content.ts'
import type { DestinationSettings } from '../configurations/configuration.ts'
import type { Destination } from './destination-adapter.ts'
import { gcsDestination } from './gcs-adapter.ts'

const megabyte = 1024 * 1024
let fake: GcsFake
beforeEach(async () => {
  fake = await gcsFake({ bucket: 'snaps', pageSize: 3 })
})
afterEach(async () => {
  await fake.close()
  vi.unstubAllEnvs()
})

const open = (settings: DestinationSettings = {}, pathPrefix = 'backups/'): Destination =>
  gcsDestination(
    destinationDeps,
    snapshotConfiguration({
      type: 'cloudB-store',
      pathPrefix,
      settings: {
        cloudB_bucket: 'snaps',
        cloudB_endpoint: fake.endpoint,
        cloudB_disable_tls: true,
        cloudB_service_account_key: fake.serviceKey,
        ...settings,
      },
    }),
  )

test('the GCS fake computes the specified CRC-32C', () => {
  expect(crc32c(Buffer.from('123456789'))).toBe(Buffer.from('e3069283', 'hex').toString('base64'))
})

test.each([
  ['one chunk', 100_000, 1],
  ['two chunks', 9 * megabyte + 17, 2],
])('GCS: a snapshot uploaded in %s is read back unchanged, with its metadata', async (_name, size, chunks) => {
  const destination = open()
  const content = snapshotContent(size)
  await destination.put('f-1.snap', content, unwatched())
  const stored = fake.objects.get('backups/f-1.snap')
  expect(stored?.body.equals(content.bytes)).toBe(true)
  expect(stored?.metadata).toMatchObject({ 'holdfast-sha256': content.summary.sha256, 'holdfast-index': '7' })
  expect(fake.requests.filter(({ operation }) => operation === 'chunk')).toHaveLength(chunks)
  expect((await bytesOf(await destination.get('f-1.snap', unwatched().signal))).equals(content.bytes)).toBe(true)
  await destination.delete('f-1.snap', unwatched().signal)
  await destination.delete('f-1.snap', unwatched().signal)
  expect(fake.objects.size).toBe(0)
})

test('GCS: list follows pages and returns only objects directly below the prefix', async () => {
  for (const name of ['f-1', 'f-2', 'f-3', 'f-4', 'f-5/deep', 'g-1', 'f-7']) {
    fake.objects.set(`backups/${name}`, { body: Buffer.alloc(2), contentType: '', metadata: {} })
  }
  fake.objects.set('f-8', { body: Buffer.alloc(2), contentType: '', metadata: {} })
  expect(await namesIn(open())).toEqual(['f-1', 'f-2', 'f-3', 'f-4', 'f-7'])
  expect(fake.requests.filter(({ operation }) => operation === 'list')).toHaveLength(2)
  expect(await namesIn(open({}, '/'))).toEqual(['f-8'])
})

/** An error that the library throws outside any promise would end the process, and here the whole test run. */
test.each(['', 'null', '[]', '"a text"', '{"items":5}', '{"items":[null]}', '{"items":[{"name":7}]}', '<html></html>'])(
  'GCS: an invalid list response rejects and does not crash the process: %s',
  async (instead) => {
    fake.fault = ({ operation }) => (operation === 'list' ? { instead } : undefined)
    const listing = Array.fromAsync(open().list('f-', AbortSignal.timeout(10_000)))
    await expect(listing).rejects.toThrow('the endpoint is not a store of this kind')
  },
)

test('GCS: with an aborted signal delete and list reject without a request', async () => {
  const destination = open()
  await destination.put('f-1', snapshotContent(10), unwatched())
  const before = fake.requests.length
  const stopped = AbortSignal.abort(new Error('enough'))
  fake.fault = () => ({ status: 403, reason: 'forbidden' })
  await expect(destination.delete('f-1', stopped)).rejects.toThrow('enough')
  await expect(Array.fromAsync(destination.list('f-', stopped))).rejects.toThrow('enough')
  fake.fault = () => undefined
  expect(await namesIn(destination)).toEqual(['f-1'])
  expect(fake.requests.slice(before).map(({ operation }) => operation)).toEqual(['list'])
})

test('GCS: a download aborted while the service fails rejects, and later downloads work', async () => {
  const destination = open()
  await destination.put('f-1', snapshotContent(10), unwatched())
  const asked = Promise.withResolvers<void>()
  fake.fault = () => {
    asked.resolve()
    return { status: 500, reason: 'backendError' }
  }
  const stop = new AbortController()
  const reading = destination.get('f-1', stop.signal).then(bytesOf)
  await asked.promise
  stop.abort(new Error('enough'))
  await expect(reading).rejects.toThrow()
  fake.fault = () => undefined
  expect((await bytesOf(await destination.get('f-1', unwatched().signal))).length).toBe(10)
})

test('GCS: put never overwrites an existing object', async () => {
  const destination = open()
  await destination.put('f-1', snapshotContent(10), unwatched())
  const before = fake.objects.get('backups/f-1')?.body
  await expect(destination.put('f-1', snapshotContent(10), unwatched())).rejects.toThrow('conditionNotMet')
  expect(fake.objects.get('backups/f-1')?.body).toBe(before)
})

test('GCS: a service account key that the token server refuses fails the upload', async () => {
  const key = JSON.stringify({ ...JSON.parse(fake.serviceKey), client_email: 'stranger@fake' })
  const put = open({ cloudB_service_account_key: key }).put('f-1', snapshotContent(10), unwatched())
  await expect(put).rejects.toThrow(/invalid_grant|400/)
  expect(fake.objects.size).toBe(0)
})

/** A file that GOOGLE_APPLICATION_CREDENTIALS names, on a machine that has nothing else. */
async function ambientFile(content: string): Promise<string> {
  const directory = ownFolder()
  const path = join(directory, 'ambient.json')
  await writeFile(path, content)
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', path)
  vi.stubEnv('CLOUDSDK_CONFIG', directory)
  vi.stubEnv('HOME', directory)
  vi.stubEnv('METADATA_SERVER_DETECTION', 'none')
  for (const name of ['GOOGLE_CLOUD_PROJECT', 'GCLOUD_PROJECT']) vi.stubEnv(name, undefined)
  return directory
}

const workloadIdentity = (tokenFile: string): string =>
  JSON.stringify({
    type: 'external_account',
    audience: '//iam.example/projects/1/locations/global/workloadIdentityPools/pool/providers/p',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `http://${fake.endpoint}/exchange`,
    // The fake does not look up projects, as a service whose identity may not.
    cloud_resource_manager_url: `http://${fake.endpoint}/projects/`,
    credential_source: { file: tokenFile },
  })

test('GCS: a workload identity is used though its project cannot be looked up', async () => {
  const directory = ownFolder()
  await writeFile(join(directory, 'token'), 'proof-of-the-machine')
  await ambientFile(workloadIdentity(join(directory, 'token')))
  await open({ cloudB_service_account_key: '{}' }).put('f-1.snap', snapshotContent(10), unwatched())
  expect(fake.objects.size).toBe(1)
  expect(fake.requests.map(({ operation }) => operation)).toEqual(['begin', 'chunk'])
})

test('GCS: a service account in GOOGLE_APPLICATION_CREDENTIALS gets its tokens from its own token_uri', async () => {
  await ambientFile(fake.serviceKey)
  await open({ cloudB_service_account_key: '' }).put('f-1.snap', snapshotContent(10), unwatched())
  expect(fake.objects.size).toBe(1)
})

test.each([
  ['is no JSON', () => '{"type":', 'Unable to read the credential file'],
  ['lacks the key', () => '{"type":"service_account","client_email":"robot@fake"}', 'does not contain a private_key'],
  ['names a token that is not there', () => workloadIdentity('/nowhere/token'), '/nowhere/token'],
])('GCS: if the credential file %s, nothing is sent without credentials', async (_name, content, reason) => {
  const emulator = await gcsFake({ bucket: 'snaps', isOpen: true })
  try {
    await ambientFile(content())
    const settings = { cloudB_service_account_key: '', cloudB_endpoint: emulator.endpoint }
    await expect(open(settings).put('f-1.snap', snapshotContent(10), unwatched())).rejects.toThrow(reason)
    expect(emulator.requests).toEqual([])
  } finally {
    await emulator.close()
  }
})

test('GCS: a credential file that is not there fails the upload', async () => {
  const directory = await ambientFile('')
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', join(directory, 'elsewhere.json'))
  await expect(
    open({ cloudB_service_account_key: '' }).put('f-1.snap', snapshotContent(10), unwatched()),
  ).rejects.toThrow('elsewhere.json does not exist')
  expect(fake.requests).toEqual([])
})

test('GCS: without any credential only a custom endpoint is used anonymously', async () => {
  const directory = ownFolder()
  const emulator = await gcsFake({ bucket: 'snaps', isOpen: true })
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', undefined)
  vi.stubEnv('CLOUDSDK_CONFIG', directory)
  vi.stubEnv('HOME', directory)
  vi.stubEnv('METADATA_SERVER_DETECTION', 'none')
  try {
    const plain = open({ cloudB_service_account_key: '', cloudB_endpoint: emulator.endpoint })
    await plain.put('f-1', snapshotContent(10), unwatched())
    expect(await namesIn(plain)).toEqual(['f-1'])
    await plain.delete('f-1', unwatched().signal)
    expect(emulator.objects.size).toBe(0)
    const real = open({ cloudB_service_account_key: '', cloudB_endpoint: '', cloudB_disable_tls: false })
    await expect(real.put('f-1', snapshotContent(10), unwatched())).rejects.toThrow('default credentials')
  } finally {
    await emulator.close()
  }
})

test.each([
  ['500', { status: 500, reason: 'backendError' }],
  ['429', { status: 429, reason: 'rateLimitExceeded' }],
  ['a reset', 'reset' as const],
])('GCS: %s during a chunk upload is retried', async (_name, fault) => {
  let chunk = 0
  fake.fault = ({ operation }) => (operation === 'chunk' && ++chunk === 2 ? fault : undefined)
  const content = snapshotContent(9 * megabyte)
  await open().put('f-1', content, unwatched())
  expect(fake.objects.get('backups/f-1')?.body.equals(content.bytes)).toBe(true)
})

test.each([
  ['403', 'begin', { status: 403, reason: 'forbidden' }],
  ['404', 'begin', { status: 404, reason: 'notFound' }],
  ['403 in the middle', 'chunk', { status: 403, reason: 'forbidden' }],
])('GCS: %s fails the upload and leaves no object behind', async (_name, where, fault) => {
  fake.fault = ({ operation }) => (operation === where ? fault : undefined)
  await expect(open().put('f-1', snapshotContent(9 * megabyte), unwatched())).rejects.toThrow(fault.reason)
  expect(fake.objects.size).toBe(0)
})

test('GCS: an upload session that the service has lost (404) rejects and does not crash the process', async () => {
  let chunk = 0
  fake.fault = ({ operation, range }) => {
    if (operation !== 'chunk') return undefined
    if (range.startsWith('bytes */')) return { status: 404, reason: 'notFound' }
    return ++chunk === 2 ? { status: 503, reason: 'backendError' } : undefined
  }
  await expect(open().put('f-1', snapshotContent(9 * megabyte), unwatched())).rejects.toThrow('notFound')
  expect(fake.objects.size).toBe(0)
})

test('GCS: an answer without an upload URL rejects and does not crash the process', async () => {
  fake.fault = ({ operation }) => (operation === 'begin' ? { instead: '<html></html>' } : undefined)
  const put = open().put('f-1', snapshotContent(9 * megabyte), unwatched())
  await expect(put).rejects.toThrow('the endpoint is not a store of this kind')
})

test('GCS: an object corrupted in transit is detected and removed', async () => {
  fake.fault = ({ operation }) => (operation === 'chunk' ? 'corrupt' : undefined)
  await expect(open().put('f-1', snapshotContent(1000), unwatched())).rejects.toThrow(/did not match|checksum|hash/i)
  await expect.poll(() => fake.objects.size).toBe(0)
})

test('GCS: an upload aborted while the service is silent rejects and leaves no object behind', async () => {
  const stop = new AbortController()
  fake.fault = ({ operation }) => {
    if (operation !== 'chunk') return undefined
    setImmediate(() => stop.abort(new Error('enough')))
    return 'silence'
  }
  const put = open().put('f-1', snapshotContent(9 * megabyte), { ...unwatched(), signal: stop.signal })
  await expect(put).rejects.toThrow()
  expect(fake.objects.size).toBe(0)
})

test('GCS: object URLs use the endpoint or the public host, with the path encoded', () => {
  expect(open().urlOf('f-1.snap')).toBe(`http://${fake.endpoint}/snaps/backups/f-1.snap`)
  expect(open({ cloudB_bucket: 'b?a=b' }).urlOf('f-1.snap')).toBe(`http://${fake.endpoint}/b%3Fa%3Db/backups/f-1.snap`)
  const plain = { cloudB_endpoint: '', cloudB_disable_tls: false }
  expect(open(plain, '/a b/').urlOf('f-1.snap')).toBe('https://storage.googleapis.com/snaps/a%20b/f-1.snap')
})
